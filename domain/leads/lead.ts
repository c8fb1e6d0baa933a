import { isDeepStrictEqual } from "node:util";
import type { LeadStatus, RevealStatus, SuppressionReason, VerificationStatus } from "../states.ts";
import { countryOf } from "./country.ts";
import { searchWordsOf } from "./search-words.ts";
import { facetsOf } from "./segment-values.ts";

/** The text fields that a caller may write, with the maximum length of each in characters (rules/limits 2.1). */
export const LEAD_TEXTS = {
  firstName: 200,
  lastName: 200,
  fullName: 200,
  company: 200,
  website: 2_000,
  jobTitle: 2_000,
  phone: 2_000,
  city: 2_000,
  state: 2_000,
  country: 2_000,
  timezone: 2_000,
} as const;
export type LeadText = keyof typeof LEAD_TEXTS;
export const MAX_TAGS = 50;
export const MAX_TAG = 50;
export const MAX_CUSTOM_KEYS = 200;

/**
 * The stored data about a person. `fullName`, `phoneStatus`, `searchWords` and `facets` are derived from the other
 * fields.
 */
export interface LeadContent extends Record<LeadText, string | null> {
  email: string;
  emailDomain: string;
  tags: string[];
  customFields: Record<string, unknown>;
  phoneStatus: RevealStatus;
  searchWords: string[];
  facets: string[];
}

/**
 * A change of a lead. Absent fields stay, null erases, tags are added to the existing ones, and custom fields merge by
 * key.
 */
export interface LeadChange extends Partial<Record<LeadText, string | null>> {
  tags?: string[];
  customFields?: Record<string, unknown>;
}

/** A lead with a known address and nothing else. Both parts are normalised. */
export function blankLead(email: string, emailDomain: string): LeadContent {
  const texts = Object.fromEntries(leadTexts().map((field) => [field, null])) as Record<LeadText, null>; // built from the same keys
  return withWords({
    ...texts,
    email,
    emailDomain,
    tags: [],
    customFields: {},
    phoneStatus: "not_revealed",
    searchWords: [],
    facets: [],
  });
}

/** The lead after a change. A full name that was derived from first and last name follows their change. */
export function applyLeadChange(
  before: LeadContent,
  { tags = [], customFields = {}, ...texts }: LeadChange,
): LeadContent {
  const after: LeadContent = {
    ...before,
    ...texts,
    ...(typeof texts.country === "string" && { country: countryOf(texts.country) }),
    tags: [...new Set([...before.tags, ...tags])],
    customFields: { ...before.customFields, ...customFields },
  };
  const isDerived = before.fullName === null || before.fullName === bothNames(before);
  if (texts.fullName === undefined && isDerived) after.fullName = bothNames(after);
  if (after.phone !== null) after.phoneStatus = "revealed";
  else if (before.phone !== null) after.phoneStatus = "not_revealed";
  return withWords(after);
}

/**
 * A change by a person. Tags and a new address replace the old ones, and a custom field that is null is removed. The
 * other fields change as in `changedLead`.
 */
export interface LeadPatch extends LeadChange {
  /** Both parts are normalised. */
  address?: { email: string; emailDomain: string };
}

/** The lead after a change by a person. */
export function applyLeadPatch(
  before: LeadContent,
  { address, tags, customFields = {}, ...texts }: LeadPatch,
): LeadContent {
  const merged = Object.entries({ ...before.customFields, ...customFields }).filter(
    ([key, value]) => value !== null || !Object.hasOwn(customFields, key),
  );
  const base = { ...before, ...address, ...(tags && { tags: [] }), customFields: Object.fromEntries(merged) };
  return applyLeadChange(base, { ...texts, ...(tags && { tags }) });
}

/** The fields that differ between two states of a lead; null when none differs. */
export function differences(before: LeadContent, after: LeadContent): Partial<LeadContent> | null {
  const changed = Object.entries(after).filter(
    ([field, value]) => !isDeepStrictEqual(value, before[field as keyof LeadContent]),
  ); // same keys
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

/**
 * The initial state of a new lead whose address was suppressed before the lead was created, for instance through an
 * earlier lead (rules/states 4.2, rules/states 4.3).
 */
export interface InitialLeadState {
  suppressed: boolean;
  suppressionReason: SuppressionReason | null;
  suppressedAt: Date | null;
  status: LeadStatus;
  verificationStatus: VerificationStatus;
}

/** `reasons` are those stored in the guard of the lead's address. Being on the block list is not a suppression. */
export function initialLeadStateOf(
  reasons: readonly (SuppressionReason | "BLOCK_LISTED")[],
  now: Date,
): InitialLeadState {
  const reason = reasons.find((one) => one !== "BLOCK_LISTED") ?? null;
  if (reason === null) {
    return {
      suppressed: false,
      suppressionReason: null,
      suppressedAt: null,
      status: "ACTIVE",
      verificationStatus: "UNVERIFIED",
    };
  }
  const isBounced = reason === "HARD_BOUNCE";
  const isOptOut = reason === "UNSUBSCRIBED" || reason === "OPT_OUT_REPLY";
  return {
    suppressed: true,
    suppressionReason: reason,
    suppressedAt: now,
    status: isBounced ? "BOUNCED" : isOptOut ? "UNSUBSCRIBED" : "ACTIVE",
    verificationStatus: isBounced ? "INVALID" : "UNVERIFIED",
  };
}

export function leadTexts(): LeadText[] {
  return Object.keys(LEAD_TEXTS) as LeadText[]; // the keys of a constant
}

function withWords(lead: LeadContent): LeadContent {
  const names = [lead.firstName, lead.lastName, lead.fullName, lead.company].map((name) => name ?? "");
  return { ...lead, searchWords: searchWordsOf([lead.email, lead.emailDomain], names), facets: facetsOf(lead) };
}

function bothNames({ firstName, lastName }: Pick<LeadContent, "firstName" | "lastName">): string | null {
  const names = [firstName, lastName].filter((name) => name !== null && name !== "").join(" ");
  return names === "" ? null : names;
}
