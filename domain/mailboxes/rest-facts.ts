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

/** The facts that decide when a mailbox sends again, and why it does not now. */
export interface RestingMailbox extends RefusedMailbox {
  status: MailboxStatus;
  health: MailboxHealth | null;
  retryAt: Date | null;
  restReason?: RestReason | null;
}

/** Why a mailbox sends nothing, or nothing to the customers of one provider. */
export interface RestFact {
  /** Null if it sends nothing to anyone. */
  provider: string | null;
  /** When it is tried again; null only if a person has to do something first. */
  until: Date | null;
  /** The refusals that led to it, as a sentence; null if something else did. */
  evidence: string | null;
}

/** Empty if a mailbox sends to everyone. */
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

/** The evidence of the cool-down that a mailbox is in. */
export function restEvidenceOf({
  status,
  restReason = null,
}: Pick<RestingMailbox, "status" | "restReason">): string | null {
  return status === "COOLING_DOWN" && restReason !== null ? evidenceInWords(restReason) : null;
}

/**
 * When a mailbox that sends nothing is tried again; null if that is not known. A wait whose time is over ends within a
 * minute.
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
