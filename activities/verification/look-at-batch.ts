import pLimit from "p-limit";
import { orUnanswered } from "../../connectors/dns/answers.ts";
import { readMailHost } from "../../connectors/dns/mx.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { domainOf, normalizeAddress } from "../../domain/mail/message.ts";
import { DNS_LIMIT_MS } from "../../domain/mailboxes/dns-check.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { mailHostOf } from "../../domain/verification/etiquette.ts";
import {
  checkAddress,
  judgeAddress,
  judgeAnswer,
  judgeUnasked,
  type MailHostFacts,
  type ProbeAnswer,
} from "../../domain/verification/judge-address.ts";
import {
  VERIFICATION_RESULTS,
  type VerificationResultName,
  type VerificationVerdict,
} from "../../domain/verification/results.ts";
import type { VerificationSettings } from "../../domain/verification.ts";
import type { VerificationBatch } from "../../models/verification/verification-batch.ts";
import type { JobAtWork } from "../../store/jobs.ts";
import {
  type DomainKnowledge,
  type KnownAnswer,
  loadAnswers,
  loadDomains,
  noteMailHosts,
} from "../../store/verification/known-answers.ts";
import {
  type LookedAt,
  loadKnownResults,
  loadSubjects,
  recordBatch,
  type VerifiedLead,
} from "../../store/verification/results.ts";

export interface LookDeps {
  egress: Pick<Egress, "records">;
  /** Whether mail servers may be asked. If not, addresses that only a server could verify are UNKNOWN. */
  areServersAsked: boolean;
}

/**
 * The DNS answers found in this slice of the job. Null means that no server answered; the domain is not queried again
 * in this slice.
 */
export type Lookups = Map<string, MailHostFacts | null>;

const AT_ONCE = 50;
const MOST_LOOKUPS = 20_000;

/**
 * Checks the addresses of a batch by lists, DNS and stored results, and stores the results found in this way. The other
 * addresses wait until their mail server is asked.
 */
export async function lookAtBatch(
  { egress, areServersAsked }: LookDeps,
  job: JobAtWork,
  batch: VerificationBatch,
  settings: VerificationSettings,
  lookups: Lookups,
): Promise<void> {
  const now = Date.now();
  const subjects = await loadSubjects(job.workspaceId, batch);
  const resultsOfJob = await loadKnownResults(
    job,
    subjects.map(({ email }) => email),
  );
  const fresh = subjects.filter(({ email }) => !resultsOfJob.has(email));
  const addresses = fresh.flatMap(({ email }) => (isStoredForm(email) ? [email] : []));
  const domains = [...new Set(addresses.map(domainOf))];
  const knowledge = await loadDomains(domains, now);
  const [hosts, answers] = await Promise.all([
    findHosts(egress, domains, knowledge, lookups),
    areServersAsked ? loadAnswers(addresses, knowledge, now) : new Map<string, KnownAnswer>(),
  ]);
  const looked = fresh.map(({ email, lead }): LookedAt => {
    const about = { leadId: lead?._id ?? null, email, before: lead?.verificationStatus ?? null };
    const domain = domainOf(email);
    const keptResult = lead === null ? null : keptOf(lead, settings, knowledge.get(domain), now);
    if (keptResult !== null)
      return { ...about, outcome: { kind: "FOUND", verdict: keptResult, isFresh: false, isKept: true } };
    const found = (verdict: VerificationVerdict, isFresh = true): LookedAt => ({
      ...about,
      outcome: { kind: "FOUND", verdict, isFresh, isKept: false },
    });
    if (!isStoredForm(email))
      return found(verdictOf(email, { result: "INVALID", reason: "SYNTAX" }, { mailHost: null }));
    const checks = checkAddress(email);
    const facts = hosts.get(domain) ?? null;
    const mailHost = facts?.kind === "HOST" ? facts.exchange : null;
    const judged = judgeAddress(checks, domain, facts);
    if (judged.kind === "DECIDED") return found(verdictOf(email, judged, { mailHost }));
    if (!areServersAsked) return found(verdictOf(email, judgeUnasked(checks, "NOT_PROBED"), { mailHost }));
    const answer = answers.get(email);
    if (answer !== undefined) {
      const { smtpCode, enhancedCode, at: foundAt } = answer;
      return found(verdictOf(email, judgeAnswer(checks, answer), { mailHost, smtpCode, enhancedCode, foundAt }), false);
    }
    if (knowledge.get(domain)?.isCatchAll === true)
      return found(verdictOf(email, { result: "CATCH_ALL", reason: "ACCEPTS_ANY" }, { mailHost }));
    return { ...about, outcome: { kind: "WAITING", exchange: judged.exchange, host: mailHostOf(judged.exchange) } };
  });
  await recordBatch(job, batch, looked, batch.leadIds.length + batch.emails.length);
}

