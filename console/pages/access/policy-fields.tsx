import type { Refusal } from "../../api/refusal.ts";
import { Field, Select } from "../../kit/field.tsx";
import type { FormValues } from "../../kit/form.tsx";
import { oneOf } from "../../kit/view.ts";
import { EFFECTS, type Policy, policyWords as says, WAYS } from "../../words/en/access/policies.ts";

const OPTIONS = Object.entries(WAYS).map(([value, text]) => ({ value, text }));
const MOST_BUDGET = 1_000_000;
const MOST_UNDO = 300;

/** The policy of a credential as fields of a form. */
export function PolicyFields({ policy, refusal }: { policy: Policy; refusal: Refusal | null }) {
  return (
    <>
      {KNOWN_EFFECTS.map((effect) => (
        <Select
          key={effect}
          label={EFFECTS[effect]}
          name={effect}
          defaultValue={policy[effect]}
          options={OPTIONS}
          refusal={refusal}
        />
      ))}
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

/** Reads the policy from the fields. */
export function policyIn(values: FormValues): Policy {
  const budget = values.given("dailySendBudget");
  const wayOf = (effect: string) => oneOf(KNOWN_WAYS, values.text(effect)) ?? "NONE";
  return {
    SENDS: wayOf("SENDS"),
    CHANGES_SENDING: wayOf("CHANGES_SENDING"),
    DISCLOSES: wayOf("DISCLOSES"),
    DESTROYS: wayOf("DESTROYS"),
    dailySendBudget: budget === undefined ? null : Number(budget),
    undoSeconds: Number(values.text("undoSeconds")),
  };
}

const KNOWN_EFFECTS = [
  "SENDS",
  "CHANGES_SENDING",
  "DISCLOSES",
  "DESTROYS",
] as const satisfies readonly (keyof Policy)[];
const KNOWN_WAYS = ["DIRECT", "PLAN", "APPROVAL", "NONE"] as const satisfies readonly Policy["SENDS"][];
