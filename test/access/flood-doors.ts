import { setTimeout as sleep } from "node:timers/promises";
import { routes } from "../../api/routes.ts";
import { KEY_POLICY, type Policy } from "../../domain/access/policy.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { actionsOf, isChoice } from "../../mcp/tool.ts";
import { tools } from "../../mcp/tools.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { CALLS_PER_MINUTE } from "../../operations/access/call-rate.ts";
import { createGrant, newGrantId, toolServerUrl } from "../../operations/access/connectors.ts";
import { storeRecord } from "../../operations/access/oauth-records.ts";
import type { AnyOperation } from "../../operations/operation.ts";
import type { Example, examplesIn, Ids } from "../doors/example-world.ts";
import { post, rpc } from "../support/mcp.ts";
import { type RestAnswer, restOf } from "../support/rest.ts";

type Started = Awaited<ReturnType<typeof examplesIn>>;
/** Sends an example through the door; null where the door has no such call. */
type Sender = (example: Example, ids?: Ids) => Promise<RestAnswer | null>;
/** How a credential of this policy calls by the door. */
export type Door = (started: Started, policy: Partial<Policy>) => Sender;

/** The endpoints of the API, called with a key. */
export const byRest: Door = (started, policy) => {
  const key = keyOf(started, policy);
  const rest = async () => restOf(`${started.world.baseUrl}/api/v1`, await key);
  return async (example, ids) => patiently(async () => started.send(example, await rest(), ids));
};

/** The tools, called with a key. */
export const byTool: Door = (started, policy) => toolsBy(started, () => keyOf(started, policy));

/** The tools, called with the token of a connector that a person allowed. */
export const byGrant: Door = (started, policy) => toolsBy(started, () => tokenOf(started, policy));

/** A call of any tool, with a key. */
export const toolByKey = (started: Started, policy: Partial<Policy>) => callerOf(started, () => keyOf(started, policy));

async function keyOf(
  { workspace: { workspaceId, ownerId: createdBy } }: Started,
  policy: Partial<Policy>,
): Promise<string> {
  const made = { workspaceId, name: "flood", scopes: ALL_SCOPES, createdBy, policy: { ...KEY_POLICY, ...policy } };
  return (await createKey(made)).key;
}

let drawn = 0;

async function tokenOf({ world, workspace }: Started, policy: Partial<Policy>): Promise<string> {
  const { workspaceId, ownerId: userId } = workspace;
  const [id, token] = [newGrantId(), `flood-${++drawn}-${workspaceId}`];
  const grant = { id, workspaceId, userId, clientId: "client", clientName: "An agent", scopes: ALL_SCOPES };
  await createGrant({ ...grant, policy: { ...KEY_POLICY, ...policy } }, new Date());
  const aud = toolServerUrl(world.services.settings.publicUrl);
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  const about = { jti: token, accountId: userId, grantId: id, aud, scope: ALL_SCOPES.join(" "), exp };
  const payload = { ...about, extra: { workspaceId, clientName: "An agent" } };
  await storeRecord({ kind: "AccessToken", id: token, payload, expiresInSeconds: 3_600 }, new Date());
  return token;
}

function toolsBy(started: Started, credentialOf: () => Promise<string>): Sender {
  const call = callerOf(started, credentialOf);
  return async (example, ids) => {
    const asked = toolCallOf(example, started.fieldsOf(example, ids));
    return asked === null ? null : call(asked.name, asked.args);
  };
}

/** Calls of tools by fresh credentials, so that none has too many calls a minute. */
function callerOf({ world }: Started, credentialOf: () => Promise<string>) {
  let [calls, credential] = [0, credentialOf()];
  return async (name: string, args: Record<string, unknown>): Promise<RestAnswer> => {
    if (++calls % CALLS_PER_MINUTE === 0) credential = credentialOf();
    return patiently(async () => {
      const response = await post(world, await credential, rpc("tools/call", { name, arguments: args }));
      const { result, error } = JSON.parse(await response.text());
      const body = result === undefined ? error.data : JSON.parse(result.content[0].text);
      return {
        status: result === undefined ? response.status : result.isError === true ? 400 : 200,
        body,
        headers: response.headers,
      };
    });
  };
}

/**
 * Asks again after the seconds that a 503 names when the database of a busy machine did not answer in time, as every
 * client should.
 */
async function patiently(ask: () => Promise<RestAnswer>): Promise<RestAnswer> {
  for (let tries = 1; ; tries++) {
    const answer = await ask();
    const { code, message, details } = answer.body ?? {};
    if (tries === 5 || code !== "SERVICE_UNAVAILABLE" || !/database/.test(message)) return answer;
    await sleep(details.retryAfterSeconds * 1_000);
  }
}

/** The tool that has the verb of an example, and its arguments; null when none has it. */
function toolCallOf(
  example: Example,
  fields: Record<string, unknown>,
): { name: string; args: Record<string, unknown> } | null {
  const { verb, whole } = verbOf(example);
  for (const { name, tool } of tools) {
    const [action] = actionsOf(tool).find(([, one]) => one === verb) ?? [null];
    if (action === null) continue;
    const { action: _, ...given } = fields;
    const inPath = Object.fromEntries(Object.entries(given).filter(([field]) => !(field in example.body)));
    const inBody = Object.fromEntries(Object.entries(given).filter(([field]) => field in example.body));
    const by = isChoice(tool.operation) && typeof tool.operation.by === "string" ? { [tool.operation.by]: action } : {};
    const key =
      verb.asksPermit === true && !("idempotencyKey" in given) ? { idempotencyKey: `flood-key-${++drawn}` } : {};
    return { name, args: { ...inPath, ...(whole === undefined ? inBody : { [whole]: inBody }), ...by, ...key } };
  }
  return null;
}

function verbOf({ at, body }: Example): { verb: AnyOperation; whole?: string } {
  const route = routes.find(([method, path]) => `${method} ${path}` === at);
  if (route === undefined) throw new Error(`No route is ${at}`);
  const [, , operation, , options] = route;
  const whole = options !== undefined && "whole" in options ? { whole: options.whole } : {};
  if (!("actions" in operation)) return { verb: operation, ...whole };
  const verb: AnyOperation | undefined = Object.entries(operation.actions).find(
    ([name]) => name === (body["action"] ?? operation.otherwise),
  )?.[1];
  if (verb === undefined) throw new Error(`No action of ${at} is ${body["action"]}`);
  return { verb, ...whole };
}
