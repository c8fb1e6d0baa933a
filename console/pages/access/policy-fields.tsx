import type { Refusal } from "../../api/refusal.ts";
import { Field, Select } from "../../kit/field.tsx";
import type { FormValues } from "../../kit/form.tsx";
import { oneOf } from "../../kit/view.ts";
import { type Policy, SENDS, policyWords as says } from "../../words/en/access/policies.ts";

const SENDS_VALUES = Object.entries(SENDS).map(([value, text]) => ({ value, text }));
const MOST_BUDGET = 1_000_000;
const MOST_UNDO = 300;

/** What a credential may send by itself, as fields of a form. */
export function PolicyFields({ policy, refusal }: { policy: Policy; refusal: Refusal | null }) {
  return (
    <>
      <Select label={says.sends} name="sends" defaultValue={policy.sends} options={SENDS_VALUES} refusal={refusal} />
      <Field
        label={says.budget}
        hint={says.budgetHint}
        name="dailySendBudget"
        type="number"
        min={0}
        max={MOST_BUDGET}
        defaultValue={policy.dailySendBudget ?? ""}
        refusal={refusal}
      />
      <Field
        label={says.undo}
        hint={says.undoHint}
        name="undoSeconds"
        type="number"
        min={0}
        max={MOST_UNDO}
        required
        defaultValue={policy.undoSeconds}
        refusal={refusal}
      />
    </>
  );
}

/** What the fields say. */
export function policyIn(values: FormValues): Policy {
  const budget = values.given("dailySendBudget");
  const sends = oneOf(SENDS_KNOWN, values.text("sends")) ?? "NONE";
  return { sends, dailySendBudget: budget === undefined ? null : Number(budget), undoSeconds: Number(values.text("undoSeconds")) };
}

const SENDS_KNOWN = ["DIRECT", "PLAN", "APPROVAL", "NONE"] as const satisfies readonly Policy["sends"][];
