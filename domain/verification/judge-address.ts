import { disposableEmailBlocklistSet } from "disposable-email-domains-js";
import freeDomains from "free-email-domains";
import { isFreeMail } from "../mail/free-mail.ts";
import { domainOf, organisationOf } from "../mail/message.ts";
import { isRoleAddress } from "../values/address.ts";
import { meantDomain } from "../values/address-typo.ts";
import type { VerificationReason } from "../verification.ts";
import { isLeftAlone } from "./etiquette.ts";
import type { VerificationResultName } from "./results.ts";

/** The server that receives the email of a domain, according to DNS. */
export type MailHostFacts = { kind: "HOST"; exchange: string } | { kind: "NONE" } | { kind: "NULL_MX" };

export type AddressJudgement =
  | { kind: "DECIDED"; result: VerificationResultName; reason: VerificationReason }
  /** Only a query to the mail server can decide. */
  | { kind: "ASK"; exchange: string };

/**
 * Judges an address by lists and DNS (rules/verification 2). `host` is null if the name server did not answer.
 */
export function judgeAddress(checks: AddressChecks, domain: string, host: MailHostFacts | null): AddressJudgement {
  if (host?.kind === "NULL_MX") return decision("INVALID", "NULL_MX");
  if (host?.kind === "NONE") return decision("INVALID", "NO_MAIL_HOST");
  // No one reads a disposable address for long, so there is no query to its server
  if (checks.isDisposable) return decision("RISKY", "DISPOSABLE");
  if (host === null) return decision("UNKNOWN", "DNS_UNANSWERED");
  if (isLeftAlone(domain)) return judgeUnasked(checks, "FREE_MAIL_NOT_PROBED");
  return { kind: "ASK", exchange: host.exchange };
}

/** The result of an address without a query to its server, or without an answer from it. */
export function judgeUnasked(
  checks: Pick<AddressChecks, "isRole">,
  reason: VerificationReason,
): AddressJudgement & { kind: "DECIDED" } {
  return checks.isRole ? decision("RISKY", "ROLE") : decision("UNKNOWN", reason);
}

/** The result of an address after its server's answer. A role address stays RISKY, even if the server accepts it. */
export function judgeAnswer(
  checks: Pick<AddressChecks, "isRole">,
  answer: ProbeAnswer,
): AddressJudgement & { kind: "DECIDED" } {
  if (answer.result === "UNKNOWN") return judgeUnasked(checks, answer.reason);
  return answer.result === "VALID" && checks.isRole
    ? decision("RISKY", "ROLE")
    : decision(answer.result, answer.reason);
}

/** The answer of a server about an address. Any workspace may use it. */
export interface ProbeAnswer {
  result: VerificationResultName;
  reason: VerificationReason;
}

function decision(result: VerificationResultName, reason: VerificationReason): AddressJudgement & { kind: "DECIDED" } {
  return { kind: "DECIDED", result, reason };
}

/** The facts about an address that need no query to a server. */
interface AddressChecks {
  isDisposable: boolean;
  isRole: boolean;
  isFreeMail: boolean;
  suggestion: string | null;
}

const DISPOSABLE = disposableEmailBlocklistSet();
const FREE = new Set(freeDomains);

/** Checks an address with the lists of packages. `email` is in its stored form. */
export function checkAddress(email: string): AddressChecks {
  const domain = domainOf(email);
  return { ...checkDomain(domain), isRole: isRoleAddress(email), suggestion: suggestionOf(email, domain) };
}

function checkDomain(domain: string): Pick<AddressChecks, "isDisposable" | "isFreeMail"> {
  const organisation = organisationOf(domain);
  return {
    isDisposable: DISPOSABLE.has(domain) || DISPOSABLE.has(organisation),
    isFreeMail: FREE.has(domain) || isFreeMail(domain),
  };
}

function suggestionOf(email: string, domain: string): string | null {
  const likelyDomain = meantDomain(domain);
  return likelyDomain === null ? null : `${email.slice(0, email.lastIndexOf("@"))}@${likelyDomain}`;
}
