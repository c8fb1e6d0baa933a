import { createHash } from "node:crypto";
import { AppError } from "../errors.ts";
import { normalizeAddress, referencesOf } from "../mail/message.ts";

/** What was written by hand, as far as can be told: nothing else is ever answered (B10, `mail.md` 7). */
export const ANSWERABLE = ["REPLY", "OTHER"] as const;

/** What an answer needs to know of the message it answers. */
export interface Answered {
  direction: "INBOUND" | "OUTBOUND";
  kind: string;
  from: string | null;
  fromName: string | null;
  replyTo: string | null;
  rfcMessageId: string | null;
  inReplyTo: string | null;
  references: readonly string[];
}

export function isAnswerable({ direction, kind }: Pick<Answered, "direction" | "kind">): boolean {
  const kinds: readonly string[] = ANSWERABLE;
  return direction === "INBOUND" && kinds.includes(kind);
}

/** Whom an answer goes to: where the sender wants answers, else the sender. Null when neither is an address of somebody else. */
export function addresseeOf({ from, fromName, replyTo }: Answered, own: string): { address: string; name: string | null } | null {
  const sender = normalizeAddress(from ?? "")?.address;
  const address = [normalizeAddress(replyTo ?? "")?.address, sender].find((one) => one !== undefined && one !== own);
  return address === undefined ? null : { address, name: address === sender ? fromName : null };
}

/** `In-Reply-To` and `References` of an answer (RFC 5322 3.6.4, `mail.md` 2): the chain that led there and the message itself, at most 20. */
export function headersOfAnswer({ rfcMessageId, inReplyTo, references }: Answered): { inReplyTo: string | null; references: string[] } {
  const before = references.length > 0 ? references : inReplyTo === null ? [] : [inReplyTo];
  return { inReplyTo: rfcMessageId, references: referencesOf([...before, ...(rfcMessageId === null ? [] : [rfcMessageId])]) };
}

/** The workflow that sends an answer: the same for the same key, so that starting twice is joining once (engine.md 2). */
export function replyWorkflowId(workspaceId: string, key: string): string {
  return `single-send/${createHash("sha256").update(`${workspaceId}|inbox-reply|${key}`).digest("hex")}`;
}

/** Tells two calls under one key apart. The order of the names counts. */
export function argumentHash(asked: unknown): string {
  return createHash("sha256").update(JSON.stringify(asked)).digest("hex");
}

/** Why an answer did not go out, as the ledger keeps it. */
export interface AnswerFailure {
  reason: string;
  code: string | null;
}

/** The same as a caller reads it (behaviours 8). */
export function refusalOf({ reason, code }: AnswerFailure): AppError {
  switch (reason) {
    case "RECIPIENT_SUPPRESSED":
      return new AppError("RECIPIENT_SUPPRESSED", "An addressee is suppressed or on the block list: nothing was sent");
    case "MAILBOX_DISCONNECTED":
    case "MAILBOX_UNAVAILABLE":
      return new AppError("NO_SENDING_MAILBOX", "The mailbox of this thread cannot send now", { reason });
    case "DAILY_LIMIT":
      return new AppError("LIMIT_EXCEEDED", "The mailbox has sent all it may today", { limit: "dailySendLimit" });
    case "PROVIDER_LIMIT":
      return new AppError("LIMIT_EXCEEDED", "The mailbox has sent all that its provider allows in a day", { limit: "provider" });
    case "LIMIT_EXCEEDED":
      return new AppError("LIMIT_EXCEEDED", "The message is larger than 10 MiB", { limit: "10 MiB" });
    case "SEND_UNKNOWN":
      return new AppError("SEND_FAILED", "It is not known whether the mail went out, so it is not sent again", { reason, code });
    default:
      return new AppError("SEND_FAILED", "The mail was not sent", { reason, code });
  }
}
