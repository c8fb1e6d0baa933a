import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { routes } from "../../api/routes.ts";
import { AuditEntry } from "../../models/access/audit-entry.ts";
import { AuditHead } from "../../models/access/audit-head.ts";
import { scoped } from "../../models/scoped.ts";
import { appendAuditEntry } from "../../operations/access/audit.ts";
import { verifyChain } from "../../store/audit-chain.ts";
import { restOf } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** The audit entries of a workspace, without that of the creation of its key. */
async function entriesOf(workspaceId: string): Promise<AuditEntry[]> {
  const entries = await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: 1 } });
  return entries.filter(({ action }) => action !== "keys.create");
}

async function lead(
  rest: { post(path: string, body: unknown): Promise<{ body: { id: string } }> },
  email: string,
): Promise<string> {
  return (await rest.post("/leads", { email })).body.id;
}

test("the sensitive verbs are exactly the listed ones", () => {
  const verbs = routes.flatMap(([, , operation]) =>
    "actions" in operation ? Object.values(operation.actions) : [operation],
  );
  expect([...new Set(verbs.flatMap(({ audits = [] }) => audits))].sort()).toEqual([
    "agent.updateSettings",
    "approvals.approve",
    "approvals.edit",
    "approvals.reject",
    "billing.checkout",
    "billing.portal",
    "blockList.add",
    "blockList.remove",
    "calendar.connect",
    "calendar.disconnect",
    "campaigns.archive",
    "campaigns.complete",
    "campaigns.launch",
    "campaigns.pause",
    "campaigns.resume",
    "campaigns.testSend",
    "campaigns.unarchive",
    "crm.connect",
    "crm.disconnect",
    "crm.start",
    "crm.update",
    "inbox.reply",
    "inbox.schedule",
    "invites.create",
    "invites.resend",
    "invites.revoke",
    "leadSearch.reveal",
    "leadSearch.revealBulk",
    "leadSearch.revealList",
    "leads.export",
    "leads.makeEvidence",
    "leads.suppress",
    "leads.unsuppress",
    "mailboxes.connect",
    "mailboxes.delete",
    "mailboxes.disconnect",
    "mailboxes.import",
    "mailboxes.resume",
    "mailboxes.setHealthy",
    "members.remove",
    "members.updateRole",
    "placementTests.cancel",
    "placementTests.create",
    "privacy.erase",
    "privacy.export",
    "recipients.export",
    "sends.markNotSent",
    "sends.markSent",
    "sends.resend",
    "verification.export",
    "verification.updateSettings",
    "webhooks.create",
    "webhooks.delete",
    "webhooks.rotateSecret",
    "webhooks.update",
    "workspace.delete",
    "workspace.export",
    "workspace.pauseSending",
    "workspace.resumeSending",
    "workspace.setRetention",
    "workspace.update",
    "workspaces.create",
  ]);
});

test("a sensitive call leaves one audit entry with actor, action, record and origin, and without the texts of the call", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { credentialId } = (await rest.get("/whoami")).body;
  const id = await lead(rest, "ada@people.test");
  const { headers } = await rest.post("/leads/suppress", { action: "suppress", ids: [id] });
  await rest.post("/block-list", { value: "secret-person@people.test", reason: "asked" });
  const entries = await entriesOf(workspaceId);
  expect(entries).toMatchObject([
    {
      action: "leads.suppress",
      actor: { kind: "API_KEY", id: credentialId },
      target: { ids: [id] },
      fields: [],
      outcome: "DONE",
      code: null,
      traceId: headers.get("x-trace-id"),
    },
    { action: "blockList.add", target: {}, fields: ["reason", "value"], outcome: "DONE" },
  ]);
  expect(entries[0]?.ip).not.toBeNull();
  expect(JSON.stringify(entries)).not.toContain("secret-person");
});

const DIGEST = /^[0-9a-f]{64}$/;

async function changesOf(workspaceId: string) {
  return (await entriesOf(workspaceId)).map(({ action, before, after, changed }) => ({
    action,
    before,
    after,
    changed,
  }));
}

