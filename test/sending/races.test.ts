import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import pLimit from "p-limit";
import { DEFAULT_SETTINGS } from "../../domain/campaigns/settings.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { shardOf } from "../../store/campaigns/gates.ts";
import { moveCampaign } from "../../store/campaigns/status.ts";
import { claim } from "../../store/sending/claim.ts";
import { lastLook } from "../../store/sending/last-look.ts";
import { recordNotSent, recordSingleSent, recordUnknown, recordWithdrawn } from "../../store/sending/record.ts";
import { settleExpiredLeases } from "../../store/sending/record-uncertain.ts";
import { guardId } from "../../store/suppression/guard-id.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { at, type Claiming, claimingIn } from "./claiming.ts";

let world: World;
let workspaceId: string;
let rest: Rest;
let claiming: Claiming;
let mailboxes: Mailbox[];
let mailbox: Mailbox;

beforeAll(async () => {
  world = await startWorld();
  ({ workspaceId, rest } = await world.workspace());
  claiming = await claimingIn(workspaceId);
  ({ mailboxes } = claiming);
  mailbox = at(mailboxes, 0);
});
afterAll(() => world.close());

test("a claim is refused without an approval of its content, and when approvalMode has changed since the claim was prepared", async () => {
  const campaignId = await claiming.activeCampaign();
  const { Approval, Send } = scoped(workspaceId);
  const settings = { ...DEFAULT_SETTINGS, perMailboxDailyLimit: 0, approvalMode: "ALL" as const };
  const send = await claiming.bookedSend(campaignId, "asked@people.test");
  const asking = (approvalId: string | null, contentHash: string, fence = 0, approvalMode: "ALL" | "NONE" = "ALL") => {
    const campaign = {
      campaignId,
      fence,
      settings: { ...settings, approvalMode },
      shard: shardOf(send.recipientId ?? ""),
    };
    const request = claiming.claimFor({ ...send, approvalId }, campaignId, randomUUID(), fence);
    return claim({ ...request, campaign, approval: { sentCount: 0, contentHash } });
  };
  const refused = { kind: "stopped", by: "approval", reasons: [] };
  expect(await asking(null, "as shown")).toEqual(refused);
  const approvalId = newId("apr");
  const expiresAt = new Date(Date.now() + 60_000);
  await Approval.insert({
    _id: approvalId,
    kind: "CAMPAIGN_SEND",
    recipientId: send.recipientId,
    contentHash: "as shown",
    expiresAt,
  });
  for (const status of ["PENDING", "EXPIRED", "REJECTED", "FAILED"] as const) {
    await Approval.updateOne({ _id: approvalId }, { $set: { status } });
    expect(await asking(approvalId, "as shown")).toEqual(refused);
  }
  await Approval.updateOne({ _id: approvalId }, { $set: { status: "APPROVED" } });
  expect(await asking(approvalId, "another")).toEqual(refused);
  expect(await Send.get(send._id)).toMatchObject({ state: "RESERVED" });

  for (const approvalMode of ["FIRST_SEND", "ALL"]) {
    expect(await rest.patch(`/campaigns/${campaignId}/settings`, { approvalMode })).toMatchObject({ status: 200 });
  }
  const campaign = await scoped(workspaceId).Campaign.get(campaignId);
  expect(await asking(approvalId, "as shown", 0, "NONE")).toEqual({ kind: "parked" });
  expect(await asking(approvalId, "as shown", campaign?.fence)).toMatchObject({ kind: "claimed" });
});

test("a claim checks the suppression of every address of the email, Cc included, even if the suppression ended no recipient", async () => {
  const campaignId = await claiming.activeCampaign();
  const { AddressGuard, Send } = scoped(workspaceId);
  // Suppressed while the recipient was being added: neither transaction saw the other
  await suppressAddress(workspaceId, "late@people.test", "UNSUBSCRIBED");
  const send = await claiming.bookedSend(campaignId, "late@people.test");
  const refused = { kind: "stopped", by: "guard", reasons: ["UNSUBSCRIBED"] };
  expect(await claiming.claimOf(send, campaignId, randomUUID())).toEqual(refused);
  const other = await claiming.bookedSend(campaignId, "other@people.test");
  const request = claiming.claimFor(other, campaignId, randomUUID());
  expect(await claim({ ...request, also: ["late@people.test"] })).toEqual(refused);
  expect(await Send.find({ _id: trusted({ $in: [send._id, other._id] }), state: "RESERVED" })).toHaveLength(2);
  // The claim for an address without a guard writes the same document that a suppression would write
  expect(await claim(request)).toMatchObject({ kind: "claimed" });
  expect(await AddressGuard.get(guardId(workspaceId, "other@people.test"))).toMatchObject({ reasons: [] });
});

test("claims that share one transaction each get their own result, and a refused claim does not make the others count twice", async () => {
  const campaignId = await claiming.activeCampaign();
  const sends = await Promise.all(
    mailboxes.map((from, index) => claiming.bookedSend(campaignId, `together${index}@people.test`, from)),
  );
  await suppressAddress(workspaceId, at(sends, 3).to, "UNSUBSCRIBED");
  await scoped(workspaceId).Mailbox.updateOne({ _id: at(mailboxes, 5)._id }, { $set: { status: "PAUSED" } });
  await scoped(workspaceId).Recipient.updateOne(
    { _id: at(sends, 6).recipientId ?? "" },
    { $set: { nextStepId: "stp_2" } },
  );
  const results = await Promise.all(sends.map((send) => claiming.claimOf(send, campaignId, randomUUID())));
  await scoped(workspaceId).Mailbox.updateOne({ _id: at(mailboxes, 5)._id }, { $set: { status: "CONNECTED" } });
  expect(
    results.map((result) => (result.kind === "claimed" ? "claimed" : "by" in result ? result.by : "parked")),
  ).toEqual(["claimed", "claimed", "claimed", "recipient", "claimed", "mailbox", "recipient", "claimed"]);
  // The shared transaction was undone by a refusal and made again: what it writes is counted once
  for (const index of [1, 4, 7]) {
    const [day] = await scoped(workspaceId).MailboxDay.find({ mailboxId: at(mailboxes, index)._id });
    expect(day?.sentBy[campaignId]).toBe(1);
  }
});

