import type { Band } from "../../domain/mailboxes/band.ts";
import type { MailboxStatus } from "../../domain/states.ts";
import { rampTarget, type WarmupConfig, type WarmupStatus } from "../../domain/warmup/enrolment.ts";
import { BAND_MEANS, type Evidence, evidenceInWords, MAILBOX_STATUS } from "./en/mailboxes/states.ts";
import { STILL_WARMUP, WHY_LESS } from "./en/mailboxes/warmup.ts";

interface Warming {
  status: WarmupStatus;
  statusReason: string | null;
  config: WarmupConfig;
  dayNumber: number;
  /** The target of today. */
  dailyLimit: number;
}

interface WarmingMailbox {
  status: MailboxStatus;
  warmupDailyLimit: number;
  health: { band: Band } & Evidence;
}

/** Why the warmup sends nothing, or less than its ramp says. */
export function reasonsOf(enrolment: Warming, mailbox: WarmingMailbox): string[] {
  const { status, statusReason, config, dayNumber, dailyLimit } = enrolment;
  const still = STILL_WARMUP[status];
  if (still !== undefined) return [still, ...healthReasons(mailbox)];
  if (mailbox.status !== "CONNECTED") return [WHY_LESS.waits(MAILBOX_STATUS[mailbox.status])];
  if (statusReason !== null)
    return [statusReason === "NO_PARTNER" ? WHY_LESS.NO_PARTNER : WHY_LESS.unknown(statusReason)];
  const { warmupDailyLimit: limit } = mailbox;
  const ramp = rampTarget(config, dayNumber, Number.POSITIVE_INFINITY, false);
  const beside = rampTarget(config, dayNumber, limit, true);
  if (dailyLimit >= ramp) return healthReasons(mailbox);
  if (dailyLimit === limit) return [WHY_LESS.limit(limit), ...healthReasons(mailbox)];
  if (dailyLimit === 0) return [WHY_LESS.nothingToday, ...healthReasons(mailbox)];
  return [...(dailyLimit === beside ? [WHY_LESS.campaigns(dailyLimit)] : []), ...healthReasons(mailbox)];
}

/** What the health band of the mailbox means, unless it is healthy. */
function healthReasons({ health }: Pick<WarmingMailbox, "health">): string[] {
  if (health.band === "HEALTHY") return [];
  const why = evidenceInWords(health);
  return [BAND_MEANS[health.band], ...(why === null ? [] : [why])];
}
