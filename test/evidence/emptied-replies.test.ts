import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import { retainNext } from "../../store/evidence/retention.ts";
import { erasedAddressOf } from "../../store/suppression/guard-id.ts";
import { loadGuardReasons } from "../../store/suppression/suppress.ts";
import { answerOf, type Inbox, type Person, startInbox } from "../inbox/inbox-parts.ts";
import { startWorld, type World } from "../support/world.ts";

const ADA = "ada@people.test";
const NEW = "ada.new@people.test";

let world: World;
let inbox: Inbox;
/** Ada in a campaign that finished long ago, so that a retention has emptied her recipient. */
let over: Person;
/** Ada in a campaign that sends to her now. */
let now: Person;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(() => world.close());
beforeEach(async () => {
  await Workspace.updateMany({}, { $set: { retentionDueAt: null } });
  inbox = await startInbox(world);
  over = await inbox.contacted(ADA, { recipient: { status: "COMPLETED", nextStepId: null } });
  const completedAt = new Date(Date.now() - 91 * DAY_MS);
  const ended = { status: "COMPLETED" as const, completedReason: "FINISHED" as const, completedAt };
  await Campaign.collection.updateOne({ _id: over.recipient.campaignId as never }, { $set: ended });
  now = await inbox.contacted(ADA);
  await inbox.rest.patch("/workspace/retention", { recipients: 90 });
  while (await retainNext(new Date(Date.now() + 2 * HOUR_MS)));
  expect((await scoped(inbox.workspaceId).Recipient.get(over.recipient._id))?.email).toBe(erasedAddressOf(ADA));
});

const isEnded = async () => (await scoped(inbox.workspaceId).Recipient.get(now.recipient._id))?.status;
const reasonsOf = async (email: string) => (await loadGuardReasons(inbox.workspaceId, [email])).get(email);

/** A report that the email of this person failed permanently at this address. */
function bounceOf({ send }: Person, address: string) {
  const block = `Final-Recipient: rfc822; ${address}\nAction: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 No such user\n`;
  return {
    from: "MAILER-DAEMON@people.test",
    subject: "Undelivered Mail Returned to Sender",
    contentType: "multipart/report",
    reportType: "delivery-status",
    deliveryStatus: `Reporting-MTA: dns; mx.people.test\n\n${block}`,
    returned: `Message-ID: ${send.messageId}\nSubject: Hello\n`,
  };
}

test("a reply to an email of an emptied recipient stops the lead in other campaigns", async () => {
  await inbox.arrive(answerOf(over, "Thanks, we have found another supplier."));
  expect(await isEnded()).toBe("REPLIED");
});

test("a reply to an email of an emptied recipient stops the lead also after its address has changed", async () => {
  const { Lead, Recipient } = scoped(inbox.workspaceId);
  await Lead.updateOne({ _id: over.recipient.leadId }, { $set: { email: NEW } });
  await Recipient.updateOne({ _id: now.recipient._id }, { $set: { email: NEW, leadId: over.recipient.leadId } });
  await inbox.arrive(answerOf(over, "Thanks, we have found another supplier."));
  expect(await isEnded()).toBe("REPLIED");
});

test("a category that a person sets suppresses the address behind an emptied recipient", async () => {
  const { _id } = await inbox.arrive({ ...answerOf(over, "Not for us."), from: "ada@private.test" });
  const category = { category: "UNSUBSCRIBE" };
  expect((await inbox.rest.post(`/inbox/messages/${_id}/category`, category)).status).toBe(200);
  expect(await reasonsOf(ADA)).toEqual(["OPT_OUT_REPLY"]);
  expect(await scoped(inbox.workspaceId).Lead.findOne({ email: ADA })).toMatchObject({ suppressed: true });
});

test("a question about an opt-out holds and suppresses the address behind an emptied recipient", async () => {
  const { Approval, Lead } = scoped(inbox.workspaceId);
  await inbox.arrive({ ...answerOf(over, "How do I unsubscribe?"), from: "ada@private.test" });
  const [question] = await Approval.find({ kind: "OPT_OUT" });
  expect(question).toMatchObject({ addresses: [ADA, "ada@private.test"] });
  expect((await inbox.rest.post(`/approvals/${question?._id}`, { action: "approve" })).status).toBe(200);
  expect(await reasonsOf(ADA)).toEqual(["OPT_OUT_REPLY"]);
  expect(await Lead.findOne({ email: ADA })).toMatchObject({ suppressed: true });
});

test("a late reply does not add the lead's own address to its other addresses", async () => {
  const { Lead } = scoped(inbox.workspaceId);
  await inbox.arrive(answerOf(over, "Thanks, we have found another supplier."));
  expect(await Lead.get(over.recipient.leadId)).toMatchObject({ secondaryEmails: [] });
});

test("a late report that an emptied email bounced suppresses the address, and one about another address does not", async () => {
  const { Lead, Recipient } = scoped(inbox.workspaceId);
  await inbox.arrive(bounceOf(over, "relay@elsewhere.test"));
  expect(await Recipient.get(over.recipient._id)).toMatchObject({ bounce: { reason: "FORWARDED" } });
  expect(await reasonsOf(ADA)).toBeUndefined();
  await inbox.arrive(bounceOf(over, ADA));
  expect(await reasonsOf(ADA)).toEqual(["HARD_BOUNCE"]);
  expect(await Lead.findOne({ email: ADA })).toMatchObject({ suppressed: true, verificationStatus: "INVALID" });
  expect(await isEnded()).toBe("BOUNCED");
});

test("an opt-out that a person decides suppresses the hash when no lead has the address any more", async () => {
  const { Lead } = scoped(inbox.workspaceId);
  await Lead.deleteMany({});
  const { _id } = await inbox.arrive({ ...answerOf(over, "Not for us."), from: "ada@private.test" });
  await inbox.rest.post(`/inbox/messages/${_id}/category`, { category: "UNSUBSCRIBE" });
  expect(await reasonsOf(ADA)).toEqual(["OPT_OUT_REPLY"]);
});
