import { z } from "zod";
import {
  type Company,
  type Contact,
  MOST_CHARACTERS,
  MOST_ENTRIES,
  type ProspectPerson,
  type RevealField,
  VALUE_OF,
} from "../domain/lead-search/prospect.ts";
import type { FoundPage, Lookup } from "../domain/lead-search/source.ts";

/** The required format of a provider's answers, as in docs/lead-search-provider.yaml. Additional fields are ignored. */

const id = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, "must be 1 to 64 letters, digits, _ and -");
const text = z
  .string()
  .transform((value) => value.replace(/\s+/gu, " ").trim().slice(0, MOST_CHARACTERS).toWellFormed() || null)
  .nullish()
  .transform((value) => value ?? null);
const texts = z
  .array(z.string().max(10_000))
  .nullish()
  .transform((all) =>
    (all ?? []).slice(0, MOST_ENTRIES).map((value) => value.slice(0, MOST_CHARACTERS).toWellFormed()),
  );
const link = z
  .string()
  .nullish()
  .transform((value) =>
    typeof value === "string" && value.length <= 2_000 && /^https?:\/\/[^\s]+$/i.test(value) ? value : null,
  );
const has = z
  .boolean()
  .nullish()
  .transform((value) => value ?? null);
const total = z.number().int().min(0);

const ProviderPerson = z.object({
  id,
  firstName: text,
  lastName: text,
  fullName: text,
  title: text,
  seniority: text,
  department: text,
  city: text,
  state: text,
  country: text,
  companyName: text,
  companyDomain: text,
  industry: text,
  companySize: text,
  technologies: texts,
  keywords: texts,
  linkedinUrl: link,
  hasEmail: has,
  hasPhone: has,
});
const ProviderCompany = z.object({
  id,
  name: text,
  domain: z.string().max(253),
  industry: text,
  size: text,
  location: text,
  prospects: total,
});
const page = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item).max(1_000), total, totalIsExact: z.boolean().default(true) });

const PeopleAnswer = page(ProviderPerson);
const CompaniesAnswer = page(ProviderCompany);
const LookupsAnswer = z.object({
  items: z
    .array(z.object({ value: z.string().min(1).max(MOST_CHARACTERS), label: text, count: total.nullish() }))
    .max(1_000),
});
const value = z
  .object({ status: z.literal("found"), value: z.string().min(1).max(320) })
  .or(z.object({ status: z.literal("not_found") }).transform(() => ({ status: "not_found" as const, value: null })));
const RevealAnswer = z.object({
  items: z.array(z.object({ id, email: value.optional(), phone: value.optional() })).max(1_000),
});

/** Reads a page of people. Like every function here, it returns null if the answer has another format. */
export function peopleIn(json: unknown, most: number): FoundPage<ProspectPerson> | null {
  const read = PeopleAnswer.safeParse(json);
  if (!read.success) return null;
  const { items, ...counts } = read.data;
  return {
    ...counts,
    items: items.slice(0, most).map((person) => ({ ...person, fullName: fullNameOf(person), isSample: false })),
  };
}

export function companiesIn(json: unknown, most: number): FoundPage<Company> | null {
  const read = CompaniesAnswer.safeParse(json);
  return read.success ? { ...read.data, items: read.data.items.slice(0, most) } : null;
}

export function lookupsIn(json: unknown, most: number): Lookup[] | null {
  const read = LookupsAnswer.safeParse(json);
  if (!read.success) return null;
  return read.data.items
    .slice(0, most)
    .map(({ value, label, count }) => ({ value, label: label ?? value, count: count ?? null }));
}

/**
 * The contact data of the requested people. Rows of other people are left out, and so is a person with a missing
 * requested field.
 */
export function contactsIn(
  json: unknown,
  requestedIds: ReadonlySet<string>,
  fields: readonly RevealField[],
): Map<string, Contact> | null {
  const read = RevealAnswer.safeParse(json);
  if (!read.success) return null;
  const contacts = new Map<string, Contact>();
  for (const item of read.data.items) {
    if (!requestedIds.has(item.id) || fields.some((field) => item[VALUE_OF[field].value] === undefined)) continue;
    if (contacts.has(item.id)) return null; // two answers about one person make the whole answer invalid
    contacts.set(
      item.id,
      Object.fromEntries(fields.map((field) => [VALUE_OF[field].value, item[VALUE_OF[field].value]?.value ?? null])),
    );
  }
  return contacts;
}

function fullNameOf({
  fullName,
  firstName,
  lastName,
}: Pick<ProspectPerson, "fullName" | "firstName" | "lastName">): string | null {
  return fullName ?? ([firstName, lastName].filter((part) => part !== null).join(" ") || null);
}
