import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { GRANT_POLICY, KEY_POLICY } from "../../domain/access/policy.ts";
import type { Scope } from "../../domain/scopes.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { OAuthRecord } from "../../models/access/oauth-record.ts";
import { scoped } from "../../models/scoped.ts";
import {
  changeGrantPolicy,
  createGrant,
  findGrant,
  listGrants,
  newGrantId,
  revokeGrant,
  revokeGrantsBeyond,
  revokeOwnGrant,
  toolServerUrl,
  verifyConnectorToken,
} from "../../operations/access/connectors.ts";
import { consumeRecord, findRecord, storeRecord } from "../../operations/access/oauth-records.ts";
import { verifyChain } from "../../store/audit-chain.ts";
import { until } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const PUBLIC = "https://outreach.example";
const refused = { code: "UNAUTHENTICATED" };
const later = (ms: number) => new Date(Date.now() + ms);
const verify = (token: string, now = new Date(), publicUrl = PUBLIC) => verifyConnectorToken(token, publicUrl, now);
let drawn = 0;

async function grantOf(workspaceId: string, userId: string, ...scopes: Scope[]) {
  const id = newGrantId();
  await createGrant({ id, workspaceId, userId, clientId: "client", clientName: "An agent", scopes }, new Date());
  const issue = async (scope = scopes.join(" "), audience = toolServerUrl(PUBLIC)) => {
    const token = `token-${++drawn}-${workspaceId}`;
    const exp = Math.floor(Date.now() / 1_000) + 3_600;
    const extra = { workspaceId, clientName: "An agent" };
    const payload = { jti: token, accountId: userId, grantId: id, aud: audience, scope, exp, extra };
    await storeRecord({ kind: "AccessToken", id: token, payload, expiresInSeconds: 3_600 }, new Date());
    return token;
  };
  return { id, issue, token: await issue() };
}

test("a connector token acts with the grant's workspace and person, the scopes that grant and token share, and the default policy PLAN", async () => {
  const { workspaceId, ownerId } = await world.workspace();
  const { id, issue } = await grantOf(workspaceId, ownerId, "leads:read", "leads:write");
  const principal = await verify(await issue("leads:read billing:read unknown:scope"));
  expect(principal).toEqual({
    credentialId: id,
    kind: "OAUTH",
    workspaceId,
    userId: ownerId,
    name: "An agent",
    scopes: new Set(["leads:read"]),
    policy: GRANT_POLICY,
  });
});

test("unknown, expired and revoked tokens, and tokens for another resource or person, are refused alike", async () => {
  const { workspaceId, ownerId } = await world.workspace();
  const { id, token, issue } = await grantOf(workspaceId, ownerId, "leads:read");
  const other = await grantOf(workspaceId, "usr_other", "leads:read");
  await OAuthRecord.updateMany({ grantId: other.id }, { $set: { "payload.accountId": ownerId } });
  const foreign = await issue("leads:read", "https://elsewhere.example/mcp");
  for (const bad of ["", "nothing", foreign, other.token]) await expect(verify(bad)).rejects.toMatchObject(refused);
  await expect(verify(token, later(3_601_000))).rejects.toMatchObject(refused);
  expect(await verify(await issue("leads:read", `${toolServerUrl(PUBLIC)}/`))).toMatchObject({ credentialId: id });
  expect(await verify(token)).toMatchObject({ credentialId: id });
  await revokeGrant(workspaceId, id, { kind: "CONSOLE", id: ownerId });
  await expect(verify(token)).rejects.toMatchObject(refused);
});

test("a revocation or a changed policy takes effect in other processes within a second", async () => {
  const { workspaceId, ownerId } = await world.workspace();
  const { id, token } = await grantOf(workspaceId, ownerId, "leads:read");
  const now = new Date();
  await verify(token, now);
  const { ConnectorGrant } = scoped(workspaceId);
  await ConnectorGrant.updateOne({ _id: id }, { $set: { policy: KEY_POLICY } });
  expect(await verify(token, new Date(now.getTime() + 1_001))).toMatchObject({ policy: KEY_POLICY });
  await ConnectorGrant.deleteOne({ _id: id });
  await expect(verify(token, new Date(now.getTime() + 2_002))).rejects.toMatchObject(refused);
});

test("a token that is issued after its grant was revoked is refused", async () => {
  const { workspaceId, ownerId } = await world.workspace();
  const { id, issue } = await grantOf(workspaceId, ownerId, "leads:read");
  await revokeGrant(workspaceId, id, { kind: "CONSOLE", id: ownerId });
  await expect(verify(await issue())).rejects.toMatchObject(refused);
});

test("revoking a grant deletes all its records and no others, and the creation and the revocation are each audited once", async () => {
  const [mine, other] = [await world.workspace(), await world.workspace()];
  const { id, token } = await grantOf(mine.workspaceId, mine.ownerId, "leads:read");
  await storeRecord({ kind: "Grant", id, payload: { jti: id }, expiresInSeconds: 60 }, new Date());
  expect(await revokeGrant(other.workspaceId, "gnt_nothing", { kind: "CONSOLE", id: "usr" })).toBe(false);
  expect(await findGrant(other.workspaceId, id, new Date())).toBeNull();
  await Promise.all([revokeOwnGrant(id), revokeOwnGrant(id), revokeOwnGrant(id)]);
  expect(await OAuthRecord.countDocuments({ grantId: id })).toBe(0);
  expect(await findRecord("Grant", id, new Date())).toBeNull();
  await expect(verify(token)).rejects.toMatchObject(refused);
  const entries = await scoped(mine.workspaceId).AuditEntry.find({}, { sort: { seq: 1 } });
  const told = entries
    .filter(({ target }) => target["id"] === id)
    .map(({ action, actor, outcome }) => ({ action, actor, outcome }));
  expect(told).toEqual([
    { action: "connectors.grant", actor: { kind: "CONSOLE", id: mine.ownerId }, outcome: "DONE" },
    { action: "connectors.revoke", actor: { kind: "OAUTH", id }, outcome: "DONE" },
  ]);
  expect(await verifyChain(mine.workspaceId)).toMatchObject({ brokenAt: null });
});

