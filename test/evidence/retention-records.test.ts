import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { signToken } from "../../domain/access/tokens.ts";
import type { Retention, RetentionKind } from "../../domain/evidence/retention.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { AuditEntry } from "../../models/access/audit-entry.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { Campaign } from "../../models/campaigns/campaign.ts";
import { KnownProspect } from "../../models/lead-search/known-prospect.ts";
import { ActivityEvent } from "../../models/recipients/event.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { idsOf, newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { appendAuditEntry } from "../../operations/access/audit.ts";
import { verifyChain } from "../../store/audit-chain.ts";
import { deleteOldEntries } from "../../store/audit-retention.ts";
import { retainNext } from "../../store/evidence/retention.ts";
import { resumeRecipient } from "../../store/recipients/resume.ts";
import { erasedAddressOf, isErasedAddress } from "../../store/suppression/guard-id.ts";
import { findAddressBehind, loadGuardReasons } from "../../store/suppression/suppress.ts";
import { answerOf, type Inbox, type Person, startInbox } from "../inbox/inbox-parts.ts";
import { STEPS } from "../support/steps.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let inbox: Inbox;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
beforeEach(async () => {
  await Workspace.updateMany({}, { $set: { retentionDueAt: null } });
  inbox = await startInbox(world);
});
afterAll(() => world.close());

const PATH = "/workspace/retention";
const DAYS = 90;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const ADA = "ada@people.test";

/** Sets a retention and takes the rounds that follow. Returns what they deleted. */
async function retain(change: Partial<Retention>): Promise<Record<RetentionKind, number>> {
  await inbox.rest.patch(PATH, change);
  while (await retainNext(new Date(Date.now() + 2 * HOUR_MS)));
  return (await inbox.rest.get(PATH)).body.lastRound.counts;
}

async function preview(change: Partial<Retention>): Promise<Record<RetentionKind, number>> {
  return (await inbox.rest.post(`${PATH}/preview`, change)).body;
}

/** A person whose campaign had its last email and was completed so many days ago. */
async function finished(email: string, days: number): Promise<Person> {
  const person = await inbox.contacted(email, { recipient: { status: "COMPLETED", nextStepId: null } });
  const { campaignId } = person.recipient;
  const ended = { status: "COMPLETED" as const, completedReason: "FINISHED" as const, completedAt: daysAgo(days) };
  await Campaign.collection.updateOne({ _id: campaignId as never }, { $set: ended });
  return person;
}

let made = 0;
async function storeEvent(campaignId: string | null, type: string, days: number, workspaceId = inbox.workspaceId) {
  const at = daysAgo(days);
  const _id = idsOf(`event ${made++}`, at.getTime())("evt");
  await scoped(workspaceId).ActivityEvent.store({ _id, type, at, leadId: newId("led"), campaignId, data: {} });
  return _id;
}

test("old events of leads and of finished campaigns are deleted, and those that figures and running campaigns need stay", async () => {
  const { workspaceId } = inbox;
  const { recipient: over } = await finished(ADA, 91);
  const { recipient: recent } = await finished("bob@people.test", 89);
  const { recipient: running } = await inbox.contacted("eve@people.test");
  const other = await world.workspace();
  const old = [await storeEvent(null, "LEAD_UPDATED", 91), await storeEvent(over.campaignId, "OPEN", 91)];
  const kept = [
    await storeEvent(null, "LEAD_UPDATED", 89),
    await storeEvent(over.campaignId, "CONVERTED", 91),
    await storeEvent(over.campaignId, "BOUNCED", 91),
    await storeEvent(over.campaignId, "SENT", 91),
    await storeEvent(null, "UNSUBSCRIBE", 91),
    await storeEvent(null, "SUPPRESSED", 91),
    await storeEvent(null, "UNSUPPRESSED", 91),
    await storeEvent(recent.campaignId, "OPEN", 91),
    await storeEvent(running.campaignId, "OPEN", 91),
  ];
  const theirs = await storeEvent(null, "LEAD_UPDATED", 400, other.workspaceId);
  const { ActivityEvent } = scoped(workspaceId);
  expect((await preview({ events: DAYS })).events).toBe(2);
  expect(await ActivityEvent.count({})).toBe(11);
  expect((await retain({ events: DAYS })).events).toBe(2);
  const left = (await ActivityEvent.find({})).map(({ _id }) => _id);
  expect(left.sort()).toEqual([...kept].sort());
  expect(left).not.toEqual(expect.arrayContaining(old));
  expect(await scoped(other.workspaceId).ActivityEvent.get(theirs)).not.toBeNull();
  expect((await preview({})).events).toBe(0);
});

