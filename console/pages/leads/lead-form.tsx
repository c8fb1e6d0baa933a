import { LEAD_STATUSES } from "../../../domain/states.ts";
import { numberIn } from "../../../domain/values/number.ts";
import type { In, Out } from "../../api/call.ts";
import { limitsOf } from "../../api/forms.ts";
import { useCall } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { useMay } from "../../api/workspace.ts";
import { Field, Select, TextArea } from "../../kit/field.tsx";
import { Form, type FormValues } from "../../kit/form.tsx";
import { oneOf } from "../../kit/view.ts";
import { editLeadWords as says } from "../../words/en/leads/edit-lead.ts";
import { leadWords } from "../../words/en/leads/lead.ts";
import { LEAD_STATUS } from "../../words/en/leads/leads.ts";
import type { Lead } from "./reads.ts";

export const CREATE = "post /leads";
const TEXTS = [
  "firstName",
  "lastName",
  "company",
  "jobTitle",
  "website",
  "phone",
  "city",
  "state",
  "country",
  "timezone",
] as const;
const LABELS = { ...leadWords.fields, firstName: says.firstName, lastName: says.lastName };
const HINTS: Partial<Record<(typeof TEXTS)[number], string>> = { country: says.countryHint, timezone: says.zoneHint };
const NAMES = ["email", "fullName", ...TEXTS, "tags", "status"];
/** A text with more characters than this is edited in several lines. */
const WIDE = 80;

type CustomField = Out<"get /custom-fields">[number];
/** The fields of a lead that a person changed. Null empties a field. */
export type LeadPatch = Extract<In<"post /leads/manage">, { action: "update" }>["patch"];

interface LeadFormProps {
  /** Null for a new lead. */
  lead: Lead | null;
  act: string;
  isRunning: boolean;
  refusal: Refusal | null;
  onSave: (patch: LeadPatch) => void;
  onCancel: () => void;
}

/** The fields of a lead, custom fields included. `onSave` receives only what the person changed. */
export function LeadForm({ lead, act, isRunning, refusal, onSave, onCancel }: LeadFormProps) {
  const declared = useCall("get /custom-fields", {}, { isOff: !useMay()("custom_fields:read") });
  const custom = customOf(lead, declared.data ?? []);
  const isNameOwn = lead?.fullName != null && lead.fullName !== [lead.firstName, lead.lastName].join(" ").trim();
  const isWhole = refusal?.issueAt("customFields") == null || custom.some(({ name }) => refusal.issueAt(name) !== null);
  return (
    <Form
      act={act}
      isRunning={isRunning}
      refusal={refusal}
      fields={isWhole ? [...NAMES, "customFields"] : NAMES}
      onSubmit={(values) => onSave(changesIn(values, lead, custom))}
      onCancel={onCancel}
    >
      <Field
        label={says.email}
        name="email"
        inputMode="email"
        autoComplete="off"
        required
        defaultValue={lead?.email ?? ""}
        limits={limitsOf(CREATE, "email")}
        refusal={refusal}
        {...(lead !== null && { hint: says.emailHint })}
      />
      <div className="columns">
        {isNameOwn && <Text name="fullName" label={LABELS.fullName} text={lead.fullName ?? ""} refusal={refusal} />}
        {TEXTS.map((name) => (
          <Text
            key={name}
            name={name}
            label={LABELS[name]}
            hint={HINTS[name]}
            text={lead?.[name] ?? ""}
            refusal={refusal}
          />
        ))}
        {custom.map(({ name, label, text, options, hint }) =>
          options === null ? (
            <Text key={name} name={name} label={label} hint={hint} text={text} refusal={refusal} />
          ) : (
            <Select
              key={name}
              name={name}
              label={label}
              defaultValue={text}
              refusal={refusal}
              options={["", ...options].map((value) => ({ value, text: value === "" ? says.none : value }))}
            />
          ),
        )}
      </div>
      <TextArea
        label={leadWords.tags}
        hint={says.tagsHint}
        name="tags"
        rows={3}
        defaultValue={lead?.tags.join("\n") ?? ""}
        refusal={refusal}
      />
      {lead !== null && (
        <Select
          label={leadWords.status}
          hint={says.statusHint}
          name="status"
          defaultValue={lead.status}
          refusal={refusal}
          options={LEAD_STATUSES.map((value) => ({ value, text: LEAD_STATUS[value] }))}
        />
      )}
    </Form>
  );
}

