import { ApplicationFailure, Context } from "@temporalio/activity";
import { readRefusal } from "../../domain/bounces/refusal.ts";
import { ACCESS_FAULTS } from "../../domain/mailboxes/connection-error.ts";
import { PLACEMENT_ATTEMPTS } from "../../domain/sending/placement-attempts.ts";
import type { Trouble } from "../../domain/sending/smtp-trouble.ts";
import { codeShown } from "../../domain/sending/smtp-trouble.ts";
import { LAST_ATTEMPT, type SingleEnd } from "../../domain/workflow-contract.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Send } from "../../models/sending/send.ts";
import { recordReplyFailed } from "../../store/inbox/reply.ts";
import { recordRefusedLogin } from "../../store/mailboxes/access-faults.ts";
import { recordHostFailure } from "../../store/mailboxes/faults.ts";

/** How long a server that asks for fewer emails is left alone, as a Temporal duration. */
const SLOW_RETRY = "15m";

/**
 * Applies a refusal to the mailbox (rules/sending 10.1) and to the email. A scheduled reply and a placement email are
 * retried; a reply that is sent now is not, because its caller waits.
 */
export async function afterTrouble(send: Send, mailbox: Mailbox, trouble: Trouble): Promise<SingleEnd> {
  const refusal = readRefusal(trouble);
  if (isAnswer(send) || trouble.access !== undefined) await blameMailbox(mailbox, trouble);
  const { access } = trouble;
  const isParked = access !== undefined && !ACCESS_FAULTS[access].needsConsent;
  const mayPass =
    isParked || refusal.effect === "BREAKER" || refusal.effect === "RETRY" || refusal.effect === "SLOW_DOWN";
  if (mayPass && Context.current().info.attempt < attemptsAt(send)) {
    const isSlow = refusal.effect === "SLOW_DOWN";
    throw ApplicationFailure.create({
      message: `${refusal.about} refused at ${trouble.stage}: ${trouble.code ?? trouble.cause}`,
      type: "TransientRefusal",
      ...(isSlow && { nextRetryDelay: SLOW_RETRY }),
    });
  }
  return failSend(send, refusalReasonOf(trouble), trouble, { isHardBounce: refusal.effect === "HARD_BOUNCE" });
}

/** How often an email is tried that no caller waits for; 1 where a caller waits. */
function attemptsAt({ kind }: Send): number {
  if (kind === "PLACEMENT") return PLACEMENT_ATTEMPTS;
  return kind === "SCHEDULED" ? LAST_ATTEMPT : 1;
}

/**
 * Counts a fault of the submission server, or of the login, against the mailbox (rules/sending 10.1). The transaction
 * that recorded a refusal has already applied it to the mailbox.
 */
export async function blameMailbox(mailbox: Mailbox, trouble: Trouble): Promise<void> {
  const { workspaceId, _id } = mailbox;
  const code = codeShown(trouble);
  const { effect } = readRefusal(trouble);
  if (effect === "BREAKER") await recordHostFailure(workspaceId, _id, code);
  if (effect === "AUTH_FAILURE") await recordRefusedLogin(mailbox, trouble);
}

/**
 * Ends a send that is known to be unsent. A refused test email is no bounce of its recipient. `resetsAt`: when a reached
 * limit of the day starts anew; null if it never does.
 */
export async function failSend(
  send: Send,
  reason: string,
  trouble: Trouble | null = null,
  { isHardBounce = false, resetsAt }: { isHardBounce?: boolean; resetsAt?: Date | null } = {},
): Promise<SingleEnd> {
  const code = trouble === null || trouble.code === null ? null : String(trouble.code);
  const failure = { reason, code, text: trouble?.text.slice(0, 500) ?? null };
  const reset = resetsAt === undefined ? {} : { resetsAt };
  await recordReplyFailed(send, { ...failure, ...reset }, { isHardBounce: isHardBounce && isAnswer(send) });
  return { kind: "failed", reason, code };
}

/** Whether the email is a real reply to an outside person: neither a test email nor a probe. */
export function isAnswer({ kind }: Send): boolean {
  return kind === "REPLY" || kind === "SCHEDULED";
}

function refusalReasonOf({ stage, code, cause, access }: Trouble): string {
  if (access !== undefined) return access;
  if (stage === "AUTH" && code !== null && code >= 500) return "AUTH_FAILED";
  if (code !== null) return "REFUSED_BY_SERVER";
  return cause === "TIMEOUT" ? "TIMEOUT" : cause === "TLS" ? "TLS_FAILED" : "CONNECT_FAILED";
}
