import { LRUCache } from "lru-cache";
import { type Purpose, readToken } from "../../domain/access/tokens.ts";
import { AppError } from "../../domain/errors.ts";
import { locationOf } from "../../domain/templates/link-target.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import type { Visit } from "../../store/tracking/hits.ts";
import { loadTracked, type TrackedSend } from "../../store/tracking/tracked-send.ts";
import type { Services } from "../context.ts";
import { createHitBatches, type HitMetrics } from "./hit-batches.ts";
import { createVisitLimit } from "./visit-limit.ts";

/** Who asks, how and when. */
export type Visitor = Pick<Visit, "method" | "agent" | "address" | "at">;

/**
 * The target of a token's URL. HIDDEN: it is the invisible link of an email, which has no target. UNKNOWN: none of our
 * links has this token. AWAY: the database was needed and did not respond.
 */
export type Followed =
  | { kind: "LEADS"; location: string }
  | { kind: "HIDDEN" }
  | { kind: "UNKNOWN" }
  | { kind: "AWAY"; cause: unknown };

export interface Tracker {
  /** Returns the target of a link. Its hit will be stored soon, or already is if conversions depend on it. */
  follow(token: string, visitor: Visitor): Followed | Promise<Followed>;
  /** Records a request for the pixel, if one of our emails has this token. */
  open(token: string, visitor: Visitor): void;
  /** Records a request for a link that is not redirected to its target. */
  note(token: string, visitor: Visitor): void;
  /** Stores all waiting hits. */
  close(): Promise<void>;
}

export interface TrackerOptions {
  signing: Pick<Services["signing"], Purpose>;
  metrics: HitMetrics;
  /** Called once a minute while an address causes more hits than are stored. */
  onFlood(): void;
  /** The most hits of an address that are stored per minute. */
  mostAMinute?: number;
}

/** The data of an email that is needed to answer its links and pixel. */
interface Carried {
  workspaceId: string;
  opens: boolean;
  hiddenLink: boolean;
  links: { location: string; converts: boolean }[];
}

/** The most characters of targets in the cache, and how long they stay: longer than most database outages. */
const MOST_KEPT = 32_000_000;
const KEEP_MS = 6 * HOUR_MS;
/** The memory that a cache entry and each of its links need besides the target, in characters. */
const ENTRY = 500;
const LINK = 100;
/** The longest time in milliseconds that a person who follows a link waits for the database. */
const PATIENCE_MS = 2_000;
const UNKNOWN = { kind: "UNKNOWN" } as const;