test("once a pause is acknowledged no claim commits, however many were in progress", async () => {
  const campaignId = await claiming.activeCampaign();
  const sends = await Promise.all(
    Array.from({ length: 60 }, (_, index) =>
      claiming.bookedSend(campaignId, `pause${index}@people.test`, mailboxes[index % 8]),
    ),
  );
  // As many at once as one process allows itself
  const inFlight = pLimit(8);
  const claims = sends.map((send) => inFlight(() => claiming.claimOf(send, campaignId, randomUUID())));
  await Promise.race(claims);
  await inTransaction(() =>
    moveCampaign(workspaceId, campaignId, { from: ["ACTIVE"], to: "PAUSED", pauseReason: "MANUAL", actor: null }),
  );
  const claimedAtAnswer = await scoped(workspaceId).Send.count({ campaignId, state: "SENDING" });
  const results = await Promise.all(claims);
  expect(await scoped(workspaceId).Send.count({ campaignId, state: "SENDING" })).toBe(claimedAtAnswer);
  expect(results.filter(({ kind }) => kind === "claimed")).toHaveLength(claimedAtAnswer);
  expect(results.filter(({ kind }) => kind === "parked").length).toBeGreaterThan(0);
});

test("of several attempts at one send only one claims it, and only that attempt enters DATA", async () => {
  const campaignId = await claiming.activeCampaign();
  const send = await claiming.bookedSend(campaignId, "twice@people.test");
  const attempts = [randomUUID(), randomUUID(), randomUUID()];
  const results = await Promise.all(attempts.map((attemptId) => claiming.claimOf(send, campaignId, attemptId)));
  const claimed = results.flatMap((result) => (result.kind === "claimed" ? [result.request] : []));
  expect(claimed).toHaveLength(1);
  const [held] = claimed;
  if (held === undefined) throw new Error("nobody holds it");
  const looks = await Promise.all(attempts.map((attemptId) => lastLook({ ...held, attemptId })));
  expect(looks.filter((refusal) => refusal === null)).toHaveLength(1);
});

test("an attempt that has lost its claim cannot change what the next attempt records", async () => {
  const campaignId = await claiming.activeCampaign();
  const { MailboxDay, Send } = scoped(workspaceId);
  const send = await claiming.bookedSend(campaignId, "late-record@people.test");
  const [late, holder] = [randomUUID(), randomUUID()];
  expect(await claiming.claimOf(send, campaignId, late)).toMatchObject({ kind: "claimed" });
  // The first attempt was held up for longer than its lease
  await Send.updateOne({ _id: send._id }, { $set: { leaseUntil: new Date(Date.now() - 1_000) } });
  await settledAll();
  const held = await claiming.claimOf((await Send.get(send._id)) ?? send, campaignId, holder);
  if (held.kind !== "claimed") throw new Error(`refused: ${JSON.stringify(held)}`);
  expect(await lastLook(held.request)).toBeNull();
  const row = await Send.get(send._id);
  expect(await recordWithdrawn(send, late)).toBe(false);
  expect(await recordNotSent(send, late, null)).toBe(false);
  expect(await recordUnknown(send, late)).toBe(false);
  expect(await recordSingleSent(send, late, "250 OK", null)).toBeNull();
  expect(await Send.get(send._id)).toEqual(row);
  expect(row).toMatchObject({ state: "SENDING", phase: "DATA", attemptId: holder });
  const [day] = await MailboxDay.find({ mailboxId: mailbox._id });
  expect(day?.sentBy[campaignId]).toBe(1);
});

test("an expired claim of an ended recipient becomes UNKNOWN if it had entered DATA, and is released otherwise", async () => {
  const campaignId = await claiming.activeCampaign();
  const { MailboxDay, Send } = scoped(workspaceId);
  const emails = ["dead-claimed@people.test", "dead-data@people.test"];
  const sends = await Promise.all(emails.map((email) => claiming.bookedSend(campaignId, email)));
  for (const [index, send] of sends.entries()) {
    const attemptId = randomUUID();
    const held = await claiming.claimOf(send, campaignId, attemptId);
    if (held.kind !== "claimed") throw new Error(`refused: ${JSON.stringify(held)}`);
    if (index === 1) expect(await lastLook(held.request)).toBeNull();
    await Send.updateOne({ _id: send._id }, { $set: { leaseUntil: new Date(Date.now() - 1_000) } });
    await suppressAddress(workspaceId, send.to, "UNSUBSCRIBED");
  }
  await settledAll();
  const [claimed, inData] = await Promise.all(sends.map(({ _id }) => Send.get(_id)));
  expect(claimed).toMatchObject({ state: "RELEASED", phase: null, slotAt: null });
  expect(inData).toMatchObject({ state: "UNKNOWN", phase: null, leaseUntil: null });
  // The mail in DATA counts towards the day, the claim that was given back does not
  const [day] = await MailboxDay.find({ mailboxId: mailbox._id });
  expect(day?.sentBy[campaignId]).toBe(1);
});

/** Also those that other files left in the database they share. */
async function settledAll(): Promise<void> {
  while ((await settleExpiredLeases(100)) > 0);
}
