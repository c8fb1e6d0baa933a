import type { Refusal } from "../../api/refusal.ts";
import { Field, type Option, Select, TextArea } from "../../kit/field.tsx";
import { Given } from "../../kit/given.tsx";
import { segmentWords as says } from "../../words/en/leads/segments.ts";
import type { Shape } from "./draft-filter.ts";

interface RuleValueProps {
  shape: Shape;
  values: readonly string[];
  /** The path of the value in the request, where the service reports what is wrong with it. */
  name: string;
  refusal: Refusal | null;
  /** The values that can be chosen; empty where any text is possible. */
  options: readonly Option[];
  onChange: (values: readonly string[]) => void;
}

/** The fields for the value of a condition: one, a range, several, or none. */
export function RuleValue({ shape: { entry, count }, values, name, refusal, options, onChange }: RuleValueProps) {
  if (count === "NONE") return null;
  const isChosen = entry === "CHOICE" && options.length > 0;
  if (count === "MANY") {
    if (isChosen) return <Chosen {...{ values, name, refusal, options, onChange }} />;
    return (
      <TextArea
        label={says.several}
        hint={says.lines}
        name={name}
        refusal={refusal}
        rows={3}
        required
        defaultValue={values.join("\n")}
        onChange={({ currentTarget: { value } }) => onChange(linesOf(value))}
      />
    );
  }
  if (count === "TWO") {
    const [from = "", to = ""] = values;
    return (
      <>
        <One {...{ entry, name, refusal }} label={says.from} value={from} onChange={(next) => onChange([next, to])} />
        <One {...{ entry, name, refusal }} label={says.to} value={to} onChange={(next) => onChange([from, next])} />
      </>
    );
  }
  const [value = ""] = values;
  if (entry === "FLAG" || isChosen) {
    const flags = Object.entries(says.flags).map(([value, text]) => ({ value, text }));
    return (
      <Select
        label={says.value}
        name={name}
        refusal={refusal}
        value={value}
        isRequired
        options={entry === "FLAG" ? flags : withFirst(options, value)}
        onPick={(next) => onChange([next])}
      />
    );
  }
  return (
    <One
      {...{ entry, name, refusal, value }}
      label={entry === "DAYS" ? says.days : says.value}
      onChange={(next) => onChange([next])}
    />
  );
}

interface OneProps extends Pick<RuleValueProps, "name" | "refusal"> {
  entry: Shape["entry"];
  label: string;
  value: string;
  onChange: (value: string) => void;
}

function One({ entry, onChange, ...field }: OneProps) {
  const isNumber = entry === "NUMBER" || entry === "DAYS";
  // A time that the API stored cannot be shown by a date field without losing its hour
  const isDate = entry === "DATE" && /^(?:\d{4}-\d{2}-\d{2})?$/.test(field.value);
  return (
    <Field
      {...field}
      required
      maxLength={2_000}
      type={isNumber ? "number" : isDate ? "date" : "text"}
      {...(isNumber && { step: entry === "DAYS" ? 1 : "any" })}
      {...(entry === "DAYS" && { min: 1 })}
      onChange={({ currentTarget: { value } }) => onChange(value)}
    />
  );
}

/** Values that are chosen one after another from a list. */
function Chosen({ values, name, refusal, options, onChange }: Omit<RuleValueProps, "shape">) {
  const left = options.filter(({ value }) => !values.includes(value));
  const textOf = (value: string) => options.find((one) => one.value === value)?.text ?? value;
  return (
    <div>
      <Select
        label={says.several}
        name={name}
        refusal={refusal}
        value=""
        isRequired={values.length === 0}
        options={[{ value: "", text: values.length === 0 ? says.choose : says.chooseMore }, ...left]}
        onPick={(value) => value !== "" && onChange([...values, value])}
      />
      {values.length > 0 && (
        <ul className="plain">
          {values.map((value) => (
            <li key={value}>
              <Given>{textOf(value)}</Given>{" "}
              <button
                type="button"
                className="quiet"
                aria-label={says.leaveOut(textOf(value))}
                onClick={() => onChange(values.filter((one) => one !== value))}
              >
                ×
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The options with one for "nothing chosen yet", and with a value that is not among them. */
function withFirst(options: readonly Option[], value: string): Option[] {
  const isThere = value === "" || options.some((one) => one.value === value);
  const first = value === "" ? [{ value: "", text: says.choose }] : [];
  return [...first, ...options, ...(isThere ? [] : [{ value, text: value }])];
}

function linesOf(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter((line) => line !== "");
}
