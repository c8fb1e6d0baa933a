import type { Client } from "@temporalio/client";
import pLimit from "p-limit";
import { MINUTE_MS } from "../domain/time/durations.ts";
import { Campaign } from "../models/campaigns/campaign.ts";
import { ScheduledReply } from "../models/inbox/scheduled-reply.ts";
import { SentFolderCheck } from "../models/inbox/sent-folder-check.ts";
import { Job } from "../models/job.ts";
import { Mailbox } from "../models/mailboxes/mailbox.ts";
import { Send } from "../models/sending/send.ts";
import { trusted } from "../mongo/collection.ts";
import type { Hold } from "../mongo/lease-holder.ts";
import type { WorkShare } from "../mongo/leases.ts";
import { IS_TEXT } from "../mongo/schema.ts";
import type { Log } from "../runtime/log.ts";
import { findForgottenTasks } from "../store/agent/prepare-reply.ts";
import { fulfilPromises } from "../store/agent/promises.ts";
import { compareCounters } from "../store/campaign-counters.ts";
import { expireApprovals } from "../store/campaigns/approvals.ts";
import { judgeWorkspace } from "../store/campaigns/conduct.ts";
import { findUndecided, judgeAlerts } from "../store/deliverability/alerts.ts";
import { findForgottenPlacements } from "../store/deliverability/placement-tests.ts";
import { sweepFiles } from "../store/inbox/sweep-orphan-files.ts";
import { sweepStagedRows } from "../store/jobs.ts";
import { wakeMailboxes } from "../store/mailboxes/faults.ts";
import { findForgottenMailboxes, findOverdue } from "../store/recipients/overdue.ts";
import { settleExpiredLeases } from "../store/sending/record-uncertain.ts";
import { runDueSchedules } from "../store/verification/settings.ts";
import { findForgottenWarmups } from "../store/warmup/turn.ts";
import { findWaitingFeeds, overdueDeliveries } from "../store/webhooks/first-attempts.ts";
import { ensureSchedules } from "../temporal/schedules.ts";
import {
  startAgentReply,
  startCampaign,
  startDelivery,
  startFeed,
  startJob,
  startMailboxFreed,
  startMailboxSync,
  startPlacementTest,
  startReply,
  startScheduledReply,
  wakeRecipient,
  wakeWarmup,
} from "../temporal/starts.ts";
import { replyRunArguments, scheduledReplyRunArguments } from "./answers.ts";
import { type Rounds, repeatRounds } from "./rounds.ts";

const EVERY_MS = MINUTE_MS;
const OVERDUE_MS = MINUTE_MS;
const PAGE = 500;
/** The share of the time in which counters are compared. */
const COMPARING_SHARE = 0.03;
const ACROSS = { acrossWorkspaces: true };
const calls = pLimit(8);

/**
 * Once a minute, while this process holds the lease of that work, starts the runs that Temporal should have according to
 * MongoDB, because Temporal may have lost everything. Existing runs are joined, so nothing changes while all is well.
 * Visibility is never queried (rules/sending 11.2).
 */
export function startReconciler(client: () => Client | null, log: Log, share: WorkShare, everyMs = EVERY_MS): Rounds {
  let comparedAfter = "";
  const once = async ({ isHeld }: Hold) => {
    const temporal = client();
    try {
      if (temporal !== null) await reconcile(temporal, createStarter(isHeld), log);
    } catch (error) {
      if (isHeld()) log.warn({ err: error }, "Temporal could not be reconciled with the database");
    }
    if (isHeld()) comparedAfter = await compareCampaigns(comparedAfter, everyMs * COMPARING_SHARE, log);
  };
  return repeatRounds(share, once, everyMs);
}

/** Compares the counters of campaigns with their records. Returns the campaign after which the next round continues. */
async function compareCampaigns(after: string, forMs: number, log: Log): Promise<string> {
  try {
    const { corrected, failed, after: next } = await compareCounters(forMs, after);
    for (const [campaignId, err] of failed) log.warn({ err, campaignId }, "a campaign could not be counted");
    if (corrected.length > 0)
      log.warn({ campaignIds: corrected }, "the numbers of campaigns were wrong and are corrected");
    return next;
  } catch (err) {
    log.warn({ err }, "the numbers of campaigns could not be compared");
    return after;
  }
}