/** Resolves the tracking URLs of emails, and records the visits (rules/tracking 2). */
export function createTracker({ signing, metrics, onFlood, mostAMinute }: TrackerOptions): Tracker {
  const kept = new LRUCache<string, Carried>({ maxSize: MOST_KEPT, sizeCalculation: sizeOf, ttl: KEEP_MS });
  const loading = new Map<string, Promise<Carried | null>>();
  const limit = createVisitLimit(mostAMinute);
  const batches = createHitBatches(workspacesOf, metrics);

  async function workspacesOf(visits: readonly Visit[]): Promise<Map<Visit, string>> {
    const unknown = new Set(visits.flatMap(({ sendId }) => (kept.has(sendId) ? [] : sendId)));
    const found = unknown.size === 0 ? new Map<string, TrackedSend>() : await loadTracked([...unknown]);
    const carried = new Map([...found].map(([sendId, send]) => [sendId, keep(send)]));
    return new Map(
      visits.flatMap((visit): [Visit, string][] => {
        const mail = carried.get(visit.sendId) ?? kept.get(visit.sendId);
        return mail !== undefined && carries(mail, visit) ? [[visit, mail.workspaceId]] : [];
      }),
    );
  }

  function keep({ _id, workspaceId, tracking }: TrackedSend): Carried {
    const links = tracking.links.map(({ url, converts }) => ({ location: locationOf(url), converts }));
    const carried = { workspaceId, opens: tracking.opens, hiddenLink: tracking.hiddenLink ?? false, links };
    kept.set(_id, carried);
    return carried;
  }

  /** Loads the data of an email. Concurrent visits of the same email share one query. */
  function load(sendId: string): Promise<Carried | null> {
    const asked = loading.get(sendId);
    if (asked !== undefined) return asked;
    const answer = loadTracked([sendId])
      .then((found) => found.get(sendId))
      .then((send) => (send === undefined ? null : keep(send)))
      .finally(() => loading.delete(sendId));
    loading.set(sendId, answer);
    return answer;
  }

  function isStored({ address, at }: Visitor): boolean {
    const { isStored, isFirst } = limit.take(address ?? "", at.getTime());
    if (!isStored) metrics.lost("FLOOD", 1);
    if (isFirst) onFlood();
    return isStored;
  }

  async function loadAndFollow(visit: Visit): Promise<Followed> {
    try {
      const mail = await within(load(visit.sendId));
      return mail === null ? UNKNOWN : await lead(mail, visit);
    } catch (cause) {
      return { kind: "AWAY", cause };
    }
  }

  function lead(mail: Carried, visit: Visit): Followed | Promise<Followed> {
    if (visit.kind === "HIDDEN") {
      if (!mail.hiddenLink) return UNKNOWN;
      if (isStored(visit)) batches.add(visit, mail.workspaceId);
      return { kind: "HIDDEN" };
    }
    const link = mail.links[visit.linkIndex ?? -1];
    if (link === undefined) return UNKNOWN;
    const leads = { kind: "LEADS", location: link.location } as const;
    if (!isStored(visit)) return leads;
    if (!link.converts) {
      batches.add(visit, mail.workspaceId);
      return leads;
    }
    // A person who clicked must reach the target even when our database fails: the target carries the cid, and the hit
    // waits in memory (rules/tracking 2.3)
    return within(batches.store(visit, mail.workspaceId)).then(
      () => leads,
      () => leads,
    );
  }

  return {
    follow(token, visitor) {
      const read = readToken(signing, "c", token);
      if (read === null) return UNKNOWN;
      const visit = visitOf(read.linkIndex === null ? "HIDDEN" : "CLICK", read, visitor);
      const mail = kept.get(read.sendId);
      // A later attempt to send the email may have added links since it was cached
      return mail === undefined || !carries(mail, visit) ? loadAndFollow(visit) : lead(mail, visit);
    },
    open(token, visitor) {
      const read = readToken(signing, "o", token);
      if (read === null || !isStored(visitor)) return;
      const mail = kept.get(read.sendId);
      if (mail === undefined || mail.opens)
        batches.add(visitOf("OPEN", { ...read, linkIndex: null }, visitor), mail?.workspaceId ?? null);
    },
    note(token, visitor) {
      const read = readToken(signing, "c", token);
      if (read === null || !isStored(visitor)) return;
      batches.add(visitOf(read.linkIndex === null ? "HIDDEN" : "CLICK", read, visitor), null);
    },
    close: () => batches.close(),
  };
}

function visitOf(
  kind: Visit["kind"],
  { sendId, linkIndex }: Pick<Visit, "sendId" | "linkIndex">,
  visitor: Visitor,
): Visit {
  const { method, agent, address, at } = visitor;
  return { sendId, kind, linkIndex, method, agent, address, at };
}

function carries(mail: Carried, { kind, linkIndex }: Visit): boolean {
  if (kind === "OPEN") return mail.opens;
  return kind === "HIDDEN" ? mail.hiddenLink : mail.links[linkIndex ?? -1] !== undefined;
}

function sizeOf({ links }: Carried): number {
  return links.reduce((size, { location }) => size + location.length + LINK, ENTRY);
}

/** @throws SERVICE_UNAVAILABLE when the work takes longer than a person should wait for a redirect */
async function within<T>(work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(
    () => reject(new AppError("SERVICE_UNAVAILABLE", "The database did not answer: try again")),
    PATIENCE_MS,
  );
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    work.catch(() => {}); // an error after the time-out must not be an unhandled rejection
  }
}
