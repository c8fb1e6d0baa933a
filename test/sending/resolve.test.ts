import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { checkDue } from "../../store/recipients/due-step.ts";
import { loadSituation } from "../../store/recipients/recipient-state.ts";
import { claim } from "../../store/sending/claim.ts";
import { confirmSent } from "../../store/sending/delivery-evidence.ts";
import { recordUnknown } from "../../store/sending/record.ts";
import { NOW, readyCampaign } from "../campaigns/campaign-parts.ts";
import { startWorld, type World } from "../support/world.ts";
import { claimingIn } from "./claiming.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/** A campaign of two mails whose first went into the air without an answer, and what may happen to it. */
async function lostMail() {
  const { rest, workspaceId, withScopes } = await world.workspace();
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, ["ada@people.test"]);
  await rest.patch(`${path}/settings`, { minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0, mailboxIds: [mailbox._id] });
  const steps = ["One", "Two"].map((subject) => ({ subject, bodyText: "Hello", delay: NOW }));
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  await rest.post(`${path}/control`, { action: "launch" });
  const { Campaign, Mailbox, Recipient, Send, Sequence } = scoped(workspaceId);
  const { claimFor } = await claimingIn(workspaceId);
  const recipient = await Recipient.findOne({ campaignId });
  const sequence = await Sequence.findOne({ campaignId });
  const stepId = sequence?.steps[0]?.stepId;
  if (recipient === null || stepId === undefined) throw new Error("There is nobody to write to");
  const recipientId = recipient._id;
  const admitted = { admittedAt: new Date(), nextStepId: stepId, mailboxId: mailbox._id, nextSendAt: new Date() };
  await Recipient.updateOne({ _id: recipientId }, { $set: admitted });
  const { _id: sendId } = await Send.insert({
    ...{ _id: newId("snd"), campaignId, recipientId, stepId, to: "ada@people.test", mailboxId: mailbox._id, state: "RESERVED" },
    slotAt: new Date(Date.now() - 1_000),
  });
  const mails: string[] = [];

  /** The recipient's run looks: if a mail is due, it goes into the air and no answer is read. */
  async function look(): Promise<void> {
    // The gap between two mails of the mailbox has passed, and so has the wait for the slot
    await Mailbox.updateOne({ _id: mailbox._id }, { $set: { nextAt: null } });
    await Send.updateMany({ recipientId, state: "RESERVED" }, { $set: { slotAt: new Date(Date.now() - 1_000) } });
    const situation = await loadSituation({ v: 1, workspaceId, campaignId, recipientId });
    const due = situation === null ? null : await checkDue(situation);
    if (due?.kind !== "due") return;
    const campaign = await Campaign.get(campaignId);
    const request = { ...claimFor(due.send, campaignId, `attempt ${mails.length}`, campaign?.fence ?? 0), mailbox: due.mailbox };
    if ((await claim(request)).kind !== "claimed") return;
    mails.push(`${due.send.stepId} ${due.send.generation}`);
    await Send.updateOne({ _id: due.send._id }, { $set: { phase: "DATA" } });
    await recordUnknown(due.send, request.attemptId);
  }

  await look();
  const resolve = (action: string, id = sendId) => rest.post(`${path}/sends/${id}/resolve`, { action });
  const send = () => Send.get(sendId);
  return {
    ...{ rest, withScopes, workspaceId, path, campaignId, recipientId, sendId, stepId, mails, look, resolve, send },
    recipient: async () => (await rest.get(`${path}/recipients`)).body.items[0],
    evidence: async () => {
      const known = await send();
      if (known !== null) await inTransaction(() => confirmSent(known, "sent copy"));
    },
    resume: () => rest.post(`${path}/recipients`, { action: "resumeRecipients", recipientIds: [recipientId] }),
  };
}

test("a mail that an operator says was sent is SENT, and its recipient goes on with the next step", async () => {
  const { resolve, send, recipient, stepId, mails } = await lostMail();
  expect([mails.length, (await send())?.state]).toEqual([1, "UNKNOWN"]);
  expect(await resolve("markSent")).toMatchObject({ status: 200, body: { state: "SENT", unknownAt: expect.any(String) } });
  const goesOn = await recipient();
  expect(goesOn).toMatchObject({ status: "IN_PROGRESS", currentStepId: stepId, sentCount: 1 });
  expect(goesOn.nextStepId).not.toBe(stepId);
  expect(await resolve("markSent")).toMatchObject({ status: 200, body: { state: "SENT" } });
  expect((await recipient()).sentCount).toBe(1);
  for (const action of ["markNotSent", "resend"]) {
    expect(await resolve(action)).toMatchObject({
      status: 409,
      body: { code: "INVALID_STATE_TRANSITION", details: { from: "SENT", action } },
    });
  }
  expect((await send())?.state).toBe("SENT");
});

test("a mail that an operator says was not sent fails, ends its recipient and is not sent by a resume either; one word more and it goes on", async () => {
  const { resolve, send, recipient, resume, look, mails, stepId } = await lostMail();
  expect(await resolve("markNotSent")).toMatchObject({ status: 200, body: { state: "FAILED", failure: { reason: "SEND_UNKNOWN" } } });
  expect(await recipient()).toMatchObject({ status: "FAILED", stopReason: "SEND_UNKNOWN", nextStepId: null });
  expect((await resolve("markNotSent")).status).toBe(200);
  await look();
  expect(mails).toHaveLength(1);
  expect(await resolve("markSent")).toMatchObject({ status: 200, body: { state: "SENT" } });
  expect(await recipient()).toMatchObject({ status: "IN_PROGRESS", stopReason: null, currentStepId: stepId, sentCount: 1 });
  expect((await resume()).body.items[0].error).toBeNull();
  expect((await send())?.generation).toBe(0);
});

