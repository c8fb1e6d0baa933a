import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "pino";
import type { Egress } from "../../connectors/net/egress.ts";
import { probeAddress } from "../../connectors/smtp/probe.ts";
import { domainOf } from "../../domain/mail/message.ts";
import { type Etiquette, nobodyAt } from "../../domain/verification/etiquette.ts";
import { checkAddress, judgeAnswer, judgeUnasked, type ProbeAnswer } from "../../domain/verification/judge-address.ts";
import { type ProbeOutcome, readProbe } from "../../domain/verification/probe-outcome.ts";
import type { VerificationReason } from "../../domain/verification.ts";
import type { VerificationResult } from "../../models/verification/verification-result.ts";
import type { JobAtWork, JobSliceLimits } from "../../store/jobs.ts";
import { claimHost, loadFreeTimes, noteAsked, returnHost } from "../../store/verification/hosts.ts";
import { loadAnswers, loadDomains, noteAnswer, noteCatchAll } from "../../store/verification/known-answers.ts";
import {
  findNextDue,
  loadWaiting,
  loadWaitingHosts,
  markNamed,
  putBack,
  recordResults,
  takeAbandoned,
  takeDue,
} from "../../store/verification/probes.ts";
import { verdictOf } from "./look-at-batch.ts";

export interface AskDeps {
  egress: Pick<Egress, "openTcp">;
  /** The host name in the EHLO greeting to mail servers. */
  helo: string;
  etiquette: Etiquette;
  log: Logger;
}

/** Hosts that one job asks at the same time. */
const LANES = 20;
/** Milliseconds that a running query to a mail server may still take when the worker shuts down. */
const LAST_WORDS_MS = 5_000;
const SHORTEST_WAIT_MS = 500;

/**
 * Thrown when another worker took over the row, or its job was cancelled, before the server was asked about the
 * address.
 */
class NotOurs extends Error {}

/**
 * Asks each mail host of a job that may be asked now about one address after another (rules/verification 3). Returns
 * the milliseconds until the next host may be asked, or null when no address is waiting.
 */
export async function askHosts(
  deps: AskDeps,
  job: JobAtWork,
  { signal, leftMs }: JobSliceLimits,
): Promise<number | null> {
  const lost = await takeAbandoned(job, new Date());
  await recordAs(job, lost, "PROBE_LOST");
  const waiting = await loadWaitingHosts(job);
  const free = await loadFreeTimes(
    waiting.map(({ host }) => host),
    deps.etiquette,
  );
  const turns = new Map(waiting.map(({ host, dueAt }) => [host, Math.max(dueAt, free.get(host) ?? 0)]));
  const busy = new Set<string>();

  async function lane(): Promise<void> {
    while (leftMs() > 0 && !signal.aborted) {
      const next = soonest(turns, busy);
      if (next === null || next.at - Date.now() >= leftMs()) return;
      busy.add(next.host);
      try {
        await delay(Math.max(0, next.at - Date.now()), undefined, { signal });
        const at = await askHost(deps, job, next.host, signal);
        if (at === null) turns.delete(next.host);
        else turns.set(next.host, at);
      } finally {
        busy.delete(next.host);
      }
    }
  }

  const lanes = await Promise.allSettled(Array.from({ length: Math.min(LANES, turns.size) }, lane));
  signal.throwIfAborted();
  for (const ended of lanes) if (ended.status === "rejected") throw ended.reason;
  const left = soonest(turns, busy);
  if (left !== null) return Math.max(SHORTEST_WAIT_MS, left.at - Date.now());
  return (await loadWaitingHosts(job)).length === 0 ? null : SHORTEST_WAIT_MS;
}

function soonest(turns: ReadonlyMap<string, number>, busy: ReadonlySet<string>): { host: string; at: number } | null {
  let first: { host: string; at: number } | null = null;
  for (const [host, at] of turns) if (!busy.has(host) && (first === null || at < first.at)) first = { host, at };
  return first;
}

/**
 * Asks a host about one address. Returns when the host may be asked about the next one, or null when no address is
 * waiting for it.
 */
async function askHost(deps: AskDeps, job: JobAtWork, host: string, signal: AbortSignal): Promise<number | null> {
  const { etiquette } = deps;
  // Checked first, so that the job does not wait for a host for which it has no address left
  const dueAt = await findNextDue(job, host);
  if (dueAt === null || dueAt > Date.now()) return dueAt;
  const claim = await claimHost(host, Date.now(), etiquette);
  if (claim.kind === "LATER") return Math.max(claim.at, Date.now() + SHORTEST_WAIT_MS);
  if (claim.kind === "STOPPED") {
    await giveUp(job, { host }, "HOST_REFUSES");
    return null;
  }
  const row = await takeDue(job, host, Date.now(), etiquette);
  if (row === null || (await isKnownMeanwhile(job, row))) {
    await returnHost(host, claim.leaseId, Date.now());
    return Date.now();
  }
  const outcome = await askAbout(deps, row, signal).catch(async (error) => {
    await noteAsked(host, claim.leaseId, { now: Date.now(), etiquette });
    if (error instanceof NotOurs) return null;
    throw error;
  });
  if (outcome === null) return Date.now() + etiquette.apartMs;
  const isStopped = outcome.kind === "STOP" || (outcome.kind === "ANSWERED" && outcome.isHostStopped);
  const stopMs = isStopped ? etiquette.stopMs : 0;
  const freeAt = await noteAsked(host, claim.leaseId, { now: Date.now(), etiquette, stopMs });
  await handleOutcome(deps, job, row, outcome);
  if (isStopped) await giveUp(job, { host }, "HOST_REFUSES");
  // If this was the job's last address, it does not wait until the host is free again
  const nextDueAt = await findNextDue(job, host);
  return nextDueAt === null ? null : Math.max(freeAt, nextDueAt);
}

