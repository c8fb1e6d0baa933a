import { expect, test } from "@jest/globals";
import { Ajv2020 } from "ajv/dist/2020.js";
import { codesOf } from "../../api/openapi/errors.ts";
import { openapiOf } from "../../api/openapi.ts";
import { routes } from "../../api/routes.ts";
import { DEFAULT_SETTINGS } from "../../domain/campaigns/settings.ts";
import { STATUS_OF } from "../../domain/errors.ts";
import { WEBHOOK_EVENTS } from "../../domain/webhook.ts";
import { expectNone } from "../support/expect-none.ts";

const document = JSON.parse(JSON.stringify(openapiOf(routes, "https://a.test")));
type Json = Record<string, unknown>;

test("every property and every parameter of the reference has a description", () => {
  const missing: string[] = [];
  visit(document, "", (node, at) => {
    for (const [name, schema] of Object.entries(objectOf(node["properties"]))) {
      if (!isDescribed(schema)) missing.push(`${at}/${name}`);
    }
    if (typeof node["in"] === "string" && typeof node["name"] === "string" && typeof node["description"] !== "string") {
      missing.push(`${at}: ${node["name"]}`);
    }
  });
  expectNone(missing, "Add .describe() to the field beside its schema in operations/ or domain/");
});

test("every component, tag and operation has a description", () => {
  const { schemas } = document.components;
  expectNone(
    Object.keys(schemas).filter((name) => !isDescribed(schemas[name]) && !/Event$/.test(name) && name !== "ApiError"),
    "Add .describe() to the schema of the component",
  );
  const used = new Set(operations().flatMap(({ tags }) => tags));
  const known = new Set(document.tags.map(({ name }: { name: string }) => name));
  expectNone(
    [...used].filter((tag) => !known.has(tag)),
    "Add the tag with its sentence to api/openapi/tags.ts",
  );
  const ids = operations().map(({ operationId }) => operationId);
  expectNone(
    ids.filter((id, index) => ids.indexOf(id) !== index || !/^[a-z]+(_[a-z]+)+$/.test(id)),
    "Give the operation a unique id in api/openapi/operation-names.ts, in lower case with underscores",
  );
});

test("the document describes every setting by name and type, with its default", () => {
  const { Settings, SettingsPatch } = document.components.schemas;
  const names = Object.keys(DEFAULT_SETTINGS).sort();
  for (const { properties } of [Settings, SettingsPatch]) {
    expect(Object.keys(properties).sort()).toEqual(names);
    for (const [name, value] of Object.entries(DEFAULT_SETTINGS)) {
      expect(properties[name].description).toContain(`Default: \`${JSON.stringify(value)}\``);
      expect(Object.keys(properties[name]).some((key) => ["type", "enum", "anyOf"].includes(key))).toBe(true);
    }
  }
});

test("the document names the delay, conditions and variants of a step", () => {
  const { steps } = document.components.schemas.SequencesManageReplaceSteps.properties;
  expect(Object.keys(steps.items.properties)).toEqual(
    expect.arrayContaining(["stepId", "type", "delay", "conditions", "variants", "winner"]),
  );
  expect(steps.items.properties.conditions.items.oneOf).toHaveLength(6);
});

test("every example response in the document fits its schema", () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema(document, "document");
  const wrong: string[] = [];
  for (const [path, endpoints] of Object.entries<Json>(document.paths)) {
    for (const [method, endpoint] of Object.entries<Json>(objectOf(endpoints) as Record<string, Json>)) {
      for (const [status, response] of Object.entries<Json>(objectOf(endpoint["responses"]) as Record<string, Json>)) {
        const content = objectOf(objectOf(response["content"])["application/json"]);
        if (!("example" in content)) continue;
        const pointer = ["paths", path, method, "responses", status, "content", "application/json", "schema"]
          .map(escaped)
          .join("/");
        if (!ajv.validate({ $ref: `document#/${pointer}` }, content["example"]))
          wrong.push(`${method} ${path}: ${ajv.errorsText()}`);
      }
    }
  }
  expectNone(wrong, "Correct the example in its declaration in operations/, or the schema that it breaks");
});

