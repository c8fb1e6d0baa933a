import { withoutNotice } from "../mail/auto-reply.ts";
import type { Inbound } from "../mail/inbound.ts";
import { baseSubject } from "../mail/message.ts";
import { DAY_MS } from "../time/durations.ts";

/**
 * The parts of a message that can identify one of our sends. Each list is in the order in which we try it (rules/mail
 * 10.1).
 */
export interface AttributionKeys {
  /** The `ref` of `local+r.<ref>@domain` in To, Cc, Delivered-To or X-Original-To. */
  refs: string[];
  /** In-Reply-To, then References from right to left. */
  ids: string[];
  /** From, then Reply-To. */
  addresses: string[];
  baseSubject: string;
}

/** One of our sends that one of the keys found. `sentAt` is in epoch milliseconds. */
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
  /** Whether the sequence that sent the email may still send more. */
  isOpen: boolean;
}

/** The evidence that a message replies to a send. SENDER: only the sender's address. */
type MatchedBy = "TOKEN" | "ID" | "THREAD" | "SUBJECT" | "QUOTE" | "SENDER";

export interface AttributionFacts {
  mailboxId: string;
  /** The provider's thread id of the message, when it has one. */
  threadId: string | null;
  at: number;
  /** The registrable domain of an address; null for free mail, which belongs to no company. */
  companyOf(address: string): string | null;
  /** Whether the message quotes an id or words of the send. This is checked last. */
  isQuoted(candidate: Candidate): boolean;
  /**
   * Whether the email's authentication is FAIL. If so, rules 4 to 6 do not apply, because they trust the From address,
   * which may be forged.
   */
  isForged: boolean;
}

export interface Attribution<C extends Candidate> {
  rule: 1 | 2 | 3 | 4 | 5 | 6;
  matchedBy: MatchedBy;
  /** LOW: another person may have written the message, so its words suppress no address. */
  confidence: "HIGH" | "LOW";
  /** The value that satisfied the rule: the token, the id, the conversation, the address or the domain. */
  value: string;
  /**
   * The found sends, newest first. With rule 6, quoted sends come before the others. The first send gets the event; stop
   * rules apply to all of them.
   */
  found: C[];
}

/** A message can be a late reply only to an email that is not older than this. */
export const REPLY_WINDOW_MS = 30 * DAY_MS;

/** The keys with which the caller loads candidates. */
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

/**
 * Attributes a reply to our sends by the first rule of rules/mail 10.1 that any candidate satisfies; null if no rule
 * applies.
 */
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
    if (byRef.length > 0) return attributionBy(1, ref, byRef);
  }
  for (const id of keys.ids) {
    const byId = candidates.filter(({ messageIds }) => messageIds.includes(id));
    if (byId.length > 0) return attributionBy(2, id, byId);
  }
  const byThread = candidates.filter(
    (candidate) => threadId !== null && candidate.threadId === threadId && candidate.mailboxId === mailboxId,
  );
  if (byThread.length > 0) return attributionBy(3, threadId ?? "", byThread);
  if (facts.isForged) return null;
  const inSubject = candidates.filter(isSameSubject);
  for (const address of keys.addresses) {
    const bySender = inSubject.filter(
      (candidate) => candidate.mailboxId === mailboxId && isRecent(candidate) && candidate.addresses.includes(address),
    );
    if (bySender.length > 0) return attributionBy(4, address, bySender);
  }
  const byCompany = inSubject.filter(
    (candidate) =>
      candidate.addresses.some((address) => companies.includes(facts.companyOf(address) ?? "")) &&
      facts.isQuoted(candidate),
  );
  if (byCompany.length > 0) return attributionBy(5, companies[0] ?? "", byCompany);
  const isWritten = (candidate: C) => candidate.isOpen || isRecent(candidate);
  for (const address of keys.addresses) {
    const byPerson = candidates.filter((candidate) => isWritten(candidate) && isOneOf(address, candidate.addresses));
    if (byPerson.length > 0)
      return attributionBy(6, address, byPerson, { ...facts, isOwnAddress: address === keys.addresses[0] });
  }
  return null;
}

/** Whether an address is one of `addresses`. Tags after a plus sign are ignored. */
function isOneOf(address: string, addresses: readonly string[]): boolean {
  return addresses.some((one) => withoutTag(one) === withoutTag(address));
}

/** An address without the tag of subaddressing (RFC 5233): `ann+news@a.example` reaches `ann@a.example`. */
export function withoutTag(address: string): string {
  return address.replace(/^([^+@]+)\+[^@]*(?=@[^@]*$)/, "$1");
}

const MATCHED_BY = { 1: "TOKEN", 2: "ID", 3: "THREAD", 4: "SUBJECT", 5: "QUOTE", 6: "SENDER" } as const;

function attributionBy<C extends Candidate>(
  rule: Attribution<C>["rule"],
  value: string,
  candidates: C[],
  of: Partial<Pick<AttributionFacts, "isQuoted">> & { isOwnAddress?: boolean } = {},
): Attribution<C> {
  const found = candidates.toSorted((a, b) => b.sentAt - a.sentAt);
  const quoted = rule === 6 ? found.filter((candidate) => of.isQuoted?.(candidate) === true) : [];
  // A sender may put another person's address into Reply-To, so a match by it is not certain
  const isSure = rule !== 5 && of.isOwnAddress !== false;
  return {
    rule,
    matchedBy: quoted.length > 0 ? "QUOTE" : MATCHED_BY[rule],
    confidence: isSure ? "HIGH" : "LOW",
    value,
    found: [...quoted, ...found.filter((one) => !quoted.includes(one))],
  };
}