/** Records the answer and returns true if it was found by other jobs while this address waited. */
async function isKnownMeanwhile(job: JobAtWork, row: VerificationResult): Promise<boolean> {
  const domain = domainOf(row.email);
  const domains = await loadDomains([domain], Date.now());
  const storedAnswer = (await loadAnswers([row.email], domains, Date.now())).get(row.email);
  const isCatchAll = domains.get(domain)?.isCatchAll === true;
  if (storedAnswer === undefined && !isCatchAll) return false;
  const { smtpCode = null, enhancedCode = null, at: foundAt = Date.now() } = storedAnswer ?? {};
  const answer = storedAnswer ?? { result: "CATCH_ALL" as const, reason: "ACCEPTS_ANY" as const };
  await recordAnswer(job, row, answer, { smtpCode, enhancedCode, foundAt });
  return true;
}

async function askAbout(
  { egress, helo, etiquette }: AskDeps,
  row: VerificationResult,
  signal: AbortSignal,
): Promise<ProbeOutcome> {
  const domain = domainOf(row.email);
  const refusesNobody = (await loadDomains([domain], Date.now())).get(domain)?.isCatchAll === false;
  let isNamed = false;
  const beforeAddress = async () => {
    if (!(await markNamed(row))) throw new NotOurs();
    isNamed = true;
  };
  try {
    const question = {
      exchange: row.exchange ?? domain,
      email: row.email,
      nobody: refusesNobody ? null : nobodyAt(domain),
      helo,
    };
    return readProbe(
      await probeAddress(egress, question, etiquette, beforeAddress, aWhileAfter(signal)),
      refusesNobody,
    );
  } catch (error) {
    if (!isNamed) await putBack(row, new Date(), false);
    throw error;
  }
}

/** Returns a signal that fires some seconds after the given one, so that a running query can finish. */
function aWhileAfter(signal: AbortSignal): AbortSignal {
  const late = new AbortController();
  const startTimer = () => setTimeout(() => late.abort(signal.reason), LAST_WORDS_MS).unref();
  if (signal.aborted) startTimer();
  else signal.addEventListener("abort", startTimer, { once: true });
  return late.signal;
}

async function handleOutcome(
  { etiquette, log }: AskDeps,
  job: JobAtWork,
  row: VerificationResult,
  outcome: ProbeOutcome,
): Promise<void> {
  const now = Date.now();
  log.debug({ jobId: job._id, host: row.host, kind: outcome.kind }, "asked a mail host about an address");
  switch (outcome.kind) {
    case "LATER": {
      if (row.attempts < 2) return putBack(row, new Date(now + etiquette.greylistMs), true);
      const codes = { smtpCode: outcome.code, enhancedCode: outcome.enhanced };
      return storeAnswer(job, row, { result: "UNKNOWN", reason: "GREYLISTED" }, codes);
    }
    case "ANSWERED": {
      const { answer, isCatchAll, code: smtpCode, enhanced: enhancedCode } = outcome;
      if (isCatchAll !== null) await noteCatchAll(domainOf(row.email), isCatchAll, now);
      return storeAnswer(job, row, answer, { smtpCode, enhancedCode });
    }
    case "STOP":
      return recordAs(job, [row], "HOST_REFUSES");
    case "UNREACHABLE":
      await recordAs(job, [row], "HOST_UNREACHABLE");
      return giveUp(job, { exchange: row.exchange ?? "" }, "HOST_UNREACHABLE");
  }
}

interface Codes {
  smtpCode: number | null;
  enhancedCode: string | null;
  foundAt?: number;
}

/** Stores the answer of a server for later lookups and records it on the job. */
async function storeAnswer(job: JobAtWork, row: VerificationResult, answer: ProbeAnswer, codes: Codes): Promise<void> {
  await noteAnswer(row.email, { ...answer, ...codes, at: Date.now() });
  await recordAnswer(job, row, answer, codes);
}

async function recordAnswer(job: JobAtWork, row: VerificationResult, answer: ProbeAnswer, codes: Codes): Promise<void> {
  const found = judgeAnswer(checkAddress(row.email), answer);
  await recordResults(job, [{ row, verdict: verdictOf(row.email, found, { mailHost: row.exchange, ...codes }) }]);
}

async function recordAs(
  job: JobAtWork,
  rows: readonly VerificationResult[],
  reason: VerificationReason,
): Promise<void> {
  const results = rows.map((row) => {
    const found = judgeUnasked(checkAddress(row.email), reason);
    return { row, verdict: verdictOf(row.email, found, { mailHost: row.exchange }) };
  });
  await recordResults(job, results);
}

/**
 * Records `reason` as the result of all addresses that wait for a host, or for one of its servers, because no server
 * will answer about them.
 */
async function giveUp(
  job: JobAtWork,
  of: { host: string } | { exchange: string },
  reason: VerificationReason,
): Promise<void> {
  for (;;) {
    const rows = await loadWaiting(job, of);
    if (rows.length === 0) return;
    await recordAs(job, rows, reason);
  }
}