test("every response documents its headers: trace id, rate limit, idempotent replay and Retry-After", () => {
  for (const [method, path] of routes) {
    const { responses } = document.paths[path.replaceAll(/:([A-Za-z]+)/g, "{$1}")][method];
    for (const [status, { headers }] of Object.entries<{ headers: Json }>(responses)) {
      const busy = status === "429" || status === "503" ? ["Retry-After"] : [];
      const replay = Number(status) < 300 && method !== "get" ? ["Idempotency-Replayed"] : [];
      expect([method, path, status, Object.keys(headers)]).toEqual([
        method,
        path,
        status,
        ["X-Trace-Id", "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", ...replay, ...busy],
      ]);
    }
  }
});

test("every operation lists exactly the error codes that it can return", () => {
  for (const [method, path, operation] of routes) {
    const { responses } = document.paths[path.replaceAll(/:([A-Za-z]+)/g, "{$1}")][method];
    const listed = Object.entries<{ "x-codes"?: string[] }>(responses).flatMap(
      ([, response]) => response["x-codes"] ?? [],
    );
    expect(listed.toSorted()).toEqual(codesOf(method, operation).toSorted());
    for (const code of codesOf(method, operation)) expect(responses[STATUS_OF[code]]["x-codes"]).toContain(code);
  }
  expect(codesIn("/block-list", "get")).toEqual([
    "VALIDATION_FAILED",
    "UNAUTHENTICATED",
    "INSUFFICIENT_SCOPE",
    "RATE_LIMITED",
    "SERVICE_UNAVAILABLE",
  ]);
  expect(codesIn("/campaigns/{campaignId}", "get")).toContain("CAMPAIGN_NOT_FOUND");
  expect(codesIn("/campaigns/{campaignId}", "get")).not.toContain("VERSION_CONFLICT");
});

test("the document describes the seven events as webhooks with a signature header", () => {
  expect(Object.keys(document.webhooks).sort()).toEqual([...WEBHOOK_EVENTS].sort());
  for (const { post } of Object.values<{ post: { parameters: { name: string }[] } }>(document.webhooks)) {
    expect(post.parameters.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["X-Service-Signature", "X-Service-Delivery"]),
    );
  }
});

test("a filter in the query lists its allowed values", () => {
  const status = document.paths["/campaigns"].get.parameters.find(({ name }: { name: string }) => name === "status");
  expect(status).toMatchObject({
    explode: false,
    schema: { type: "array", items: { enum: expect.arrayContaining(["DRAFT", "ACTIVE"]) } },
  });
});

function codesIn(path: string, method: string): string[] {
  return Object.values<{ "x-codes"?: string[] }>(document.paths[path][method].responses).flatMap(
    (one) => one["x-codes"] ?? [],
  );
}

function operations(): { operationId: string; tags: string[] }[] {
  return Object.values<Record<string, { operationId: string; tags: string[] }>>(document.paths).flatMap((one) =>
    Object.values(one),
  );
}

/** Whether a schema has a description, its own or that of the schema to which it refers. */
function isDescribed(schema: unknown): boolean {
  const { description, $ref, anyOf } = objectOf(schema);
  if (typeof description === "string") return true;
  if (typeof $ref === "string") return isDescribed(document.components.schemas[$ref.split("/").at(-1) ?? ""]);
  const forms = Array.isArray(anyOf) ? anyOf.filter((form) => form.type !== "null") : [];
  return forms.length === 1 && isDescribed(forms[0]);
}

function visit(node: unknown, at: string, each: (node: Json, at: string) => void): void {
  if (Array.isArray(node)) for (const [index, inner] of node.entries()) visit(inner, `${at}/${index}`, each);
  if (typeof node !== "object" || node === null || Array.isArray(node)) return;
  each(objectOf(node), at);
  for (const [key, inner] of Object.entries(node)) {
    if (!["example", "examples", "default"].includes(key)) visit(inner, `${at}/${key}`, each);
  }
}

function objectOf(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function escaped(step: string): string {
  return encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"));
}
