import { createHash } from "node:crypto";
import type { Row } from "../leads/columns.ts";
import { LONGEST_CELL } from "./limits.ts";
import type { CrmProviderName } from "./provider.ts";

/** One contact of a segment, in the same form for all CRM vendors. */
export interface CrmContact {
  /** The vendor's id of the record, with the record's kind if the vendor has several kinds: `Lead/00Q…`. */
  recordId: string;
  /** Null if the contact has no address. */
  email: string | null;
  /** Whether the person opted out at the CRM. */
  isOptedOut: boolean;
  /** The vendor's fields by their names, unchanged. */
  fields: Row;
}

export interface CrmPage {
  contacts: CrmContact[];
  /** The vendor's cursor for the next page; null after the last page. */
  next: string | null;
}

export interface CrmSegment {
  id: string;
  name: string;
  type: string;
  /** How many contacts the segment has, if the vendor reports it; otherwise null. */
  size: number | null;
}

/** The field that holds the address, for each vendor. */
export const EMAIL_FIELD: Record<CrmProviderName, string> = {
  HUBSPOT: "email",
  SALESFORCE: "Email",
  PIPEDRIVE: "email",
};

/** The lead fields for the vendor's standard fields, unless a caller maps them differently (rules/crm 2.2). */
const USUAL_MAPPING: Record<CrmProviderName, Readonly<Record<string, string>>> = {
  HUBSPOT: {
    email: "email",
    firstname: "firstName",
    lastname: "lastName",
    company: "company",
    jobtitle: "jobTitle",
    phone: "phone",
    website: "website",
    city: "city",
    state: "state",
    country: "country",
    hs_timezone: "timezone",
  },
  SALESFORCE: { Email: "email", FirstName: "firstName", LastName: "lastName", Title: "jobTitle", Phone: "phone" },
  PIPEDRIVE: {
    email: "email",
    first_name: "firstName",
    last_name: "lastName",
    phone: "phone",
    org_name: "company",
    job_title: "jobTitle",
  },
};

/** The mappings that differ between Salesforce's two kinds of people. */
const SALESFORCE_MAPPING: Readonly<Record<"Contact" | "Lead", Readonly<Record<string, string>>>> = {
  Contact: { "Account.Name": "company", MailingCity: "city", MailingState: "state", MailingCountry: "country" },
  Lead: { Company: "company", Website: "website", City: "city", State: "state", Country: "country" },
};

/** The usual mapping of a segment. */
export function usualMapping(provider: CrmProviderName, segmentId: string): Readonly<Record<string, string>> {
  if (provider !== "SALESFORCE") return USUAL_MAPPING[provider];
  return { ...USUAL_MAPPING.SALESFORCE, ...SALESFORCE_MAPPING[segmentId.startsWith("Lead/") ? "Lead" : "Contact"] };
}

/** A caller's mapping, extended by the email address, which is always read. */
export function wholeMapping(
  provider: CrmProviderName,
  segmentId: string,
  callerMapping: Readonly<Record<string, string | null>> | undefined,
) {
  const chosenMapping = callerMapping ?? usualMapping(provider, segmentId);
  const hasEmail = Object.values(chosenMapping).some((target) => target?.toLowerCase() === "email");
  return hasEmail ? chosenMapping : { [EMAIL_FIELD[provider]]: "email", ...chosenMapping };
}

/**
 * Control characters except tab and line feed, invisible characters, and characters that change the direction of text.
 */
const INVISIBLE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200B\u2028-\u202E\u2066-\u2069\uFEFF]/gu;

/**
 * The cells of a contact that the mapping names. Invisible characters are removed. A cell that is longer than any field
 * is left out and named in `left`, so that a megabyte of notes does not get into a lead.
 */
export function cellsOf(
  { email, fields }: CrmContact,
  columns: readonly string[],
  emailColumn: string,
): { cells: Row; left: string[] } {
  const cells: Row = {};
  const left: string[] = [];
  for (const column of columns) {
    const value = column === emailColumn ? email : Object.hasOwn(fields, column) ? fields[column] : null;
    if (typeof value === "string") {
      const text = value.replaceAll(INVISIBLE, "").trim();
      if (text.length > LONGEST_CELL) left.push(column);
      else cells[column] = text;
    } else if (typeof value === "number" || typeof value === "boolean") cells[column] = value;
    else if (value !== null && value !== undefined) left.push(column);
  }
  return { cells, left };
}

/** A hash of a contact's mapped values. If it differs from the stored hash, the contact or the mapping has changed. */
export function contactHash(cells: Row, mapping: readonly (readonly [string, string])[], isOptedOut: boolean): string {
  const values = mapping.map(([column, target]) => [target, cells[column] ?? null]);
  return createHash("sha256")
    .update(JSON.stringify([isOptedOut, values]))
    .digest("base64");
}
