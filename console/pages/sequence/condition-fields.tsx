import { useCall } from "../../api/query.ts";
import { Field, Select } from "../../kit/field.tsx";
import { CATEGORY } from "../../words/en/categories.ts";
import { branchWords, OPERATOR } from "../../words/en/sequence.ts";
import { editBranchWords as says } from "../../words/en/sequence-branches.ts";
import type { Step } from "./draft.ts";
import { type Condition, ruleOf } from "./edit-conditions.ts";
import { NumberField } from "./number-field.tsx";

interface ConditionFieldsProps {
  condition: Condition;
  step: Step;
  steps: readonly Step[];
  onChange: (next: Condition) => void;
}

const OWN = "";

/** The fields of one condition, by its kind. */
export function ConditionFields({ condition, step, steps, onChange }: ConditionFieldsProps) {
  const kind = String(condition["if"]);
  const emails = steps.filter(({ type, stepId }) => type === "EMAIL" && stepId !== step.stepId);
  return (
    <>
      {/(?:OPENED|CLICKED|REPLIED)$/.test(kind) && (
        <Select
          label={says.email}
          name="ofStepId"
          value={typeof condition["ofStepId"] === "string" ? condition["ofStepId"] : OWN}
          options={[
            { value: OWN, text: step.type === "EMAIL" ? branchWords.email.own : branchWords.email.last },
            ...emails.map(({ stepId, order }) => ({ value: stepId, text: branchWords.email.of(order) })),
          ]}
          onPick={(id) => {
            const { ofStepId: _, ...rest } = condition;
            onChange(id === OWN ? rest : { ...rest, ofStepId: id });
          }}
        />
      )}
      {kind === "CATEGORY_IS" && (
        <Select
          label={says.category}
          name="category"
          value={String(condition["category"])}
          options={Object.entries(CATEGORY).map(([value, text]) => ({ value, text }))}
          onPick={(category) => onChange({ ...condition, category })}
        />
      )}
      {"withinDays" in condition && (
        <NumberField
          label={says.withinDays}
          name="withinDays"
          min={0}
          max={365}
          isWhole={false}
          value={Number(condition["withinDays"])}
          onChange={(withinDays) => onChange({ ...condition, withinDays })}
        />
      )}
      {kind === "RANDOM" && (
        <NumberField
          label={says.percent}
          name="percent"
          min={0}
          max={100}
          isWhole={false}
          value={Number(condition["percent"])}
          onChange={(percent) => onChange({ ...condition, percent })}
        />
      )}
      {kind === "FIELD_MATCHES" && <RuleFields condition={condition} onChange={onChange} />}
    </>
  );
}

/** The operators that a text field of a lead has. */
const OPERATORS = ["EQ", "NEQ", "CONTAINS", "NOT_CONTAINS", "IS_SET", "IS_NOT_SET"] as const;

/** A filter with one rule. Filters with more rules stay as they are. */
function RuleFields({ condition, onChange }: Pick<ConditionFieldsProps, "condition" | "onChange">) {
  const { data: fields = [] } = useCall("get /custom-fields", {});
  const rule = ruleOf(condition);
  if (rule === null) return <p className="fine">{says.severalRules}</p>;
  const operator = OPERATORS.find((one) => one === rule["operator"]);
  if (operator === undefined) return <p className="fine">{says.severalRules}</p>;
  const needsValue = !operator.startsWith("IS_");
  const set = (next: Readonly<Record<string, unknown>>) => onChange({ ...condition, filterRules: { rules: [next] } });
  const names = Object.entries(says.fields).map(([value, text]) => ({ value, text }));
  const own = fields.map(({ key, label }) => ({ value: `customFields.${key}`, text: label }));
  const known = [...names, ...own];
  const field = String(rule["field"]);
  return (
    <>
      <Select
        label={says.field}
        name="field"
        value={field}
        options={known.some(({ value }) => value === field) ? known : [...known, { value: field, text: field }]}
        onPick={(picked) => set({ ...rule, field: picked })}
      />
      <Select
        label={says.operator}
        name="operator"
        value={operator}
        options={OPERATORS.map((value) => ({ value, text: OPERATOR[value] }))}
        onPick={(picked) => {
          const { value, ...rest } = rule;
          set(
            picked.startsWith("IS_")
              ? { ...rest, operator: picked }
              : { ...rest, operator: picked, value: value ?? "" },
          );
        }}
      />
      {needsValue && (
        <Field
          label={says.value}
          name="value"
          value={String(rule["value"] ?? "")}
          onChange={({ currentTarget: { value } }) => set({ ...rule, value })}
        />
      )}
    </>
  );
}