/**
 * The lead's earlier result if it still applies: a hard bounce, or a recent result of a domain that is trusted.
 * Otherwise null.
 */
function keptOf(
  { email, verificationStatus, verification, verifiedAt, suppressionReason }: VerifiedLead,
  { reverifyAfterDays }: VerificationSettings,
  domain: DomainKnowledge | undefined,
  now: number,
): VerificationVerdict | null {
  if (suppressionReason === "HARD_BOUNCE")
    return verdictOf(email, { result: "INVALID", reason: "BOUNCED" }, { mailHost: null });
  const at = verifiedAt?.getTime() ?? 0;
  if (!isResult(verificationStatus) || verificationStatus === "UNKNOWN" || at <= now - reverifyAfterDays * DAY_MS)
    return null;
  if (verificationStatus === "VALID" && at <= (domain?.distrustedAt ?? 0)) return null;
  if (verification) return { result: verificationStatus, evidence: verification };
  return verdictOf(email, { result: verificationStatus, reason: "KEPT" }, { mailHost: null, foundAt: at });
}

function isResult(status: string): status is VerificationResultName {
  return VERIFICATION_RESULTS.some((result) => result === status);
}

/** The mail host of each domain, from stored results or from DNS; null when no name server answered. */
async function findHosts(
  egress: LookDeps["egress"],
  domains: readonly string[],
  knowledge: ReadonlyMap<string, DomainKnowledge>,
  lookups: Lookups,
): Promise<Map<string, MailHostFacts | null>> {
  const slots = pLimit(AT_ONCE);
  const answered = new Map<string, MailHostFacts>();
  if (lookups.size > MOST_LOOKUPS) lookups.clear();
  const found = await Promise.all(
    domains.map((domain) =>
      slots(async (): Promise<[string, MailHostFacts | null]> => {
        const storedFacts = knowledge.get(domain)?.host ?? lookups.get(domain);
        if (storedFacts !== undefined) return [domain, storedFacts];
        const facts = await orUnanswered(() => egress.records(DNS_LIMIT_MS, (ask) => readMailHost(ask, domain)));
        lookups.set(domain, facts);
        if (facts !== null) answered.set(domain, facts);
        return [domain, facts];
      }),
    ),
  );
  await noteMailHosts(answered, Date.now());
  return new Map(found);
}

/**
 * Whether an address is normalised, as stored addresses are. A batch contains invalid addresses as they were entered.
 */
function isStoredForm(email: string): boolean {
  return normalizeAddress(email)?.address === email;
}

/** A result with everything that it is based on. */
export function verdictOf(
  email: string,
  { result, reason }: ProbeAnswer,
  {
    mailHost,
    smtpCode = null,
    enhancedCode = null,
    foundAt = Date.now(),
  }: {
    mailHost: string | null;
    smtpCode?: number | null;
    enhancedCode?: string | null;
    foundAt?: number;
  },
): VerificationVerdict {
  return { result, evidence: { reason, ...checkAddress(email), mailHost, smtpCode, enhancedCode, foundAt } };
}
