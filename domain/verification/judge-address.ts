import { disposableEmailBlocklistSet } from "disposable-email-domains-js";
import freeDomains from "free-email-domains";
import { isFreeMail } from "../mail/free-mail.ts";
import { domainOf, organisationOf } from "../mail/message.ts";
import { isRoleAddress } from "../values/address.ts";
import { meantDomain } from "../values/address-typo.ts";
import type { VerificationReason } from "../verification.ts";
import { isLeftAlone } from "./etiquette.ts";
import type { VerificationResultName } from "./results.ts";

/** Where the email of a domain is received, according to DNS. */
export type MailHostFacts = { kind: "HOST"; exchange: string } | { kind: "NONE" } | { kind: "NULL_MX" };

export type AddressJudgement =
  | { kind: "DECIDED"; result: VerificationResultName; reason: VerificationReason }
  /** Only the server itself knows. */
  | { kind: "ASK"; exchange: string };

/**
 * What lists and DNS say about an address (rules/verification 2); `host` is null when the name server did not answer.
 */
export function judgeAddress(checks: AddressChecks, domain: string, host: MailHostFacts | null): AddressJudgement {
  if (host?.kind === "NULL_MX") return decision("INVALID", "NULL_MX");
  if (host?.kind === "NONE") return decision("INVALID", "NO_MAIL_HOST");
  // No one reads a disposable address for long, so its server is not asked
  if (checks.isDisposable) return decision("RISKY", "DISPOSABLE");
  if (host === null) return decision("UNKNOWN", "DNS_UNANSWERED");
  if (isLeftAlone(domain)) return judgeUnasked(checks, "FREE_MAIL_NOT_PROBED");
  return { kind: "ASK", exchange: host.exchange };
}

/** The result of an address whose server is not asked, or gave no answer about it. */
export function judgeUnasked(
  checks: Pick<AddressChecks, "isRole">,
  reason: VerificationReason,
): AddressJudgement & { kind: "DECIDED" } {
  return checks.isRole ? decision("RISKY", "ROLE") : decision("UNKNOWN", reason);
}

/** An address that belongs to no one in particular stays RISKY although its server accepts it. */
export function judgeAnswer(
  checks: Pick<AddressChecks, "isRole">,
  answer: ProbeAnswer,
): AddressJudgement & { kind: "DECIDED" } {
  if (answer.result === "UNKNOWN") return judgeUnasked(checks, answer.reason);
  return answer.result === "VALID" && checks.isRole
    ? decision("RISKY", "ROLE")
    : decision(answer.result, answer.reason);
}

/** What a server said about an address. Any workspace may use it. */
export interface ProbeAnswer {
  result: VerificationResultName;
  reason: VerificationReason;
}

function decision(result: VerificationResultName, reason: VerificationReason): AddressJudgement & { kind: "DECIDED" } {
  return { kind: "DECIDED", result, reason };
}

/** What an address shows without a question to any server. */
interface AddressChecks {
  isDisposable: boolean;
  isRole: boolean;
  isFreeMail: boolean;
  suggestion: string | null;
}

const DISPOSABLE = disposableEmailBlocklistSet();
const FREE = new Set(freeDomains);

/** Checks an address by lists that are kept in packages. `email` is in its stored form. */
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
