import type { Client } from "@temporalio/client";
import { isUnderWay } from "../domain/job.ts";
import type { MailboxCommand, OutboxKind, RecipientCommand } from "../domain/outbox.ts";
import { isOpenStatus, OPEN } from "../domain/states.ts";
import type { WarmupIds } from "../domain/warmup/contract.ts";
import type { CampaignIds } from "../domain/workflow-contract.ts";
import type { OutboxRow } from "../models/outbox-row.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import { findEndingGrants } from "../store/mailboxes/grant.ts";
import { freeReleased } from "../store/sending/release.ts";
import { requestVerification } from "../store/verification/job.ts";
import { noteVerifiedBounce } from "../store/verification/known-answers.ts";
import {
  cancelScheduledReply,
  nudgeCampaign,
  startAgentReply,
  startDnsCheck,
  startFeed,
  startGrantRevocation,
  startJob,
  startMailboxFreed,
  startMailboxSync,
  startPlacementTest,
  startReply,
  startScheduledReply,
  stopMailboxSync,
  stopRecipient,
  stopWarmup,
  wakeJob,
  wakeRecipient,
  wakeWarmup,
} from "../temporal/starts.ts";
import { replyRunArguments, scheduledReplyRunArguments } from "./answers.ts";

/** A row that starts or signals a workflow. Events are fanned out in batches without Temporal. */
export type Command = OutboxRow<Exclude<OutboxKind, "EVENT">>;

/**
 * Starts or signals the workflow that a row requests. Repeating it changes nothing, and an outdated row is ignored.
 * @throws Error on a kind or signal of a later version
 */
export async function runCommand(client: Client, row: Command): Promise<void> {
  const { kind, workspaceId, payload } = row;
  switch (kind) {
    case "CAMPAIGN":
      return nudgeCampaign(client, { v: 1, workspaceId, campaignId: payload.campaignId });
    case "RECIPIENT":
      return followRecipient(client, workspaceId, payload);
    case "MAILBOX":
      return followMailbox(client, workspaceId, payload);
    case "DELIVERY": {
      const delivery = await scoped(workspaceId).WebhookDelivery.get(payload.deliveryId);
      return delivery === null
        ? undefined
        : startFeed(client, { v: 1, workspaceId, subscriptionId: delivery.subscriptionId });
    }
    case "REPLY": {
      const send = await scoped(workspaceId).Send.get(payload.sendId);
      return send?.state === "RESERVED" ? startReply(client, ...replyRunArguments(send)) : undefined;
    }
    case "AGENT_REPLY":
      return startAgentReply(client, { v: 1, workspaceId, messageId: payload.messageId });
    case "PLACEMENT":
      return startPlacementTest(client, { v: 1, workspaceId, testId: payload.testId });
    case "JOB": {
      const job = await scoped(workspaceId).Job.get(payload.jobId);
      return job !== null && isUnderWay(job.status)
        ? startJob(client, { v: 1, workspaceId, jobId: job._id }, job.type)
        : undefined;
    }
    case "SCHEDULED_REPLY": {
      const { scheduledId, signal } = payload;
      if (signal === "cancel") return cancelScheduledReply(client, scheduledId);
      const reply = await scoped(workspaceId).ScheduledReply.get(scheduledId);
      return reply?.status === "PENDING"
        ? startScheduledReply(client, ...scheduledReplyRunArguments(reply))
        : undefined;
    }
    case "VERIFICATION":
      return wakeJob(client, { v: 1, workspaceId, jobId: payload.jobId }, "VERIFICATION");
    case "VERIFY_LEADS": {
      const { requestId, key, source, leadIds } = payload;
      await requestVerification(workspaceId, { leadIds }, source, { key, requestId });
      return;
    }
    case "VERIFIED_BOUNCE":
      return noteVerifiedBounce(workspaceId, payload.leadId);
    case "WARMUP": {
      const { mailboxId, signal } = payload;
      if (signal === "stop") return stopWarmup(client, mailboxId);
      return wakeWarmup(client, { v: 1, workspaceId, mailboxId }, signal === "due" ? payload.at : null);
    }
    default:
      throw unknown("kind", kind);
  }
}

async function followRecipient(client: Client, workspaceId: string, command: RecipientCommand): Promise<void> {
  const { recipientId, campaignId, signal } = command;
  // A recipient who got the last email has no slot booked
  if (signal !== "finished") await freeReleased(workspaceId, recipientId);
  switch (signal) {
    case "stop":
      await stopRecipient(client, recipientId, command.reason);
      return endCampaignOf(client, { v: 1, workspaceId, campaignId });
    case "ended":
    case "finished":
      return endCampaignOf(client, { v: 1, workspaceId, campaignId });
    case "replan": {
      const recipient = await scoped(workspaceId).Recipient.get(recipientId);
      if (recipient === null || recipient.admittedAt === null || !isOpenStatus(recipient.status)) return;
      return wakeRecipient(client, { v: 1, workspaceId, campaignId: recipient.campaignId, recipientId }, "replan");
    }
    default:
      throw unknown("signal of a recipient", signal);
  }
}

async function followMailbox(client: Client, workspaceId: string, command: MailboxCommand): Promise<void> {
  const { mailboxId, signal } = command;
  const ids = { v: 1, workspaceId, mailboxId } as const;
  switch (signal) {
    case "start":
      await tellWarmup(client, ids);
      return startMailboxSync(client, ids);
    case "stop":
      await tellWarmup(client, ids);
      return endMailbox(client, mailboxId);
    case "lost":
    case "health":
      // Another row wakes the recipients that wait for the mailbox
      return tellWarmup(client, ids);
    case "freed":
      await tellWarmup(client, ids);
      return startMailboxFreed(client, ids);
    case "verify":
      return startDnsCheck(client, { ...ids, probeId: command.probeId ?? null });
    default:
      throw unknown("signal of a mailbox", signal);
  }
}

/** Signals the warmup of a mailbox to read the mailbox's current state. */
async function tellWarmup(client: Client, ids: WarmupIds): Promise<void> {
  const enrolment = await scoped(ids.workspaceId).WarmupEnrolment.get(ids.mailboxId);
  if (enrolment !== null && enrolment.status !== "STOPPED") await wakeWarmup(client, ids);
}

/** The type `never` makes the compiler require a branch for every new kind and signal. */
function unknown(what: string, value: never): Error {
  return new Error(`The outbox has a ${what} that this version does not know: ${String(value)}`);
}

/** Stops syncing a mailbox and informs the providers whose consent it used. */
async function endMailbox(client: Client, mailboxId: string): Promise<void> {
  await stopMailboxSync(client, mailboxId);
  for (const { _id: grantId, workspaceId } of await findEndingGrants(mailboxId))
    await startGrantRevocation(client, { v: 1, workspaceId, grantId });
}

/**
 * Wakes the campaign's feeder when no recipient is open any more. It reads after the commits, so if two recipients end
 * at the same time, one of them sees that none is left.
 */
async function endCampaignOf(client: Client, ids: CampaignIds): Promise<void> {
  const open = await scoped(ids.workspaceId).Recipient.findOne(
    { campaignId: ids.campaignId, status: trusted({ $in: [...OPEN] }) },
    { select: { _id: 1 } },
  );
  if (open === null) await nudgeCampaign(client, ids);
}
