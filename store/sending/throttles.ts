import type { Settings } from "../../domain/campaigns/settings.ts";
import { periodAt, type Throttle, type ThrottleKind } from "../../domain/sending/throttle.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

/** The throttle counts of a booking. They are correct only if the email is sent before `until`. */
export interface BookedThrottles {
  ids: string[];
  until: Date;
}

/** The start instants of the full periods, by throttle scope. */
export type Full = ReadonlyMap<string, ReadonlySet<number>>;

/**
 * The full periods of these throttles from an instant on, in one query, or in none without a throttle. `without` lists
 * the counts of a booking that is about to be released.
 */
export async function fullPeriods(
  workspaceId: string,
  throttles: readonly Throttle[],
  from: number,
  without: readonly string[] = [],
): Promise<Full> {
  if (throttles.length === 0) return NONE_FULL;
  const scopes = throttles.map(({ scope }) => scope);
  const { ThrottleCount } = scoped(workspaceId);
  const counts = await ThrottleCount.find({ scope: trusted({ $in: scopes }), until: trusted({ $gt: new Date(from) }) });
  return new Map(
    throttles.map(({ scope, limit, periodMs }) => {
      const full = counts.filter(
        (counted) => counted.scope === scope && counted.count - (without.includes(counted._id) ? 1 : 0) >= limit,
      );
      return [scope, new Set(full.map(({ until }) => until.getTime() - periodMs))];
    }),
  );
}

const NONE_FULL: Full = new Map();

/** The throttle whose limit is reached at this instant; null when there is none. */
export function fullAt(full: Full, throttles: readonly Throttle[], at: number): Throttle | null {
  return throttles.find((throttle) => full.get(throttle.scope)?.has(periodAt(throttle, at).start)) ?? null;
}

/**
 * Counts an email in the throttle periods of its slot; null without throttles. Call it in the transaction of its
 * booking.
 */
export async function countThrottles(
  workspaceId: string,
  throttles: readonly Throttle[],
  slotAt: Date,
): Promise<BookedThrottles | null> {
  if (throttles.length === 0) return null;
  const { ThrottleCount } = scoped(workspaceId);
  const periods = throttles.map((throttle) => ({ ...throttle, ...periodAt(throttle, slotAt.getTime()) }));
  const ids: string[] = [];
  for (const { kind, scope, start, end } of periods) {
    const _id = `${workspaceId}:${scope}:${start}`;
    await ThrottleCount.updateOne(
      { _id },
      { $inc: { count: 1 }, $setOnInsert: { scope, kind, until: new Date(end) } },
      { upsert: true },
    );
    ids.push(_id);
  }
  return { ids, until: new Date(Math.min(...periods.map(({ end }) => end))) };
}

/** Undoes the counts of a booking. */
export async function uncountThrottles(workspaceId: string, counted: BookedThrottles | null): Promise<void> {
  if (!counted) return;
  const { ThrottleCount } = scoped(workspaceId);
  for (const _id of counted.ids) await ThrottleCount.updateOne({ _id }, { $inc: { count: -1 } });
}

/** The recipient domains, sender domains and companies whose throttle limits are reached in the current periods. */
export async function fullScopes({ workspaceId, _id: campaignId }: Campaign, settings: Settings, now: number) {
  const limits: [ThrottleKind, number | null, number][] = [
    ["COMPANY", settings.companyDailyLimit, DAY_MS],
    ["RECIPIENT_DOMAIN", settings.recipientDomainHourlyLimit, HOUR_MS],
    ["SENDER_DOMAIN", settings.senderDomainHourlyLimit, HOUR_MS],
  ];
  const full = limits.flatMap(([kind, limit, periodMs]) =>
    limit === null ? [] : [{ kind, count: trusted({ $gte: limit }), until: new Date(periodAt({ periodMs }, now).end) }],
  );
  const counts =
    full.length === 0
      ? []
      : await scoped(workspaceId).ThrottleCount.find({ $or: full }, { select: { kind: 1, scope: 1 } });
  const prefix = settings.companyLimitScope === "CAMPAIGN" ? `${campaignId}:` : "";
  const keysOf = (kind: ThrottleKind) =>
    counts.flatMap((counted) => (counted.kind === kind ? [counted.scope.slice(kind.length + 1)] : []));
  return {
    recipientDomains: keysOf("RECIPIENT_DOMAIN"),
    senderDomains: keysOf("SENDER_DOMAIN"),
    companies: keysOf("COMPANY").flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : [])),
  };
}