test("another workspace can neither revoke a grant nor change its policy", async () => {
  const [mine, other] = [await world.workspace(), await world.workspace()];
  const { id, token } = await grantOf(mine.workspaceId, mine.ownerId, "leads:read");
  const actor = { kind: "CONSOLE", id: other.ownerId } as const;
  expect(await revokeGrant(other.workspaceId, id, actor)).toBe(false);
  expect(await changeGrantPolicy(other.workspaceId, id, KEY_POLICY, actor)).toBe(false);
  expect(await verify(token)).toMatchObject({ policy: GRANT_POLICY });
});

test("a member with a lowered role loses the grants that exceed the role, a removed member loses all grants, and others lose none", async () => {
  const { workspaceId, ownerId } = await world.workspace();
  const wide = await grantOf(workspaceId, "usr_a", "leads:read", "workspace:write");
  const narrow = await grantOf(workspaceId, "usr_a", "leads:read");
  const owners = await grantOf(workspaceId, ownerId, "workspace:write");
  const actor = { kind: "CONSOLE", id: ownerId } as const;
  for (const { token } of [wide, narrow, owners]) await verify(token);
  expect(await revokeGrantsBeyond(workspaceId, "usr_a", ["leads:read", "leads:write"], actor)).toBe(1);
  await expect(verify(wide.token)).rejects.toMatchObject(refused);
  expect(await verify(narrow.token)).toMatchObject({ credentialId: narrow.id });
  expect(await revokeGrantsBeyond(workspaceId, "usr_a", null, actor)).toBe(1);
  await expect(verify(narrow.token)).rejects.toMatchObject(refused);
  expect(await verify(owners.token)).toMatchObject({ credentialId: owners.id });
});

test("a grant is listed while it has a valid token, newest first, with the time of the last use", async () => {
  const { workspaceId, ownerId } = await world.workspace();
  const first = await grantOf(workspaceId, ownerId, "leads:read");
  const second = await grantOf(workspaceId, "usr_b", "leads:read");
  const ids = async (userId: string | null, now: Date) =>
    (await listGrants(workspaceId, userId, now)).map(({ _id }) => _id);
  expect(await ids(null, new Date())).toEqual([second.id, first.id]);
  expect(await ids(ownerId, new Date())).toEqual([first.id]);
  expect(await ids(null, later(3_700_000))).toEqual([]);
  await storeRecord(
    { kind: "RefreshToken", id: first.id, payload: { grantId: first.id }, expiresInSeconds: 86_400 },
    new Date(),
  );
  expect(await ids(null, later(3_700_000))).toEqual([first.id]);
  await verify(first.token);
  const used = async () => (await findGrant(workspaceId, first.id, new Date()))?.lastUsedAt;
  expect(await until(used, { deadlineMs: 30_000, what: "the use of a grant" })).toBeInstanceOf(Date);
});

test("a changed policy applies to one grant and leaves an audit entry", async () => {
  const { workspaceId, ownerId } = await world.workspace();
  const { id, token } = await grantOf(workspaceId, ownerId, "leads:read");
  await verify(token);
  const policy = { ...GRANT_POLICY, SENDS: "APPROVAL", dailySendBudget: 10 } as const;
  expect(await changeGrantPolicy(workspaceId, id, policy, { kind: "CONSOLE", id: ownerId })).toBe(true);
  expect(await verify(token)).toMatchObject({ policy });
  const [entry] = await scoped(workspaceId).AuditEntry.find({ action: "connectors.changePolicy" });
  expect(entry).toMatchObject({ target: { id }, changed: expect.arrayContaining(["policy"]) });
});

test("tokens and codes are stored only as digests, and a lookup by a token returns the record with that token", async () => {
  for (const kind of ["AccessToken", "RefreshToken", "AuthorizationCode"]) {
    const id = `in-clear-${kind}-${Date.now()}`;
    await storeRecord(
      { kind, id, payload: { jti: id, kind, resources: { "https://a.example/mcp": "x" } }, expiresInSeconds: 60 },
      new Date(),
    );
    const rows = await OAuthRecord.find({ "payload.kind": kind }).lean();
    expect(JSON.stringify(rows)).not.toContain(id);
    const found = await findRecord(kind, id, new Date());
    expect(found?.payload).toEqual({ jti: id, kind, resources: { "https://a.example/mcp": "x" } });
    expect(await findRecord(kind, id, later(60_000))).toBeNull();
  }
});

test("when several calls use one authorization code at once, only one succeeds", async () => {
  const id = `code-${Date.now()}`;
  await storeRecord({ kind: "AuthorizationCode", id, payload: { jti: id }, expiresInSeconds: 60 }, new Date());
  const done = await Promise.all(
    Array.from({ length: 5 }, (_, index) => consumeRecord("AuthorizationCode", id, later(index))),
  );
  expect(done.filter((one) => one)).toHaveLength(1);
});

test("a registered application is kept for 90 days after its last use", async () => {
  const id = `client-${Date.now()}`;
  await storeRecord({ kind: "Client", id, payload: { client_id: id }, expiresInSeconds: undefined }, new Date());
  expect(await findRecord("Client", id, later(89 * DAY_MS))).not.toBeNull();
  expect(await findRecord("Client", id, later(178 * DAY_MS))).not.toBeNull();
  expect(await findRecord("Client", id, later(269 * DAY_MS))).toBeNull();
});
