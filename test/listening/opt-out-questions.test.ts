import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { Approval } from "../../models/campaigns/approval.ts";
import { scoped } from "../../models/scoped.ts";
import { expireApprovals } from "../../store/campaigns/approvals.ts";
import { findUndecided, judgeAlerts } from "../../store/deliverability/alerts.ts";
import { guardId } from "../../store/suppression/guard-id.ts";
import { replyTo } from "../fakes/mails.ts";
import {
  contacted,
  leadNow,
  listening,
  newCampaign,
  type Person,
  recipientNow,
  rest,
  workspaceId,
} from "./listening.ts";
import { take } from "./reading.ts";

listening();

const WORDS = "How do I unsubscribe?";
const WAITS = { status: "PAUSED", pauseReason: "APPROVAL_REQUIRED" };

/** Someone who is in two campaigns, and may have asked for no more mail in one of them. */
async function asked() {
  const person = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  const elsewhere = await contacted("bob@b.test", await newCampaign({ stopOnReply: false }));
  await take(replyTo(elsewhere.sent, { text: WORDS }));
  return { person, elsewhere, approvalId: await questionId() };
}

async function questionId(): Promise<string> {
  const { items } = (await rest.get("/approvals?status=PENDING")).body;
  return items.find(({ kind }: { kind: string }) => kind === "OPT_OUT").id;
}

const decide = (approvalId: string, action: "approve" | "reject") => rest.post(`/approvals/${approvalId}`, { action });
const guard = () => scoped(workspaceId).AddressGuard.get(guardId(workspaceId, "bob@b.test"));
const manage = ({ recipient }: Person, action: string) =>
  rest.post(`/campaigns/${recipient.campaignId}/recipients`, { action, recipientIds: [recipient._id] });

test("a person with an unclear opt-out is paused in every campaign, also in campaigns that add the person later", async () => {
  const { person, elsewhere, approvalId } = await asked();
  expect(await recipientNow(person)).toMatchObject(WAITS);
  expect(await recipientNow(elsewhere)).toMatchObject(WAITS);
  expect(await guard()).toMatchObject({ reasons: [], heldBy: [approvalId] });
  expect(await leadNow(person)).toMatchObject({ suppressed: false });
  const later = await newCampaign({ skipDuplicatesInOtherCampaigns: false });
  await rest.post(`/campaigns/${later}/recipients`, { action: "addManual", emails: ["bob@b.test"] });
  const added = () => scoped(workspaceId).Recipient.findOne({ campaignId: later });
  expect(await added()).toMatchObject(WAITS);
  await decide(approvalId, "reject");
  expect(await added()).toMatchObject({ pauseReason: null });
});

test("while an opt-out question is open the person cannot be resumed, and the explanation names the question", async () => {
  const { person, approvalId } = await asked();
  const { body } = await manage(person, "resumeRecipients");
  expect(body).toMatchObject({ changed: 0, items: [{ ok: false, error: { code: "OPT_OUT_ASKED" } }] });
  expect(await recipientNow(person)).toMatchObject(WAITS);
  const { campaignId, _id: recipientId } = person.recipient;
  const { rules } = (await rest.get(`/campaigns/${campaignId}/recipients/${recipientId}/explain`)).body;
  expect(rules).toContainEqual(
    expect.objectContaining({ code: "OPT_OUT_ASKED", values: { approvalIds: [approvalId] } }),
  );
});

test("rejecting an opt-out question resumes the person wherever the question had paused them, and nowhere else", async () => {
  const byHand = await contacted("bob@b.test", await newCampaign(), {
    recipient: { status: "PAUSED", pauseReason: "MANUAL" },
  });
  const { person, elsewhere, approvalId } = await asked();
  expect(await decide(approvalId, "reject")).toMatchObject({ status: 200, body: { status: "REJECTED" } });
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS" });
  expect(await recipientNow(elsewhere)).toMatchObject({ status: "IN_PROGRESS" });
  expect(await recipientNow(byHand)).toMatchObject({ status: "PAUSED", pauseReason: "MANUAL" });
  expect(await guard()).toMatchObject({ reasons: [], heldBy: [] });
});

test("a person with two open opt-out questions is resumed only when both are rejected", async () => {
  const { person, elsewhere, approvalId } = await asked();
  await take(replyTo(elsewhere.sent, { text: "Is there a way to get off this list?" }));
  expect(await scoped(workspaceId).Approval.count({ kind: "OPT_OUT", status: "PENDING" })).toBe(2);
  await decide(approvalId, "reject");
  expect(await recipientNow(person)).toMatchObject(WAITS);
  await decide(await questionId(), "reject");
  expect(await recipientNow(person)).toMatchObject({ status: "IN_PROGRESS" });
});

test("approving an opt-out question suppresses the person in every campaign", async () => {
  const { person, elsewhere, approvalId } = await asked();
  expect(await decide(approvalId, "approve")).toMatchObject({ status: 200, body: { status: "APPROVED" } });
  expect(await recipientNow(person)).toMatchObject({ status: "UNSUBSCRIBED" });
  expect(await recipientNow(elsewhere)).toMatchObject({ status: "UNSUBSCRIBED" });
  expect(await guard()).toMatchObject({ reasons: ["OPT_OUT_REPLY"], heldBy: [] });
});

