import type { Cut } from "./shorten.ts";

/**
 * Names of fields with text from outside, wherever they appear: received emails, responses of mail servers, and lead
 * data.
 */
const WRITTEN = new Set(
  [
    "snippet participants fileName diagnostic response lastError proposedText outcomeNotes",
    "firstName lastName fullName company jobTitle customFields",
  ].flatMap((names) => names.split(" ")),
);
/** Names with text from outside only within these fields: elsewhere the same name holds a text of this service. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  failure: ["text"],
  lastError: ["message"],
  lastBounce: ["message"],
  notes: ["body"],
};
/** Fields of a rendered email, which can contain lead data. */
const RENDERED = ["subject", "text"];
/** The most characters of one email body in one result. */
const MOST_OF_A_BODY = 6_000;
/** Texts of at most this length are always shown whole. */
const SHORT_TEXT = 200;

type Fields = Record<string, unknown>;

/** Which part of each long text a result shows. */
export interface TextWindow {
  /** Where the part begins, in characters. */
  offset?: number;
  /** The most characters of the part. */
  most?: number;
  /** Applies to every long text, not only to email bodies. */
  ofEveryText?: boolean;
}

interface Reading extends Required<TextWindow> {
  /** Where the next part begins; null at the end of all texts. */
  next: number | null;
  /** The texts of which only a part is shown; email bodies state their length themselves. */
  cuts: Cut[];
}

/** A result prepared for agents. */
export interface AgentView extends Pick<Reading, "next" | "cuts"> {
  value: unknown;
}

/**
 * Prepares a result for agents (rules/tools 3.3, 3.4). The first field of each object with text from outside is
 * `untrusted`. Each email body appears once, and of each long text the part in the window.
 */
export function prepare(
  value: unknown,
  { offset = 0, most = MOST_OF_A_BODY, ofEveryText = false }: TextWindow = {},
): AgentView {
  const reading: Reading = { offset, most, ofEveryText, next: null, cuts: [] };
  const shown = marked(value, [], reading);
  return { value: shown, next: reading.next, cuts: reading.cuts };
}

/** A prepared result with the fields that say how to read on and what is not whole. */
export function forAgents(value: unknown, window: TextWindow = {}): unknown {
  return withMarks(prepare(value, window));
}

export function withMarks({ value, next, cuts }: AgentView): unknown {
  if (!isFields(value)) return value;
  const marks = { ...(cuts.length > 0 && { truncated: true, cut: cuts }), ...(next !== null && { nextOffset: next }) };
  return { ...value, ...marks };
}

function marked(value: unknown, path: readonly string[], reading: Reading): unknown {
  if (Array.isArray(value)) return value.map((one: unknown, at) => marked(one, [...path, `${at}`], reading));
  if (typeof value === "string") return reading.ofEveryText ? textIn(value, path, reading) : value;
  if (!isFields(value)) return value;
  const once = isMail(value) ? bodyOnce(value, reading) : value;
  const name = path.findLast((key) => !/^\d+$/.test(key)) ?? "";
  const fields = Object.fromEntries(
    Object.entries(once).map(([key, inner]) => [key, marked(inner, [...path, key], reading)]),
  );
  return holdsWriting(once, name) ? { untrusted: true, ...fields } : fields;
}

function textIn(text: string, path: readonly string[], reading: Reading): string {
  if (text.length <= SHORT_TEXT) return text;
  const part = partOf(text, reading);
  if (part.length < text.length) reading.cuts.push({ path: path.join("."), kept: part.length, of: text.length });
  return part;
}

/** The part of a text in the window. A part never begins or ends within a character. */
function partOf(text: string, reading: Reading): string {
  const end = reading.offset + reading.most;
  if (text.length > end) reading.next = end;
  return text.slice(boundaryAt(text, reading.offset), boundaryAt(text, end));
}

function boundaryAt(text: string, index: number): number {
  const isWithin = /[\uDC00-\uDFFF]/.test(text[index] ?? "") && /[\uD800-\uDBFF]/.test(text[index - 1] ?? "");
  return isWithin ? index + 1 : index;
}

function holdsWriting(fields: Fields, name: string): boolean {
  const isRendered = RENDERED.every((field) => isSaid(fields[field]));
  return (
    isRendered ||
    Object.hasOwn(fields, "bodyCharacters") ||
    Object.entries(fields).some(([key, inner]) => isSaid(inner) && (WRITTEN.has(key) || WITHIN[name]?.includes(key)))
  );
}

/** Returns true when a field contains any text. */
function isSaid(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  return Array.isArray(value) ? value.length > 0 : isFields(value) && Object.keys(value).length > 0;
}

/** The fields by which an email is recognized. */
export const MAIL_FIELDS = ["bodyText", "bodyHtml", "replyText", "direction"];

function isMail(fields: Fields): boolean {
  return MAIL_FIELDS.every((name) => Object.hasOwn(fields, name));
}

/**
 * Reduces an email to one body: the whole text with `ownCharacters` when the sender's own words are at its start, else
 * only those words where they appear elsewhere in it.
 */
function bodyOnce({ bodyText, bodyHtml: _, replyText, ...rest }: Fields, reading: Reading): Fields {
  const [whole, own] = [bodyText, replyText].map((text) => (typeof text === "string" ? text.trim() : ""));
  const isFirst = own === "" || whole?.startsWith(own ?? "") === true;
  const text = (isFirst ? whole : own) ?? "";
  // Where every text has a window, `marked` applies it to this one, too
  const body = reading.ofEveryText ? text : partOf(text, reading);
  return { ...rest, body, bodyCharacters: text.length, ownCharacters: own?.length ?? 0 };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}
