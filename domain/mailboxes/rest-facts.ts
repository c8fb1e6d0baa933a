import type { MailboxStatus } from "../states.ts";
import { isShut, type MailboxHealth } from "./band.ts";
import { shutUntil } from "./health-course.ts";
import {
  activePauses,
  evidenceInWords,
  pauseInWords,
  type RefusedMailbox,
  type RestReason,
} from "./refusal-evidence.ts";

/** The fields of a mailbox that decide when it sends again, and why it does not send now. */
export interface RestingMailbox extends RefusedMailbox {
  status: MailboxStatus;
  health: MailboxHealth | null;
  retryAt: Date | null;
  restReason?: RestReason | null;
}

/** One reason why a mailbox sends nothing, or nothing to the customers of one provider. */
export interface RestFact {
  /** The provider to whose customers the mailbox sends nothing; null if it sends nothing to anyone. */
  provider: string | null;
  /** When the mailbox tries again; null only if a person has to do something first. */
  until: Date | null;
  /** The refusals that caused the wait, as a sentence; null if it has another cause. */
  evidence: string | null;
}

/** The reasons why a mailbox currently makes recipients wait; empty if it sends to everyone. */
export function restFactsOf(mailbox: RestingMailbox, now: number): RestFact[] {
  const pauses = activePauses(mailbox, now).map((pause) => ({
    provider: pause.provider,
    until: pause.until,
    evidence: pauseInWords(pause),
  }));
  const isResting =
    mailbox.status !== "CONNECTED" ||
    isShut(mailbox.health?.band ?? "HEALTHY") ||
    (mailbox.retryAt?.getTime() ?? 0) > now;
  return [
    ...(isResting ? [{ provider: null, until: nextTryOf(mailbox, now), evidence: restEvidenceOf(mailbox) }] : []),
    ...pauses,
  ];
}

/** The refusals that caused the current cool-down of a mailbox, as a sentence; null if there are none. */
export function restEvidenceOf({
  status,
  restReason = null,
}: Pick<RestingMailbox, "status" | "restReason">): string | null {
  return status === "COOLING_DOWN" && restReason !== null ? evidenceInWords(restReason) : null;
}

/**
 * When a mailbox that sends nothing is tried again; null if that is not known. If that time has passed, the mailbox
 * tries again within a minute.
 */
export function nextTryOf({ status, health, retryAt }: RestingMailbox, now: number): Date | null {
  switch (status) {
    case "COOLING_DOWN":
    case "SENDING_ERROR":
      return new Date(Math.max(now, retryAt?.getTime() ?? now));
    case "CONNECTED": {
      const until = Math.max(health === null ? 0 : (shutUntil(health) ?? 0), retryAt?.getTime() ?? 0);
      return until > now ? new Date(until) : null;
    }
    default:
      return null;
  }
}
