import type { Scope } from "../domain/scopes.ts";
import type { Choice } from "../operations/choice.ts";
import type { Method, Route } from "../operations/declaration.ts";
import { type AnyOperation, isPlannable } from "../operations/operation.ts";
import { Asked } from "../operations/sending/approval-record.ts";
import { Planned } from "../operations/sending/plan.ts";
import { ApiError } from "./errors.ts";
import { examples } from "./examples.ts";
import { codesOf, refusalsOf } from "./openapi/errors.ts";
import { exampleOf } from "./openapi/example-values.ts";
import { HEADERS, HEADERS_OF_ALL, headers } from "./openapi/headers.ts";
import { isObject, type Json, objectAt, requiredOf } from "./openapi/json.ts";
import { operationIdOf, pascal } from "./openapi/operation-names.ts";
import { type Components, component, resolveRef, schemaOf } from "./openapi/schemas.ts";
import { TAGS, tagOf } from "./openapi/tags.ts";
import { webhooksOf } from "./openapi/webhooks.ts";
import { VERSION } from "./version.ts";

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
\`action\` picks one, and each has a scope of its own.

The project's guides (\`docs/guides\`) tell of webhooks and their signature, errors, pages, idempotency, limits, versions, and of clients
generated from this document.`;

/** The OpenAPI 3.1 document, generated from the route table. */
export function openapiOf(routes: readonly Route[], publicUrl: string): Json {
  const components: Components = { ApiError: schemaOf(ApiError, "output", {}) };
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const [method, path] = route;
    const template = path.replaceAll(/:([A-Za-z]+)/g, "{$1}");
    paths[template] = { ...paths[template], [method]: endpointOf(route, template, components) };
  }
  const webhooks = webhooksOf(components);
  const used = new Set([...routes.map(([, path]) => tagOf(path)), "Webhooks"]);
  return {
    openapi: "3.1.0",
    info: { title: "Outreach", version: VERSION, description: GUIDE, contact: CONTACT, license: LICENSE },
    servers: [{ url: `${publicUrl}/api/v1` }],
    security: [{ key: [] }],
    tags: Object.values(TAGS).filter(({ name }) => used.has(name)),
    paths,
    webhooks,
    components: {
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "A workspace API key: `Authorization: Bearer ocp_live_…`" },
      },
      headers: HEADERS,
      schemas: Object.fromEntries(Object.entries(components).sort(([one], [other]) => (one < other ? -1 : 1))),
    },
  };
}

const CONTACT = { name: "The operator of this service" };
const LICENSE = { name: "Apache 2.0", identifier: "Apache-2.0" };

function endpointOf(
  [method, path, operation, status = 200, { whole } = {}]: Route,
  template: string,
  components: Components,
): Json {
  const names = [...template.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) => (name === undefined ? [] : [name]));
  const isQuery = method === "get" || method === "delete";
  const operationId = operationIdOf(method, path, operation);
  const inputs =
    "actions" in operation
      ? choiceOf(operation, operationId, { names, isQuery }, components)
      : inputOf(operation, names, whole, components);
  const answer = answerOf(operation, components);
  return {
    operationId,
    summary: operation.summary,
    description: `Scope: ${scopesOf(operation)}`,
    tags: [tagOf(path)],
    "x-scopes":
      "actions" in operation
        ? Object.fromEntries(Object.entries(operation.actions).map(([action, verb]) => [action, publishedScopes(verb)]))
        : publishedScopes(operation),
    parameters: [
      ...names.map((name) => pathParameter(name, operation, components)),
      ...(isQuery ? queryOf(inputs) : []),
      ...(method === "get" ? [] : [idempotencyKey]),
    ],
    ...(!isQuery && bodyOf(inputs, mediaTypeOf(operation), examplesOf(method, path), components)),
    responses: {
      [status]: {
        ...answer,
        headers: headers(...HEADERS_OF_ALL, ...(method === "get" ? [] : (["Idempotency-Replayed"] as const))),
      },
      ...refusalsOf(codesOf(method, operation)),
    },
  };
}

