import { type ConductFigures, type ConductLimits, judgeConduct } from "../../domain/access/conduct.ts";
import type { NewcomerLimits } from "../../domain/access/newcomer.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { ABUSE_LIMITS, AbuseLimits } from "../../models/access/abuse-limits.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { afterCommit, outsideTransaction } from "../../mongo/transaction.ts";
import { linkSoon } from "../audit-chain.ts";
import { renewNewcomer } from "../newcomers.ts";
import { setCap } from "../sending/caps.ts";
import { completeSuspension, suspendWorkspace } from "./kill-switch.ts";

const DAYS = 3;
const MEASURED_DAYS = 7;
/** No query counts more than this. */
const MOST = 200_000;
/** A process judges a workspace after a bounce at most this often. */
const PAUSE_MS = 2_000;
const lastJudged = new Map<string, number>();

/**
 * Stores the limits, so that every process uses the same. Null: workspaces are not judged, and new ones are not limited.
 */
export async function announceAbuseLimits(
  conduct: ConductLimits | null,
  newcomer: NewcomerLimits | null = null,
): Promise<void> {
  await AbuseLimits.updateOne({ _id: ABUSE_LIMITS }, { $set: { conduct, newcomer } }, { upsert: true });
}

/**
 * Judges a workspace after the running transaction, which has recorded a hard bounce or a complaint. A failure does not
 * undo the record: the next round of every minute judges again.
 */
export function judgeAfterwards(workspaceId: string): void {
  afterCommit(async () => {
    const now = performance.now();
    if (now - (lastJudged.get(workspaceId) ?? Number.NEGATIVE_INFINITY) < PAUSE_MS) return;
    if (lastJudged.size > 10_000) lastJudged.clear();
    lastJudged.set(workspaceId, now);
    await outsideTransaction(() => judgeWorkspace(workspaceId)).catch(() => {});
  });
}

/**
 * Slows a workspace whose rates are too high, holds it if they are far too high, and ends the slowing once they are good
 * again (rules/access 8.2, 8.3). A hold ends only by the operator. Completes a suspension that was broken off.
 */
export async function judgeWorkspace(workspaceId: string, now = Date.now()): Promise<void> {
  const workspace = await Workspace.findOne({ _id: workspaceId, deletedAt: null }).lean<Workspace>();
  if (workspace === null) return;
  if ((workspace.suspension ?? null) !== null) {
    await completeSuspension(workspaceId);
    return;
  }
  const { conduct = null, newcomer = null } =
    (await AbuseLimits.findOne({ _id: ABUSE_LIMITS }).lean<Partial<AbuseLimits>>()) ?? {};
  const verdict = conduct && judgeConduct(await loadConduct(workspace, now), conduct);
  await renewNewcomer(workspace, newcomer, verdict !== null && verdict.kind !== "GOOD", now);
  if (conduct === null || verdict === null) return;
  if (verdict.kind === "HOLD") return hold(workspaceId, verdict.reason);
  const isSlowed = (await scoped(workspaceId).SendingCap.findOne({ _id: workspaceId }))?.by.RATES !== undefined;
  if ((verdict.kind === "SLOW") === isSlowed) return;
  const cap = isSlowed ? null : { most: conduct.slowedEmails, reason: verdict.reason };
  await setCap(workspaceId, "RATES", cap, () => note(workspaceId, isSlowed ? "endSlowing" : "slow", verdict.reason));
  if (!isSlowed) await linkSoon(workspaceId);
}

async function hold(workspaceId: string, reason: string): Promise<void> {
  const suspension = { by: "SERVICE" as const, reason, at: new Date() };
  await suspendWorkspace(workspaceId, suspension, () => note(workspaceId, "suspend", reason));
  await linkSoon(workspaceId);
}

/** The entry in the audit log of the workspace; it joins the chain a moment later. */
async function note(workspaceId: string, verb: string, reason: string): Promise<void> {
  await scoped(workspaceId).AuditDeed.store({
    _id: newId("aud"),
    facts: {
      at: new Date(),
      actor: { kind: "SERVICE", id: "rates" },
      action: `workspace.${verb}`,
      target: { workspaceId, reason },
      fields: [],
      outcome: "DONE",
      code: null,
      before: null,
      after: null,
      changed: [],
      ip: null,
      traceId: null,
    },
  });
}

type Judged = Pick<Workspace, "_id" | "judgedFrom">;

/**
 * The figures of the last days, not from before the operator last ended a suspension. `isShown`: the number of emails is
 * needed even if nothing came of them.
 */
export async function loadConduct(
  { _id: workspaceId, judgedFrom = null }: Judged,
  now = Date.now(),
  isShown = false,
): Promise<ConductFigures> {
  const { ActivityEvent } = scoped(workspaceId);
  const from = new Date(Math.max(now - DAYS * DAY_MS, judgedFrom?.getTime() ?? 0));
  const at = trusted({ $gte: from });
  const count = (filter: Record<string, unknown>) => ActivityEvent.count({ ...filter, at }, { limit: MOST });
  const [bounced, complained] = await Promise.all([
    count({ type: "BOUNCED", "data.type": "HARD" }),
    count({ type: "SUPPRESSED", "data.reason": "COMPLAINT" }),
  ]);
  // Without any of these the number of emails decides nothing, and counting them costs the most
  const sent = bounced + complained === 0 && !isShown ? 0 : await count({ type: "SENT" });
  return { mails: sent + bounced, bounced, complained, ...(await loadMeasured(workspaceId, from, now)) };
}

async function loadMeasured(workspaceId: string, from: Date, now: number) {
  const { DomainCheck, MailFiguresDay } = scoped(workspaceId);
  const since = utcDay(Math.max(now - MEASURED_DAYS * DAY_MS, from.getTime() - (MEASURED_DAYS - DAYS) * DAY_MS));
  const [days, checks] = await Promise.all([
    MailFiguresDay.read(
      { of: "WORKSPACE", subjectId: workspaceId, day: { $gte: since } },
      { select: { seen: 1, inSpam: 1 } },
    ),
    DomainCheck.read(
      { day: { $gte: utcDay(from.getTime()) } },
      { select: { domain: 1, listings: 1 }, sort: { day: 1 }, limit: MOST },
    ),
  ]);
  const listings = new Map(checks.map(({ domain, listings }) => [domain, listings]));
  const sum = (name: "seen" | "inSpam") => days.reduce((all, day) => all + day[name], 0);
  const listed = [...listings.values()].filter((all) => all.some(({ status }) => status === "LISTED")).length;
  return { seen: sum("seen"), inSpam: sum("inSpam"), domains: listings.size, listed };
}