test("recipients of finished campaigns lose their address and texts, and stay counted", async () => {
  const { workspaceId, rest } = inbox;
  const over = await finished(ADA, 91);
  const recent = await finished("bob@people.test", 89);
  const running = await inbox.contacted("eve@people.test", { recipient: { status: "COMPLETED" } });
  const { Recipient, Send } = scoped(workspaceId);
  const path = `/campaigns/${over.recipient.campaignId}/metrics`;
  const before = (await rest.get(path)).body;
  expect((await preview({ recipients: DAYS })).recipients).toBe(1);
  expect((await retain({ recipients: DAYS })).recipients).toBe(1);
  const emptied = await Recipient.get(over.recipient._id);
  expect(emptied).toMatchObject({ status: "COMPLETED", sentCount: 1, thread: null, companyDomain: null });
  expect(isErasedAddress(emptied?.email ?? "")).toBe(true);
  expect(await Send.get(over.send._id)).toMatchObject({
    to: emptied?.email,
    state: "SENT",
    messageIds: over.send.messageIds,
    subject: null,
    content: null,
  });
  for (const { recipient, send } of [recent, running]) {
    expect((await Recipient.get(recipient._id))?.email).toBe(recipient.email);
    expect((await Send.get(send._id))?.content).not.toBeNull();
  }
  expect((await rest.get(path)).body).toEqual(before);
  expect((await preview({})).recipients).toBe(0);
});

test("a lead whose recipient was emptied does not get the same campaign again", async () => {
  const { workspaceId, rest } = inbox;
  const { recipient } = await finished(ADA, 91);
  await retain({ recipients: DAYS });
  const path = `/campaigns/${recipient.campaignId}/recipients`;
  const added = await rest.post(path, { action: "addManual", emails: [ADA, "new@people.test"] });
  expect(added.body).toMatchObject({ added: 1, alreadyPresent: 1 });
  const { Campaign: Campaigns, Recipient } = scoped(workspaceId);
  expect(await Recipient.count({ campaignId: recipient.campaignId, email: ADA })).toBe(0);
  expect(await Campaigns.get(recipient.campaignId)).toMatchObject({ status: "ACTIVE" });
});

test("an address that got a campaign does not get it again, also as a new lead or as the new address of another lead", async () => {
  const { workspaceId, rest } = inbox;
  const { Lead, Recipient } = scoped(workspaceId);
  const [over, other] = [await finished(ADA, 91), await finished("bob@people.test", 91)];
  const { campaignId } = over.recipient;
  await Recipient.updateOne({ _id: other.recipient._id }, { $set: { campaignId } });
  await retain({ recipients: DAYS });
  await Lead.updateOne({ _id: over.recipient.leadId }, { $set: { email: "ada.new@people.test" } });
  const path = `/campaigns/${campaignId}/recipients`;
  const added = await rest.post(path, { action: "addManual", emails: [ADA, "eve@people.test"] });
  expect(added.body).toMatchObject({ added: 1, alreadyPresent: 1 });
  expect(await Lead.count({ email: ADA })).toBe(1);
  await Lead.deleteOne({ _id: other.recipient.leadId });
  const [eve] = await Lead.find({ email: "eve@people.test" });
  expect(
    (await rest.post("/leads/manage", { action: "update", leadId: eve?._id, patch: { email: "bob@people.test" } }))
      .status,
  ).toBe(200);
  expect(await Recipient.findOne({ campaignId, leadId: eve?._id })).toMatchObject({ stopReason: "REMOVED" });
  expect(await Recipient.count({ campaignId, email: trusted({ $in: [ADA, "bob@people.test"] }) })).toBe(0);
});

