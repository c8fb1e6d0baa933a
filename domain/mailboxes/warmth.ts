import type { MailboxStatus } from "../states.ts";
import { bandOf, isGraver, type MailboxHealth } from "./band.ts";

/** The lowest health score of a warm mailbox (rules/campaigns 4.2). */
const WARM_SCORE = 80;

const COLD_REASONS = [
  "NOT_CONNECTED",
  "NOT_ENROLLED",
  "WARMUP_TOO_SHORT",
  "WITHOUT_SCORE",
  "LOW_SCORE",
  "BAND",
] as const;
export type ColdReason = (typeof COLD_REASONS)[number];

/** The fields of a mailbox's warmup that decide whether the mailbox is warm; null without warmup. */
export type Warmup = { status: string; warmSince: Date | null } | null;

/** Why a mailbox is not warm; empty when it is. An unmeasured mailbox counts as cold. */
export function whyCold(
  mailbox: { status: MailboxStatus; health: MailboxHealth | null },
  warmup: Warmup,
): ColdReason[] {
  const { status, health } = mailbox;
  const isEnrolled = warmup !== null && warmup.status !== "STOPPED";
  const score = health?.score ?? null;
  return [
    ...(status === "CONNECTED" ? [] : ["NOT_CONNECTED" as const]),
    ...(isEnrolled ? [] : ["NOT_ENROLLED" as const]),
    ...(isEnrolled && warmup.warmSince === null ? ["WARMUP_TOO_SHORT" as const] : []),
    ...(score === null ? ["WITHOUT_SCORE" as const] : score < WARM_SCORE ? ["LOW_SCORE" as const] : []),
    ...(isGraver(bandOf(mailbox), "WATCH") ? ["BAND" as const] : []),
  ];
}