test("an audit entry has digests of the record before and after and the changed fields, also under an idempotency key", async () => {
  const { rest, workspaceId } = await world.workspace();
  const id = await lead(rest, "ada@people.test");
  const { body: hook } = await rest.post("/webhooks", { url: "https://subscriber.example/hook" });
  await rest.patch(`/webhooks/${hook.id}`, { enabled: false }, { "Idempotency-Key": "switch-it-off" });
  await rest.patch(`/webhooks/${hook.id}`, { enabled: false });
  await rest.post("/leads/suppress", { action: "suppress", ids: [id] });
  const { body: entry } = await rest.post("/block-list", { value: "x.test" }, { "Idempotency-Key": "block-it" });
  await rest.post("/block-list", { value: "x.test" });
  await rest.delete(`/block-list/${entry.id}`);
  const [made, changed, same, suppressed, blocked, again, gone] = await changesOf(workspaceId);
  expect(made).toEqual({ action: "webhooks.create", before: null, after: expect.stringMatching(DIGEST), changed: [] });
  expect(changed).toMatchObject({
    before: made?.after,
    after: expect.stringMatching(DIGEST),
    changed: ["enabled", "updatedAt"],
  });
  expect(changed?.after).not.toBe(changed?.before);
  expect(same).toMatchObject({ before: changed?.after, changed: expect.not.arrayContaining(["enabled"]) });
  expect(suppressed).toMatchObject({
    action: "leads.suppress",
    changed: expect.arrayContaining(["suppressed", "suppressionReason"]),
  });
  expect(blocked).toMatchObject({
    action: "blockList.add",
    before: null,
    after: expect.stringMatching(DIGEST),
    changed: [],
  });
  expect(again).toMatchObject({ before: blocked?.after, after: blocked?.after, changed: [] });
  expect(gone).toMatchObject({ action: "blockList.remove", before: blocked?.after, after: null, changed: [] });
  expect(await verifyChain(workspaceId)).toEqual({ entries: 8, brokenAt: null });
});

test("the audit entry of a call on several records or of a refused call has no digests", async () => {
  const { rest, workspaceId } = await world.workspace();
  const ids = [await lead(rest, "ada@people.test"), await lead(rest, "bob@people.test")];
  await rest.post("/leads/suppress", { action: "suppress", ids });
  await rest.delete("/block-list/blk_unknown");
  const none = { before: null, after: null, changed: [] };
  expect(await changesOf(workspaceId)).toEqual([
    { action: "leads.suppress", ...none },
    { action: "blockList.remove", ...none },
  ]);
});

test("a changed digest breaks the chain, and entries of earlier versions without digests do not break the chain", async () => {
  const { rest, workspaceId } = await world.workspace();
  await rest.post("/block-list", { value: "one.test" });
  const { credentialId } = (await rest.get("/whoami")).body;
  const [first, second] = await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: 1 } });
  if (first === undefined || second === undefined) throw new Error("An entry is missing");
  expect(first).toMatchObject({
    action: "keys.create",
    target: { id: credentialId },
    after: expect.stringMatching(DIGEST),
  });
  const own = { _id: second._id, workspaceId };
  for (const forged of [{ after: "0".repeat(64) }, { changed: ["value"] }]) {
    await AuditEntry.updateOne(own, { $set: forged });
    expect(await verifyChain(workspaceId)).toEqual({ entries: 1, brokenAt: 2 });
    await AuditEntry.updateOne(own, { $set: { after: second.after, changed: second.changed } });
  }
  await AuditEntry.updateOne(own, { $unset: { before: 1, after: 1, changed: 1 } });
  expect(await verifyChain(workspaceId)).toEqual({ entries: 1, brokenAt: 2 });
  // As the previous version of the program wrote it
  const { seq, at, actor, action, fields, outcome, code, ip, traceId, prevHash } = second;
  const told = [seq, at.toISOString(), actor.kind, actor.id, action, [], fields, outcome, code, ip, traceId, prevHash];
  const hash = createHash("sha256").update(JSON.stringify(told)).digest("hex");
  await AuditEntry.updateOne(own, { $set: { hash } });
  await AuditHead.updateOne({ _id: workspaceId, workspaceId }, { $set: { hash } });
  expect(await verifyChain(workspaceId)).toEqual({ entries: 2, brokenAt: null });
});