async function reconcile(client: Client, startEach: Starter, log: Log): Promise<void> {
  await ensureSchedules(client);
  await wakeMailboxes();
  await settleExpiredLeases(PAGE);
  await expireApprovals();
  await fulfilPromises(PAGE, new Date());
  for (const workspaceId of await findUndecided(PAGE, Date.now())) await judgeAlerts(workspaceId);
  const campaigns = await Campaign.find(
    { status: trusted({ $in: ["ACTIVE", "SCHEDULED"] }) },
    { workspaceId: 1, status: 1, fence: 1 },
    ACROSS,
  ).lean<Campaign[]>();
  await judgeEach(new Set(campaigns.map(({ workspaceId }) => workspaceId)), log);
  await startEach(campaigns, ({ workspaceId, _id }) => startCampaign(client, { v: 1, workspaceId, campaignId: _id }));
  const active = campaigns.filter(({ status }) => status === "ACTIVE");
  for (const campaign of active) await wakeForgotten(client, startEach, campaign);
  await startEach(await findForgottenMailboxes(Date.now()), (ids) => startMailboxFreed(client, { v: 1, ...ids }));
  const mailboxes = await Mailbox.find(
    { status: trusted({ $nin: ["DISCONNECTED", "RECONNECT_REQUIRED"] }) },
    { workspaceId: 1 },
    ACROSS,
  ).lean<Mailbox[]>();
  await startEach(mailboxes, ({ workspaceId, _id }) => startMailboxSync(client, { v: 1, workspaceId, mailboxId: _id }));
  // Includes mailboxes that are no longer synced, so that their comparisons are finished
  const compared = await SentFolderCheck.find({}, { workspaceId: 1 }, ACROSS).lean<SentFolderCheck[]>();
  await startEach(compared, ({ workspaceId, _id }) => startMailboxSync(client, { v: 1, workspaceId, mailboxId: _id }));
  await startEach(await forgottenJobs(), ({ workspaceId, _id, type }) =>
    startJob(client, { v: 1, workspaceId, jobId: _id }, type),
  );
  await startEach(await findForgottenPlacements(PAGE), ({ workspaceId, _id }) =>
    startPlacementTest(client, { v: 1, workspaceId, testId: _id }),
  );
  await startEach(await findForgottenTasks(PAGE), ({ workspaceId, _id }) =>
    startAgentReply(client, { v: 1, workspaceId, messageId: _id }),
  );
  await startEach(await forgottenReplies(), (send) => startReply(client, ...replyRunArguments(send)));
  await startEach(await forgottenSchedules(), (reply) =>
    startScheduledReply(client, ...scheduledReplyRunArguments(reply)),
  );
  await startEach(await overdueDeliveries(PAGE), ({ workspaceId, deliveryId, event, attempt }) =>
    startDelivery(client, { v: 1, workspaceId, deliveryId, attempt }, event),
  );
  await startEach(await findWaitingFeeds(), ({ workspaceId, subscriptionId }) =>
    startFeed(client, { v: 1, workspaceId, subscriptionId }),
  );
  await startEach(await findForgottenWarmups(PAGE), (ids) => wakeWarmup(client, { v: 1, ...ids }));
  await runDueSchedules(PAGE, new Date());
  await sweepFiles(PAGE);
  await sweepStagedRows(PAGE);
}

/** Jobs in progress that have not moved for a minute. */
function forgottenJobs(): Promise<Job[]> {
  return Job.find(
    { status: trusted({ $in: ["QUEUED", "RUNNING"] }), updatedAt: trusted({ $lt: new Date(Date.now() - OVERDUE_MS) }) },
    { workspaceId: 1, type: 1 },
    ACROSS,
  )
    .limit(PAGE)
    .lean<Job[]>()
    .exec();
}

/** Replies whose caller or run has died: reserved at least a minute ago and not sent. */
function forgottenReplies(): Promise<Send[]> {
  const since = trusted({ $lt: new Date(Date.now() - OVERDUE_MS) });
  return Send.find(
    { state: "RESERVED", kind: "REPLY", threadId: trusted(IS_TEXT), updatedAt: since },
    { workspaceId: 1, sendKey: 1, mailboxId: 1 },
    ACROSS,
  )
    .limit(PAGE)
    .lean<Send[]>()
    .exec();
}

/** Scheduled replies that are overdue by a minute. */
function forgottenSchedules(): Promise<ScheduledReply[]> {
  const open: ScheduledReply["status"][] = ["PENDING", "SENDING"];
  const since = trusted({ $lt: new Date(Date.now() - OVERDUE_MS) });
  return ScheduledReply.find(
    { status: trusted({ $in: open }), sendAt: since },
    { workspaceId: 1, sendAt: 1, mailboxId: 1 },
    ACROSS,
  )
    .limit(PAGE)
    .lean<ScheduledReply[]>()
    .exec();
}

/**
 * Starts a run for each overdue recipient, or signals its existing run with everything that it may wait for: gates that
 * have opened, or a changed plan.
 */
async function wakeForgotten(client: Client, startEach: Starter, campaign: Campaign): Promise<void> {
  await startEach(await findOverdue(campaign, Date.now()), async (ids) => {
    await wakeRecipient(client, ids, "resume", campaign.fence);
    await wakeRecipient(client, ids, "replan");
  });
}

type Starter = <T>(rows: T[], start: (row: T) => Promise<void>) => Promise<void>;

/** Starts the runs of rows while this process holds the work. */
function createStarter(isHeld: () => boolean): Starter {
  return async (rows, start) => {
    const startHeld = async (row: (typeof rows)[number]) => {
      if (!isHeld()) throw new Error("Another process may do this work now");
      await start(row);
    };
    await Promise.all(rows.map((row) => calls(() => startHeld(row))));
  };
}

/** A workspace that cannot be judged now is judged in the next round, and holds up nothing else. */
async function judgeEach(workspaceIds: ReadonlySet<string>, log: Log): Promise<void> {
  const judge = (workspaceId: string) =>
    judgeWorkspace(workspaceId).catch((err: unknown) =>
      log.warn({ err, workspaceId }, "a workspace could not be judged"),
    );
  await Promise.all([...workspaceIds].map((workspaceId) => calls(() => judge(workspaceId))));
}
