import { describe, expect, test } from "@jest/globals";
import { z } from "zod";
import { issuesBy } from "../../domain/issues.ts";

const messageOf = (schema: z.ZodType, raw: unknown) =>
  issuesBy(schema, raw).map(({ code, message }) => `${code} ${message}`);
const said = (schema: z.ZodType, raw: unknown) => messageOf(schema, raw)[0];

describe("a value of a wrong type", () => {
  test.each([
    [z.number(), "5", "INVALID_TYPE must be a number, not text"],
    [z.string(), 5, "INVALID_TYPE must be a text, not a number"],
    [z.string(), null, "INVALID_TYPE must be a text, not null"],
    [z.boolean(), "true", "INVALID_TYPE must be true or false, not text"],
    [z.array(z.string()), "a", "INVALID_TYPE must be a list, not text"],
    [z.array(z.string()), { a: 1 }, "INVALID_TYPE must be a list, not an object"],
    [z.strictObject({}), ["a"], "INVALID_TYPE must be an object, not a list"],
    [z.record(z.string(), z.unknown()), true, "INVALID_TYPE must be an object, not true"],
    [z.int(), 1.5, "INVALID_TYPE must be a whole number"],
    [z.number().int(), "1.5", "INVALID_TYPE must be a number, not text"],
    [z.coerce.number(), "many", "INVALID_TYPE must be a number"],
    [z.never(), 5, "INVALID_TYPE must be left out"],
  ])("%# gets a message that says what it must be", (schema, raw, message) => {
    expect(said(schema, raw)).toBe(message);
  });

  test("a missing field is reported as required; a null field is not", () => {
    expect(issuesBy(z.object({ a: z.number(), b: z.enum(["X", "Y"]) }), {})).toEqual([
      { path: "a", code: "REQUIRED", message: "is required (a number)" },
      { path: "b", code: "REQUIRED", message: "is required: one of X, Y" },
    ]);
    expect(issuesBy(z.object({ a: z.number() }), { a: null })).toMatchObject([{ code: "INVALID_TYPE" }]);
  });
});

describe("alternatives", () => {
  const delay = z.union([z.number().int(), z.strictObject({ value: z.number(), unit: z.enum(["DAYS", "HOURS"]) })]);

  test.each([
    [delay, "soon", "INVALID_TYPE must be a number or an object, not text"],
    [delay, { value: "3", unit: "DAYS" }, "INVALID_TYPE must be a number, not text"],
    [delay, undefined, "REQUIRED is required (a number or an object)"],
    [z.union([z.boolean(), z.enum(["true", "false"])]), "maybe", "INVALID_VALUE must be one of true, false"],
    [
      z.union([z.iso.datetime(), z.iso.date()]),
      "tomorrow",
      "INVALID_FORMAT must be an instant like 2026-11-21T10:00:00Z, or a date like 2026-11-21",
    ],
  ])("case %# reports the alternative that is closest to the value", (schema, raw, message) => {
    expect(said(schema, raw)).toBe(message);
  });

  test("a discriminator field lists its allowed values", () => {
    const chosen = z.discriminatedUnion("if", [
      z.object({ if: z.literal("ALWAYS") }),
      z.object({ if: z.enum(["OPENED", "CLICKED"]), days: z.number() }),
    ]);
    const told = (raw: unknown) => issuesBy(z.object({ conditions: z.array(chosen) }), { conditions: [raw] });
    expect(told({ if: "clicked" })).toEqual([
      {
        path: "conditions.0.if",
        code: "INVALID_VALUE",
        message: "must be one of ALWAYS, OPENED, CLICKED: is CLICKED meant?",
      },
    ]);
    expect(told({})).toMatchObject([{ code: "REQUIRED", message: "is required: one of ALWAYS, OPENED, CLICKED" }]);
    expect(told({ if: "OPENED", days: "3" })).toMatchObject([
      { path: "conditions.0.days", message: "must be a number, not text" },
    ]);
  });
});

describe("a value outside the allowed values", () => {
  test.each([
    ["active", "must be one of ACTIVE, PAUSED: is ACTIVE meant?"],
    ["PUASED", "must be one of ACTIVE, PAUSED: is PAUSED meant?"],
    ["other", "must be one of ACTIVE, PAUSED"],
    [7, "must be one of ACTIVE, PAUSED"],
  ])("%j gets the list of values, and a suggestion where one is close", (raw, message) => {
    expect(said(z.enum(["ACTIVE", "PAUSED"]), raw)).toBe(`INVALID_VALUE ${message}`);
  });

  test("a list of values is cut after 20, and the suggestion can still be any value", () => {
    const many = Array.from(
      { length: 60 },
      (_, at) => `VALUE_${String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26))}`,
    );
    const message = said(z.enum(many), "value-ch");
    expect(message).toBe(
      `INVALID_VALUE must be one of ${many.slice(0, 20).join(", ")} and 40 more: is VALUE_CH meant?`,
    );
  });

  test("a megabyte of text is compared by its beginning only", () => {
    expect(said(z.enum(["ACTIVE"]), "x".repeat(1_000_000))).toBe("INVALID_VALUE must be ACTIVE");
  });
});

test("an unknown field gets a message that names the field that is meant, or else the fields that exist", () => {
  const schema = z.strictObject({
    name: z.string(),
    inner: z.strictObject({ firstName: z.string(), city: z.string() }).optional(),
  });
  expect(
    issuesBy(schema, { name: "a", inner: { firstName: "a", city: "b", first_name: "c", zip: "d" }, $set: 1 }),
  ).toEqual([
    { path: "inner.first_name", code: "UNKNOWN_FIELD", message: "is not a field of this request: is firstName meant?" },
    { path: "inner.zip", code: "UNKNOWN_FIELD", message: "is not a field of this request: it has firstName, city" },
    { path: "$set", code: "UNKNOWN_FIELD", message: "is not a field of this request: it has name, inner" },
  ]);
});

test.each([
  [z.string().min(1), "", "TOO_SMALL must not be empty"],
  [z.string().min(3), "a", "TOO_SMALL must have at least 3 characters"],
  [z.array(z.string()).min(1), [], "TOO_SMALL must not be empty"],
  [z.array(z.string()).max(1), ["a", "b"], "TOO_BIG must have at most 1 item"],
  [z.number().min(1), 0, "TOO_SMALL must be at least 1"],
  [z.number().max(5), 6, "TOO_BIG must be at most 5"],
  [z.email(), "nobody", "INVALID_FORMAT must be an e-mail address"],
  [z.string().regex(/^a+$/, "must be of the letter a"), "b", "INVALID_FORMAT must be of the letter a"],
])("%# a limit and a rule are explained in words", (schema, raw, message) => {
  expect(said(schema, raw)).toBe(message);
});
