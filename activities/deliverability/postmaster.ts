import { Context } from "@temporalio/activity";
import type { Logger } from "pino";
import type { Egress } from "../../connectors/net/egress.ts";
import { whyUnreached } from "../../connectors/net/why-unreached.ts";
import { type PostmasterClient, PostmasterTrouble, postmasterClient } from "../../connectors/postmaster.ts";
import type { PostmasterAccess } from "../../domain/deliverability/postmaster.ts";
import { daysToRead, loopDefinitions, type PostmasterError, pointsOf } from "../../domain/deliverability/postmaster.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { loadSendingDomains } from "../../store/deliverability/domains.ts";
import {
  loadPostmasterDomains,
  namesOfSenders,
  type PostmasterReading,
  savePostmasterReading,
} from "../../store/deliverability/postmaster.ts";
import type { Leg } from "../mailboxes/daily-round.ts";
import { legOverWorkspaces } from "./workspaces.ts";

export interface PostmasterDeps {
  egress: Egress;
  /** Null where the deployment has no credentials: nothing is read. */
  postmaster: PostmasterAccess | null;
  log: Pick<Logger, "warn">;
}

/** Milliseconds: a domain that was read within this time is skipped. */
const RECENT_MS = 20 * HOUR_MS;
/**
 * Milliseconds for everything about one domain, including waits; less than the two minutes within which the activity
 * must send a heartbeat.
 */
const DOMAIN_MS = 90_000;
/**
 * Errors that concern the Google account, not a single domain: after one of these, nothing more is read in this round.
 */
const OF_ACCOUNT: ReadonlySet<PostmasterError> = new Set(["RATE_LIMITED", "CREDENTIALS_REFUSED"]);

/**
 * The part of the daily round that reads Google's Postmaster Tools (rules/deliverability 7); empty without credentials.
 */
export function postmasterLegs({ egress, postmaster, log }: PostmasterDeps): Leg[] {
  if (postmaster === null) return [];
  const client = postmasterClient(egress, postmaster);
  return [legOverWorkspaces(() => readingOf(client, log))];
}

/**
 * Reads for one round: the domains of the account are listed once, and a domain that several workspaces use is read
 * once.
 */
function readingOf(client: PostmasterClient, log: PostmasterDeps["log"]) {
  let listing: ReturnType<typeof listDomains> | null = null;
  let stoppedBy: PostmasterError | null = null;
  const readings = new Map<string, Promise<PostmasterReading>>();

  return async (workspaceId: string, beat: () => void): Promise<void> => {
    try {
      const names = namesOfSenders(await loadSendingDomains(workspaceId));
      const stateOf = await loadPostmasterDomains(workspaceId, names);
      for (const domain of names) {
        const { readAt = null, error = null } = stateOf.get(domain) ?? {};
        if (error === null && (readAt?.getTime() ?? 0) > Date.now() - RECENT_MS) continue;
        beat();
        const reading = await readOnce(domain, daysToRead(readAt, Date.now()));
        await savePostmasterReading(workspaceId, domain, reading, new Date());
        beat();
      }
    } catch (err) {
      Context.current().cancellationSignal.throwIfAborted();
      log.warn({ err, workspaceId }, "failed to store Postmaster data of a workspace");
    }
  };

  function readOnce(domain: string, days: { since: string; until: string }): Promise<PostmasterReading> {
    const key = `${domain} ${days.since}`;
    const reading = readings.get(key) ?? readDomain(domain, days);
    readings.set(key, reading);
    return reading;
  }

  async function readDomain(domain: string, days: { since: string; until: string }): Promise<PostmasterReading> {
    listing ??= listDomains();
    const { domains, error } = await listing;
    if (error !== null || stoppedBy !== null) return emptyReading(error ?? stoppedBy);
    const listed = domains.get(domain);
    if (listed === undefined) return emptyReading("NOT_LISTED");
    if (!listed.isVerified) return emptyReading("UNVERIFIED");
    const signal = AbortSignal.any([AbortSignal.timeout(DOMAIN_MS), Context.current().cancellationSignal]);
    const points = await attempt(async () => {
      const stats = await client.readStats(domain, days, signal);
      const loops = loopDefinitions(stats);
      if (loops === null) return pointsOf(stats);
      return pointsOf(stats, await client.readStats(domain, days, signal, loops.definitions), loops.idOf);
    }, domain);
    if (points.error !== null && OF_ACCOUNT.has(points.error)) return emptyReading(points.error);
    const compliance = await attempt(() => client.readCompliance(domain, signal), domain);
    return { points: points.found, compliance: compliance.found, error: points.error ?? compliance.error };
  }

  async function listDomains() {
    const signal = AbortSignal.any([AbortSignal.timeout(DOMAIN_MS), Context.current().cancellationSignal]);
    const { found, error } = await attempt(() => client.listDomains(signal), null);
    return { domains: found ?? new Map<string, { isVerified: boolean }>(), error };
  }

  /** Runs `work` and returns an error as its code. Throws only when the round is cancelled. */
  async function attempt<T>(
    work: () => Promise<T>,
    domain: string | null,
  ): Promise<{ found: T; error: null } | { found: null; error: PostmasterError }> {
    try {
      return { found: await work(), error: null };
    } catch (err) {
      Context.current().cancellationSignal.throwIfAborted();
      const error = err instanceof PostmasterTrouble ? err.code : "UNAVAILABLE";
      const reasons = err instanceof PostmasterTrouble ? err.reasons : [];
      log.warn({ err, domain, error, reasons, why: whyUnreached(err) }, "Google's Postmaster Tools could not be read");
      if (OF_ACCOUNT.has(error)) stoppedBy = error;
      return { found: null, error };
    }
  }
}

function emptyReading(error: PostmasterError | null): PostmasterReading {
  return { points: null, compliance: null, error };
}