interface TextProps {
  name: string;
  label: string;
  hint?: string | undefined;
  text: string;
  refusal: Refusal | null;
}

function Text({ name, label, hint, text, refusal }: TextProps) {
  const all = {
    name,
    label,
    defaultValue: text,
    autoComplete: "off",
    refusal,
    limits: limitsOf(CREATE, name),
    ...(hint !== undefined && { hint }),
  };
  // A field of one line would drop the line breaks of a text that has some
  return text.includes("\n") || text.length > WIDE ? <TextArea {...all} rows={3} /> : <Field {...all} />;
}

interface Custom {
  key: string;
  /** The name of the field in the request. */
  name: string;
  label: string;
  hint?: string;
  text: string;
  isNumber: boolean;
  options: readonly string[] | null;
}

/** Declared fields in their order, then values of this lead that no field declares. Lists and objects are left out. */
function customOf(lead: Lead | null, declared: readonly CustomField[]): Custom[] {
  const values = lead?.customFields ?? {};
  const fields = declared.map(({ key, label, type, options }): Custom => {
    const text = textOf(values[key]);
    const known = options !== null && text !== "" && !options.includes(text) ? [...options, text] : options;
    const hint = type === "DATE" ? says.dateHint : type === "URL" ? says.urlHint : undefined;
    return {
      key,
      name: `customFields.${key}`,
      label,
      ...(hint !== undefined && { hint }),
      text,
      isNumber: type === "NUMBER",
      options: known,
    };
  });
  const names = new Set(declared.map(({ key }) => key));
  const others = Object.entries(values).filter(
    ([key, value]) => !names.has(key) && (typeof value === "string" || typeof value === "number"),
  );
  return [
    ...fields,
    ...others.map(([key, value]) => ({
      key,
      name: `customFields.${key}`,
      label: key,
      text: textOf(value),
      isNumber: typeof value === "number",
      options: null,
    })),
  ];
}

function textOf(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

function changesIn(values: FormValues, lead: Lead | null, custom: readonly Custom[]): LeadPatch {
  const typed = (name: string) => withPlainBreaks(values.text(name)).trim();
  const isChanged = (name: string, before: string) => typed(name) !== withPlainBreaks(before).trim();
  const texts = (["fullName", ...TEXTS] as const)
    .filter((name) => values.all(name).length > 0 && isChanged(name, lead?.[name] ?? ""))
    .map((name) => [name, typed(name) === "" ? null : typed(name)]);
  const customFields = custom
    .filter(({ name, text }) => isChanged(name, text))
    .map(({ key, name, isNumber }) => [key, typedValue(typed(name), isNumber)]);
  const tags = [
    ...new Set(
      typed("tags")
        .split("\n")
        .map((tag) => tag.trim()),
    ),
  ].filter(Boolean);
  const status = oneOf(LEAD_STATUSES, typed("status"));
  return {
    ...(isChanged("email", lead?.email ?? "") && { email: typed("email") }),
    ...Object.fromEntries(texts),
    ...(customFields.length > 0 && { customFields: Object.fromEntries(customFields) }),
    ...(tags.join("\n") !== (lead?.tags ?? []).join("\n") && { tags }),
    ...(lead !== null && status !== null && status !== lead.status && { status }),
  };
}

/** A text that is no number is sent as it is, so that the service says what is wrong with it. */
function typedValue(text: string, isNumber: boolean): string | number | null {
  if (text === "") return null;
  return isNumber ? (numberIn(text) ?? text) : text;
}

/** A form sends each line break as two characters. */
function withPlainBreaks(text: string): string {
  return text.replaceAll("\r\n", "\n");
}