test("leads that are deleted and added again do not stop the round, and one that got no email may be added again", async () => {
  const { workspaceId, rest } = inbox;
  const { Lead, Recipient } = scoped(workspaceId);
  const { recipient } = await finished(ADA, 91);
  const { campaignId } = recipient;
  const path = `/campaigns/${campaignId}/recipients`;
  const eve = "eve@people.test";
  // Two deletions of a lead that got no email, and another recipient with the hash that an earlier version left
  for (const _ of [1, 2]) {
    expect((await rest.post(path, { action: "addManual", emails: [eve] })).body).toMatchObject({ added: 1 });
    const lead = await Lead.findOne({ email: eve });
    expect((await rest.post("/leads/manage", { action: "delete", leadId: lead?._id })).status).toBe(200);
  }
  await rest.post(path, { action: "addManual", emails: [eve] });
  await Recipient.updateOne({ campaignId, email: eve }, { $set: { status: "COMPLETED", sentCount: 1 } });
  const sibling = await inbox.contacted(ADA.toUpperCase(), { recipient: { status: "COMPLETED" } });
  await Recipient.updateOne(
    { _id: sibling.recipient._id },
    { $set: { campaignId, email: erasedAddressOf(workspaceId, ADA) } },
  );
  const ended = { status: "COMPLETED" as const, completedReason: "FINISHED" as const, completedAt: daysAgo(91) };
  await Campaign.collection.updateOne({ _id: campaignId as never }, { $set: ended });
  expect((await retain({ recipients: DAYS })).recipients).toBe(2);
  const marks = (await Recipient.find({ campaignId })).map(({ email }) => erasedAddressOf(workspaceId, email));
  expect(marks.filter((mark) => mark === erasedAddressOf(workspaceId, ADA))).toHaveLength(2);
  await Lead.deleteOne({ email: eve });
  expect((await rest.post(path, { action: "addManual", emails: [ADA, eve] })).body).toMatchObject({
    alreadyPresent: 2,
  });
  expect(await findAddressBehind(workspaceId, erasedAddressOf(workspaceId, ADA))).toBe(ADA);
  // An earlier version left the hash alone, also if the lead got no email
  const kim = "kim@people.test";
  await rest.post(path, { action: "addManual", emails: [kim] });
  await Recipient.updateOne({ campaignId, email: kim }, { $set: { email: erasedAddressOf(workspaceId, kim) } });
  await Lead.deleteOne({ email: kim });
  expect((await rest.post(path, { action: "addManual", emails: [kim] })).body).toMatchObject({ added: 1 });
});

test("a kind of data that cannot be deleted does not keep the others", async () => {
  const { workspaceId, rest } = inbox;
  const { recipient } = await finished(ADA, 91);
  const index = "workspaceId_1_campaignId_1_type_1__id_-1";
  await ActivityEvent.collection.dropIndex(index);
  try {
    await expect(retain({ events: DAYS, recipients: DAYS })).rejects.toThrow("Some kinds of old data");
  } finally {
    await ActivityEvent.collection.createIndex({ workspaceId: 1, campaignId: 1, type: 1, _id: -1 });
  }
  expect(isErasedAddress((await scoped(workspaceId).Recipient.get(recipient._id))?.email ?? "")).toBe(true);
  expect((await rest.get(PATH)).body.lastRound).toMatchObject({ finishedAt: null, counts: { recipients: 1 } });
  while (await retainNext(new Date(Date.now() + 3 * HOUR_MS)));
  expect((await rest.get(PATH)).body.lastRound.finishedAt).not.toBeNull();
});

