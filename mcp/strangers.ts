/**
 * Fields that hold text of strangers wherever they stand: their mail, what their servers said, and what a lead's own
 * data brought.
 */
const WRITTEN = new Set(
  [
    "snippet participants fileName diagnostic response lastError proposedText outcomeNotes",
    "firstName lastName fullName company jobTitle customFields",
  ].flatMap((names) => names.split(" ")),
);
/** The same, but only within one field: elsewhere the name means a text of this service. */
const WITHIN: Readonly<Record<string, readonly string[]>> = {
  failure: ["text"],
  lastError: ["message"],
  lastBounce: ["message"],
  notes: ["body"],
};
/** An email as it would be sent: what it says of a lead comes from that lead's data. */
const RENDERED = ["subject", "text"];
/** Characters of one body in one answer. */
const MOST_OF_A_BODY = 6_000;

type Fields = Record<string, unknown>;

/**
 * An answer as agents read it (rules/tools 3.3, 3.4): each object with text of strangers says so in its first field,
 * `untrusted`, and each mail's body stands there once, from `offset` on.
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

/** Whether a field says anything. */
function isSaid(value: unknown): boolean {
  if (typeof value === "string") return value !== "";
  return Array.isArray(value) ? value.length > 0 : isFields(value) && Object.keys(value).length > 0;
}

function isMail(fields: Fields): boolean {
  return ["bodyText", "bodyHtml", "replyText", "direction"].every((name) => Object.hasOwn(fields, name));
}

/**
 * An email with one body: the whole text, of which the first `ownCharacters` are the person's own words, or those words
 * alone where they stand elsewhere in it.
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
