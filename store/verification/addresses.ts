import { addressHashOf } from "../../domain/leads/address-hash.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { KEPT_MS } from "../../domain/verification/etiquette.ts";
import type { ProbeAnswer } from "../../domain/verification/judge-address.ts";
import { VerifiedAddress } from "../../models/verified-address.ts";
import { trusted } from "../../mongo/collection.ts";
import type { DomainKnowledge } from "./domains.ts";

/** An answer of a mail server about an address, and when it gave it. */
export interface KnownAnswer extends ProbeAnswer {
  smtpCode: number | null;
  enhancedCode: string | null;
  at: number;
}

/** The answers that are known and still believed: those of a domain that is distrusted only when they came afterwards. */
export async function loadAnswers(
  emails: readonly string[],
  domains: ReadonlyMap<string, Pick<DomainKnowledge, "distrustedAt">>,
  now: number,
): Promise<Map<string, KnownAnswer>> {
  const byHash = new Map(emails.map((email) => [addressHashOf(email), email]));
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

export async function noteAnswer(email: string, { result, reason, smtpCode, enhancedCode, at }: KnownAnswer): Promise<void> {
  const answer = { domain: domainOf(email), result, reason, smtpCode, enhancedCode };
  const $set = { ...answer, checkedAt: new Date(at), expiresAt: new Date(at + KEPT_MS) };
  await VerifiedAddress.updateOne({ _id: addressHashOf(email) }, { $set }, { upsert: true });
}
