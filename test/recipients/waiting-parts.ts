import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { RecipientIds } from "../../domain/workflow-contract.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { newId, randomBase62 } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { createGates, shardOf } from "../../store/campaigns/gates.ts";
import { ALWAYS, NOW, storedMailbox } from "../campaigns/campaign-parts.ts";
import { STEPS as LATER } from "../support/steps.ts";

/** Both steps are due at once. */
const STEPS = LATER.map((step) => ({ ...step, delay: NOW }));

/** An active campaign without gaps or limits, whose steps are due at once. */
export async function activeCampaign(
  workspaceId: string,
  mailboxes: Partial<Mailbox>[] = [{}],
): Promise<{ campaignId: string; mailbox: Mailbox; stepId: string }> {
  const { Campaign, Sequence } = scoped(workspaceId);
  const campaignId = newId("cmp");
  const stored = await Promise.all(
    mailboxes.map((mailbox) => storedMailbox(workspaceId, { dailySendLimit: 0, ...mailbox })),
  );
  const mailboxIds = stored.map(({ _id }) => _id);
  const settings = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0, mailboxIds };
  await Campaign.insert({
    _id: campaignId,
    name: "c",
    status: "ACTIVE",
    statusChangedAt: new Date(),
    sequenceId: newId("seq"),
    settings,
  });
  await inTransaction(() => createGates(workspaceId, campaignId, true));
  await Sequence.insert({ _id: newId("seq"), campaignId, steps: STEPS });
  const [mailbox] = stored;
  const [step] = STEPS;
  if (mailbox === undefined || step === undefined) throw new Error("There is no mailbox, or no step");
  return { campaignId, mailbox, stepId: step.stepId };
}

/** A recipient that has had an email, whose next email was due a minute ago and still holds its slot. */
export async function somebodyDue(
  { campaignId, mailbox, stepId }: { campaignId: string; mailbox: Mailbox; stepId: string },
  fields: Partial<Recipient> = {},
): Promise<RecipientIds> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const { Lead, MailboxDay, Recipient, Send } = scoped(workspaceId);
  const [recipientId, leadId, sendId] = [newId("rcp"), newId("led"), newId("snd")];
  const email = `${recipientId.toLowerCase()}@people.test`;
  const at = new Date(Date.now() - MINUTE_MS);
  const day = at.toISOString().slice(0, 10);
  await Lead.insert({ _id: leadId, email, emailDomain: "people.test" });
  await Recipient.insert({
    _id: recipientId,
    campaignId,
    leadId,
    email,
    cid: randomBase62(14),
    shard: shardOf(recipientId),
    mailboxId,
    status: "IN_PROGRESS",
    sentCount: 1,
    nextStepId: stepId,
    admittedAt: at,
    lastSentAt: at,
    nextSendAt: at,
    ...fields,
  });
  const booked = {
    campaignId,
    recipientId,
    leadId,
    stepId,
    to: email,
    mailboxId,
    state: "RESERVED" as const,
    slotAt: at,
    day,
  };
  await Send.insert({ _id: sendId, ...booked });
  await MailboxDay.updateOne(
    { _id: `${mailboxId}:${day}` },
    { $push: { taken: { at, sendId, campaignId } }, $setOnInsert: { mailboxId, day } },
    { upsert: true },
  );
  return { v: 1, workspaceId, campaignId, recipientId };
}
