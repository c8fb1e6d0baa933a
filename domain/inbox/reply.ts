import { createHash } from "node:crypto";
import { AppError } from "../errors.ts";
import { normalizeAddress, referencesOf } from "../mail/message.ts";

/** The kinds of mail that a person wrote, as far as can be told. Nothing else is ever answered (rules/mail 6.2). */
export const ANSWERABLE = ["REPLY", "OTHER"] as const;

/** What a reply needs to know about the message that it answers. */
export interface AnsweredMessage {
  direction: "INBOUND" | "OUTBOUND";
  kind: string;
  from: string | null;
  fromName: string | null;
  replyTo: string | null;
  rfcMessageId: string | null;
  inReplyTo: string | null;
  references: readonly string[];
}

export function isAnswerable({ direction, kind }: Pick<AnsweredMessage, "direction" | "kind">): boolean {
  const kinds: readonly string[] = ANSWERABLE;
  return direction === "INBOUND" && kinds.includes(kind);
}

/** Where a reply is sent: to the Reply-To address, otherwise to the sender. Null when neither is the address of somebody else. */
export function addresseeOf({ from, fromName, replyTo }: AnsweredMessage, own: string): { address: string; name: string | null } | null {
  const sender = normalizeAddress(from ?? "")?.address;
  const address = [normalizeAddress(replyTo ?? "")?.address, sender].find((one) => one !== undefined && one !== own);
  return address === undefined ? null : { address, name: address === sender ? fromName : null };
}

/**
 * `In-Reply-To` and `References` of a reply (RFC 5322 3.6.4, rules/mail 2.3): the chain that led to the message and the message itself, at
 * most 20 ids.
 */
export function headersOfAnswer({ rfcMessageId, inReplyTo, references }: AnsweredMessage): {
  inReplyTo: string | null;
  references: string[];
} {
  const before = references.length > 0 ? references : inReplyTo === null ? [] : [inReplyTo];
  return { inReplyTo: rfcMessageId, references: referencesOf([...before, ...(rfcMessageId === null ? [] : [rfcMessageId])]) };
}

/** The id of the workflow that sends a reply. It is the same for the same key, so a second start joins the first (rules/sending 11.4). */
export function replyWorkflowId(workspaceId: string, key: string): string {
  return `single-send/${createHash("sha256").update(`${workspaceId}|inbox-reply|${key}`).digest("hex")}`;
}

/** A hash that tells two calls under one idempotency key apart. The order of the property names counts. */
export function argumentHash(asked: unknown): string {
  return createHash("sha256").update(JSON.stringify(asked)).digest("hex");
}

/** Why a reply was not sent, as the database stores it. */
export interface AnswerFailure {
  reason: string;
  code: string | null;
}

/** The same failure as the caller reads it (rules/campaigns 4.5). */
export function replyErrorOf({ reason, code }: AnswerFailure): AppError {
  switch (reason) {
    case "RECIPIENT_SUPPRESSED":
      return new AppError("RECIPIENT_SUPPRESSED", "An addressee is suppressed or on the block list: nothing was sent");
    case "MAILBOX_DISCONNECTED":
    case "MAILBOX_UNAVAILABLE":
      return new AppError("NO_SENDING_MAILBOX", "The mailbox of this thread cannot send now", { reason });
    case "DAILY_LIMIT":
      return new AppError("LIMIT_EXCEEDED", "The mailbox has reached its daily limit", { limit: "dailySendLimit" });
    case "PROVIDER_LIMIT":
      return new AppError("LIMIT_EXCEEDED", "The mailbox has reached the daily limit of its provider", { limit: "provider" });
    case "LIMIT_EXCEEDED":
      return new AppError("LIMIT_EXCEEDED", "The message is larger than 10 MiB", { limit: "10 MiB" });
    case "SEND_UNKNOWN":
      return new AppError("SEND_FAILED", "It is not known whether the mail was sent, so it is not sent again", { reason, code });
    default:
      return new AppError("SEND_FAILED", "The mail was not sent", { reason, code });
  }
}
