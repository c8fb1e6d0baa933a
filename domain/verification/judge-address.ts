import type { VerificationReason } from "../verification-evidence.ts";
import type { AddressChecks } from "./address-checks.ts";
import { isLeftAlone } from "./etiquette.ts";
import type { VerificationResultName } from "./results.ts";

/** Where the mail of a domain is received, as DNS says. */
export type MailHostFacts = { kind: "HOST"; exchange: string } | { kind: "NONE" } | { kind: "NULL_MX" };

export type AddressJudgement =
  | { kind: "DECIDED"; result: VerificationResultName; reason: VerificationReason }
  /** Only the server itself knows. */
  | { kind: "ASK"; exchange: string };

/** What lists and DNS say of an address (rules/verification 2); `host` is null when the name server did not answer. */
export function judgeAddress(checks: AddressChecks, domain: string, host: MailHostFacts | null): AddressJudgement {
  if (host?.kind === "NULL_MX") return decided("INVALID", "NULL_MX");
  if (host?.kind === "NONE") return decided("INVALID", "NO_MAIL_HOST");
  // Nobody reads a disposable address for long, so its server is not asked
  if (checks.isDisposable) return decided("RISKY", "DISPOSABLE");
  if (host === null) return decided("UNKNOWN", "DNS_UNANSWERED");
  if (isLeftAlone(domain)) return judgeUnasked(checks, "FREE_MAIL_NOT_PROBED");
  return { kind: "ASK", exchange: host.exchange };
}

/** The result of an address whose server is not asked, or gave no answer about it. */
export function judgeUnasked(checks: Pick<AddressChecks, "isRole">, reason: VerificationReason): AddressJudgement & { kind: "DECIDED" } {
  return checks.isRole ? decided("RISKY", "ROLE") : decided("UNKNOWN", reason);
}

/** An address that nobody in particular reads stays RISKY although its server takes it. */
export function judgeAnswer(checks: Pick<AddressChecks, "isRole">, answer: ProbeAnswer): AddressJudgement & { kind: "DECIDED" } {
  if (answer.result === "UNKNOWN") return judgeUnasked(checks, answer.reason);
  return answer.result === "VALID" && checks.isRole ? decided("RISKY", "ROLE") : decided(answer.result, answer.reason);
}

/** What a server said about an address, whoever reads it. */
export interface ProbeAnswer {
  result: VerificationResultName;
  reason: VerificationReason;
}

function decided(result: VerificationResultName, reason: VerificationReason): AddressJudgement & { kind: "DECIDED" } {
  return { kind: "DECIDED", result, reason };
}
