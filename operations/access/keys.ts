import { z } from "zod";
import { fromStored, KEY_POLICY, Policy } from "../../domain/access/policy.ts";
import { scopesOf } from "../../domain/access/roles.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { ApiKey } from "../../models/access/api-key.ts";
import { sessionOption } from "../../mongo/direct.ts";
import type { Context } from "../context.ts";
import type { Declaration } from "../declaration.ts";
import { instant, name, nullable, optionalTime, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { createKey, revokeKey } from "./api-keys.ts";
import { findRole } from "./members.ts";

/** Only a signed-in person can create keys, so that no key can create a successor for itself. */

const fields = {
  id: z.string().describe("The id of the key: `key_…`"),
  name: z.string().describe("The name"),
  scopes: z.array(z.string()).describe("Its scopes, which never change"),
  policy: Policy.describe("Which effects the key can cause, and how"),
  createdBy: z.string().describe("The id of the person who made it"),
  createdAt: time.describe("When it was made"),
  expiresAt: optionalTime.describe("When it expires; null: never"),
  lastUsedAt: optionalTime.describe("When it was last used, to the minute"),
  lastUsedIp: nullable(z.string()).describe("The address it was last used from"),
  revokedAt: optionalTime.describe("When it was revoked"),
};
const Key = z.object(fields);

const list = operation({
  summary:
    "List the API keys of the workspace, newest first: your own, and all of them where your role manages members",
  scope: null,
  input: z.strictObject({}),
  output: z.array(Key),
  async run(ctx) {
    const rows = await ApiKey.find({ workspaceId: ctx.workspaceId, ...ownOnly(ctx) })
      .sort({ _id: -1 })
      .lean<ApiKey[]>();
    return rows.map(view);
  },
});

const create = operation({
  summary: "Create an API key. Only this response contains its text",
  scope: null,
  errors: ["ROLE_NOT_ALLOWED"],
  stepUp: true,
  showsOnce: ["key"],
  input: z.strictObject({
    name: name.describe("The name"),
    scopes: z.array(z.enum(ALL_SCOPES)).min(1).describe("Its scopes: at most those of your role"),
    expiresAt: instant.optional().describe("When it expires; default never"),
    policy: Policy.partial()
      .optional()
      .describe("Which effects the key can cause, and how. Default: DIRECT, without a daily budget or undo"),
  }),
  output: z.object({ ...fields, key: z.string().describe("The key itself, shown only this once") }),
  async run(ctx, { name, scopes, expiresAt, policy }) {
    const { workspaceId, userId } = ctx;
    if (expiresAt !== undefined && expiresAt <= new Date()) throw invalid("expiresAt", "must be in the future");
    const role = await findRole(userId, workspaceId);
    const roleScopes = new Set<string>(role === null ? [] : scopesOf(role));
    const beyond = scopes.filter((scope) => !roleScopes.has(scope));
    if (beyond.length > 0)
      throw new AppError("ROLE_NOT_ALLOWED", `Your role may not give ${beyond.join(", ")}`, { scopes: beyond });
    const asked = Object.fromEntries(Object.entries(policy ?? {}).filter(([, value]) => value !== undefined));
    const made = {
      workspaceId,
      name,
      scopes: [...new Set(scopes)],
      createdBy: userId,
      policy: { ...KEY_POLICY, ...asked },
    };
    const { id, key } = await createKey({ ...made, ...(expiresAt !== undefined && { expiresAt }) });
    return { ...view(await loadKey(ctx, id)), key };
  },
});

const revoke = operation({
  summary: "Revoke an API key: requests with it fail within a second",
  scope: null,
  errors: ["KEY_NOT_FOUND"],
  stepUp: true,
  input: z.strictObject({ keyId: z.string().max(64).describe("The id of the key: `key_…`") }),
  output: Key,
  async run(ctx, { keyId }) {
    await loadKey(ctx, keyId);
    await revokeKey(ctx.workspaceId, keyId, new Date(), ctx.userId);
    return view(await loadKey(ctx, keyId));
  },
});

/** A caller who may not manage members sees and revokes only their own keys. */
function ownOnly({ scopes, userId }: Context): { createdBy?: string } {
  return scopes.has("workspace:write") ? {} : { createdBy: userId };
}

/** @throws AppError KEY_NOT_FOUND */
async function loadKey(ctx: Context, id: string): Promise<ApiKey> {
  const own = { _id: id, workspaceId: ctx.workspaceId, ...ownOnly(ctx) };
  // A write with an idempotency key runs in a transaction, and its new key is not visible outside of it yet
  const key = await ApiKey.findOne(own, null, sessionOption()).lean<ApiKey>();
  if (key === null) throw new AppError("KEY_NOT_FOUND", "You have no key with this id in this workspace");
  return key;
}

function view(key: ApiKey) {
  return { ...key, id: key._id, policy: fromStored(key.policy) };
}

export const apiKeysDeclaration = {
  verbs: {
    "keys.list": list,
    "keys.create": create,
    "keys.revoke": revoke,
  },
  consoleRoutes: [
    ["get", "/api-keys", list],
    ["post", "/api-keys", create, 201],
    ["post", "/api-keys/:keyId/revoke", revoke],
  ],
} as const satisfies Declaration;
