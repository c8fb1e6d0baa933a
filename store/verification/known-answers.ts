import { domainOf } from "../../domain/mail/message.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { KEPT_MS } from "../../domain/verification/etiquette.ts";
import type { MailHostFacts, ProbeAnswer } from "../../domain/verification/judge-address.ts";
import type { VerificationEvidence } from "../../domain/verification.ts";
import { scoped } from "../../models/scoped.ts";
import { VerifiedAddress } from "../../models/verification/verified-address.ts";
import { VerifiedDomain } from "../../models/verification/verified-domain.ts";
import { trusted } from "../../mongo/collection.ts";
import { keyedAddressHash } from "../address-key.ts";

/** What is known about a domain, unless it is outdated. */
export interface DomainKnowledge {
  /** Undefined when DNS must be queried. */
  host: MailHostFacts | undefined;
  isCatchAll: boolean | null;
  distrustedAt: number | null;
}

/**
 * How long a domain is remembered. It is longer than a result is valid, so that a domain whose addresses bounced stays
 * distrusted.
 */
const REMEMBERED_MS = 90 * DAY_MS;

export async function loadDomains(domains: readonly string[], now: number): Promise<Map<string, DomainKnowledge>> {
  const found = await VerifiedDomain.find({ _id: trusted({ $in: [...domains] }) }).lean<VerifiedDomain[]>();
  return new Map(found.map((domain) => [domain._id, knowledgeOf(domain, now)]));
}

function knowledgeOf(
  { kind, exchange, lookedUpAt, isCatchAll, catchAllAt, distrustedAt }: VerifiedDomain,
  now: number,
): DomainKnowledge {
  const isFresh = (at: Date | null) => at !== null && at.getTime() > now - KEPT_MS;
  const host =
    kind === "HOST" && exchange !== null
      ? { kind, exchange }
      : kind === "NONE" || kind === "NULL_MX"
        ? { kind }
        : undefined;
  const isBelieved =
    isFresh(catchAllAt) && (distrustedAt === null || (catchAllAt?.getTime() ?? 0) > distrustedAt.getTime());
  return {
    host: isFresh(lookedUpAt) ? host : undefined,
    isCatchAll: isBelieved ? isCatchAll : null,
    distrustedAt: distrustedAt?.getTime() ?? null,
  };
}

/** Stores the mail hosts of domains, as DNS returned them. */
export async function noteMailHosts(answers: ReadonlyMap<string, MailHostFacts>, now: number): Promise<void> {
  const writes = [...answers].map(([_id, facts]) => {
    const exchange = facts.kind === "HOST" ? facts.exchange : null;
    const $set = { kind: facts.kind, exchange, lookedUpAt: new Date(now), expiresAt: new Date(now + REMEMBERED_MS) };
    return { updateOne: { filter: { _id }, update: { $set }, upsert: true } };
  });
  if (writes.length > 0) await VerifiedDomain.bulkWrite(writes, { ordered: false });
}

/** Stores whether a domain accepts any address. */
export async function noteCatchAll(domain: string, isCatchAll: boolean, now: number): Promise<void> {
  const $set = { isCatchAll, catchAllAt: new Date(now), expiresAt: new Date(now + REMEMBERED_MS) };
  await VerifiedDomain.updateOne({ _id: domain }, { $set }, { upsert: true });
}

/** A mail server's answer about an address, and when it was given. */
export interface KnownAnswer extends ProbeAnswer {
  smtpCode: number | null;
  enhancedCode: string | null;
  at: number;
}

/** The stored answers that are still valid. For a distrusted domain, only later answers count. */
export async function loadAnswers(
  emails: readonly string[],
  domains: ReadonlyMap<string, Pick<DomainKnowledge, "distrustedAt">>,
  now: number,
): Promise<Map<string, KnownAnswer>> {
  const byHash = new Map(emails.map((email) => [keyedAddressHash(email), email]));
  const found = await VerifiedAddress.find({ _id: trusted({ $in: [...byHash.keys()] }) }).lean<VerifiedAddress[]>();
  return new Map(
    found.flatMap(({ _id, domain, result, reason, smtpCode, enhancedCode, checkedAt }): [string, KnownAnswer][] => {
      const email = byHash.get(_id);
      const at = checkedAt.getTime();
      const distrustedAt = domains.get(domain)?.distrustedAt ?? null;
      const isBelieved = at > now - KEPT_MS && (distrustedAt === null || at > distrustedAt);
      return email === undefined || !isBelieved ? [] : [[email, { result, reason, smtpCode, enhancedCode, at }]];
    }),
  );
}

export async function noteAnswer(
  email: string,
  { result, reason, smtpCode, enhancedCode, at }: KnownAnswer,
): Promise<void> {
  const answer = { domain: domainOf(email), result, reason, smtpCode, enhancedCode };
  const $set = { ...answer, checkedAt: new Date(at), expiresAt: new Date(at + KEPT_MS) };
  await VerifiedAddress.updateOne({ _id: keyedAddressHash(email) }, { $set }, { upsert: true });
}

/**
 * A single bounce may come from a person who has left since. Two mean that the server accepts email that it cannot
 * deliver.
 */
const MOST_BOUNCES = 1;

/**
 * Handles the hard bounce of an address that was VALID. After the second one in a domain, its server is distrusted: its
 * earlier answers are deleted for all workspaces, and leads of this workspace that were VALID because of them become
 * UNKNOWN until they are verified again (rules/verification 4). Idempotent.
 */
export async function noteVerifiedBounce(workspaceId: string, leadId: string): Promise<void> {
  const { Lead } = scoped(workspaceId);
  const lead = await Lead.get(leadId);
  if (lead === null) return;
  const { email, emailDomain } = lead;
  await Lead.updateOne(
    { _id: leadId, verificationStatus: "INVALID", "verification.reason": "ACCEPTED" },
    { $set: reason("BOUNCED") },
  );
  const verifiedDomain = await VerifiedDomain.findOneAndUpdate(
    { _id: emailDomain },
    {
      $addToSet: { bounced: keyedAddressHash(email) },
      $max: { expiresAt: new Date(Date.now() + KEPT_MS + 60 * DAY_MS) },
    },
    { upsert: true, returnDocument: "after", setDefaultsOnInsert: true },
  ).lean<VerifiedDomain>();
  if (verifiedDomain === null || verifiedDomain.bounced.length <= MOST_BOUNCES) return;
  const now = new Date();
  await VerifiedDomain.updateOne(
    { _id: emailDomain },
    { $set: { bounced: [], distrustedAt: now, isCatchAll: null, catchAllAt: null } },
  );
  await Lead.updateMany(
    { emailDomain, verificationStatus: "VALID" },
    { $set: { verificationStatus: "UNKNOWN", verifiedAt: now, ...reason("BOUNCES_OF_DOMAIN") } },
  );
}

function reason(reason: VerificationEvidence["reason"]) {
  return { "verification.reason": reason };
}
