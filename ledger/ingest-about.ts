import { readBounce } from "../domain/bounce.ts";
import { type Kind, kindOf } from "../domain/inbound.ts";
import type { PurposeKeys } from "../domain/tokens.ts";
import { scoped } from "../models/scoped.ts";
import type { About, Arrival } from "./ingest.ts";
import { ingestBounce } from "./ingest-bounce.ts";
import { ingestComplaint, ingestUnsubscribe } from "./ingest-consent.ts";
import { originOf, unsubscribedSend } from "./ingest-origin.ts";
import { ingestAutoReply, ingestReply } from "./ingest-reply.ts";

/** What a mail is (mail.md 7), with the effects of its kind in the running transaction. */
export async function aboutOf(arrival: Arrival, keys: PurposeKeys): Promise<About> {
  const { mailbox, message } = arrival;
  const { Mailbox, Send } = scoped(mailbox.workspaceId);
  const from = message.from?.address ?? "";
  const origin = await originOf(mailbox, message);
  const unsubscribed = await unsubscribedSend(mailbox, message, keys);
  const isOwn = message.messageId !== null && from === mailbox.email && (await Send.count({ messageIds: message.messageId })) > 0;
  const isConnected = from !== "" && (await Mailbox.count({ email: from })) > 0;
  const kind: Kind = kindOf(message, {
    ownAddress: mailbox.email,
    isSentFolder: false,
    isOwnId: () => isOwn,
    isWarmup: false,
    isConnectedMailbox: () => isConnected,
    hasUnsubscribeToken: unsubscribed !== null,
    attributedBy: origin?.rule ?? null,
  });
  switch (kind) {
    case "REPLY":
      return origin === null ? { kind: "OTHER" } : ingestReply(arrival, origin);
    case "AUTO_REPLY":
      return origin === null ? { kind } : ingestAutoReply(arrival, origin);
    case "BOUNCE":
    case "DELAY": {
      const bounce = readBounce(message);
      return bounce === null ? { kind: "OTHER" } : ingestBounce(arrival, bounce, keys);
    }
    case "COMPLAINT":
      return ingestComplaint(arrival, keys);
    case "UNSUBSCRIBE":
      return unsubscribed === null ? { kind: "OTHER" } : ingestUnsubscribe(unsubscribed);
    default:
      return { kind };
  }
}
