import { type ConductFigures, type ConductLimits, judgeConduct, type Measure } from "../../domain/access/conduct.ts";
import type { NewcomerLimits } from "../../domain/access/newcomer.ts";
import { FORWARDED } from "../../domain/bounces/forward-target.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { ABUSE_LIMITS, AbuseLimits } from "../../models/access/abuse-limits.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { afterCommit, outsideTransaction } from "../../mongo/transaction.ts";
import { linkSoon } from "../audit-chain.ts";
import { OF_MAILBOX } from "../mailboxes/guard.ts";
import { renewNewcomer } from "../newcomers.ts";
import { setCap } from "../sending/caps.ts";
import { completeSuspension, suspendWorkspace } from "./kill-switch.ts";

const DAYS = 3;
const MEASURED_DAYS = 7;
/** No query counts more than this. */
const MOST = 200_000;
const COMPLAINTS = "workspaceId_1_campaignId_1_createdAt_1";
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
  const figures = await loadConduct(workspace, now);
  const verdict = conduct && judgeConduct(figures, conduct);
  await renewNewcomer(workspace, newcomer, verdict !== null && verdict.kind !== "GOOD", now);
  if (conduct === null || verdict === null) return;
  if (verdict.kind === "HOLD") return hold(workspaceId, verdict.reason);
  const isSlowed = (await scoped(workspaceId).SendingCap.findOne({ _id: workspaceId }))?.by.RATES !== undefined;
  if ((verdict.kind === "SLOW") === isSlowed) return;
  // What is unknown now may be why it is slowed
  if (isSlowed && figures.unknown.size > 0) return;
  const cap = isSlowed ? null : { most: conduct.slowedEmails, reason: verdict.reason };
  const noted = () => note(workspaceId, isSlowed ? "endSlowing" : "slow", verdict.reason);
  await setCap(workspaceId, "RATES", cap, { note: noted });
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
 * needed even if nothing came of them. A measure that cannot be read now is `unknown`; the others still count.
 */
export async function loadConduct(
  { _id: workspaceId, judgedFrom = null }: Judged,
  now = Date.now(),
  { isShown = false, most = MOST } = {},
): Promise<ConductFigures> {
  const unknown = new Set<Measure>();
  const known = <T>(read: Promise<T>, otherwise: T, ...measures: Measure[]): Promise<T> =>
    read.catch(() => {
      for (const measure of measures) unknown.add(measure);
      return otherwise;
    });
  const from = new Date(Math.max(now - DAYS * DAY_MS, judgedFrom?.getTime() ?? 0));
  const countSince = async (since: Date) => {
    const [bounced, complained] = await Promise.all([
      known(countBounces(workspaceId, since), 0, "bounces"),
      known(countComplaints(workspaceId, since), 0, "complaints"),
    ]);
    return { bounced, complained };
  };
  // Only full days after the end of a suspension: the figures of its day contain what happened before
  const firstDay = utcDay(
    Math.max(now - MEASURED_DAYS * DAY_MS, judgedFrom === null ? 0 : judgedFrom.getTime() + DAY_MS),
  );
  const [all, junk, listings] = await Promise.all([
    countSince(from),
    known(loadJunk(workspaceId, firstDay), { seen: 0, inSpam: 0 }, "spam"),
    known(loadListings(workspaceId, from), { domains: 0, listed: 0 }, "listed"),
  ]);
  // Without any of these the number of emails decides nothing, and counting them costs the most
  if (all.bounced + all.complained === 0 && !isShown) return { mails: 0, ...all, ...junk, ...listings, unknown };
  const sent = await known(loadSent(workspaceId, from, most), { count: 0, since: from }, "bounces", "complaints");
  const counted = sent.since === from ? all : await countSince(sent.since);
  const refused = await known(
    countBounces(workspaceId, sent.since, { "data.sendId": null }),
    0,
    "bounces",
    "complaints",
  );
  return { mails: sent.count + refused, ...counted, ...junk, ...listings, unknown };
}

/** Hard bounces of campaign emails at the recipients' own addresses. `data.sendId`: null if refused at once. */
function countBounces(workspaceId: string, since: Date, more: Record<string, unknown> = {}): Promise<number> {
  return scoped(workspaceId).ActivityEvent.count(
    {
      type: "BOUNCED",
      at: trusted({ $gte: since }),
      campaignId: trusted({ $ne: null }),
      "data.type": "HARD",
      "data.reason": trusted({ $ne: FORWARDED }),
      "data.sendKind": null,
      ...more,
    },
    { limit: MOST },
  );
}

/** From the reports themselves, as rules/deliverability 4.2 counts them: no deletion of a lead takes them away. */
function countComplaints(workspaceId: string, since: Date): Promise<number> {
  return scoped(workspaceId).Message.count(
    {
      kind: "COMPLAINT",
      createdAt: trusted({ $gte: since }),
      $or: [{ recipientId: trusted({ $ne: null }) }, { "evidence.rule": OF_MAILBOX }],
    },
    { limit: MOST, hint: COMPLAINTS },
  );
}

/**
 * How many campaign emails were sent, and since when they count. Of more than `most` only the last ones do, so that
 * bounces and complaints are counted over the same time.
 */
async function loadSent(workspaceId: string, from: Date, most: number): Promise<{ count: number; since: Date }> {
  const { ActivityEvent } = scoped(workspaceId);
  const sent = { type: "SENT", at: trusted({ $gte: from }) };
  const count = await ActivityEvent.count(sent, { limit: most });
  if (count < most) return { count, since: from };
  const select = { _id: 0, at: 1 } as const;
  const [oldest] = await ActivityEvent.find(sent, { sort: { at: -1 }, skip: most - 1, limit: 1, select });
  return { count, since: oldest?.at ?? from };
}

async function loadJunk(workspaceId: string, firstDay: string): Promise<{ seen: number; inSpam: number }> {
  const days = await scoped(workspaceId).MailFiguresDay.read(
    { of: "WORKSPACE", subjectId: workspaceId, day: { $gte: firstDay } },
    { select: { seen: 1, inSpam: 1 } },
  );
  const sum = (name: "seen" | "inSpam") => days.reduce((all, day) => all + day[name], 0);
  return { seen: sum("seen"), inSpam: sum("inSpam") };
}

/** The newest check since then of each domain from which the workspace sends; it may monitor other domains too. */
async function loadListings(workspaceId: string, from: Date): Promise<{ domains: number; listed: number }> {
  const { DomainCheck, Mailbox } = scoped(workspaceId);
  const checks = await DomainCheck.read(
    { day: { $gte: utcDay(from.getTime()) }, checkedAt: { $gte: from } },
    { select: { domain: 1, listings: 1 }, sort: { day: 1 }, limit: MOST },
  );
  if (checks.length === 0) return { domains: 0, listed: 0 };
  const mailboxes = await Mailbox.read({ status: { $ne: "DISCONNECTED" } }, { select: { email: 1 } });
  const own = new Set(mailboxes.map(({ email }) => domainOf(email)));
  const newest = new Map(checks.map(({ domain, listings }) => [domain, listings]));
  const listings = [...newest].filter(([domain]) => own.has(domain));
  const listed = listings.filter(([, all]) => all.some(({ status }) => status === "LISTED")).length;
  return { domains: listings.length, listed };
}
