import { isJson } from "../../mcp/field-words.ts";

type Json = Record<string, unknown>;

/** What a caller knows besides a schema: the ids that earlier answers named, by the field or prefix of their kind. */
export type KnownIds = Readonly<Record<string, string>>;

/**
 * The values that a caller tries who knows a field only by its schema: every enum value, every form of a union, and
 * every field of a nested object.
 */
export function valuesOf(name: string, schema: unknown, ids: KnownIds): unknown[] {
  if (!isJson(schema)) return ["text"];
  if ("const" in schema) return [schema["const"]];
  if (Array.isArray(schema["enum"])) return schema["enum"];
  const forms = schema["anyOf"];
  if (Array.isArray(forms)) {
    const { description } = schema;
    const isIdOrNull = /Id$/.test(name) && forms.some((form) => isJson(form) && form["type"] === "null");
    if (isIdOrNull && ids[name] === undefined) return [null];
    return forms.flatMap((form) => valuesOf(name, { description, ...Object(form) }, ids));
  }
  switch (schema["type"]) {
    case "null":
      return [null];
    case "boolean":
      return [true, false];
    case "integer":
    case "number":
      return [numberOf(schema)];
    case "array":
      return "items" in schema ? listsOf(name, schema, ids) : [];
    case "object":
      return objectsOf(schema, ids);
    default:
      return [textOf(name, String(schema["description"] ?? ""), schema["format"], ids)];
  }
}

function numberOf({ minimum, maximum, type }: Json): number {
  if (type === "number" && typeof maximum === "number") return maximum / 2;
  return typeof minimum === "number" ? Math.max(minimum, 1) : 1;
}

/** A list with one entry, which every list accepts; entries that repeat the description of the list take its words. */
function listsOf(name: string, { items, description }: Json, ids: KnownIds): unknown[] {
  const entry = isJson(items) && items["description"] === undefined ? { ...items, description } : items;
  return valuesOf(name, entry, ids).map((value) => [value]);
}

/** The object with its required fields, and the same with each other field. */
function objectsOf({ properties, required, additionalProperties }: Json, ids: KnownIds): unknown[] {
  if (!isJson(properties)) {
    return isJson(additionalProperties)
      ? valuesOf("key", additionalProperties, ids).map((value) => ({
          note: value === "text" || value === null ? "email" : value,
        }))
      : [{ note: "text" }];
  }
  const wanted: unknown[] = Array.isArray(required) ? required : [];
  const entries = Object.entries(properties).map(([name, inner]) => ({ name, values: valuesOf(name, inner, ids) }));
  const base = Object.fromEntries(
    entries.filter(({ name }) => wanted.includes(name)).map(({ name, values: [first] }) => [name, first]),
  );
  const neededWith = (value: unknown) => fieldsWith(String(value), properties, ids);
  const all = entries.flatMap(({ name, values }) =>
    values
      .slice(wanted.includes(name) ? 1 : 0)
      .map((value) => ({ ...base, ...(typeof value === "string" && neededWith(value)), [name]: value })),
  );
  return wanted.length === 0 && all.length > 0 ? all : [base, ...all];
}

/** The fields that this value of another field needs, as their descriptions say: "With TASK", "TASK, APPROVAL: the note". */
export function fieldsWith(value: string, properties: Json, ids: KnownIds): Json {
  const said = new RegExp(`(?:^|[Ww]ith |, )${value}(?:$|[,:]| and )`);
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, inner]): [string, unknown][] => {
      if (!isJson(inner)) return [];
      if (said.test(String(inner["description"]))) return [[name, valuesOf(name, inner, ids)[0]]];
      const within = isJson(inner["properties"]) ? fieldsWith(value, inner["properties"], ids) : {};
      return Object.keys(within).length > 0 ? [[name, within]] : [];
    }),
  );
}

const FORMATS: Readonly<Record<string, string>> = {
  email: "ada@people.example",
  "date-time": "2027-03-02T09:00:00Z",
  date: "2026-03-02",
  uri: "https://hooks.example.com/in",
};
/** Notations that a description names, with a text in each. */
const NOTATIONS: readonly [said: RegExp, text: string][] = [
  [/IANA/, "Europe/Berlin"],
  [/ISO 3166/, "DE"],
  [/ISO 4217/, "EUR"],
  [/spreadsheet/, "https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz/edit#gid=0"],
  [/https/, "https://hooks.example.com/in"],
  [/[Aa]ddress(?:es)? |address$/, "ada@people.example"],
  [/domain/i, "go.example.com"],
  [/colour/, "#1d5bb8"],
  [/decimals/, "1200.50"],
];

function textOf(name: string, description: string, format: unknown, ids: KnownIds): string {
  const [, prefix] = /`([a-z]+)_…`/.exec(description) ?? [];
  const id = ids[name.replace(/Ids$/, "Id")] ?? (prefix === undefined ? undefined : ids[prefix]);
  if (id !== undefined) return id;
  if (prefix !== undefined) return `${prefix}_unknown`;
  if (typeof format === "string" && format in FORMATS) return FORMATS[format] ?? "";
  const [, sample] = /(?:such as|like) `?([^`,;. ]+)/i.exec(description) ?? [];
  if (/email$|^b?cc(?:List)?$|replyTo/i.test(name)) return "ada@people.example";
  if (name === "domain") return "go.example.com";
  if (name === "sharedMailbox") return "ada@people.example";
  if (name === "toListId") return "srl_unknown";
  if (name === "csv") return "email\nada@people.example\n";
  if (name === "idempotencyKey") return "from-the-schemas";
  if (/HH:mm/.test(description)) return name === "to" ? "17:00" : "09:00";
  return sample ?? NOTATIONS.find(([said]) => said.test(description))?.[1] ?? "text";
}

/** The fields that an action needs, as the description of the picker lists them: `create(name, ids|filter): …`. */
export function neededBy(action: string, description: string): string[] {
  return alternativesOf(action, description).map(([first = ""]) => first);
}

/** The same with the alternatives of each. */
export function alternativesOf(action: string, description: string): string[][] {
  const [, list = ""] = new RegExp(`(?:^|\\. )${action}\\(([^)]*)\\)`).exec(description) ?? [];
  return list
    .split(", ")
    .filter(Boolean)
    .map((one) => one.split("|"));
}
