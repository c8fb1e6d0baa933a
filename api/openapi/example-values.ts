import { EXAMPLE_IDS } from "../../operations/described-ids.ts";
import { isObject, objectAt } from "./json.ts";
import { type Components, resolveRef } from "./schemas.ts";

const ID = EXAMPLE_IDS.campaignId.slice("cmp_".length);

/** An example value for a response schema: the schema's own example, else one for its format, else one for its name. */
export function exampleOf(schema: unknown, components: Components, name = "", depth = 0): unknown {
  if (!isObject(schema)) return null;
  const [own] = Array.isArray(schema["examples"]) ? schema["examples"] : [];
  if (own !== undefined) return own;
  if ("const" in schema) return schema["const"];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  const ref = schema["$ref"];
  if (typeof ref === "string")
    return exampleOf(resolveRef(schema, components), components, ref.split("/").at(-1), depth);
  const forms = ["anyOf", "oneOf", "allOf"].flatMap((key) => (Array.isArray(schema[key]) ? schema[key] : []));
  if (forms.length > 0) return exampleOf(forms[0], components, name, depth);
  const [type] = [schema["type"]].flat();
  if (type === "array")
    return depth > 6 || "not" in objectAt(schema, "items")
      ? []
      : [exampleOf(schema["items"], components, name.replace(/s$/, ""), depth + 1)];
  if (type === "object" || "properties" in schema) return objectOf(schema, components, name, depth);
  if (type === "string") return textOf(name, schema);
  if (type === "integer") return typeof schema["minimum"] === "number" ? schema["minimum"] : 1;
  if (type === "number") return 0.1;
  return type === "boolean" ? false : null;
}

function objectOf(schema: Record<string, unknown>, components: Components, name: string, depth: number): unknown {
  const fields = Object.entries(objectAt(schema, "properties"));
  const keys = objectAt(schema, "propertyNames")["enum"];
  if (Array.isArray(keys))
    return Object.fromEntries(
      keys.map((key) => [key, exampleOf(schema["additionalProperties"], components, "", depth + 1)]),
    );
  return Object.fromEntries(
    fields.map(([field, inner]) => [
      field,
      field === "id" ? `${prefixOf(name)}_${ID}` : exampleOf(inner, components, field, depth + 1),
    ]),
  );
}

/** The id prefix of each kind of record. */
const PREFIXES: Record<string, string> = {
  campaign: "cmp",
  sequence: "seq",
  step: "stp",
  variant: "var",
  recipient: "rcp",
  lead: "led",
  note: "note",
  list: "lst",
  field: "fld",
  deal: "deal",
  mailbox: "mbx",
  thread: "thr",
  message: "msg",
  job: "job",
  webhook: "whs",
  subscription: "whs",
  delivery: "whd",
  workspace: "wsp",
  attachment: "att",
  send: "snd",
  event: "evt",
  entry: "blk",
  user: "usr",
  credential: "key",
};

function prefixOf(name: string): string {
  const words = name.toLowerCase();
  return Object.entries(PREFIXES).find(([noun]) => words.includes(noun))?.[1] ?? "job";
}

const TEXTS: Record<string, string> = {
  name: "Fair follow-up",
  email: "ada@people.example",
  subject: "A question, Ada",
  timezone: "Europe/Berlin",
  label: "A",
  firstName: "Ada",
  lastName: "King",
  company: "Engines Ltd",
  domain: "people.example",
  tag: "saas",
  currency: "EUR",
  url: "https://hooks.example.com/in",
  message: "is required",
  code: "REQUIRED",
  path: "steps.0.subject",
  country: "DE",
};

function textOf(name: string, { pattern }: Record<string, unknown>): string {
  const known = TEXTS[name];
  if (known !== undefined && pattern === undefined) return known;
  if (/Id$/.test(name)) return `${prefixOf(name)}_${ID}`;
  return "text";
}
