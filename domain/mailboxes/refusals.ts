import type { RefusalSubject, SmtpRefusal } from "../bounces/refusal.ts";
import { DAY_MS, HOUR_MS } from "../time/durations.ts";

/** How an attempt to send an email ended: accepted or refused, and what the refusal is evidence about. */
export type AttemptVerdict = "ACCEPTED" | "RECIPIENT" | "ORGANISATION" | "CONTENT" | "POLICY" | "SENDER" | "RATE";

export interface RefusalAttempt {
  /** Epoch milliseconds. */
  at: number;
  organisation: string;
  /** The registrable domain of the organisation's MX; if the MX is not known, the organisation itself. */
  provider: string;
  verdict: AttemptVerdict;
  /** Identifies the text that was sent; null if the text does not matter. */
  text: string | null;
}

/** How many attempts are examined, and how many milliseconds back (rules/sending 10.8). */
export const LAST_ATTEMPTS = 20;
const EVIDENCE_WINDOW_MS = DAY_MS;
/**
 * How many refusing organisations of one provider make a mailbox pause for that provider, how many refusing providers
 * make the mailbox cool down, and how many of the last organisations do so if all of them refuse (rules/sending 10.8).
 */
const ORGANISATIONS_OF_PROVIDER = 3;
const PROVIDERS = 2;
const LAST_ORGANISATIONS = 5;
/**
 * How many milliseconds after a policy refusal without a known reason the recipient is tried again. After the last try
 * its sequence ends (rules/sending 10.2).
 */
export const POLICY_WAITS_MS = [4 * HOUR_MS, 24 * HOUR_MS] as const;
/**
 * For how long after a cool-down the mailbox sends to other organisations before those that refused. The time ends
 * sooner if one of them accepts an email (rules/sending 10.9).
 */
export const OTHERS_FIRST_MS = 4 * HOUR_MS;

/** The effect of the refusals on the mailbox, besides the retries for the refused recipients. */
export type RefusalDecision = { kind: "GO_ON" } | { kind: "PAUSE_PROVIDER"; provider: string } | { kind: "COOL_DOWN" };

const VERDICTS: Partial<Record<RefusalSubject, AttemptVerdict>> = {
  recipient: "RECIPIENT",
  organisation: "ORGANISATION",
  content: "CONTENT",
  policy: "POLICY",
  sender: "SENDER",
  rate: "RATE",
};

/** The verdict of a refusal as it is stored; null for a temporary fault, after which the attempt is repeated. */
export function verdictOfRefusal({
  about,
  effect,
}: Pick<SmtpRefusal, "about" | "effect">): Exclude<AttemptVerdict, "ACCEPTED"> | null {
  const verdict = effect === "RETRY" || effect === "SLOW_DOWN" ? undefined : VERDICTS[about];
  return verdict === undefined || verdict === "ACCEPTED" ? null : verdict;
}

/**
 * The attempts that count, the newest first: the last twenty of a day, without those on which an earlier decision is
 * based.
 */
export function lastAttempts<A extends Pick<RefusalAttempt, "at">>(
  attempts: readonly A[],
  now: number,
  since = 0,
): A[] {
  const from = now - EVIDENCE_WINDOW_MS;
  return attempts
    .filter(({ at }) => at > from && at > since)
    .toSorted((one, other) => other.at - one.at)
    .slice(0, LAST_ATTEMPTS);
}

/**
 * Whether refusals without a reason are about the mailbox (rules/sending 10.8). An organisation or a provider counts as
 * refusing while it has refused more of the mailbox's last emails than it has accepted.
 */
export function judgeRefusals(attempts: readonly RefusalAttempt[]): RefusalDecision {
  const counted = weighAttempts(attempts);
  const refusing = refusingOf(counted, ({ provider }) => provider);
  const organisations = [...new Set(counted.map(({ organisation }) => organisation))].slice(0, LAST_ORGANISATIONS);
  const refused = new Set(refusingOf(counted, ({ organisation }) => organisation));
  const isRefusedByAll =
    organisations.length === LAST_ORGANISATIONS && organisations.every((organisation) => refused.has(organisation));
  if (refusing.length >= PROVIDERS || isRefusedByAll) return { kind: "COOL_DOWN" };
  const [provider] = refusing;
  if (provider === undefined) return { kind: "GO_ON" };
  const refusals = counted.filter((attempt) => attempt.provider === provider && attempt.isRefused);
  const isMany = new Set(refusals.map(({ organisation }) => organisation)).size >= ORGANISATIONS_OF_PROVIDER;
  return isMany ? { kind: "PAUSE_PROVIDER", provider } : { kind: "GO_ON" };
}

/** The organisations that refuse the mailbox, whether they say why or not. */
export function refusingOrganisations(attempts: readonly RefusalAttempt[]): string[] {
  const outcomes = attempts.flatMap((attempt): Weighed[] => {
    const isRefused = isAboutUs(attempt) && attempt.verdict !== "RATE";
    return isRefused || attempt.verdict === "ACCEPTED" ? [{ ...attempt, isRefused }] : [];
  });
  return refusingOf(outcomes, ({ organisation }) => organisation);
}

interface Weighed extends RefusalAttempt {
  isRefused: boolean;
}

/**
 * The accepted emails, and the refusals that may be about the mailbox. While only one text was refused, its refusals
 * are taken to be about the text and are left out.
 */
function weighAttempts(attempts: readonly RefusalAttempt[]): Weighed[] {
  const texts = new Set(
    attempts.flatMap(({ verdict, text }) => (isUnexplained(verdict) && text !== null ? [text] : [])),
  );
  return attempts.flatMap((attempt): Weighed[] => {
    const { verdict, text } = attempt;
    const isRefused = verdict === "POLICY" || (verdict === "CONTENT" && text !== null && texts.size > 1);
    return isRefused || verdict === "ACCEPTED" ? [{ ...attempt, isRefused }] : [];
  });
}

/** The names that refused more than they accepted. */
function refusingOf(attempts: readonly Weighed[], nameOf: (attempt: RefusalAttempt) => string): string[] {
  const balance = new Map<string, number>();
  for (const attempt of attempts)
    balance.set(nameOf(attempt), (balance.get(nameOf(attempt)) ?? 0) + (attempt.isRefused ? 1 : -1));
  return [...balance].flatMap(([name, more]) => (more > 0 ? [name] : []));
}

function isUnexplained(verdict: AttemptVerdict): boolean {
  return verdict === "POLICY" || verdict === "CONTENT";
}

function isAboutUs({ verdict, text }: Pick<RefusalAttempt, "verdict" | "text">): boolean {
  return verdict === "POLICY" || verdict === "SENDER" || verdict === "RATE" || (verdict === "CONTENT" && text !== null);
}

/** The outcomes of a mailbox's last emails, in numbers. */
export interface RefusalCounts {
  attempts: number;
  accepted: number;
  /** The organisations that refused, the most refusals first. */
  refused: { organisation: string; count: number }[];
}

export function countRefusals(
  attempts: readonly Pick<RefusalAttempt, "verdict" | "organisation" | "text">[],
): RefusalCounts {
  const counts = new Map<string, number>();
  for (const attempt of attempts) {
    if (isAboutUs(attempt)) counts.set(attempt.organisation, (counts.get(attempt.organisation) ?? 0) + 1);
  }
  const refused = [...counts]
    .map(([organisation, count]) => ({ organisation, count }))
    .sort((one, other) => other.count - one.count);
  return {
    attempts: attempts.length,
    accepted: attempts.filter(({ verdict }) => verdict === "ACCEPTED").length,
    refused,
  };
}