test("a mail is sent once more only by an operator's word, under a new generation", async () => {
  const { resolve, send, recipient, look, mails, stepId } = await lostMail();
  await look();
  expect(mails).toEqual([`${stepId} 0`]);
  expect((await resolve("resend")).status).toBe(200);
  expect(await send()).toMatchObject({ generation: 1, unknownAt: null });
  // It is on its way: another word would undo a booking or a claim that may become a mail
  expect(await resolve("resend")).toMatchObject({ status: 409, body: { details: { from: "RELEASED" } } });
  for (let looks = 0; looks < 3; looks++) await look();
  expect(mails).toEqual([`${stepId} 0`, `${stepId} 1`]);
  expect((await resolve("markNotSent")).status).toBe(200);
  expect((await resolve("resend")).status).toBe(200);
  expect(await recipient()).toMatchObject({ status: "IN_PROGRESS", nextStepId: stepId });
});

test.each(["suppressed", "replied", "completed"])("nothing is sent once more to whoever was %s meanwhile", async (stop) => {
  const { rest, path, resolve, recipient, look, mails, evidence, workspaceId, recipientId } = await lostMail();
  const leadIds = [(await recipient()).leadId];
  if (stop === "suppressed") await rest.post("/leads/suppress", { action: "suppress", ids: leadIds });
  if (stop === "replied") await scoped(workspaceId).Recipient.updateOne({ _id: recipientId }, { $set: { status: "REPLIED" } });
  if (stop === "completed") await rest.post(`${path}/control`, { action: "complete" });
  const before = (await recipient()).status;
  expect(await resolve("resend")).toMatchObject({ status: 409, body: { code: "INVALID_STATE_TRANSITION" } });
  expect((await resolve("markNotSent")).status).toBe(200);
  expect((await resolve("resend")).status).toBe(409);
  await evidence();
  await look();
  expect(mails).toHaveLength(1);
  // A campaign that ends ends its open recipients a little later, so the word about the mail came first
  expect((await recipient()).status).toBe(stop === "completed" ? "FAILED" : before);
});

test("it asks for the scope to launch, for a mail of this campaign, and leaves an entry in the audit log", async () => {
  const { rest, resolve, path, withScopes, sendId, workspaceId, send } = await lostMail();
  const weak = await withScopes("campaigns:read", "recipients:write");
  expect((await weak.post(`${path}/sends/${sendId}/resolve`, { action: "resend" })).status).toBe(403);
  expect(await resolve("markSent", "snd_other")).toMatchObject({ status: 404, body: { code: "SEND_NOT_FOUND" } });
  const other = (await rest.post("/campaigns", { name: "Other" })).body.id;
  expect(await rest.post(`/campaigns/${other}/sends/${sendId}/resolve`, { action: "resend" })).toMatchObject({
    body: { code: "SEND_NOT_FOUND" },
  });
  const foreign = await world.workspace();
  expect((await foreign.rest.post(`${path}/sends/${sendId}/resolve`, { action: "resend" })).status).toBe(404);
  expect(await resolve("again")).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  expect((await send())?.state).toBe("UNKNOWN");
  await resolve("markNotSent");
  const entries = await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: 1 } });
  const told = entries.filter(({ action }) => action.startsWith("sends."));
  expect(told.map(({ action, outcome }) => [action, outcome])).toEqual([
    // Refused before the body was read
    ["sends.markSent, sends.markNotSent, sends.resend", "DENIED"],
    ["sends.markSent", "FAILED"],
    ["sends.resend", "FAILED"],
    ["sends.markNotSent", "DONE"],
  ]);
  expect(told.at(-1)).toMatchObject({ target: { sendId }, changed: expect.arrayContaining(["state"]) });
});

const MOVES = ["markSent", "markNotSent", "resend", "evidence", "look", "look", "resume", "stop"] as const;

test("in any order of words, evidence, looks and a stop, no step is mailed oftener than was asked, and nothing after the stop", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...MOVES), { minLength: 2, maxLength: 9 }), async (moves) => {
      const lost = await lostMail();
      let resends = 0;
      let atStop: number | null = null;
      let isProven = false;
      for (const move of moves) {
        if (move === "look") await lost.look();
        else if (move === "resume") await lost.resume();
        else if (move === "evidence") await lost.evidence();
        else if (move === "stop") {
          await lost.rest.post("/leads/suppress", { action: "suppress", ids: [(await lost.recipient()).leadId] });
          atStop ??= lost.mails.length;
        } else {
          const { status } = await lost.resolve(move);
          if (move === "resend" && status === 200) resends++;
          // Never once more after proof that it went out
          if (move === "resend" && isProven) expect(status).toBe(409);
        }
        isProven ||= (await lost.send())?.state === "SENT";
      }
      for (let looks = 0; looks < 3; looks++) await lost.look();
      const firsts = lost.mails.filter((mail) => mail.startsWith(lost.stepId));
      expect(new Set(lost.mails).size).toBe(lost.mails.length);
      expect(firsts.length).toBeLessThanOrEqual(1 + resends);
      if (atStop !== null) expect(lost.mails).toHaveLength(atStop);
    }),
    { numRuns: 6 },
  );
}, 180_000);
