import type { PurposeKeys } from "../../domain/access/tokens.ts";
import { readBounce } from "../../domain/bounces/bounce.ts";
import { kindOf } from "../../domain/inbox/kind.ts";
import { readAutoReply } from "../../domain/mail/auto-reply.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import type { About, Arrival } from "./arrival.ts";
import { findOrigin } from "./ingest-attribution.ts";
import { ingestBounce } from "./ingest-bounce.ts";
import { ingestComplaint, ingestUnsubscribe } from "./ingest-consent.ts";
import { ingestOwn, isFromHere } from "./ingest-outbound.ts";
import { ingestAutoReply, ingestReply } from "./ingest-reply.ts";
import { unsubscribedSend } from "./ingest-reported.ts";

/** Decides the kind of a mail (rules/mail 6.1) and applies the effects of that kind in the running transaction. */
export async function classifyMail(arrival: Arrival, keys: PurposeKeys): Promise<About> {
  if (isFromHere(arrival)) return ingestOwn(arrival);
  const { mailbox, message } = arrival;
  const { Mailbox, Send } = scoped(mailbox.workspaceId);
  const from = message.from?.address ?? "";
  const unsubscribed = await unsubscribedSend(mailbox, message, keys);
  const named = [message.messageId, message.inReplyTo].filter((id) => id !== null);
  const sent = named.length === 0 ? [] : await Send.find({ messageIds: trusted({ $in: named }) }, { limit: 10 });
  const isOwn =
    from === mailbox.email && sent.some(({ messageIds }) => message.messageId !== null && messageIds.includes(message.messageId));
  const isConnected = from !== "" && (await Mailbox.count({ email: from })) > 0;
  const origin = isConnected ? null : await findOrigin(arrival);
  const kind = kindOf(message, {
    ownAddress: mailbox.email,
    isSentFolder: false,
    isOwnId: () => isOwn,
    isConnectedMailbox: () => isConnected,
    hasUnsubscribeToken: unsubscribed !== null,
    attributedBy: origin?.rule ?? null,
  });
  switch (kind) {
    case "OWN":
      return ingestOwn(arrival);
    case "REPLY":
      return origin === null ? { kind: "OTHER" } : ingestReply(arrival, origin);
    case "AUTO_REPLY":
      return origin === null ? { kind, category: readAutoReply(message)?.subKind ?? kind } : ingestAutoReply(arrival, origin);
    case "BOUNCE":
    case "DELAY": {
      const bounce = readBounce(message);
      if (bounce === null) return { kind: "OTHER" };
      // A person's own out-of-office notice may also say "Your mail could not be delivered to my desk"
      const isTheirs = origin?.found.some(({ addresses }) => addresses.includes(from)) === true;
      const isNotice = isTheirs && bounce.recipients.every(({ address }) => address === null) && readAutoReply(message) !== null;
      return isNotice ? ingestAutoReply(arrival, origin) : ingestBounce(arrival, bounce, keys);
    }
    case "COMPLAINT":
      return ingestComplaint(arrival, keys);
    case "UNSUBSCRIBE":
      return unsubscribed === null ? { kind: "OTHER" } : ingestUnsubscribe(unsubscribed);
    default:
      return { kind };
  }
}
