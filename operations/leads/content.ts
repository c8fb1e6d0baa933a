import { z } from "zod";
import { plainName, usualField } from "../../domain/leads/column-names.ts";
import { LEAD_TEXTS, type LeadChange, MAX_CUSTOM_KEYS, MAX_TAGS } from "../../domain/leads/lead.ts";
import { zoneField } from "../../domain/values/zone-field.ts";
import { freeForm, tag } from "../fields.ts";
import { shownFields } from "./record.ts";

const text = (max: number) => z.string().max(max).nullable().optional();

/** The fields of a lead that a caller may write, except its address. */
const declared = {
  firstName: text(LEAD_TEXTS.firstName).describe("First name"),
  lastName: text(LEAD_TEXTS.lastName).describe("Last name"),
  fullName: text(LEAD_TEXTS.fullName).describe("Full name. Default: first and last name joined"),
  company: text(LEAD_TEXTS.company).describe("Company"),
  website: text(LEAD_TEXTS.website).describe("Website"),
  jobTitle: text(LEAD_TEXTS.jobTitle).describe("Job title"),
  phone: text(LEAD_TEXTS.phone).describe("Phone number"),
  city: text(LEAD_TEXTS.city).describe("City"),
  state: text(LEAD_TEXTS.state).describe("State or region"),
  country: text(LEAD_TEXTS.country).describe("Country: ISO 3166, two letters"),
  timezone: zoneField
    .nullable()
    .optional()
    .describe("IANA time zone; Windows names and offsets like `UTC+2` also work"),
  tags: z.array(tag).max(MAX_TAGS).optional().describe("At most 50 tags of 1 to 50 characters"),
  customFields: freeForm
    .optional()
    .describe("Values by key, at most 200; values of declared fields must match the field's type"),
};
type Declared = z.output<z.ZodObject<typeof declared>>;

/** Fields that only the service sets. A caller's values for them are ignored. */
const OURS = new Set([
  "id",
  "_id",
  "workspaceId",
  "createdAt",
  "updatedAt",
  "lists",
  "campaigns",
  "noteCount",
  ...shownFields,
]);

/** Creates a lead schema with these fields. Undeclared properties become custom fields. */
export function leadOf<S extends z.ZodRawShape>(fields: S) {
  return z.looseObject({ ...fields, ...declared }).superRefine((input, context) => {
    const { customFields, extra } = customOf(input, fields);
    for (const issue of freeForm.safeParse(extra).error?.issues ?? []) {
      context.addIssue({ code: "custom", path: issue.path, message: issue.message, params: { code: "REFUSED_KEY" } });
    }
    for (const key of Object.keys(extra)) {
      const meant = fieldMeantBy(key, fields);
      if (meant !== undefined) {
        context.addIssue({
          code: "custom",
          path: [key],
          message: `is not a field: is ${meant} meant?`,
          params: { code: "UNKNOWN_FIELD" },
        });
      }
    }
    if (Object.keys({ ...extra, ...customFields }).length <= MAX_CUSTOM_KEYS) return;
    const message = `must have at most ${MAX_CUSTOM_KEYS} keys`;
    context.addIssue({ code: "custom", path: ["customFields"], message, params: { code: "TOO_BIG" } });
  });
}

/** The change that an input parsed by `leadOf` with the same fields requests. */
export function changeOf(input: Record<string, unknown>, fields: z.ZodRawShape): LeadChange {
  const { customFields, extra } = customOf(input, fields);
  const given = Object.entries(input).filter(([name, value]) => Object.hasOwn(declared, name) && value !== undefined);
  const { customFields: _own, ...known }: Declared = Object.fromEntries(given);
  const all = { ...extra, ...customFields };
  return { ...withoutUnset(known), ...(Object.keys(all).length > 0 && { customFields: all }) };
}

function customOf(input: Record<string, unknown>, fields: z.ZodRawShape) {
  const { customFields } = input;
  const isOther = (name: string) => !Object.hasOwn(declared, name) && !Object.hasOwn(fields, name) && !OURS.has(name);
  const extra = Object.fromEntries(
    Object.entries(input).filter(([name, value]) => isOther(name) && value !== undefined),
  );
  return { extra, customFields: isObject(customFields) ? customFields : {} };
}

/**
 * The field that a key means: equal except for case, spaces and punctuation, or the name of the field in common tools
 * (rules/leads 1.5). A key that is valid for a custom field is left to the caller: `companyName` stays.
 */
function fieldMeantBy(key: string, fields: z.ZodRawShape): string | undefined {
  const names = [...Object.keys(fields), ...Object.keys(declared)];
  const usual = /[\s-]/u.test(key) ? usualField(key) : null;
  return names.find((name) => plainName(name) === plainName(key) || name === usual);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function withoutUnset<T extends object>(value: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as never; // the same keys
}
