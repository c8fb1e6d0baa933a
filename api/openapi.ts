import { z } from "zod";
import { STATUS_OF } from "../domain/errors.ts";
import type { Choice } from "../operations/choice.ts";
import type { AnyOperation } from "../operations/operation.ts";
import { ApiError } from "./errors.ts";
import { examples } from "./examples.ts";
import type { Method, Route } from "./routes.ts";

type Json = Record<string, unknown>;

/** Markdown that introduces the API to a reader before the first call. */
const GUIDE = `Campaigns, leads, mailboxes and replies.

Every call carries \`Authorization: Bearer <key>\`. A campaign from nothing to its first reply, each step with an example below:

1. \`POST /mailboxes/connect\` (\`smtpConnect\`): the mailbox that will send.
2. \`POST /leads/import\` (\`dryRun\`, then \`commit\`) or \`POST /leads\`: who will be written to.
3. \`POST /campaigns\`, then \`PUT /campaigns/{campaignId}/sequence\` (\`replaceSteps\`): what will be written. \`POST …/sequence/preview\` shows it.
4. \`PATCH /campaigns/{campaignId}/settings\`: when, how many, and \`mailboxIds\`: from where.
5. \`POST /campaigns/{campaignId}/recipients\` (\`addFromList\` or \`addManual\`): its audience.
6. \`GET /campaigns/{campaignId}/validate\`: what is missing, and the launch card. \`POST …/test-send\` sends one mail to yourself.
7. \`POST /campaigns/{campaignId}/control\` (\`launch\`, \`pause\`, \`resume\`): once a pause has returned, no new mail is sent.
8. \`GET /campaigns/{campaignId}\` (\`sendingStatus\`, \`metrics\`), \`GET …/recipients\`, \`GET …/sends\`; \`POST /webhooks\` to be notified.

Lists take \`page\` from 1 and \`pageSize\` up to 200. A write with an \`Idempotency-Key\` runs once in 24 hours. Errors are
\`{code, message, traceId, details}\`; a limit that is reached is 429 with \`Retry-After\`. Where a call bundles several verbs,
\`action\` picks one, and each has a scope of its own.`;

/** The OpenAPI 3.1 document, generated from the route table. */
export function openapiOf(routes: readonly Route[], publicUrl: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const [method, path] = route;
    const template = path.replaceAll(/:([A-Za-z]+)/g, "{$1}");
    paths[template] = { ...paths[template], [method]: endpointOf(route, template) };
  }
  return {
    openapi: "3.1.0",
    info: { title: "Outreach", version: "1.0.0", description: GUIDE },
    servers: [{ url: `${publicUrl}/api/v1` }],
    security: [{ key: [] }],
    paths,
    components: {
      securitySchemes: { key: { type: "http", scheme: "bearer", description: "A workspace API key: `Authorization: Bearer ocp_live_…`" } },
      schemas: { ApiError: schemaOf(ApiError, "output") },
    },
  };
}