test("refused and denied calls leave an audit entry with the error code", async () => {
  const { rest, workspaceId } = await world.workspace(
    "leads:read",
    "block_list:read",
    "campaigns:read",
    "campaigns:launch",
  );
  expect((await rest.post("/block-list", { value: "x.test" })).status).toBe(403);
  expect((await rest.post("/campaigns/cmp_unknown/control", { action: "pause" })).status).toBe(404);
  expect((await rest.post("/campaigns/cmp_unknown/control", { action: "launch", surplus: 1 })).status).toBe(400);
  expect((await entriesOf(workspaceId)).map(({ action, outcome, code }) => [action, outcome, code])).toEqual([
    ["blockList.add", "DENIED", "INSUFFICIENT_SCOPE"],
    ["campaigns.pause", "FAILED", "CAMPAIGN_NOT_FOUND"],
    ["campaigns.launch", "FAILED", "VALIDATION_FAILED"],
  ]);
});

test("a call and its repetitions under one idempotency key leave one audit entry, whether the call succeeds or is refused", async () => {
  const { rest, workspaceId } = await world.workspace();
  for (const value of ["x.test", "not a domain!"]) {
    const answers = [];
    for (let time = 0; time < 3; time++)
      answers.push((await rest.post("/block-list", { value }, { "Idempotency-Key": value })).status);
    expect(new Set(answers).size).toBe(1);
  }
  expect((await entriesOf(workspaceId)).map(({ outcome }) => outcome)).toEqual(["DONE", "FAILED"]);
});

test("calls that are not sensitive and calls without a key leave no audit entry", async () => {
  const { rest, workspaceId } = await world.workspace();
  await rest.get("/leads");
  await lead(rest, "bob@people.test");
  await restOf(`${world.baseUrl}/api/v1`, null).post("/block-list", { value: "x.test" });
  expect(await entriesOf(workspaceId)).toEqual([]);
});

test("the entries of many concurrent calls form one intact chain", async () => {
  const { rest, workspaceId } = await world.workspace();
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => rest.post("/block-list", { value: `many${n}.test` })),
  );
  expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201));
  expect(await entriesOf(workspaceId)).toHaveLength(20);
  expect(await verifyChain(workspaceId)).toEqual({ entries: 21, brokenAt: null });
});

test("a changed, missing or cut-off entry is detected", async () => {
  const { rest, workspaceId } = await world.workspace();
  for (const value of ["one.test", "two.test", "three.test"]) await rest.post("/block-list", { value });
  const [, second, third, last] = await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: 1 } });
  const own = (entry: AuditEntry | undefined) => ({ _id: entry?._id ?? "", workspaceId });
  await AuditEntry.updateOne(own(second), { $set: { outcome: "DENIED" } });
  expect(await verifyChain(workspaceId)).toEqual({ entries: 1, brokenAt: 2 });
  await AuditEntry.updateOne(own(second), { $set: { outcome: "DONE" } });
  await AuditEntry.deleteOne(own(last));
  expect(await verifyChain(workspaceId)).toEqual({ entries: 3, brokenAt: 4 });
  await AuditEntry.deleteOne(own(third));
  expect(await verifyChain(workspaceId)).toEqual({ entries: 2, brokenAt: 3 });
});

test("an audit chain stays intact while calls append to it, and an entry beyond the head of the chain breaks it", async () => {
  const { workspaceId, ownerId } = await world.workspace();
  const actor = { kind: "CONSOLE", id: ownerId } as const;
  const append = () => appendAuditEntry({ workspaceId, actor, action: "leads.export", input: {} }, "DONE", null);
  let isOver = false;
  const appending = Array.from({ length: 3 }, async () => {
    while (!isOver) await append();
  });
  const verdicts = [];
  while (verdicts.length < 30) verdicts.push(await verifyChain(workspaceId));
  isOver = true;
  await Promise.all(appending);
  expect(verdicts.filter(({ brokenAt }) => brokenAt !== null)).toEqual([]);
  const { entries } = await verifyChain(workspaceId);
  expect(entries).toBeGreaterThan(verdicts[0]?.entries ?? entries);
  await AuditHead.updateOne({ _id: workspaceId, workspaceId }, { $inc: { seq: -1 } });
  expect(await verifyChain(workspaceId)).toEqual({ entries: entries - 1, brokenAt: entries });
});
