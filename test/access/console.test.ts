import { expect, test } from "@jest/globals";
import { GRANT_POLICY } from "../../domain/access/policy.ts";
import { scopesOf } from "../../domain/access/roles.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { Membership } from "../../models/access/membership.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { Session } from "../../models/sign-in/session.ts";
import { SignInLink } from "../../models/sign-in/sign-in-link.ts";
import { createGrant, findGrant, newGrantId } from "../../operations/access/connectors.ts";
import { purgeDeletedWorkspace } from "../../store/purge-workspaces.ts";
import { until } from "../fakes/wait.ts";
import { newBrowser } from "../support/person.ts";
import { type Rest, restOf } from "../support/rest.ts";
import { invited, PASSWORD, signedIn } from "../support/signed-in.ts";
import { useSetup, world } from "./console-setup.ts";

useSetup();

const refusal = (status: number, code: string) =>
  expect.objectContaining({ status, body: expect.objectContaining({ code }) });

/**
 * Makes the password of all sessions of a person eleven minutes old, and waits until what is remembered of them has
 * passed.
 */
async function forgetPassword({ userId, rest }: { userId: string; rest: Rest }): Promise<void> {
  await Session.updateMany({ userId }, { $set: { confirmedAt: new Date(Date.now() - 11 * MINUTE_MS) } });
  const isForgotten = async () => (await rest.post("/second-factor", { action: "offerTotp" })).status === 403 || null;
  await until(isForgotten, { deadlineMs: 20_000, what: "a session that asks for the password" });
}