test("an opt-out question never expires, raises an alert after 48 hours, and the alert resolves when someone decides", async () => {
  const { person, approvalId } = await asked();
  const alerts = async () =>
    (await rest.get("/deliverability/alerts")).body.items.filter(
      ({ type }: { type: string }) => type === "OPT_OUT_UNDECIDED",
    );
  const ofThis = async (now: number) => (await findUndecided(1_000, now)).includes(workspaceId);
  expect(await ofThis(Date.now())).toBe(false);
  const twoDaysAgo = new Date(Date.now() - 49 * HOUR_MS);
  await Approval.collection.updateMany({ workspaceId, kind: "OPT_OUT" }, { $set: { createdAt: twoDaysAgo } });
  await expireApprovals();
  expect(await scoped(workspaceId).Approval.get(approvalId)).toMatchObject({ status: "PENDING", expiresAt: null });
  expect(await recipientNow(person)).toMatchObject(WAITS);
  expect(await ofThis(Date.now())).toBe(true);
  await judgeAlerts(workspaceId);
  expect(await alerts()).toMatchObject([{ status: "OPEN", severity: "CRITICAL", subjectId: approvalId }]);
  expect(await ofThis(Date.now())).toBe(false);
  await decide(approvalId, "reject");
  expect(await ofThis(Date.now())).toBe(true);
  await judgeAlerts(workspaceId);
  expect(await alerts()).toMatchObject([{ status: "RESOLVED" }]);
});

test("a friendly reply gets a suggested category, and counts as positive once a user confirms the category", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  const { _id: messageId, threadId } = await take(
    replyTo(person.sent, { text: "Sounds interesting, are you free on Thursday?" }),
  );
  const shown = async () => (await rest.get(`/inbox/threads/${threadId}`)).body.messages[0];
  const positive = async () =>
    (await rest.get(`/campaigns/${person.recipient.campaignId}`)).body.metrics.positiveReplies;
  const { category, suggestedCategory } = await shown();
  expect([category, suggestedCategory]).toEqual([
    null,
    { category: "MEETING_REQUEST", confidence: expect.any(Number) },
  ]);
  expect([await leadNow(person), await positive()]).toMatchObject([{ suppressed: false }, 0]);
  await rest.post(`/inbox/messages/${messageId}/category`, { category: suggestedCategory.category });
  expect(await shown()).toMatchObject({ category: "MEETING_REQUEST", suggestedCategory: null });
  expect(await positive()).toBe(1);
});

test("when the workspace accepts confident suggestions, a friendly reply counts as positive without a user", async () => {
  const accept = (acceptSuggestedFrom: number | null) =>
    rest.post("/workspace", { action: "update", patch: { acceptSuggestedFrom } });
  const written = async (text: string, more: object = {}) => {
    const person = await contacted(`${randomUUID()}@b.test`, await newCampaign());
    const { category, suggestion } = await take(replyTo(person.sent, { text }), more);
    const { metrics } = (await rest.get(`/campaigns/${person.recipient.campaignId}`)).body;
    return { person, read: [category, suggestion === null ? null : suggestion?.category, metrics.positiveReplies] };
  };
  const meeting = "Sounds interesting, are you free on Thursday?";
  expect(await accept(0.7)).toMatchObject({ status: 200, body: { acceptSuggestedFrom: 0.7 } });
  const { person, read } = await written(meeting);
  expect(read).toEqual(["MEETING_REQUEST", "MEETING_REQUEST", 1]);
  expect(await leadNow(person)).toMatchObject({ status: "INTERESTED" });
  const events = await scoped(workspaceId).ActivityEvent.find({
    recipientId: person.recipient._id,
    type: "CATEGORY_SET",
  });
  expect(events).toMatchObject([{ actor: "suggestion", data: { category: "MEETING_REQUEST" } }]);
  // A reply that is less sure, shows no interest, may ask to stop or has a forged sender is left to a person
  expect((await written("We are not interested.")).read).toEqual([null, "NOT_INTERESTED", 0]);
  expect((await written("How do I unsubscribe?")).read).toEqual([null, "UNSUBSCRIBE", 0]);
  expect((await written(meeting, { authentication: "FAIL" })).read).toEqual([null, "MEETING_REQUEST", 0]);
  const doubtful = await contacted(`${randomUUID()}@b.test`, await newCampaign());
  const marked = String(replyTo(doubtful.sent, { text: meeting })).replace("Subject:", "Precedence: bulk\r\nSubject:");
  expect(await take(marked)).toMatchObject({ isDoubtful: true, category: null });
  await accept(0.95);
  expect((await written(meeting)).read).toEqual([null, "MEETING_REQUEST", 0]);
  expect(await accept(null)).toMatchObject({ body: { acceptSuggestedFrom: null } });
  expect((await written(meeting)).read).toEqual([null, "MEETING_REQUEST", 0]);
});

test("a reply that asks about stored data gets the category DATA_REQUEST, also when the reply opts out as well", async () => {
  const person = await contacted("bob@b.test", await newCampaign());
  expect(await take(replyTo(person.sent, { text: "Where did you get my address from?" }))).toMatchObject({
    category: "DATA_REQUEST",
  });
  const text = "Please delete all personal data you hold about me and remove me from your list.";
  expect(await take(replyTo(person.sent, { text }))).toMatchObject({ category: "DATA_REQUEST" });
  expect(await leadNow(person)).toMatchObject({ suppressed: true });
});
