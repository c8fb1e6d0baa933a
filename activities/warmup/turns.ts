import { setTimeout as sleep } from "node:timers/promises";
import { Context } from "@temporalio/activity";
import { ImapTrouble, troubleOf } from "../../connectors/imap/connection.ts";
import { OAuthTrouble } from "../../connectors/oauth.ts";
import type { WarmupIds, WarmupSendIds, WarmupTurn } from "../../domain/warmup/contract.ts";
import { TOGETHER_MS, WARMUP_WAITS, type WarmupWaits } from "../../domain/warmup/engagement.ts";
import { scoped } from "../../models/scoped.ts";
import { parkMailbox } from "../../store/mailboxes/access-faults.ts";
import { recordAuthFailure } from "../../store/mailboxes/faults.ts";
import { closeDay } from "../../store/warmup/close-day.ts";
import { loadDue, postpone } from "../../store/warmup/engagements.ts";
import { loadGround, type WarmupGround, wantsPlan } from "../../store/warmup/ground.ts";
import { type PlannedRound, type PlanScope, planWarmupRound } from "../../store/warmup/plan-round.ts";
import { refreshWarmup } from "../../store/warmup/refresh.ts";
import { findNextTurn, GONE } from "../../store/warmup/turn.ts";
import { withHeartbeat } from "../beat.ts";
import { accessIn } from "../mailboxes/api-trouble.ts";
import { hasLogin } from "../mailboxes/logins.ts";
import type { RoundLog } from "../round.ts";
import { engageMailbox, type OpenMailbox } from "./engage.ts";
import { sendWarmupMail, type WarmupSendDeps } from "./send.ts";

export interface WarmupActivities {
  nextWarmup(ids: WarmupIds): Promise<WarmupTurn>;
  warmupSend(ids: WarmupSendIds): Promise<WarmupTurn>;
  warmupEngage(ids: WarmupIds): Promise<WarmupTurn>;
  closeWarmupDay(ids: WarmupIds): Promise<WarmupTurn>;
  planWarmupDay(): Promise<{ mails: number }>;
}

export interface WarmupDeps extends WarmupSendDeps, PlanDependencies {
  open: OpenMailbox;
  /** Simulated delays before a person would act; the production values if absent. */
  waits?: WarmupWaits | undefined;
  log: RoundLog & { info(fields: object, message: string): void };
}

/**
 * The activities of a mailbox's warmup (rules/warmup 3). Each returns the next action, so that an email needs one timer
 * and one activity. All state is in the database.
 */
export function warmupActivities(deps: WarmupDeps): WarmupActivities {
  return {
    nextWarmup: (ids) => withHeartbeat(() => lookAgain(ids, deps)),
    warmupSend: ({ mailId, ...ids }) =>
      withHeartbeat(() => runOnGround(ids, (ground) => sendWarmupMail(deps, ground, mailId))),
    warmupEngage: (ids) => withHeartbeat(() => runOnGround(ids, (ground) => engage(deps, ground))),
    closeWarmupDay: (ids) => withHeartbeat(() => closeAndPlan(ids)),
    planWarmupDay: () => planEverybody(deps),
  };
}

/** Called when something changed or the workflow starts: plans again if that is needed, and returns the next action. */
async function lookAgain({ workspaceId, mailboxId }: WarmupIds, deps: PlanDependencies): Promise<WarmupTurn> {
  const ground = await refreshWarmup(workspaceId, mailboxId);
  if (ground === null) return GONE;
  if (!(await wantsPlan(ground))) return findNextTurn(ground);
  await planRest(ground, deps);
  return nextOf({ v: 1, workspaceId, mailboxId });
}

/**
 * Runs `work` and returns the next action. It may be based on data loaded before `work`, because a concurrent change
 * makes the workflow look again.
 */
async function runOnGround(
  { workspaceId, mailboxId }: WarmupIds,
  work: (ground: WarmupGround) => Promise<void>,
): Promise<WarmupTurn> {
  const ground = await loadGround(workspaceId, mailboxId);
  if (ground === null) return GONE;
  await work(ground);
  return findNextTurn(ground);
}

async function closeAndPlan(ids: WarmupIds): Promise<WarmupTurn> {
  const ground = await loadGround(ids.workspaceId, ids.mailboxId);
  if (ground !== null) await closeDay(ground);
  return nextOf(ids);
}

async function nextOf({ workspaceId, mailboxId }: WarmupIds): Promise<WarmupTurn> {
  const ground = await loadGround(workspaceId, mailboxId);
  return ground === null ? GONE : findNextTurn(ground);
}

/** Processes the due warmup emails of a mailbox. If the mailbox cannot be reached, only its own warmup is postponed. */
async function engage({ open, waits = WARMUP_WAITS, log }: WarmupDeps, ground: WarmupGround): Promise<void> {
  const { mailbox } = ground;
  try {
    if (!hasLogin(mailbox)) throw new ImapTrouble("AUTH_FAILED");
    await engageMailbox(open, ground, waits);
  } catch (err) {
    const code = serverFaultOf(err);
    if (code === null) throw err;
    log.info({ mailboxId: mailbox._id, code, err }, "failed to process warmup emails");
    const access = accessIn(err, mailbox);
    if (access !== null) await parkMailbox(mailbox, access);
    else if (code === "AUTH_FAILED") await recordAuthFailure(mailbox.workspaceId, mailbox._id, code);
    await postpone(await loadDue(mailbox._id, new Date(Date.now() + TOGETHER_MS)));
  }
}

/** The error code if the mail server failed; null for any other error, which is worth a retry. */
function serverFaultOf(err: unknown): string | null {
  if (err instanceof ImapTrouble || err instanceof OAuthTrouble) return troubleOf(err).code;
  const isOfLibrary =
    typeof err === "object" &&
    err !== null &&
    ("_connId" in err ||
      "responseStatus" in err ||
      ("code" in err && /^(?:NoConnection|EConnectionClosed|ETIMEOUT)$/.test(String(err.code))));
  return isOfLibrary ? troubleOf(err).code : null;
}

interface PlanDependencies {
  log: RoundLog;
  /** Called when a mailbox of a workspace has lost its last warmup partner or found one again. */
  onChanged(workspaceId: string): Promise<void>;
}

/** Plans the day of all mailboxes. The heartbeat reports progress. */
async function planEverybody(deps: PlanDependencies): Promise<{ mails: number }> {
  const { mails } = await plan("ALL", deps);
  return { mails };
}

let running: Promise<unknown> = Promise.resolve();
/** Milliseconds for which mailboxes that start at the same time are collected, so that they can become partners. */
const GATHER_MS = 2_000;

/**
 * Plans the rest of today for a mailbox that has started or changed, together with all others that wait for a plan: a
 * thousand mailboxes that start together are planned once, and become each other's partners.
 */
function planRest({ mailbox: { workspaceId, _id } }: WarmupGround, deps: PlanDependencies): Promise<void> {
  const turn = running.then(async () => {
    const current = await scoped(workspaceId).WarmupEnrolment.get(_id);
    if (!current?.replanAt) return;
    await sleep(GATHER_MS);
    await plan("WAITING", deps);
  });
  running = turn.catch(() => {});
  return turn;
}

async function plan(scope: PlanScope, { log, onChanged }: PlanDependencies): Promise<PlannedRound> {
  const context = Context.current();
  const round = await planWarmupRound(scope, () => context.heartbeat());
  for (const workspaceId of round.news) {
    await onChanged(workspaceId).catch((err) =>
      log.warn({ err, workspaceId }, "failed to notify mailboxes without a warmup partner"),
    );
  }
  return round;
}