/** The input that remains for query or body after the path parameters. */
function inputOf({ input }: AnyOperation, names: string[], whole: string | undefined, components: Components): Json {
  const schema = schemaOf(input, "input", components);
  if (whole !== undefined) {
    const [all, body] = [objectAt(schema, "properties"), objectAt(objectAt(schema, "properties"), whole)];
    const { [whole]: _, ...besides } = all;
    const beside = Object.fromEntries(Object.entries(besides).filter(([name]) => !names.includes(name)));
    return { ...body, properties: { ...objectAt(body, "properties"), ...beside } };
  }
  const properties = Object.fromEntries(
    Object.entries(objectAt(schema, "properties")).filter(([name]) => !names.includes(name)),
  );
  const required = requiredOf(schema).filter((name) => !names.includes(name));
  const { required: _, ...rest } = schema;
  return { ...rest, properties, ...(required.length > 0 && { required }) };
}

/** One form for each action. For a body, each form is a component that `action` selects. */
function choiceOf(
  { actions, otherwise }: Choice,
  operationId: string,
  { names, isQuery }: { names: string[]; isQuery: boolean },
  components: Components,
): Json {
  const forms = Object.entries(actions).map(([action, verb]): [string, Json] => {
    const schema = inputOf(verb, names, undefined, components);
    const required = [...(action === otherwise ? [] : ["action"]), ...requiredOf(schema)];
    const said = {
      type: "string",
      const: action,
      description: `Selects this action${action === otherwise ? ", the default without `action`" : ""}`,
    };
    const { required: _, additionalProperties: _others, ...rest } = schema; // fields of the other actions are ignored
    const form = {
      ...rest,
      description: `${verb.summary}. Scope: ${verb.scope ?? "any"}`,
      properties: { action: said, ...objectAt(schema, "properties") },
      ...(required.length > 0 && { required }),
    };
    return [
      action,
      isQuery
        ? form
        : component(`${pascal(operationId)}${action[0]?.toUpperCase()}${action.slice(1)}`, form, components),
    ];
  });
  const mapping = Object.fromEntries(forms.map(([action, form]) => [action, form["$ref"]]));
  // Where the action has no name, several forms can match
  const kind = isQuery || otherwise === null ? "oneOf" : "anyOf";
  return {
    [kind]: forms.map(([, form]) => form),
    ...(!isQuery && otherwise === null && { discriminator: { propertyName: "action", mapping } }),
  };
}

function pathParameter(name: string, operation: AnyOperation | Choice, components: Components): Json {
  const verb = "actions" in operation ? Object.values(operation.actions)[0] : operation;
  const own =
    verb === undefined ? {} : objectAt(objectAt(schemaOf(verb.input, "input", components), "properties"), name);
  const { description, ...schema } = own;
  return {
    name,
    in: "path",
    required: true,
    ...(description !== undefined && { description }),
    schema: { ...schema, type: "string" },
  };
}

const idempotencyKey: Json = {
  name: "Idempotency-Key",
  in: "header",
  required: false,
  description:
    "Runs this write once within 24 hours: a repeated request with the same key gets the stored response. 1 to 255 printable characters",
  schema: { type: "string", minLength: 1, maxLength: 255 },
};

/**
 * Query parameters; a list of values is comma-separated. For an operation with actions, all parameters are optional,
 * because the required ones depend on the action.
 */
