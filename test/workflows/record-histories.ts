// Records test/histories anew: `npm run histories`, after a change of workflow code that old runs need not survive.
import { writeFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import type { WorkflowHandle } from "@temporalio/client";
import { ApplicationFailure } from "@temporalio/common";
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import { createLog } from "../../api/log.ts";
import type {
  CampaignIds,
  RecipientIds,
  ScheduledOutcome,
  ScheduledReplyIds,
  SendIds,
  SingleOutcome,
  StepOutcome,
} from "../../domain/engine.ts";
import type { MailboxIds, Watched } from "../../domain/mailbox-sync.ts";
import type { DeliveryEnd, DeliveryIds } from "../../domain/webhook.ts";
import { bundleOf } from "../../worker/workers.ts";
import { type Environment, startEnvironment } from "./environment.ts";

const DAY = 86_400_000;
const seen = new Map<string, number>();

const environment: Environment = await startEnvironment(
  {
    engine: {
      actStep,
      standingOf,
      resumeParked: async () => 0,
      admitRecipients,
      checkCompletion: async () => true,
      stopRecipients: async () => 0,
    },
    smtp: { sendStep, sendOnce, sendReply },
    webhook: { postStep, postEvent, bury: async () => {} },
    imap: { watchMailbox },
  },
  bundleOf(createLog("error")),
);
try {
  for (const path of ["sent-three-times", "parked-and-resumed", "stopped", "acted-and-posted"])
    await record("recipient", path, idsOf({ recipientId: path }));
  await record("campaign", "fed-and-finished", idsOf({}));
  for (const path of ["delivered", "dead-lettered"]) await record("deliverWebhook", path, idsOf({ deliveryId: path }));
  await record("singleSend", "after-a-lease", idsOf({ sendId: "after-a-lease" }));
  for (const path of ["sent-at-its-hour", "cancelled"]) {
    await record("scheduledReply", path, { ...idsOf({ scheduledId: path }), sendAt: (await environment.now()) + DAY });
  }
  await record("mailboxSync", "one-round", idsOf({ mailboxId: "one-round" }));
} finally {
  await environment.close();
}

function idsOf(ids: Record<string, string>) {
  return { v: 1, workspaceId: "wsp_1", campaignId: "cmp_1", ...ids };
}

async function record(workflow: string, path: string, ids: object): Promise<void> {
  const handle = await environment.client.workflow.start(workflow, { workflowId: `${workflow}/${path}`, taskQueue: "engine", args: [ids] });
  if (path === "parked-and-resumed") await onceWaiting(handle, "resume", { epoch: 2 });
  if (path === "stopped") await onceWaiting(handle, "stop", { reason: "REPLIED" });
  if (path === "cancelled") await handle.signal("cancel");
  await handle.result();
  const history = historyToJSON(await handle.fetchHistory());
  const file = new URL(`../histories/${workflow}.${path}.json`, import.meta.url);
  await writeFile(file, `${JSON.stringify(JSON.parse(history, withoutMachine))}\n`);
}

/** What tells of the machine that recorded, not of the workflow. */
function withoutMachine(key: string, value: unknown): unknown {
  return ["identity", "stackTrace", "workerVersion", "binaryChecksum"].includes(key) ? undefined : value;
}

async function onceWaiting(handle: WorkflowHandle, signal: string, argument: object): Promise<void> {
  while ((await handle.query<{ waitingFor: string }>("state")).waitingFor === "its first slot") await delay(15);
  await handle.signal(signal, argument);
}

/** How often this has been asked about, now included. */
function countOf(id: string): number {
  const count = (seen.get(id) ?? 0) + 1;
  seen.set(id, count);
  return count;
}

async function sendStep({ recipientId }: RecipientIds): Promise<StepOutcome> {
  const look = countOf(recipientId);
  if (recipientId === "acted-and-posted" && look === 1) return { kind: "over", to: "act" };
  if (recipientId === "parked-and-resumed" && look === 1) return { kind: "parked", epoch: 1 };
  const isLast = look === (recipientId === "parked-and-resumed" ? 2 : 3);
  if (isLast) return { kind: "sent", nextAt: null, next: null };
  return { kind: "sent", nextAt: (await environment.now()) + 3 * DAY, next: `step ${look + 1}` };
}

async function sendOnce({ sendId }: SendIds): Promise<SingleOutcome> {
  if (countOf(sendId) === 1) return { kind: "later", at: (await environment.now()) + 150_000 };
  return { kind: "sent", messageId: "<1@example.com>" };
}

async function sendReply({ scheduledId }: ScheduledReplyIds): Promise<ScheduledOutcome> {
  if (countOf(scheduledId) === 1) return { kind: "later", at: (await environment.now()) + 150_000 };
  return { kind: "ended", status: "SENT" };
}

async function actStep(): Promise<StepOutcome> {
  return { kind: "replan", at: (await environment.now()) + DAY, why: "step 2 due", by: "post" };
}

async function postStep(): Promise<StepOutcome> {
  return { kind: "over", to: "mail" };
}

async function standingOf({ campaignId }: CampaignIds) {
  return { status: countOf(campaignId) <= 2 ? "ACTIVE" : "ENDED", wakeAt: (await environment.now()) + DAY };
}

async function admitRecipients({ campaignId }: CampaignIds) {
  return { count: 2, isDrained: seen.get(campaignId) === 2, wakeAt: (await environment.now()) + DAY };
}

async function postEvent({ deliveryId }: DeliveryIds): Promise<DeliveryEnd> {
  if (deliveryId === "delivered") return "delivered";
  throw ApplicationFailure.retryable("503", "DeliveryFailed");
}

async function watchMailbox({ mailboxId }: MailboxIds): Promise<Watched> {
  return { status: countOf(mailboxId) === 1 ? "LISTENING" : "GONE", cursor: { INBOX: 7 }, ingested: 1 };
}