test("an emptied recipient is not resumed", async () => {
  const { workspaceId } = inbox;
  const { recipient } = await finished(ADA, 91);
  await retain({ recipients: DAYS });
  const { Recipient } = scoped(workspaceId);
  const emptied = await Recipient.get(recipient._id);
  if (emptied === null) throw new Error("The recipient is gone");
  expect(await inTransaction(() => resumeRecipient(workspaceId, emptied, STEPS))).toBe(false);
  expect(await Recipient.get(recipient._id)).toMatchObject({ status: "COMPLETED" });
});

test("an old unsubscribe link and a late reply still stop all email to a person whose recipient was emptied", async () => {
  const { workspaceId } = inbox;
  const byLink = await finished(ADA, 91);
  const byReply = await finished("bob@people.test", 91);
  const elsewhere = await inbox.contacted(ADA);
  await retain({ recipients: DAYS });
  const token = signToken(world.services.signing, "u", byLink.send._id);
  const link = `${world.baseUrl}/u/${token}`;
  expect(await (await fetch(link)).text()).toContain("a•••@people.test");
  expect((await fetch(link, { method: "POST" })).status).toBe(200);
  await inbox.arrive(answerOf(byReply, "Please remove me from your list and never write to me again."));
  const { Lead, Recipient } = scoped(workspaceId);
  expect(await loadGuardReasons(workspaceId, [ADA, byReply.recipient.email])).toEqual(
    new Map([
      [ADA, ["UNSUBSCRIBED"]],
      [byReply.recipient.email, ["OPT_OUT_REPLY"]],
    ]),
  );
  expect(await Lead.findOne({ email: ADA })).toMatchObject({ suppressed: true, suppressionReason: "UNSUBSCRIBED" });
  expect(await Recipient.get(elsewhere.recipient._id)).toMatchObject({ status: "UNSUBSCRIBED" });
});

test("a recipient with an email of unknown outcome keeps its address", async () => {
  const { workspaceId } = inbox;
  const { recipient, send } = await finished(ADA, 91);
  const { Recipient, Send } = scoped(workspaceId);
  await Send.updateOne({ _id: send._id }, { $set: { state: "UNKNOWN" } });
  expect((await retain({ recipients: DAYS })).recipients).toBe(0);
  expect((await Recipient.get(recipient._id))?.email).toBe(ADA);
  // Another campaign is emptied in the same turn
  const bob = await finished("bob@people.test", 91);
  expect((await retain({ recipients: DAYS })).recipients).toBe(1);
  expect(isErasedAddress((await Recipient.get(bob.recipient._id))?.email ?? "")).toBe(true);
});

test("old known prospects are deleted from their lists, and one that is being revealed stays", async () => {
  const { workspaceId } = inbox;
  const { KnownProspect: Known, SearchList } = scoped(workspaceId);
  const listId = newId("lst");
  await SearchList.store({ _id: listId, name: "List", itemCount: 3 });
  const hold = { by: "key", fields: ["EMAIL" as const], until: new Date() };
  const [old, young, held] = [newId("job"), newId("job"), newId("job")];
  for (const _id of [old, young, held])
    await Known.store({ _id, prospectId: _id, listIds: [listId], hold: _id === held ? hold : null });
  const stored = { _id: { $in: [old, held] as never } };
  await KnownProspect.collection.updateMany(stored, { $set: { updatedAt: daysAgo(31) } });
  expect((await preview({ prospects: 30 })).prospects).toBe(1);
  expect((await retain({ prospects: 30 })).prospects).toBe(1);
  expect((await Known.find({})).map(({ _id }) => _id).sort()).toEqual([young, held].sort());
  expect((await SearchList.get(listId))?.itemCount).toBe(2);
});

