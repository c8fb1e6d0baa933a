import { withoutNotice } from "../mail/auto-reply.ts";
import type { Inbound } from "../mail/inbound.ts";
import { baseSubject } from "../mail/message.ts";
import { DAY_MS } from "../time/durations.ts";

/** The parts of a message that can point to one of our sends. Each list is in the order in which it is tried (rules/mail 10.1). */
export interface AttributionKeys {
  /** The `ref` of `local+r.<ref>@domain` in To, Cc, Delivered-To or X-Original-To. */
  refs: string[];
  /** In-Reply-To, then References from right to left. */
  ids: string[];
  /** From, then Reply-To. */
  addresses: string[];
  baseSubject: string;
}

/** One of our sends that a key found. `sentAt` is in epoch ms. */
export interface Candidate {
  recipientId: string;
  mailRef: string;
  messageIds: readonly string[];
  threadId: string | null;
  /** The recipient's address and their known secondary addresses. */
  addresses: readonly string[];
  subject: string;
  mailboxId: string;
  sentAt: number;
}

export interface AttributionFacts {
  mailboxId: string;
  /** The provider's thread id of the message, when it has one. */
  threadId: string | null;
  at: number;
  /** The registrable domain of an address; null for free mail, which belongs to no company. */
  companyOf(address: string): string | null;
  /** Whether the message quotes an id or words of the send. Asked last. */
  isQuoted(candidate: Candidate): boolean;
  /** The authentication is FAIL. Rules 4 and 5 are then not applied, because they would act for an address that may be forged. */
  isForged: boolean;
}

export interface Attribution<C extends Candidate> {
  rule: 1 | 2 | 3 | 4 | 5;
  confidence: "HIGH" | "LOW";
  /** What satisfied the rule: the token, the id, the conversation, the address or the domain. */
  value: string;
  /** The sends that were found, newest first. The newest gets the event; stop rules apply to all of them. */
  found: C[];
}

/** A mail that was sent longer ago than this has no late reply any more. */
export const REPLY_WINDOW_MS = 30 * DAY_MS;

/** The keys by which the caller loads candidates. */
export function attributionKeys(message: Inbound): AttributionKeys {
  const envelope = [...message.to, ...message.cc, ...message.deliveredTo].slice(0, 200);
  const refs = envelope.flatMap((address) => /\+r\.([a-z2-7]{20})@/i.exec(address)?.[1]?.toLowerCase() ?? []);
  const ids = [...(message.inReplyTo === null ? [] : [message.inReplyTo]), ...message.references.toReversed()];
  const addresses = [message.from?.address ?? "", message.replyTo ?? ""].filter((address) => address !== "");
  return {
    refs: [...new Set(refs)],
    ids: [...new Set(ids)].slice(0, 100),
    addresses: [...new Set(addresses)],
    baseSubject: baseSubject(withoutNotice(message.subject)),
  };
}

/** Attributes a reply to our sends by the first rule of rules/mail 10.1 that any candidate satisfies; null when none does. */
export function attribute<C extends Candidate>(
  keys: AttributionKeys,
  candidates: readonly C[],
  facts: AttributionFacts,
): Attribution<C> | null {
  const { mailboxId, threadId, at } = facts;
  const isRecent = ({ sentAt }: C) => sentAt <= at && at - sentAt <= REPLY_WINDOW_MS;
  const isSameSubject = ({ subject }: C) => keys.baseSubject !== "" && baseSubject(subject) === keys.baseSubject;
  const companies = keys.addresses.flatMap((address) => facts.companyOf(address) ?? []);

  for (const ref of keys.refs) {
    const byRef = candidates.filter(({ mailRef }) => mailRef.toLowerCase() === ref);
    if (byRef.length > 0) return attributed(1, ref, byRef);
  }
  for (const id of keys.ids) {
    const byId = candidates.filter(({ messageIds }) => messageIds.includes(id));
    if (byId.length > 0) return attributed(2, id, byId);
  }
  const byThread = candidates.filter(
    (candidate) => threadId !== null && candidate.threadId === threadId && candidate.mailboxId === mailboxId,
  );
  if (byThread.length > 0) return attributed(3, threadId ?? "", byThread);
  if (facts.isForged) return null;
  const inSubject = candidates.filter(isSameSubject);
  for (const address of keys.addresses) {
    const bySender = inSubject.filter(
      (candidate) => candidate.mailboxId === mailboxId && isRecent(candidate) && candidate.addresses.includes(address),
    );
    if (bySender.length > 0) return attributed(4, address, bySender);
  }
  const byCompany = inSubject.filter(
    (candidate) => candidate.addresses.some((address) => companies.includes(facts.companyOf(address) ?? "")) && facts.isQuoted(candidate),
  );
  return byCompany.length > 0 ? attributed(5, companies[0] ?? "", byCompany) : null;
}

function attributed<C extends Candidate>(rule: 1 | 2 | 3 | 4 | 5, value: string, found: C[]): Attribution<C> {
  return { rule, confidence: rule === 5 ? "LOW" : "HIGH", value, found: found.toSorted((a, b) => b.sentAt - a.sentAt) };
}