function queryOf(schema: Json): Json[] {
  const forms = Array.isArray(schema["oneOf"]) ? schema["oneOf"] : [schema];
  const seen = new Map<string, Json>();
  for (const form of forms) {
    for (const [name, field] of Object.entries(objectAt(form, "properties"))) {
      const { description, ...rest } = isObject(field) ? field : {};
      const required = forms.length === 1 && requiredOf(form).includes(name);
      const kind = forms.length > 1 && name === "action" ? { type: "string" } : rest;
      const isList = rest["type"] === "array";
      const style = isList && { style: "form", explode: false };
      seen.set(name, {
        name,
        in: "query",
        required,
        ...(description !== undefined && { description }),
        ...style,
        schema: kind,
      });
    }
  }
  return [...seen.values()];
}

function bodyOf(schema: Json, mediaType: string, examples: Json, components: Components): Json {
  const several = schema["oneOf"] ?? schema["anyOf"];
  const forms = (Array.isArray(several) ? several : [schema]).map((form) => resolveRef(form, components));
  if (
    forms.every((form) => Object.keys(objectAt(form, "properties")).length === 0) &&
    schema["additionalProperties"] === false
  )
    return {};
  const required = forms.every((form) => requiredOf(form).length > 0);
  return { requestBody: { required, content: { [mediaType]: { schema, ...examples } } } };
}

/** In a multipart body, OpenAPI and our parser treat every part that is not text as JSON. */
function mediaTypeOf(operation: AnyOperation | Choice): string {
  return "file" in operation && operation.file !== undefined ? "multipart/form-data" : "application/json";
}

function examplesOf(method: Method, path: string): Json {
  const own = examples.filter(({ at }) => at === `${method} ${path}`);
  return own.length === 0
    ? {}
    : { examples: Object.fromEntries(own.map(({ title, body }) => [nameOf(title), { summary: title, value: body }])) };
}

/** Converts a title to a name that every tool accepts. */
function nameOf(title: string): string {
  return title.replaceAll(/[^A-Za-z0-9]+/g, "-").replaceAll(/^-|-$/g, "");
}

function answerOf(operation: AnyOperation | Choice, components: Components): Json {
  const verbs: AnyOperation[] = "actions" in operation ? Object.values(operation.actions) : [operation];
  const outputs = [...verbs.map(({ output }) => output), ...(verbs.some(isPlannable) ? [Planned, Asked] : [])];
  const schemas = [
    ...new Map(
      [...new Set(outputs)]
        .map((output) => schemaOf(output, "output", components))
        .map((one) => [JSON.stringify(one), one]),
    ).values(),
  ];
  const [only] = schemas;
  const content = { schema: schemas.length === 1 ? only : { anyOf: schemas }, example: exampleOf(only, components) };
  return { description: "Done", content: { "application/json": content } };
}

function scopesOf(operation: AnyOperation | Choice): string {
  if (!("actions" in operation)) return wordsOf(operation, "any valid key");
  return Object.entries(operation.actions)
    .map(([action, verb]) => `${wordsOf(verb, "any")} (${action})`)
    .join(", ");
}

function wordsOf({ scope, orScope, alsoScopes = [], sometimesScopes = [] }: AnyOperation, any: string): string {
  const needed = [[scope ?? any, orScope ?? []].flat().join(" or "), ...alsoScopes].join(" and ");
  return sometimesScopes.length === 0 ? needed : `${needed}, for some calls ${sometimesScopes.join(" and ")} too`;
}

/**
 * The scopes that a call is checked for: null for none, the name of a single scope, or `all` that are required, `anyOf`
 * of which one is required, and `sometimes` for scopes that only some field values require.
 */
export function publishedScopes({
  scope,
  orScope,
  alsoScopes = [],
  sometimesScopes = [],
}: AnyOperation): Scope | null | Json {
  if (orScope === undefined && alsoScopes.length + sometimesScopes.length === 0) return scope;
  const all = [...(scope === null || orScope !== undefined ? [] : [scope]), ...alsoScopes];
  return {
    ...(all.length > 0 && { all }),
    ...(orScope !== undefined && { anyOf: [scope, orScope] }),
    ...(sometimesScopes.length > 0 && { sometimes: sometimesScopes }),
  };
}
