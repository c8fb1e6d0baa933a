import { drawFraction } from "../sending/pacing.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/durations.ts";
import type { Calendar } from "../time/schedule.ts";
import { movedInto } from "./day.ts";
import type { WarmupConfig } from "./enrolment.ts";

/** The emails of a conversation. */
export type ConversationTurn = 1 | 2 | 3 | 4;
const TURNS: readonly ConversationTurn[] = [1, 2, 3, 4];

/** The next email of a conversation; null after the last one. */
export function turnAfter(turn: ConversationTurn): ConversationTurn | null {
  return TURNS[turn] ?? null;
}

/** Milliseconds after which an email that was not found in any folder is MISSING. */
export const MISSING_AFTER_MS = 48 * HOUR_MS;
/** Milliseconds for which an email stays in the warmup folder. */
const KEPT_MS = 30 * DAY_MS;
/** Everything that is due within this many milliseconds is done over the same connection. */
export const TOGETHER_MS = 2 * MINUTE_MS;

/** How long simulated readers take, in milliseconds. */
export interface WarmupWaits {
  /** The time until an email is read: the median of a log-normal distribution, and the longest wait. */
  readMedianMs: number;
  longestReadMs: number;
  /** The time from reading to answering, at least and at most. */
  answerMs: { least: number; most: number };
  /** The time until a copy in the Sent folder is moved to the warmup folder. */
  tidyMs: number;
}

export const WARMUP_WAITS: WarmupWaits = {
  readMedianMs: 40 * MINUTE_MS,
  longestReadMs: 10 * HOUR_MS,
  answerMs: { least: 10 * MINUTE_MS, most: 180 * MINUTE_MS },
  tidyMs: MINUTE_MS,
};
/** How much the waits before reading vary: the standard deviation of their logarithm. */
const READ_SPREAD = 0.8;

/**
 * What the receiver will do with an email, such as read it or mark it as important. The result depends only on the
 * email's id.
 */
export function wishFor(
  mail: { id: string; turn: ConversationTurn; isInSpam: boolean },
  receiver: Pick<WarmupConfig, "spamRescueRate" | "importantRate">,
  opener: Pick<WarmupConfig, "replyRate">,
): { rescue: boolean; important: boolean; answer: boolean } {
  const rescue = mail.isInSpam && drawFraction(`rescue ${mail.id}`) < receiver.spamRescueRate;
  // No one answers an email in Junk
  const isRead = !mail.isInSpam || rescue;
  return {
    rescue,
    important: isRead && drawFraction(`important ${mail.id}`) < receiver.importantRate,
    answer: isRead && turnAfter(mail.turn) !== null && drawFraction(`answer ${mail.id}`) < opener.replyRate,
  };
}

/** When an email that arrived at an instant is read, within the receiver's hours. */
export function readAt(
  mailId: string,
  cameAt: number,
  hours: Calendar,
  { readMedianMs, longestReadMs } = WARMUP_WAITS,
): number {
  const wait = readMedianMs * Math.exp(READ_SPREAD * drawNormal(mailId));
  return movedInto(hours, cameAt + Math.min(longestReadMs, Math.round(wait)));
}

/** The earliest instant of the answer to an email that was read. */
export function answerAt(
  mailId: string,
  read: number,
  hours: Calendar,
  { answerMs: { least, most } } = WARMUP_WAITS,
): number {
  return movedInto(hours, read + least + Math.floor(drawFraction(`wait ${mailId}`) * (most - least)));
}

/** When an email in the warmup folder is deleted there: after 30 days, all emails of one day together. */
export function deletedAt(filedAt: number): number {
  return (Math.floor((filedAt + KEPT_MS) / DAY_MS) + 1) * DAY_MS;
}

/**
 * When something that could not be done over IMAP is tried again. The longer it has been due, the longer the wait.
 * After two days the result is null, and it is not tried again.
 */
export function triedAgainAt(dueAt: number, now: number): number | null {
  const age = Math.max(0, now - dueAt);
  return age > MISSING_AFTER_MS ? null : now + Math.min(4 * HOUR_MS, 5 * MINUTE_MS + age);
}

/** A draw of the standard normal distribution (Box and Muller) from an id. */
function drawNormal(seed: string): number {
  const radius = Math.sqrt(-2 * Math.log(1 - drawFraction(`radius ${seed}`)));
  return radius * Math.cos(2 * Math.PI * drawFraction(`angle ${seed}`));
}
