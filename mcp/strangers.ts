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

type Fields = Record<string, unknown>;

/**
 * Prepares a result for agents (rules/tools 3.3, 3.4). The first field of each object with text from outside is
 * `untrusted`. Each email body appears once, starting at `offset`.
 */
export function forAgents(value: unknown, offset = 0): unknown {
  const longest = { next: null as number | null };
  const shown = marked(value, "", offset, longest);
  return isFields(shown) && longest.next !== null ? { ...shown, nextOffset: longest.next } : shown;
}

function marked(value: unknown, name: string, offset: number, longest: { next: number | null }): unknown {
  if (Array.isArray(value)) return value.map((one: unknown) => marked(one, name, offset, longest));
  if (!isFields(value)) return value;
  const once = isMail(value) ? bodyOnce(value, offset, longest) : value;
  const fields = Object.fromEntries(
    Object.entries(once).map(([key, inner]) => [key, marked(inner, key, offset, longest)]),
  );
  return holdsWriting(once, name) ? { untrusted: true, ...fields } : fields;
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
function bodyOnce(
  { bodyText, bodyHtml: _, replyText, ...rest }: Fields,
  offset: number,
  longest: { next: number | null },
): Fields {
  const [whole, own] = [bodyText, replyText].map((text) => (typeof text === "string" ? text.trim() : ""));
  const isFirst = own === "" || whole?.startsWith(own ?? "") === true;
  const text = (isFirst ? whole : own) ?? "";
  const end = offset + MOST_OF_A_BODY;
  if (text.length > end) longest.next = end;
  return { ...rest, body: text.slice(offset, end), bodyCharacters: text.length, ownCharacters: own?.length ?? 0 };
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !(value instanceof Date);
}
