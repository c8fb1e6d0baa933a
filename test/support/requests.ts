import fc from "fast-check";

type Json = Record<string, unknown>;

/**
 * Values that fit a JSON schema as the document has it, by the components that it refers to. A pattern or format that
 * cannot be met by chance is met by an example.
 */
export function fitting(schema: unknown, components: Json = {}): fc.Arbitrary<unknown> {
  if (isObject(schema) && typeof schema["$ref"] === "string")
    return fitting(components[schema["$ref"].split("/").at(-1) ?? ""], components);
  const { type, enum: values, anyOf, oneOf, ...rest } = isObject(schema) ? schema : {};
  if (isObject(schema) && "const" in schema) return fc.constant(schema["const"]);
  if (Array.isArray(values)) return fc.constantFrom(...values);
  const forms = Array.isArray(anyOf) ? anyOf : oneOf;
  if (Array.isArray(forms)) return fc.oneof(...forms.map((form) => fitting(form, components)));
  if (Array.isArray(type)) return fc.oneof(...type.map((one) => fitting({ ...rest, type: one }, components)));
  switch (type) {
    case "string":
      return textOf(rest);
    case "integer":
      return fc.integer(boundsOf(rest));
    case "number": {
      const { min, max } = boundsOf(rest);
      return fc.double({ min, max, noNaN: true });
    }
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return fc.array(fitting(rest["items"], components), {
        minLength: numberOf(rest["minItems"], 0),
        maxLength: Math.min(numberOf(rest["maxItems"], 100), numberOf(rest["minItems"], 0) + 3),
      });
    case "object":
      return objectOf(rest, components);
    default:
      return fc.constantFrom<unknown>("text", 7, true, null, ["a"], { a: 1 });
  }
}

function objectOf({ properties, required, additionalProperties }: Json, components: Json): fc.Arbitrary<unknown> {
  const named = isObject(properties) ? properties : {};
  const fields = Object.fromEntries(Object.entries(named).map(([name, field]) => [name, fitting(field, components)]));
  const requiredKeys = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
  const known = fc.record(fields, { requiredKeys: requiredKeys.filter((name) => name in fields) });
  if (!isObject(additionalProperties)) return known;
  const others = fc.dictionary(fc.constantFrom("one", "two", "three"), fitting(additionalProperties, components), {
    maxKeys: 2,
  });
  return fc.tuple(others, known).map(([free, fixed]) => ({ ...free, ...fixed }));
}

const EXAMPLES: Record<string, string[]> = {
  email: ["ada@people.test", "bob+tag@xn--bro-hoa.example"],
  "date-time": ["2026-11-21T10:00:00.000Z", "2027-01-01T00:00:00+02:00"],
  date: ["2026-11-21"],
  uri: ["https://hooks.example.com/in"],
};

function textOf({ format, minLength, maxLength, pattern }: Json): fc.Arbitrary<string> {
  const examples = typeof format === "string" ? EXAMPLES[format] : undefined;
  if (examples !== undefined) return fc.constantFrom(...examples);
  if (typeof pattern === "string")
    return fc.stringMatching(new RegExp(pattern, "u")).map((text) => text.slice(0, numberOf(maxLength, 100)));
  const least = numberOf(minLength, 0);
  return fc.oneof(
    fc
      .constantFrom("Ada", "people.test", "2026-11-21", "ada@people.test", "{{firstName}}")
      .filter(({ length }) => length >= least),
    fc.string({ minLength: least, maxLength: Math.min(numberOf(maxLength, 20), least + 20) }),
  );
}

function boundsOf({ minimum, maximum }: Json): { min: number; max: number } {
  const min = Math.max(numberOf(minimum, 0), -1_000_000);
  return { min, max: Math.max(min, Math.min(numberOf(maximum, 1_000), 1_000_000)) };
}

/** Values that no caller should send. */
export const hostile: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(
  null,
  -1,
  1e308,
  Number.MAX_SAFE_INTEGER + 2,
  "",
  "\r\nBcc: all@people.test",
  "\u0000",
  "\ud800",
  "../../etc/passwd",
  "{{ 'x' | rce }}",
  "{% for i in (1..1000000000) %}x{% endfor %}",
  "(a+)+$",
  '=HYPERLINK("http://x")',
  "x".repeat(70_000),
  [],
  Array(1_001).fill("led_x"),
  { $ne: null },
  { $where: "sleep(1000)" },
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
  { constructor: { prototype: {} } },
  JSON.parse("[".repeat(40) + "]".repeat(40)),
);

/** A fitting object with one fault: a field removed, added or replaced. */
export function nearly(schema: unknown, components: Json = {}): fc.Arbitrary<unknown> {
  return fc
    .tuple(fitting(schema, components), fc.nat(), hostile, fc.constantFrom("drop", "add", "replace"))
    .map(([value, at, bad, how]) => {
      if (!isObject(value)) return bad;
      const names = Object.keys(value).filter((name) => name !== "action");
      const name = names[at % Math.max(names.length, 1)];
      if (how === "add" || name === undefined) return { ...value, [how === "add" ? "surplus" : "ids"]: bad };
      const { [name]: _, ...others } = value;
      return how === "drop" ? others : { ...others, [name]: bad };
    });
}

function numberOf(value: unknown, otherwise: number): number {
  return typeof value === "number" ? value : otherwise;
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
