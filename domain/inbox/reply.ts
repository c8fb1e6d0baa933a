import { createHash } from "node:crypto";
import { normalizeAddress, referencesOf } from "../mail/message.ts";

/** The fields of the answered message that a reply needs. */
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

/**
 * The addressee of a reply: the Reply-To address, otherwise the sender. Null if both are missing or our own address.
 */
export function addresseeOf(
  { from, fromName, replyTo }: AnsweredMessage,
  own: string,
): { address: string; name: string | null } | null {
  const sender = normalizeAddress(from ?? "")?.address;
  const address = [normalizeAddress(replyTo ?? "")?.address, sender].find((one) => one !== undefined && one !== own);
  return address === undefined ? null : { address, name: address === sender ? fromName : null };
}

/**
 * `In-Reply-To` and `References` of a reply (RFC 5322 3.6.4, rules/mail 2.3): the chain that led to the message and the
 * message itself, at most 20 ids.
 */
export function headersOfAnswer({ rfcMessageId, inReplyTo, references }: AnsweredMessage): {
  inReplyTo: string | null;
  references: string[];
} {
  const before = references.length > 0 ? references : inReplyTo === null ? [] : [inReplyTo];
  return {
    inReplyTo: rfcMessageId,
    references: referencesOf([...before, ...(rfcMessageId === null ? [] : [rfcMessageId])]),
  };
}

/**
 * The id of the workflow that sends a reply. One idempotency key always gives one id, so a second start joins the first
 * (rules/sending 11.4).
 */
export function replyWorkflowId(workspaceId: string, key: string): string {
  return `single-send/${createHash("sha256").update(`${workspaceId}|inbox-reply|${key}`).digest("hex")}`;
}

/**
 * A hash of a call's arguments. It shows whether two calls with the same idempotency key are equal. A different order
 * of the property names gives a different hash.
 */
export function argumentHash(callArguments: unknown): string {
  return createHash("sha256").update(JSON.stringify(callArguments)).digest("hex");
}
