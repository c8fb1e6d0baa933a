import { ADDRESS_DAYS } from "../../domain/hits.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { networkOf } from "../../domain/tracking/networks.ts";
import { Hit, hitsOfSend } from "../../models/hit.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_COUNT, IS_INSTANT } from "../../mongo/schema.ts";

const everywhere = { acrossWorkspaces: true };

/** Hits of these sends of a workspace, oldest first within each send. */
export async function findHits(workspaceId: string, sendIds: readonly string[]): Promise<Hit[]> {
  if (sendIds.length === 0) return [];
  const ranges = sendIds.map((sendId) => ({ _id: trusted(hitsOfSend(sendId)) }));
  return scoped(workspaceId).Hit.find({ $or: ranges }, { sort: { _id: 1 } });
}

/** Hits of all workspaces whose verdict is due, the oldest first. */
export function findDueHits(now: Date, limit: number): Promise<Hit[]> {
  return Hit.find({ $and: [{ dueAt: trusted(IS_INSTANT) }, { dueAt: trusted({ $lte: now }) }] })
    .setOptions(everywhere)
    .sort({ dueAt: 1 })
    .limit(limit)
    .lean<Hit[]>();
}

/** The day, counted from 1970 in UTC, on which the address of a hit is cut (rules/tracking 3.6). */
export function cutDayOf(at: number): number {
  return Math.floor(at / DAY_MS) + ADDRESS_DAYS;
}

/** Cuts the addresses whose day has come to their networks. Returns how many hits it looked at. */
export async function cutAddresses(now: number, limit: number): Promise<number> {
  const today = Math.floor(now / DAY_MS);
  const due = await Hit.find({ $and: [{ cutOn: trusted(IS_COUNT) }, { cutOn: trusted({ $lte: today }) }] }, { workspaceId: 1, address: 1 })
    .setOptions(everywhere)
    .limit(limit)
    .lean<Pick<Hit, "_id" | "workspaceId" | "address">[]>();
  for (const [workspaceId, own] of Map.groupBy(due, (hit) => hit.workspaceId)) {
    const changes = own.map(({ _id, address }) => ({
      filter: { _id },
      change: { $set: { address: address === null ? null : networkOf(address), cutOn: null } },
    }));
    await scoped(workspaceId).Hit.wroteAll(changes);
  }
  return due.length;
}
