import pLimit from "p-limit";
import { VERDICT_MS } from "../../domain/hits.ts";
import { DAY_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { type Circumstances, judgeHit, type SeenHit } from "../../domain/tracking/judge.ts";
import { isWithin, type Networks } from "../../domain/tracking/networks.ts";
import { Membership } from "../../models/access/membership.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { Session } from "../../models/sign-in/session.ts";
import { type Hit, hitsOfSend } from "../../models/tracking/hit.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { confirmSent, StillRecording } from "../sending/delivery-evidence.ts";
import { isErasedAddress } from "../suppression/guard-id.ts";
import { applyHits, type SettledHit } from "./apply-hits.ts";
import { findDueHits, findHits } from "./hits.ts";

/** Networks from the operator's files; empty without a file. */
export interface KnownNetworks {
  scanners: Networks;
  relays: Networks;
}

const MOST_AT_ONCE = 1_000;
const PARALLEL = 8;

/**
 * Classifies hits that are due (rules/tracking 3.2), of all workspaces. Several processes may do so at the same time.
 * The first one that writes a hit's class settles the hit, and commits the effects of the hit with it. Returns how many
 * hits were due.
 */
export async function settleHits(networks: KnownNetworks, now = new Date()): Promise<number> {
  const due = await findDueHits(now, MOST_AT_ONCE);
  const faults: unknown[] = [];
  for (const [workspaceId, own] of Map.groupBy(due, (hit) => hit.workspaceId))
    await settleIn(workspaceId, own, networks).catch((error) => faults.push(error));
  // An email that fails must not prevent the others
  if (faults.length > 0) throw faults[0];
  return due.length;
}

async function settleIn(workspaceId: string, due: readonly Hit[], networks: KnownNetworks): Promise<void> {
  const bySend = Map.groupBy(due, ({ sendId }) => sendId);
  const sendIds = [...bySend.keys()];
  const sends = new Map(
    (await scoped(workspaceId).Send.find({ _id: trusted({ $in: sendIds }) }, { select: { content: 0 } })).map(
      (send) => [send._id, send],
    ),
  );
  const all = Map.groupBy(await findHits(workspaceId, sendIds), ({ sendId }) => sendId);
  const isMember = await loadMemberTest(workspaceId);
  const settled: SettledHit[] = [];
  const effective: { send: Send; hits: SettledHit[] }[] = [];
  const orphans: string[] = [];
  for (const [sendId, hits] of bySend) {
    const send = sends.get(sendId);
    if (send === undefined || isErasedAddress(send.to)) {
      orphans.push(sendId);
      continue;
    }
    const judged = judgeAll(hits, all.get(sendId) ?? hits, send, networks, isMember);
    if (isWithoutEffect(send, judged)) settled.push(...judged);
    else effective.push({ send, hits: judged });
  }
  const { Hit } = scoped(workspaceId);
  for (const sendId of orphans) await Hit.deleteMany({ _id: trusted(hitsOfSend(sendId)) });
  await Hit.wroteAll(settled.map(verdictOf));
  const parallel = pLimit(PARALLEL);
  const done = await Promise.allSettled(
    effective.map(({ send, hits }) => parallel(() => settleWithEffects(send, hits))),
  );
  for (const one of done) if (one.status === "rejected") throw one.reason;
}

/** The classes of these hits of one email, judged together with all other hits of the email. */
export function judgeAll<H extends Hit>(
  hits: readonly H[],
  all: readonly Hit[],
  { sentAt, claimedAt, tracking }: Send,
  { scanners, relays }: KnownNetworks,
  isMember: MemberTest,
): (H & SettledHit)[] {
  const circumstances: Circumstances = {
    sentAt: (sentAt ?? claimedAt)?.getTime() ?? null,
    links: tracking?.links.length ?? 0,
    isMember,
    isScanner: (address) => isWithin(scanners, address),
    isRelay: (address) => isWithin(relays, address),
  };
  const seen = all.map(seenOf);
  return hits.map((hit) => ({ ...hit, ...judgeHit(seenOf(hit), seen, circumstances) }));
}

function seenOf({ kind, linkIndex, at, method, agent, address }: Hit): SeenHit {
  return { kind, linkIndex, at: at.getTime(), method, agent, address };
}

/** Whether these hits have no effect: they come from robots and members only, or the email belongs to no recipient. */
function isWithoutEffect(send: Send, hits: readonly SettledHit[]): boolean {
  return hits.every(({ hitClass }) => hitClass === "BOT" || hitClass === "SELF") || send.recipientId === null;
}

function verdictOf({ _id, hitClass, evidence }: SettledHit) {
  return { filter: { _id, dueAt: { $ne: null } }, change: { $set: { hitClass, evidence, dueAt: null } } };
}

/**
 * Stores the classes and effects of hits in one transaction, so that the effects happen only once, whichever process
 * does it and even if one dies.
 */
async function settleWithEffects({ workspaceId, _id: sendId }: Send, hits: readonly SettledHit[]): Promise<void> {
  const { Hit, Send } = scoped(workspaceId);
  try {
    await inTransaction(async () => {
      if (!(await Hit.wroteAll(hits.map(verdictOf)))) throw new SettledElsewhere();
      const send = await Send.get(sendId);
      if (send !== null) await applyHits(await confirmSent(send, "hit"), hits);
    });
  } catch (error) {
    if (error instanceof SettledElsewhere) return;
    if (!(error instanceof StillRecording)) throw error;
    // Someone has already opened the email, but its own attempt has not recorded it as sent yet, so the effects are
    // postponed
    const dueAt = new Date(Date.now() + VERDICT_MS);
    await Hit.updateMany(
      { _id: trusted({ $in: hits.map(({ _id }) => _id) }), dueAt: trusted({ $ne: null }) },
      { $set: { dueAt } },
    );
  }
}

/**
 * Thrown when another process has classified some of these hits. The others are still due and belong to the next round.
 */
class SettledElsewhere extends Error {}

/** Returns whether a member used this IP address at most 24 hours before an instant (epoch milliseconds). */
type MemberTest = (address: string, at: number) => boolean;

const remembered = new Map<string, { test: MemberTest; until: number }>();
const MOST_REMEMBERED = 1_000;

/**
 * Reads the members' addresses at most once a minute for each workspace, because there are thousands of opens but few
 * sessions.
 */
async function loadMemberTest(workspaceId: string): Promise<MemberTest> {
  const cached = remembered.get(workspaceId);
  if (cached !== undefined && cached.until > Date.now()) return cached.test;
  const test = await readMembers(workspaceId);
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(workspaceId, { test, until: Date.now() + MINUTE_MS });
  return test;
}

async function readMembers(workspaceId: string): Promise<MemberTest> {
  const members = await Membership.find({ workspaceId }, { userId: 1 }).lean<Pick<Membership, "userId">[]>();
  const userIds = members.map(({ userId }) => userId);
  const since = new Date(Date.now() - 2 * DAY_MS);
  const sessions = await Session.find(
    { userId: trusted({ $in: userIds }), lastSeenAt: trusted({ $gt: since }) },
    { ip: 1, lastSeenAt: 1 },
  ).lean<Pick<Session, "ip" | "lastSeenAt">[]>();
  return (address, at) => sessions.some(({ ip, lastSeenAt }) => ip === address && at - lastSeenAt.getTime() < DAY_MS);
}
