import { z } from "zod";
import { Policy } from "../../domain/access/policy.ts";
import { AppError } from "../../domain/errors.ts";
import type { Context } from "../context.ts";
import type { Declaration } from "../declaration.ts";
import { changing, optionalTime, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { changeGrantPolicy, findGrant, type GrantListed, listGrants, revokeGrant } from "./connectors.ts";

/** The applications that people connected by OAuth. */

const Connection = z.object({
  id: z.string().describe("The id of the connection: `gnt_…`"),
  clientName: z.string().describe("The application's own name"),
  clientId: z.string().describe("Its id from the registration, or the address of its metadata document"),
  userId: z.string().describe("The id of the person who connected it"),
  scopes: z.array(z.string()).describe("Its scopes"),
  policy: Policy.describe("Which effects this credential can cause, and how"),
  createdAt: time.describe("When it was connected"),
  lastUsedAt: optionalTime.describe("When it was last used, to the minute"),
  expiresAt: time.describe("When it expires, unless it is used before"),
});
const connectionId = z.string().max(64).describe("The id of the connection: `gnt_…`");

const list = operation({
  summary: "List the applications connected by OAuth: your own, and everyone's if your role manages members",
  scope: null,
  input: z.strictObject({}),
  output: z.array(Connection),
  async run(ctx) {
    const mine = ctx.scopes.has("workspace:write") ? null : ctx.userId;
    return (await listGrants(ctx.workspaceId, mine, new Date())).map(view);
  },
});

const revoke = operation({
  summary: "End a connection: after a second its tokens no longer work",
  scope: null,
  errors: ["CONNECTION_NOT_FOUND"],
  input: z.strictObject({ connectionId }),
  output: z.object({ id: connectionId, deleted: z.literal(true).describe("It is deleted") }),
  async run(ctx, { connectionId }) {
    await load(ctx, connectionId);
    await revokeGrant(ctx.workspaceId, connectionId, { kind: "CONSOLE", id: ctx.userId });
    return { id: connectionId, deleted: true as const };
  },
});

const changePolicy = operation({
  summary: "Change what a connection may do without approval",
  scope: null,
  errors: ["CONNECTION_NOT_FOUND"],
  stepUp: true,
  input: z.strictObject({
    connectionId,
    policy: changing(Policy.partial()).describe("The changes; other fields stay the same"),
  }),
  output: Connection,
  async run(ctx, { connectionId, policy }) {
    const before = await load(ctx, connectionId);
    const asked = Object.fromEntries(Object.entries(policy).filter(([, value]) => value !== undefined));
    await changeGrantPolicy(
      ctx.workspaceId,
      connectionId,
      { ...before.policy, ...asked },
      { kind: "CONSOLE", id: ctx.userId },
    );
    return view(await load(ctx, connectionId));
  },
});

/** @throws AppError CONNECTION_NOT_FOUND */
async function load({ workspaceId, userId, scopes }: Context, id: string): Promise<GrantListed> {
  const grant = await findGrant(workspaceId, id, new Date());
  if (grant !== null && (grant.userId === userId || scopes.has("workspace:write"))) return grant;
  throw new AppError("CONNECTION_NOT_FOUND", "You have no connection with this id in this workspace");
}

function view(grant: GrantListed) {
  return { ...grant, id: grant._id };
}

export const connectionsDeclaration = {
  verbs: {
    "connections.list": list,
    "connections.revoke": revoke,
    "connections.changePolicy": changePolicy,
  },
  consoleRoutes: [
    ["get", "/connections", list],
    ["post", "/connections/:connectionId/revoke", revoke],
    ["post", "/connections/:connectionId/policy", changePolicy],
  ],
} as const satisfies Declaration;
