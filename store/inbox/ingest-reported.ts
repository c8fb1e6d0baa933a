import { type PurposeKeys, readToken } from "../../domain/access/tokens.ts";
import { ownEvidence } from "../../domain/bounces/own-evidence.ts";
import { isProvenReport } from "../../domain/bounces/report-proof.ts";
import { attributionKeys } from "../../domain/inbox/attribution.ts";
import type { Inbound } from "../../domain/mail/inbound.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { findRelayed } from "../sending/delivery-evidence.ts";
import type { About, Arrival } from "./arrival.ts";
import { loadPerson, type Person } from "./ingest-attribution.ts";

const WINDOW_MS = 7 * DAY_MS;
const MOST = 100;

/**
 * A send that a report is about. `isByOurId`: the report contains the Message-ID of the last attempt, which proves that
 * attempt. `isProven`: the report contains something that only our emails contain, or comes from the usual source of
 * reports about that address.
 */
export interface Reported {
  send: Send;
  person: Person;
  rule: string;
  value: string;
  isByOurId: boolean;
  isProven: boolean;
}

/** Finds which sends a bounce or complaint is about (rules/mail 7.3), by values that only our emails carry. */
export async function findReportedSends(mailbox: Mailbox, message: Inbound, keys: PurposeKeys): Promise<Reported[]> {
  const { Send } = scoped(mailbox.workspaceId);
  const { refs, ids } = attributionKeys(message);
  const evidence = ownEvidence(message);
  // Exchange returns none of our headers, but refers to our email in the same headers as a reply
  const messageIds = [...new Set([...evidence.messageIds, ...ids])];
  const bySend = new Map<string, Reported>();
  const noteReported = async (sends: Send[], rule: string, valueIn: (send: Send) => string | null | undefined) => {
    for (const send of sends) {
      if (bySend.has(send._id) || send.kind === "WARMUP" || send.kind === "TEST") continue;
      const person = await loadPerson(send);
      const isByOurId = send.messageId !== null && messageIds.includes(send.messageId);
      if (person !== null)
        bySend.set(send._id, { send, person, rule, value: valueIn(send) ?? "", isByOurId, isProven: true });
    }
  };
  const limit = { limit: MOST };
  if (refs.length > 0)
    await noteReported(
      await Send.find({ mailRef: trusted({ $in: refs }) }, limit),
      "plus token",
      ({ mailRef }) => mailRef,
    );
  if (evidence.mailRefs.length > 0) {
    await noteReported(
      await Send.find({ mailRef: trusted({ $in: evidence.mailRefs }) }, limit),
      "X-Mail-Ref",
      ({ mailRef }) => mailRef,
    );
  }
  if (messageIds.length > 0) {
    const named = await Send.find({ messageIds: trusted({ $in: messageIds }) }, limit);
    await noteReported(named, "Message-ID", (send) => send.messageIds.find((id) => messageIds.includes(id)));
  }
  for (const { send, ids: theirs } of await findRelayed(mailbox, messageIds))
    await noteReported([send], "relay id", () => theirs[0]);
  const envelopes = evidence.envelopeIds;
  if (envelopes.length > 0) {
    await noteReported(
      await Send.find({ mailRef: trusted({ $in: envelopes }) }, limit),
      "Original-Envelope-Id",
      ({ mailRef }) => mailRef,
    );
  }
  const signed = evidence.tokens.flatMap((token) =>
    (["u", "o", "c"] as const).flatMap((use) => readToken(keys, use, token)?.sendId ?? []),
  );
  if (signed.length > 0)
    await noteReported(await Send.find({ _id: trusted({ $in: signed }) }, limit), "token", ({ _id }) => _id);
  return [...bySend.values()];
}

/**
 * The last send from this mailbox to the address within 7 days. It is used when nothing else identifies the send. `to`:
 * the addresses to which the report was sent.
 */
export async function lastSendTo(arrival: Arrival, address: string, to = arrival.message.to): Promise<Reported | null> {
  const { mailbox } = arrival;
  const since = new Date(Date.now() - WINDOW_MS);
  const recent = {
    mailboxId: mailbox._id,
    to: address,
    sentAt: trusted({ $gte: since }),
    recipientId: trusted({ $ne: null }),
  };
  const send = await scoped(mailbox.workspaceId).Send.findOne(recent, { sort: { sentAt: -1 } });
  const person = send === null ? null : await loadPerson(send);
  if (send === null || person === null) return null;
  return { send, person, rule: "address", value: address, isByOurId: false, isProven: isProven(arrival, address, to) };
}

/**
 * Whether a report without any of our content comes from a trusted source, so that it may have an effect. `about` is
 * null when the report contains no address either.
 */
export function isProven(
  { mailbox, message, provenance }: Arrival,
  about: string | null,
  to: readonly string[],
): boolean {
  const { email, smtp, imap } = mailbox;
  return isProvenReport({
    from: message.from,
    provenance,
    about,
    to,
    mailbox: { email, hosts: [smtp.host, imap.host] },
  });
}

/** The stored fields of a report without proof. They lead to no person, campaign or count (rules/mail 7.3). */
export function disputedReportOf(kind: "BOUNCE" | "DELAY" | "COMPLAINT"): About {
  return { kind, isDisputed: true, category: null, evidence: { rule: "without proof", value: null } };
}

/**
 * The send whose unsubscribe token is in the subject or in an address (rules/mail 3.4); null without a valid token of
 * this workspace.
 */
export async function unsubscribedSend(mailbox: Mailbox, message: Inbound, keys: PurposeKeys): Promise<Send | null> {
  const places = [
    message.subject,
    message.subject.replaceAll(" ", ""),
    ...message.to,
    ...message.cc,
    ...message.deliveredTo,
  ];
  for (const place of places) {
    for (const [token] of place.slice(0, 1_000).matchAll(/v1\.[\w-]{1,40}\.[\w-]{4,200}\.[\w-]{22}(?![\w-])/g)) {
      const read = readToken(keys, "u", token);
      const send = read === null ? null : await scoped(mailbox.workspaceId).Send.get(read.sendId);
      if (send !== null) return send;
    }
  }
  return null;
}
