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
}

/**
 * Prepares a result for agents (rules/tools 3.3, 3.4). The first field of each object with text from outside is
 * `untrusted`. Each email body appears once, and of each long text the part in the window.
 */
export function forAgents(
  value: unknown,
  { offset = 0, most = MOST_OF_A_BODY, ofEveryText = false }: TextWindow = {},
): unknown {
  const reading: Reading = { offset, most, ofEveryText, next: null };
  const shown = marked(value, "", reading);
  return isFields(shown) && reading.next !== null ? { ...shown, nextOffset: reading.next } : shown;
}

function marked(value: unknown, name: string, reading: Reading): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => marked(one, name, reading));
  if (typeof value === "string")
    return reading.ofEveryText && value.length > SHORT_TEXT ? partOf(value, reading) : value;
  if (!isFields(value)) return value;
  const once = isMail(value) ? bodyOnce(value, reading) : value;
  const fields = Object.fromEntries(Object.entries(once).map(([key, inner]) => [key, marked(inner, key, reading)]));
  return holdsWriting(once, name) ? { untrusted: true, ...fields } : fields;
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

function isMail(fields: Fields): boolean {
  return ["bodyText", "bodyHtml", "replyText", "direction"].every((name) => Object.hasOwn(fields, name));
}

/**
 * Reduces an email to one body: the whole text with `ownCharacters` when the sender's own words are at its start, else
 * only those words where they appear elsewhere in it.
 */
function bodyOnce({ bodyText, bodyHtml: _, replyText, ...rest }: Fields, reading: Reading): Fields {
  const [whole, own] = [bodyText, replyText].map((text) => (typeof text === "string" ? text.trim() : ""));
  const isFirst = own === "" || whole?.startsWith(own ?? "") === true;
  const text = (isFirst ? whole : own) ?? "";
  const body = partOf(text, reading);
  return { ...rest, body, bodyCharacters: text.length, ownCharacters: own?.length ?? 0 };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}