test("the console API accepts a session cookie only, and allows what the member's role allows", async () => {
  const owner = await signedIn(world);
  expect((await owner.rest.get("/whoami")).body).toMatchObject({
    workspaceId: owner.workspaceId,
    credentialType: "CONSOLE",
    credentialId: expect.stringMatching(/^ses_/),
    scopes: scopesOf("OWNER"),
  });
  expect((await owner.rest.post("/leads", { email: "ada@people.test" })).status).toBe(201);
  const { key } = (await owner.rest.post("/api-keys", { name: "k", scopes: ["leads:read"] })).body;
  expect(await restOf(`${world.baseUrl}/console/api/v1`, key).get("/whoami", { "X-Console": "1" })).toEqual(
    refusal(401, "UNAUTHENTICATED"),
  );
  const cookie = [...owner.browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  expect((await fetch(`${world.baseUrl}/api/v1/whoami`, { headers: { Cookie: cookie } })).status).toBe(401);
});

test("a request that another site makes the browser send is refused", async () => {
  const { browser, workspaceId } = await signedIn(world);
  const send = (headers: Record<string, string>) =>
    browser.fetch("/console/api/v1/whoami", { headers: { "X-Workspace": workspaceId, ...headers } });
  expect((await send({ "X-Console": "1" })).status).toBe(200);
  expect(
    (await send({ "X-Console": "1", "Sec-Fetch-Site": "same-origin", Origin: "http://localhost:3000" })).status,
  ).toBe(200);
  for (const headers of [
    {},
    { "X-Console": "1", "Sec-Fetch-Site": "cross-site" },
    { "X-Console": "1", "Sec-Fetch-Site": "same-site" },
    { "X-Console": "1", Origin: "https://evil.test" },
    { "X-Console": "1", Origin: "null" },
  ] as Record<string, string>[]) {
    expect([headers, (await send(headers)).status]).toEqual([headers, 403]);
  }
});

test("a console call must name a workspace, and foreign and unknown workspaces get the same 404", async () => {
  const [owner, stranger] = [await signedIn(world), await signedIn(world)];
  expect(await owner.browser.console(null).get("/whoami")).toEqual(refusal(400, "VALIDATION_FAILED"));
  const answers = [];
  for (const id of [stranger.workspaceId, "wsp_none"]) answers.push(await owner.browser.console(id).get("/whoami"));
  for (const answer of answers) expect(answer).toEqual(refusal(404, "WORKSPACE_NOT_FOUND"));
  expect(answers[0]?.body.message).toBe(answers[1]?.body.message);
});

test("sessions are listed and ended one by one, and a new password ends all other sessions", async () => {
  const owner = await signedIn(world);
  const other = newBrowser(world.baseUrl, { "X-Forwarded-For": "203.0.113.9" });
  await other.open("/login");
  await other.submit({ email: owner.email, password: PASSWORD });
  const listed = (await owner.rest.get("/sessions")).body;
  expect(listed).toHaveLength(2);
  // No proxy is trusted here, so what a client says about its address counts for nothing
  expect(listed.map(({ ip }: { ip: string }) => ip)).toEqual(["127.0.0.1", "127.0.0.1"]);
  const { id } = listed.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
  const stranger = await signedIn(world);
  expect(await stranger.rest.post(`/sessions/${id}/revoke`)).toEqual(refusal(404, "SESSION_NOT_FOUND"));
  expect((await owner.rest.post(`/sessions/${id}/revoke`)).status).toBe(200);
  expect((await other.console(null).get("/session")).status).toBe(401);
  await other.open("/login");
  await other.submit({ email: owner.email, password: PASSWORD });
  const change = { currentPassword: PASSWORD, password: "a new long password" };
  expect(await owner.rest.post("/password", { ...change, currentPassword: "not it at all" })).toEqual(
    refusal(422, "WRONG_PASSWORD"),
  );
  expect(await owner.rest.post("/password", { ...change, password: "short" })).toEqual(
    refusal(400, "VALIDATION_FAILED"),
  );
  expect((await owner.rest.post("/password", change)).status).toBe(200);
  expect((await owner.rest.get("/session")).status).toBe(200);
  expect((await other.console(null).get("/session")).status).toBe(401);
});

test("a session cookie from before the sign-out is refused", async () => {
  const { rest, browser } = await signedIn(world);
  const before = new Map(browser.cookies);
  expect((await rest.delete("/session")).status).toBe(200);
  for (const [name, value] of before) browser.cookies.set(name, value);
  expect((await rest.get("/session")).status).toBe(401);
});

test("a sensitive action asks for the password again after ten minutes, and pausing all sending never does", async () => {
  const owner = await signedIn(world);
  const { rest } = owner;
  await forgetPassword(owner);
  const weighty: [string, Record<string, unknown>][] = [
    ["/api-keys", { name: "k", scopes: ["leads:read"] }],
    ["/invites/manage", { action: "create", email: "a@people.test", role: "VIEWER" }],
    ["/members/manage", { action: "remove", memberId: "mbr_none" }],
    ["/workspace", { action: "resumeSending" }],
    ["/workspace", { action: "delete", confirmName: "Acme" }],
    ["/workspace/export", {}],
    ["/privacy/export", { email: "ada@people.test" }],
    ["/privacy/erase", { email: "ada@people.test" }],
    ["/leads/suppress", { action: "unsuppress", ids: ["led_none"] }],
    ["/webhooks", { url: "https://example.com/hook" }],
    ["/mailboxes/mbx_none/disconnect", { action: "delete" }],
    ["/second-factor", { action: "offerTotp" }],
  ];
  for (const [path, body] of weighty)
    expect([path, await rest.post(path, body)]).toEqual([path, refusal(403, "STEP_UP_REQUIRED")]);
  expect(await rest.get("/leads/export")).toEqual(refusal(403, "STEP_UP_REQUIRED"));
  expect((await rest.post("/workspace", { action: "pauseSending" })).status).toBe(200);
  expect(await rest.post("/session/confirm", { password: "not it at all" })).toEqual(refusal(422, "WRONG_PASSWORD"));
  expect((await rest.post("/session/confirm", { password: PASSWORD })).status).toBe(200);
  expect((await rest.post("/workspace", { action: "resumeSending" })).status).toBe(200);
});

test("a key gives at most what its creator's role allows, is shown once, and is visible only to its creator and to those who manage members", async () => {
  const owner = await signedIn(world);
  const member = await invited(world, owner, "mia@people.test", "MEMBER");
  const asked = {
    name: "agent",
    scopes: ["leads:read", "inbox:send"],
    policy: { SENDS: "APPROVAL", dailySendBudget: 20 },
  };
  const made = await member.rest.post("/api-keys", asked);
  expect(made).toMatchObject({
    status: 201,
    body: { key: expect.stringMatching(/^ocp_live_/), policy: { ...asked.policy, DESTROYS: "DIRECT", undoSeconds: 0 } },
  });
  expect(await member.rest.post("/api-keys", { name: "k", scopes: ["workspace:write"] })).toEqual(
    refusal(403, "ROLE_NOT_ALLOWED"),
  );
  expect(await member.rest.post("/api-keys", { name: "k", scopes: [] })).toEqual(refusal(400, "VALIDATION_FAILED"));
  const own = await owner.rest.post("/api-keys", { name: "o", scopes: ["leads:read"] });
  const names = async (rest: Rest) => (await rest.get("/api-keys")).body.map(({ name }: { name: string }) => name);
  expect(await names(member.rest)).toEqual(["agent"]);
  expect(await names(owner.rest)).toEqual(expect.arrayContaining(["agent", "o"]));
  expect(JSON.stringify((await owner.rest.get("/api-keys")).body)).not.toContain(made.body.key);
  expect(await member.rest.post(`/api-keys/${own.body.id}/revoke`)).toEqual(refusal(404, "KEY_NOT_FOUND"));
  expect((await owner.rest.post(`/api-keys/${made.body.id}/revoke`)).body.revokedAt).not.toBeNull();
  expect((await restOf(`${world.baseUrl}/api/v1`, made.body.key).get("/whoami")).status).toBe(401);
});

test("a key that is requested twice under one idempotency key is created once, and its text is only in the first response", async () => {
  const { rest } = await signedIn(world);
  const make = () =>
    rest.post("/api-keys", { name: "once", scopes: ["leads:read"] }, { "Idempotency-Key": "make-one" });
  expect(await make()).toMatchObject({ status: 201, body: { name: "once", key: expect.stringMatching(/^ocp_live_/) } });
  const again = await make();
  expect([again.status, again.body.name, again.body.key ?? null]).toEqual([201, "once", null]);
  const { body } = await rest.get("/api-keys");
  expect(body.filter(({ name }: { name: string }) => name === "once")).toHaveLength(1);
});

test("a member sees, changes and revokes only their own connections", async () => {
  const owner = await signedIn(world);
  const member = await invited(world, owner, "lea@people.test", "MEMBER");
  const grantOf = async ({ userId, workspaceId }: { userId: string; workspaceId: string }) => {
    const id = newGrantId();
    await createGrant(
      { id, workspaceId, userId, clientId: "c", clientName: "Agent", scopes: ["leads:read"] },
      new Date(),
    );
    return id;
  };
  const [theirs, mine] = [await grantOf(owner), await grantOf(member)];
  expect((await member.rest.get("/connections")).body).toMatchObject([{ id: mine, policy: { SENDS: "PLAN" } }]);
  expect(await member.rest.post(`/connections/${theirs}/revoke`)).toEqual(refusal(404, "CONNECTION_NOT_FOUND"));
  const changed = await member.rest.post(`/connections/${mine}/policy`, { policy: { SENDS: "NONE" } });
  expect(changed.body.policy).toEqual({ ...GRANT_POLICY, SENDS: "NONE" });
  expect((await owner.rest.post(`/connections/${mine}/revoke`)).status).toBe(200);
  expect(await findGrant(owner.workspaceId, mine, new Date())).toBeNull();
});

test("an invite link works once, and only for a person who is signed in or gives the right password", async () => {
  const [owner, stranger] = [await signedIn(world), await signedIn(world)];
  const { body } = await owner.rest.post("/invites/manage", { action: "create", email: stranger.email, role: "ADMIN" });
  expect(body).toMatchObject({ status: "PENDING", email: stranger.email, role: "ADMIN" });
  const path = new URL(body.inviteUrl).pathname;
  const thief = newBrowser(world.baseUrl);
  await thief.open(path);
  expect(await thief.submit({ password: "not it at all" })).toContain("The password is not right.");
  expect(await Membership.countDocuments({ workspaceId: owner.workspaceId })).toBe(1);
  await stranger.browser.open(path);
  expect(await stranger.browser.submit({})).toContain("Acme: admin");
  expect(await thief.open(path)).toContain("already used");
  expect((await owner.rest.get("/members")).body).toMatchObject({
    total: 2,
    items: [{ role: "OWNER" }, { role: "ADMIN" }],
  });
  expect(await owner.rest.post("/invites/manage", { action: "create", email: stranger.email, role: "VIEWER" })).toEqual(
    refusal(409, "MEMBER_ALREADY_EXISTS"),
  );
});

test("a new link replaces the old one, a revoked or expired invite adds no one, and an address has at most one open invite", async () => {
  const { rest, workspaceId } = await signedIn(world);
  const create = (email: string) => rest.post("/invites/manage", { action: "create", email, role: "VIEWER" });
  const first = await create("one@people.test");
  expect(await create("ONE@people.test")).toEqual(refusal(409, "INVITE_ALREADY_EXISTS"));
  const again = await rest.post("/invites/manage", { action: "resend", inviteId: first.body.id });
  const visitor = newBrowser(world.baseUrl);
  expect(await visitor.open(new URL(first.body.inviteUrl).pathname)).toContain("not valid");
  expect(await visitor.open(new URL(again.body.inviteUrl).pathname)).toContain("Join Acme");
  expect((await rest.post("/invites/manage", { action: "revoke", inviteId: first.body.id })).body.status).toBe(
    "REVOKED",
  );
  expect(await visitor.submit({ password: PASSWORD })).toContain("revoked");
  expect(await rest.post("/invites/manage", { action: "resend", inviteId: first.body.id })).toEqual(
    refusal(409, "INVALID_STATE_TRANSITION"),
  );
  const late = await create("late@people.test");
  const past = new Date(Date.now() - 1);
  await scoped(workspaceId).Invite.updateOne({ _id: late.body.id }, { $set: { expiresAt: past } });
  await SignInLink.updateMany({ inviteId: late.body.id }, { $set: { expiresAt: past } });
  expect((await rest.get("/invites")).body.items).toMatchObject([{ status: "EXPIRED" }, { status: "REVOKED" }]);
  expect(await visitor.open(new URL(late.body.inviteUrl).pathname)).toContain("has expired");
  expect((await create("late@people.test")).status).toBe(200);
  expect(JSON.stringify((await rest.get("/invites")).body)).not.toContain("inviteUrl");
});

test("an invite that is revoked while someone accepts it ends either accepted or revoked", async () => {
  const owner = await signedIn(world);
  for (let round = 0; round < 8; round++) {
    const { body } = await owner.rest.post("/invites/manage", {
      action: "create",
      email: `race${round}@people.test`,
      role: "VIEWER",
    });
    const visitor = newBrowser(world.baseUrl);
    await visitor.open(new URL(body.inviteUrl).pathname);
    const follow = visitor.submit({ password: PASSWORD });
    await until(() => new Promise((resolve) => setTimeout(() => resolve(true), round * 12)), {
      deadlineMs: 1_000,
      what: "a while",
    });
    const revoked = await owner.rest.post("/invites/manage", { action: "revoke", inviteId: body.id });
    const html = await follow;
    const [invite] = (await owner.rest.get("/invites?pageSize=1")).body.items;
    const hasJoined = html.includes("Signed in");
    expect([hasJoined, revoked.status, invite.status]).toEqual(
      hasJoined ? [true, 409, "ACCEPTED"] : [false, 200, "REVOKED"],
    );
  }
});

test("a lower role ends exactly the keys and connectors that exceed it, and removal ends all of them and the member's access", async () => {
  const owner = await signedIn(world);
  const admin = await invited(world, owner, "adi@people.test", "ADMIN");
  const key = async (scope: string) => (await admin.rest.post("/api-keys", { name: scope, scopes: [scope] })).body.key;
  const [high, low] = [await key("members:read"), await key("leads:read")];
  const id = newGrantId();
  const grant = {
    id,
    workspaceId: owner.workspaceId,
    userId: admin.userId,
    clientId: "c",
    clientName: "A",
    scopes: ["leads:write"] as const,
  };
  await createGrant(grant, new Date());
  const works = async (key: string) => (await restOf(`${world.baseUrl}/api/v1`, key).get("/whoami")).status;
  const { items } = (await owner.rest.get("/members")).body;
  const memberId = items.find(({ userId }: { userId: string }) => userId === admin.userId).id;
  const lower = await owner.rest.post("/members/manage", { action: "updateRole", memberId, role: "MEMBER" });
  expect(lower.body.role).toBe("MEMBER");
  expect([await works(high), await works(low)]).toEqual([401, 200]);
  expect(await findGrant(owner.workspaceId, id, new Date())).not.toBeNull();
  await owner.rest.post("/members/manage", { action: "updateRole", memberId, role: "VIEWER" });
  expect(await findGrant(owner.workspaceId, id, new Date())).toBeNull();
  expect(await works(low)).toBe(200);
  expect((await owner.rest.post("/members/manage", { action: "remove", memberId })).body).toEqual({
    id: memberId,
    deleted: true,
  });
  expect(await works(low)).toBe(401);
  expect(await admin.rest.get("/leads")).toEqual(refusal(404, "WORKSPACE_NOT_FOUND"));
  const { body } = await owner.rest.get("/audit-log?action=members.");
  expect(body.items.map(({ action, actor }: { action: string; actor: unknown }) => [action, actor])).toEqual([
    ["members.remove", { kind: "CONSOLE", id: owner.userId }],
    ["members.updateRole", { kind: "CONSOLE", id: owner.userId }],
    ["members.updateRole", { kind: "CONSOLE", id: owner.userId }],
  ]);
});

test("an admin cannot change an owner or make anyone an owner", async () => {
  const owner = await signedIn(world);
  const admin = await invited(world, owner, "ann@people.test", "ADMIN");
  const { items } = (await admin.rest.get("/members")).body;
  const [first, second] = items;
  const change = (memberId: string, role: string) =>
    admin.rest.post("/members/manage", { action: "updateRole", memberId, role });
  expect(await change(first.id, "MEMBER")).toEqual(refusal(403, "ROLE_NOT_ALLOWED"));
  expect(await change(second.id, "OWNER")).toEqual(refusal(403, "ROLE_NOT_ALLOWED"));
  expect(await admin.rest.post("/members/manage", { action: "remove", memberId: first.id })).toEqual(
    refusal(403, "ROLE_NOT_ALLOWED"),
  );
  expect(await admin.rest.post("/invites/manage", { action: "create", email: "x@people.test", role: "OWNER" })).toEqual(
    refusal(400, "VALIDATION_FAILED"),
  );
});

test("a workspace that demands a second factor refuses members without one, who can still set one up", async () => {
  const { rest } = await signedIn(world);
  const patch = { action: "update", patch: { needsSecondFactor: true } };
  expect((await rest.post("/workspace", patch)).body.needsSecondFactor).toBe(true);
  expect(await rest.get("/leads")).toEqual(refusal(403, "SECOND_FACTOR_REQUIRED"));
  expect((await rest.post("/second-factor", { action: "offerTotp" })).status).toBe(200);
});

test("a deleted workspace refuses every call, and after 30 days only its audit chain remains", async () => {
  const owner = await signedIn(world);
  const { key } = (await owner.rest.post("/api-keys", { name: "k", scopes: ["leads:read"] })).body;
  await owner.rest.post("/leads", { email: "ada@people.test" });
  expect(await owner.rest.post("/workspace", { action: "delete", confirmName: "acme" })).toEqual(
    refusal(400, "VALIDATION_FAILED"),
  );
  const { body } = await owner.rest.post("/workspace", { action: "delete", confirmName: "Acme" });
  expect(body).toMatchObject({ id: owner.workspaceId, deleted: true });
  expect((await restOf(`${world.baseUrl}/api/v1`, key).get("/whoami")).status).toBe(401);
  expect(await owner.rest.get("/leads")).toEqual(refusal(404, "WORKSPACE_NOT_FOUND"));
  expect((await owner.rest.get("/session")).body.workspaces).toEqual([]);
  const { Lead, AuditEntry } = scoped(owner.workspaceId);
  const purgeAt = new Date(body.purgeAt);
  const purgeAll = async (now: Date) => {
    while (await purgeDeletedWorkspace(now));
  };
  await purgeAll(new Date(purgeAt.getTime() - 1));
  expect(await Lead.count({})).toBe(1);
  await purgeAll(new Date(purgeAt.getTime() + 1));
  expect(await Lead.count({})).toBe(0);
  expect(await Workspace.findOne({ _id: owner.workspaceId })).toBeNull();
  expect(await AuditEntry.count({})).toBeGreaterThan(0);
});

test("the audit log shows who did what, can be filtered, and reports whether its chain is intact", async () => {
  const owner = await signedIn(world);
  const { rest, userId } = owner;
  await rest.post("/block-list", { value: "rival.test" });
  const { body } = await rest.get("/audit-log");
  expect(body).toMatchObject({
    chain: { brokenAt: null },
    items: [{ action: "blockList.add", outcome: "DONE", actor: { id: userId } }, {}, {}],
  });
  expect((await rest.get("/audit-log?action=blockList.&outcome=FAILED")).body).toMatchObject({ total: 0, chain: null });
  expect((await rest.get(`/audit-log?actorId=${userId}&from=2100-01-01`)).body.total).toBe(0);
  const reader = await invited(
    world,
    { rest, userId, workspaceId: (await rest.get("/whoami")).body.workspaceId } as never,
    "v@people.test",
    "VIEWER",
  );
  expect(await reader.rest.get("/audit-log")).toEqual(refusal(403, "INSUFFICIENT_SCOPE"));
});

test("a client workspace belongs to its creator, is listed beside its parent, and has no leads of the parent", async () => {
  const owner = await signedIn(world);
  const made = await owner.rest.post("/workspaces", { name: "Client", timezone: "Europe/Paris" });
  expect(made).toMatchObject({ status: 201, body: { name: "Client", timezone: "Europe/Paris" } });
  const list = (await owner.rest.get("/workspaces")).body;
  expect(list).toMatchObject({
    total: 2,
    items: [
      { current: true, role: "OWNER" },
      { id: made.body.id, current: false, role: "OWNER" },
    ],
  });
  expect((await owner.browser.console(made.body.id).get("/leads")).body.total).toBe(0);
});

test("the console API compresses responses above a kilobyte", async () => {
  const { browser, workspaceId } = await signedIn(world);
  const headers = { "X-Console": "1", "X-Workspace": workspaceId, "Accept-Encoding": "gzip" };
  expect(
    (await browser.fetch("/console/api/v1/custom-fields/variables", { headers })).headers.get("content-encoding"),
  ).toBe("gzip");
});