function endpointOf([method, path, operation, status = 200, { whole } = {}]: Route, template: string): Json {
  const names = [...template.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  const isQuery = method === "get" || method === "delete";
  const inputs = "actions" in operation ? choiceOf(operation, names, whole) : inputOf(operation, names, whole);
  return {
    operationId: [method, ...path.split(/[/:]+/).filter(Boolean)].join("_").replaceAll("-", "_"),
    summary: operation.summary,
    description: `Scope: ${scopesOf(operation)}`,
    tags: [path.split("/")[1] ?? ""],
    "x-scopes":
      "actions" in operation
        ? Object.fromEntries(Object.entries(operation.actions).map(([action, { scope }]) => [action, scope]))
        : operation.scope,
    parameters: [...names.map(pathParameter), ...(isQuery ? queryOf(inputs) : [idempotencyKey])],
    ...(!isQuery && bodyOf(inputs, examplesOf(method, path))),
    responses: { [status]: answerOf(operation), ...refusals(method, names.length > 0 || namesAnId(operation)) },
  };
}

/** The input that remains for query or body after the path parameters. */
function inputOf({ input }: AnyOperation, names: string[], whole: string | undefined): Json {
  const schema = schemaOf(input, "input");
  if (whole !== undefined) return objectAt(objectAt(schema, "properties"), whole);
  const properties = Object.fromEntries(Object.entries(objectAt(schema, "properties")).filter(([name]) => !names.includes(name)));
  const required = requiredOf(schema).filter((name) => !names.includes(name));
  const { required: _, ...rest } = schema;
  return { ...rest, properties, ...(required.length > 0 && { required }) };
}

function choiceOf({ actions, otherwise }: Choice, names: string[], whole: string | undefined): Json {
  const forms = Object.entries(actions).map(([action, verb]) => {
    const schema = inputOf(verb, names, whole);
    const required = [...(action === otherwise ? [] : ["action"]), ...requiredOf(schema)];
    const properties = { action: { const: action }, ...objectAt(schema, "properties") };
    const { required: _, additionalProperties: _others, ...rest } = schema; // fields of the other actions are ignored
    return {
      ...rest,
      title: action,
      description: `${verb.summary}. Scope: ${verb.scope ?? "any"}`,
      properties,
      ...(required.length > 0 && { required }),
    };
  });
  return { oneOf: forms };
}

function pathParameter(name: string): Json {
  return { name, in: "path", required: true, schema: { type: "string" } };
}

const idempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description: "Runs this write once within 24 h; a repetition gets the stored response",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/** Query parameters. For a choice all are optional, because the required ones depend on the action. */
function queryOf(schema: Json): Json[] {
  const forms = Array.isArray(schema["oneOf"]) ? schema["oneOf"] : [schema];
  const seen = new Map<string, Json>();
  for (const form of forms) {
    for (const [name, field] of Object.entries(objectAt(form, "properties"))) {
      const required = forms.length === 1 && requiredOf(form).includes(name);
      seen.set(name, { name, in: "query", required, schema: forms.length > 1 && name === "action" ? { type: "string" } : field });
    }
  }
  return [...seen.values()];
}

function bodyOf(schema: Json, examples: Json): Json {
  const forms = Array.isArray(schema["oneOf"]) ? schema["oneOf"] : [schema];
  if (forms.every((form) => Object.keys(objectAt(form, "properties")).length === 0) && schema["additionalProperties"] === false) return {};
  const required = forms.every((form) => requiredOf(form).length > 0);
  return { requestBody: { required, content: { "application/json": { schema, ...examples } } } };
}

function examplesOf(method: Method, path: string): Json {
  const own = examples.filter(({ at }) => at === `${method} ${path}`);
  return own.length === 0 ? {} : { examples: Object.fromEntries(own.map(({ title, body }) => [title, { value: body }])) };
}

function answerOf(operation: AnyOperation | Choice): Json {
  const outputs = "actions" in operation ? Object.values(operation.actions).map(({ output }) => output) : [operation.output];
  const schemas = [...new Set(outputs)].map((output) => schemaOf(output, "output"));
  const [only] = schemas;
  return { description: "Done", content: { "application/json": { schema: schemas.length === 1 ? only : { anyOf: schemas } } } };
}

const REASONS: Record<number, string> = {
  400: "The request has the wrong shape",
  401: "The API key is missing or not valid",
  403: "The API key lacks the scope",
  404: "This workspace has no such record",
  409: "The record is in another state or version than this call needs",
  413: "The body is larger than this endpoint accepts",
  415: "The body is not JSON, or it is compressed",
  422: "The request is well-formed, but cannot be carried out",
  429: "Too many requests: wait as long as Retry-After says",
  503: "The database, the workflow engine or a provider cannot be reached: try again",
};

function refusals(method: Method, namesSomething: boolean): Json {
  const hasBody = method !== "get" && method !== "delete";
  const isPossible = (status: number) => {
    if (status === STATUS_OF.CAMPAIGN_NOT_FOUND) return hasBody || namesSomething;
    return hasBody || (status !== STATUS_OF.PAYLOAD_TOO_LARGE && status !== STATUS_OF.UNSUPPORTED_MEDIA_TYPE);
  };
  const content = { "application/json": { schema: { $ref: "#/components/schemas/ApiError" } } };
  const possible = Object.keys(REASONS).map(Number).filter(isPossible);
  return Object.fromEntries(possible.map((status) => [status, { description: REASONS[status], content }]));
}

/** Whether the operation takes a single id, which is looked up like one in the path. */
function namesAnId(operation: AnyOperation | Choice): boolean {
  const verbs = "actions" in operation ? Object.values(operation.actions) : [operation];
  return verbs.some(({ input }) => Object.keys(input.shape).some((name) => name.endsWith("Id")));
}

function scopesOf(operation: AnyOperation | Choice): string {
  if (!("actions" in operation)) return operation.scope ?? "any valid key";
  return Object.entries(operation.actions)
    .map(([action, { scope }]) => `${scope ?? "any"} (${action})`)
    .join(", ");
}

function schemaOf(schema: z.ZodType, io: "input" | "output"): Json {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: "any", reused: "inline" });
  return rest;
}

function objectAt(value: unknown, name: string): Json {
  const inner = isObject(value) ? value[name] : undefined;
  return isObject(inner) ? inner : {};
}

function requiredOf(schema: unknown): string[] {
  const names = isObject(schema) ? schema["required"] : undefined;
  return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
