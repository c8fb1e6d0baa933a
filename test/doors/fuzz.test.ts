import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { openapiOf } from "../../api/openapi.ts";
import { routes } from "../../api/routes.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { keptPromise } from "../support/contract.ts";
import { fitting, hostile, nearly } from "../support/requests.ts";
import { startWorld, type World } from "../support/world.ts";

const RUNS = 6;
/** No request may keep a caller waiting: a response that takes this long counts as none. */
const HANGS_MS = 15_000;

let world: World;
let key: string;
/** Ids of this workspace and of another one, by the prefix of their kind. */
let ids: string[];

beforeAll(async () => {
  world = await startWorld();
  const own = await world.workspace();
  key = own.key;
  const other = await world.workspace();
  ids = [
    ...(await idsOf(own.rest)),
    ...(await threadOf(own.workspaceId)),
    ...(await idsOf(other.rest)),
    "cmp_unknown",
    "%00",
    "%ff",
    "..%2f..",
    "$ne",
    "x".repeat(300),
  ];
}, 60_000);
afterAll(() => world.close());

async function idsOf(rest: Awaited<ReturnType<World["workspace"]>>["rest"]): Promise<string[]> {
  const made = await Promise.all([
    rest.post("/campaigns", { name: "Fuzz" }),
    rest.post("/leads", { email: "fuzz@people.test", firstName: "Fay" }),
    rest.post("/lead-lists", { name: "Fuzz" }),
    rest.post("/custom-fields", { label: "Fuzz" }),
    rest.post("/block-list", { value: "fuzz.example" }),
  ]);
  expect(made.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
  return made.map(({ body }) => body.id);
}

/** A conversation as the sync stores it. */
async function threadOf(workspaceId: string): Promise<string[]> {
  const { Message, Thread } = scoped(workspaceId);
  const [threadId, mailboxId, now] = [newId("thr"), newId("mbx"), new Date()];
  const file = { id: "att_fuzz", fileName: "a.txt", contentType: "text/plain", size: 1, sha256: "0" };
  const mail = {
    mailboxId,
    threadId,
    contentKey: "fuzz",
    kind: "REPLY" as const,
    from: "x@people.test",
    receivedAt: now,
  };
  await Thread.insert({ _id: threadId, mailboxId, subject: "Fuzz", lastMessageAt: now });
  const { _id } = await Message.insert({ _id: newId("msg"), ...mail, bodyHtml: "<p>Fuzz</p>", attachments: [file] });
  return [threadId, _id];
}

interface Asked {
  path: string;
  query: Record<string, unknown>;
  body: unknown;
}

const document = JSON.parse(JSON.stringify(openapiOf(routes, "https://a.test")));
const endpoints = routes.map(
  ([method, path]) => [`${method.toUpperCase()} ${path.replaceAll(/:([A-Za-z]+)/g, "{$1}")}`] as const,
);

test.each(endpoints)(
  "%s answers any request with a documented response",
  async (name) => {
    const [method = "", template = ""] = name.split(" ");
    const { parameters = [], requestBody } = document.paths[template][method.toLowerCase()];
    const query = Object.fromEntries(
      parameters
        .filter((one: { in: string }) => one.in === "query")
        .map((one: { name: string; schema: unknown }) => [one.name, one.schema]),
    );
    const schema = requestBody?.content["application/json"]?.schema;
    const texts = fc.oneof(
      fc.constantFrom("1", "true", "ACTIVE", "x", "-1", "1e9", "[$ne]", "(a+)+$", "\u0000", "%"),
      fc.string(),
    );
    const asked: fc.Arbitrary<Asked> = fc.record({
      path: fc.constantFrom(...ids).map((id) => template.replaceAll(/\{\w+\}/g, id)),
      query: fc.dictionary(fc.constantFrom(...Object.keys(query), "surplus"), texts, { maxKeys: 4 }),
      body:
        schema === undefined
          ? hostile
          : fc.oneof(
              fitting(schema, document.components.schemas),
              nearly(schema, document.components.schemas),
              hostile,
            ),
    });
    await fc.assert(
      fc.asyncProperty(asked, async (request) => {
        await answered(method, request);
      }),
      { numRuns: RUNS, seed: 20_261_121, endOnFailure: true },
    );
  },
  120_000,
);

async function answered(method: string, { path, query, body }: Asked): Promise<void> {
  const hasBody = method !== "GET" && method !== "DELETE";
  const search = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
  const response = await fetch(`${world.baseUrl}/api/v1${path}${search === "" ? "" : `?${search}`}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(hasBody && { "Content-Type": "application/json" }) },
    ...(hasBody && { body: JSON.stringify(body) ?? "null" }),
    signal: AbortSignal.timeout(HANGS_MS),
  });
  const answer = { status: response.status, body: JSON.parse(await response.text()), headers: response.headers };
  // No Temporal runs here: an endpoint that needs a workflow, or a provider that is not configured, says so
  const isAway = answer.status === 503 && ["SERVICE_UNAVAILABLE", "PROVIDER_NOT_CONFIGURED"].includes(answer.body.code);
  if (answer.status >= 500 && !isAway)
    throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  // An id with a slash or a dot leads to a path other than the one meant
  if (answer.body.code !== "ROUTE_NOT_FOUND" && answer.status !== 405) keptPromise(method, path, answer);
}
