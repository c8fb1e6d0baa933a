import { afterAll, beforeAll } from "@jest/globals";
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

export let world: World;

/** A campaign of two emails whose first was sent without an answer, and what may happen to it. */
export async function lostMail() {
  const { rest, workspaceId, withScopes } = await world.workspace();
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, ["ada@people.test"]);
  await rest.patch(`${path}/settings`, {
    minGapSeconds: 0,
    maxGapSeconds: 0,
    perMailboxDailyLimit: 0,
    mailboxIds: [mailbox._id],
  });
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
    _id: newId("snd"),
    campaignId,
    recipientId,
    stepId,
    to: "ada@people.test",
    mailboxId: mailbox._id,
    state: "RESERVED",
    slotAt: new Date(Date.now() - 1_000),
  });
  const mails: string[] = [];

  /** The recipient's run looks: if an email is due, it is sent and no answer is read. */
  async function look(): Promise<void> {
    // The gap between two emails of the mailbox has passed, and so has the wait for the slot
    await Mailbox.updateOne({ _id: mailbox._id }, { $set: { nextAt: null } });
    await Send.updateMany({ recipientId, state: "RESERVED" }, { $set: { slotAt: new Date(Date.now() - 1_000) } });
    const situation = await loadSituation({ v: 1, workspaceId, campaignId, recipientId });
    const due = situation === null ? null : await checkDue(situation);
    if (due?.kind !== "due") return;
    const campaign = await Campaign.get(campaignId);
    const request = {
      ...claimFor(due.send, campaignId, `attempt ${mails.length}`, campaign?.fence ?? 0),
      mailbox: due.mailbox,
    };
    if ((await claim(request)).kind !== "claimed") return;
    mails.push(`${due.send.stepId} ${due.send.generation}`);
    await Send.updateOne({ _id: due.send._id }, { $set: { phase: "DATA" } });
    await recordUnknown(due.send, request.attemptId);
  }

  await look();
  const resolve = (action: string, id = sendId) => rest.post(`${path}/sends/${id}/resolve`, { action });
  const send = () => Send.get(sendId);
  return {
    rest,
    withScopes,
    workspaceId,
    path,
    campaignId,
    recipientId,
    sendId,
    stepId,
    mails,
    look,
    resolve,
    send,
    recipient: async () => (await rest.get(`${path}/recipients`)).body.items[0],
    evidence: async () => {
      const known = await send();
      if (known !== null) await inTransaction(() => confirmSent(known, "sent copy"));
    },
    resume: () => rest.post(`${path}/recipients`, { action: "resumeRecipients", recipientIds: [recipientId] }),
  };
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
}
