import {
  type FieldType,
  LEAD_SOURCE_KINDS,
  LEAD_STATUSES,
  REVEAL_STATUSES,
  SUPPRESSION_REASONS,
  VERIFICATION_STATUSES,
} from "../states.ts";

/** How deep the groups of a filter nest, and how many rules it has together. */
export const MAX_DEPTH = 5;
export const MAX_RULES = 100;

/** A field that a rule may name, and how the lead stores it. */
export type Field = { name: string } & (
  | { kind: "TEXT" | "DATE" | "FLAG" | "LABELS" | "CUSTOM" }
  /** The value is one of these words. */
  | { kind: "WORD"; words: readonly string[] }
);

const EMAIL_PROVIDERS = ["PROVIDERA", "PROVIDERB", "OTHER", "UNKNOWN"] as const;

const TEXTS = [
  ...([
    "id",
    "email",
    "emailDomain",
    "secondaryEmails",
    "firstName",
    "lastName",
    "fullName",
    "company",
    "website",
  ] as const),
  ...(["jobTitle", "phone", "city", "state", "country", "timezone", "source"] as const),
];
const DATES = ["verifiedAt", "suppressedAt", "lastContactedAt", "lastRepliedAt", "createdAt", "updatedAt"] as const;
const WORDS = {
  status: LEAD_STATUSES,
  verificationStatus: VERIFICATION_STATUSES,
  suppressionReason: SUPPRESSION_REASONS,
  emailStatus: REVEAL_STATUSES,
  phoneStatus: REVEAL_STATUSES,
  emailProvider: EMAIL_PROVIDERS,
  "createdFrom.kind": LEAD_SOURCE_KINDS,
} as const;

/** The lead's own fields that rules may name (rules/leads 1). */
export type LeadField =
  | (typeof TEXTS)[number]
  | (typeof DATES)[number]
  | keyof typeof WORDS
  | "suppressed"
  | "tags"
  | "listIds";

const fields = new Map<string, Field>([
  ...TEXTS.map((name) => [name, { name, kind: "TEXT" }] as const),
  ...DATES.map((name) => [name, { name, kind: "DATE" }] as const),
  ...Object.entries(WORDS).map(([name, words]) => [name, { name, kind: "WORD", words }] as const),
  ["suppressed", { name: "suppressed", kind: "FLAG" }],
  ["tags", { name: "tags", kind: "LABELS" }],
  ["listIds", { name: "listIds", kind: "LABELS" }],
]);

/** Every field of leads that a rule may name, besides custom fields. */
export const FIELDS: readonly Field[] = [...fields.values()];

/** Keys that could reach a prototype or a database operator are refused (rules/security 3.1). */
const CUSTOM = /^customFields\.(?!(?:__proto__|constructor|prototype)$)[^.$\0][^.\0]{0,199}$/s;

/** The field with this name; null when a rule may not name it. */
export function fieldOf(name: string): Field | null {
  return fields.get(name) ?? (CUSTOM.test(name) ? { name, kind: "CUSTOM" } : null);
}

export const TEXT_OPERATORS = [
  "EQ",
  "NEQ",
  "IN",
  "NOT_IN",
  "CONTAINS",
  "NOT_CONTAINS",
  "STARTS_WITH",
  "ENDS_WITH",
] as const;
export const NUMBER_OPERATORS = ["EQ", "NEQ", "IN", "NOT_IN", "GT", "GTE", "LT", "LTE", "BETWEEN"] as const;
export const DATE_OPERATORS = ["BEFORE", "AFTER", "BETWEEN", "WITHIN_LAST_DAYS"] as const;
export const FLAG_OPERATORS = ["EQ", "NEQ"] as const;
const LABEL_OPERATORS = ["CONTAINS_ANY", "CONTAINS_ALL", "NOT_IN"] as const;
const PRESENCE_OPERATORS = ["IS_SET", "IS_NOT_SET"] as const;

export type Operator =
  | (typeof TEXT_OPERATORS)[number]
  | (typeof NUMBER_OPERATORS)[number]
  | (typeof DATE_OPERATORS)[number]
  | (typeof LABEL_OPERATORS)[number]
  | (typeof PRESENCE_OPERATORS)[number];

/** A custom field takes the operators of every scalar type, because the type follows from the rule's own value. */
const OPERATORS: Record<Field["kind"], readonly Operator[]> = {
  TEXT: TEXT_OPERATORS,
  WORD: TEXT_OPERATORS,
  DATE: DATE_OPERATORS,
  FLAG: FLAG_OPERATORS,
  LABELS: LABEL_OPERATORS,
  CUSTOM: [...new Set([...TEXT_OPERATORS, ...NUMBER_OPERATORS, ...DATE_OPERATORS])],
};

/** The operators of a kind of field. They check a rule, and the message of a refusal lists them. */
export function operatorsOf(kind: Field["kind"]): readonly Operator[] {
  return [...OPERATORS[kind], ...PRESENCE_OPERATORS];
}

const OF_TYPE: Record<FieldType, readonly Operator[]> = {
  TEXT: TEXT_OPERATORS,
  URL: TEXT_OPERATORS,
  SELECT: ["EQ", "NEQ", "IN", "NOT_IN"],
  NUMBER: NUMBER_OPERATORS,
  DATE: DATE_OPERATORS,
};

/** The operators of a custom field that fit its declared type. */
export function operatorsOfType(type: FieldType): readonly Operator[] {
  return [...OF_TYPE[type], ...PRESENCE_OPERATORS];
}

/** The events of leads and their emails that a rule may count (rules/leads 1). */
export const SEGMENT_EVENTS = ["SENT", "OPEN", "CLICK", "REPLIED", "BOUNCED", "UNSUBSCRIBE", "CONVERTED"] as const;
export type SegmentEvent = (typeof SEGMENT_EVENTS)[number];
