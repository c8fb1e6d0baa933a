import { REPLY_RESERVE, WARMUP_OWNER } from "../../domain/sending/day-use.ts";
import { nextUtcDay, utcDay } from "../../domain/time/schedule.ts";
import { scoped, type Workspaced } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import {
  CAP_SOURCES,
  type Capped,
  type CapSource,
  capIdOf,
  type SendingCap,
} from "../../models/sending/sending-cap.ts";
import type { Statement } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";

/** The read of a workspace's limit, for `readBeside`; finds nothing where there is none. */
export function capPart({ SendingCap }: Workspaced) {
  return SendingCap.part({ _id: SendingCap.workspaceId });
}

/**
 * Counts these emails against the workspace's limit of the day (rules/access 8.1); the write fails when they exceed it.
 * Replies have the same reserve as in a mailbox's day (rules/sending 2.1).
 */
export function capStatements(workspaceId: string, sends: readonly Send[], now = Date.now()): Statement[] {
  const counted = sends.filter(({ kind }) => kind !== "WARMUP");
  if (counted.length === 0) return [];
  const today = utcDay(now);
  const sent = { $cond: [{ $eq: ["$day", today] }, "$sent", 0] };
  const after = { $add: [sent, counted.length] };
  return [
    {
      filter: { _id: workspaceId, $expr: { $lte: [after, { $add: ["$most", reserveFor(counted)] }] } },
      change: [{ $set: { sent: after, day: today } }],
    },
  ];
}

function reserveFor(sends: readonly Send[]): number {
  return sends.every(({ kind }) => kind === "REPLY") ? REPLY_RESERVE : 0;
}

/** When a reached limit of the day starts anew for these emails; null if it allows none on any day. */
export function capResetsAt(caps: readonly SendingCap[], sends: readonly Send[], now: number): Date | null {
  const most = Math.min(...caps.map((cap) => cap.most ?? Number.POSITIVE_INFINITY));
  return most + reserveFor(sends) === 0 ? null : nextUtcDay(now);
}

/** Undoes the count of an email that was not sent. Call it in the transaction that undoes its claim. */
export async function uncountCapped({ workspaceId, kind, day }: Send): Promise<void> {
  if (kind === "WARMUP" || day === null) return;
  await scoped(workspaceId).SendingCap.wrote({ _id: workspaceId, day, sent: { $gt: 0 } }, { $inc: { sent: -1 } });
}

/**
 * Sets the limit of one source; null removes it. `note` runs in the same transaction. Emails that are being claimed at
 * this moment may exceed a new limit. What was tested or imported before a first limit does not count.
 */
export function setCap(
  workspaceId: string,
  source: CapSource,
  limit: { most: number; reason: string } | null,
  { what = "EMAILS", note = async () => {} }: { what?: Capped; note?: () => Promise<void> } = {},
): Promise<void> {
  return inTransaction(async () => {
    const { SendingCap } = scoped(workspaceId);
    const _id = capIdOf(workspaceId, what);
    const found = await SendingCap.findOne({ _id });
    const by = { ...found?.by };
    if (limit === null) delete by[source];
    else by[source] = limit;
    const limits = CAP_SOURCES.flatMap((one) => by[one]?.most ?? []);
    const most = limits.length === 0 ? null : Math.min(...limits);
    // The counts of tests and rows stay, because the limit of a new workspace may need them
    if (most === null && what === "EMAILS") await SendingCap.deleteOne({ _id });
    else if (found !== null) await SendingCap.updateOne({ _id }, { $set: { by, most } });
    else if (most !== null) {
      const day = utcDay(Date.now());
      const sent = what === "EMAILS" ? await sentOn(workspaceId, day) : 0;
      await SendingCap.insert({ _id, by, most, day, sent });
    }
    await note();
  });
}

/** What all mailboxes of the workspace have sent on a UTC day, warmup emails not counted. */
async function sentOn(workspaceId: string, day: string): Promise<number> {
  const { Mailbox, MailboxDay } = scoped(workspaceId);
  const days = (await Mailbox.read({}, { select: { _id: 1 } })).map(({ _id }) => `${_id}:${day}`);
  const counts = await MailboxDay.read({ _id: { $in: days } }, { select: { sent: 1, sentBy: 1 } });
  return counts.reduce((all, { sent, sentBy }) => all + sent - (sentBy[WARMUP_OWNER] ?? 0), 0);
}

/** A workspace's limit, with what it has sent today and why; null where there is none. */
export async function loadCap(
  workspaceId: string,
  now = Date.now(),
): Promise<{ most: number; sentToday: number; by: CapSource; reason: string } | null> {
  const cap = await scoped(workspaceId).SendingCap.findOne({ _id: workspaceId });
  return cap === null ? null : capFacts(cap, now);
}

export function capFacts({ by: sources, most: stored, day, sent }: SendingCap, now: number) {
  const most = stored ?? 0; // that of emails is never null
  const by = CAP_SOURCES.find((source) => sources[source]?.most === most) ?? "OPERATOR";
  return { most, sentToday: day === utcDay(now) ? sent : 0, by, reason: sources[by]?.reason ?? "" };
}