async function auditedAt(days: readonly number[]): Promise<void> {
  const { workspaceId } = inbox;
  const actor = { kind: "CONSOLE", id: "usr" } as const;
  for (const _ of days) await appendAuditEntry({ workspaceId, actor, action: "leads.export", input: {} }, "DONE", null);
  await verifyChain(workspaceId);
}

function deleteOnce(cut: Date, most = 100): Promise<number> {
  return deleteOldEntries(inbox.workspaceId, cut, most);
}

test("old audit entries are deleted from the beginning, and the rest of the chain still verifies", async () => {
  const { workspaceId, rest } = inbox;
  await auditedAt([1, 2, 3]);
  const { entries: all } = await verifyChain(workspaceId);
  expect(all).toBeGreaterThanOrEqual(4);
  expect((await preview({ auditEntries: 730 })).auditEntries).toBe(0);
  await rest.patch(PATH, { auditEntries: 730 });
  const entries = await verifyChain(workspaceId);
  // The clock of the round is 731 days ahead, so everything is old
  const later = new Date(Date.now() + 731 * DAY_MS);
  while (await retainNext(later));
  const left = await scoped(workspaceId).AuditEntry.find({});
  expect(left).toMatchObject([
    { action: "audit.retain", actor: { kind: "SERVICE" }, target: { deletedSeq: entries.entries } },
  ]);
  expect((await rest.get(PATH)).body.lastRound.counts.auditEntries).toBe(entries.entries);
  expect(await verifyChain(workspaceId)).toEqual({ entries: 1, brokenAt: null });
  await auditedAt([1, 2]);
  expect(await verifyChain(workspaceId)).toEqual({ entries: 3, brokenAt: null });
});

test("a chain whose beginning was deleted shows an entry that was changed or removed later", async () => {
  const { workspaceId } = inbox;
  await auditedAt([1, 2, 3, 4, 5]);
  const { entries } = await verifyChain(workspaceId);
  expect(await deleteOnce(new Date(Date.now() + DAY_MS), entries - 3)).toBe(entries - 3);
  expect(await verifyChain(workspaceId)).toEqual({ entries: 4, brokenAt: null });
  await AuditEntry.updateOne({ workspaceId, seq: entries - 1 }, { $set: { action: "leads.list" } });
  expect(await verifyChain(workspaceId)).toEqual({ entries: 1, brokenAt: entries - 1 });
  await scoped(workspaceId).AuditEntry.deleteOne({ seq: entries - 2 });
  expect(await verifyChain(workspaceId)).toEqual({ entries: 0, brokenAt: entries - 2 });
});

test("entries that are added while old ones are deleted stay in the chain", async () => {
  const { workspaceId } = inbox;
  await auditedAt([1, 2, 3, 4]);
  const { entries } = await verifyChain(workspaceId);
  await Promise.all([deleteOnce(new Date(Date.now() + DAY_MS), 2), auditedAt([1, 2])]);
  // Two were deleted; two were added, and the entry of the deletion
  expect(await verifyChain(workspaceId)).toEqual({ entries: entries + 1, brokenAt: null });
});

test("a chain whose beginning someone cut off is reported as broken, also after a retention", async () => {
  const { workspaceId } = inbox;
  await auditedAt([1, 2, 3, 4]);
  await deleteOnce(new Date(Date.now() + DAY_MS), 1);
  const { AuditEntry: Entries, AuditHead } = scoped(workspaceId);
  const cut = (await Entries.find({}, { sort: { seq: 1 }, limit: 2 })).at(-1);
  if (cut === undefined) throw new Error("There is no entry");
  await AuditHead.updateOne({ _id: workspaceId }, { $set: { deletedSeq: cut.seq, deletedHash: cut.hash } });
  for (const seq of [cut.seq - 1, cut.seq]) await Entries.deleteOne({ seq });
  expect((await verifyChain(workspaceId)).brokenAt).toBe(cut.seq + 1);
});
