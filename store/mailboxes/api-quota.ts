import { createHash, randomUUID } from "node:crypto";
import type { MailApi } from "../../domain/mailboxes/transport.ts";
import type { ApiLimits } from "../../domain/sending/api-quota.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { ApiQuota } from "../../models/mailboxes/api-quota.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";

/** Into how many slots a window is divided. Units count until the whole slot in which they were spent is too old. */
const SLOTS = 12;
/** Milliseconds until a request that finds all leases taken asks again. */
const LEASED_MS = 100;
/** A crash of the database may lose the last counts, because waiting for its journal would slow each request down. */
const UNSAFE = { writeConcern: { w: 1, journal: false } } as const;

/** `at`: the instant by the database's clock. `waitMs`: when it is worth asking again. */
export type Taken = { isTaken: true; leaseId: string; at: Date } | { isTaken: false; waitMs: number };

/** The same for all workspaces: the provider counts by mailbox. */
export function quotaKey({ transport }: Pick<MailApi, "transport">, address: string): string {
  return createHash("sha256").update(`${transport} ${address.toLowerCase()}`).digest("base64url");
}

/**
 * Takes units and a lease in one write, if the limits allow it and the provider does not want the mailbox to wait. In
 * no time of the window are more units taken, over all processes. The lease ends after `leaseMs` if no one ends it.
 */
export async function takeQuota(key: string, units: number, leaseMs: number, limits: ApiLimits): Promise<Taken> {
  const slotMs = limits.windowMs / SLOTS;
  const leaseId = randomUUID();
  const slot = { $floor: { $divide: [{ $toLong: "$$NOW" }, slotMs] } };
  const isOpen = { $lte: [{ $ifNull: ["$blockedUntil", new Date(0)] }, "$$NOW"] };
  const hasUnits = { $lte: [{ $add: [{ $sum: "$spent.units" }, units] }, limits.units] };
  const hasLease = limits.atOnce === null || { $lt: [{ $size: "$leases" }, limits.atOnce] };
  const isNow = { $eq: ["$$this.slot", slot] };
  const before = { $filter: { input: "$spent", cond: { $not: isNow } } };
  const spentNow = { $sum: { $map: { input: "$spent", in: { $cond: [isNow, "$$this.units", 0] } } } };
  const lease = { id: leaseId, until: { $add: ["$$NOW", leaseMs] } };
  const change = [
    {
      $set: {
        at: "$$NOW",
        expire: { $add: ["$$NOW", DAY_MS] },
        spent: listOf("$spent", { $gte: ["$$this.slot", { $subtract: [slot, SLOTS] }] }),
        leases: listOf("$leases", { $gt: ["$$this.until", "$$NOW"] }),
      },
    },
    { $set: { takenBy: { $cond: [{ $and: [isOpen, hasUnits, hasLease] }, leaseId, "$takenBy"] } } },
    {
      $set: Object.fromEntries(
        Object.entries({
          spent: { $concatArrays: [before, [{ slot, units: { $add: [spentNow, units] } }]] },
          ...(limits.atOnce !== null && { leases: { $concatArrays: ["$leases", [lease]] } }),
        }).map(([name, value]) => [name, { $cond: [{ $eq: ["$takenBy", leaseId] }, value, `$${name}`] }]),
      ),
    },
  ];
  const quota = await changeQuota(key, change);
  if (quota.takenBy === leaseId) return { isTaken: true, leaseId, at: quota.at };
  return { isTaken: false, waitMs: waitOf(quota, units, limits, slotMs) };
}

/** Ends a lease that `takeQuota` took. */
export async function endLease(key: string, leaseId: string, { atOnce }: ApiLimits): Promise<void> {
  if (atOnce === null) return;
  await ApiQuota.collection.updateOne({ _id: key as never }, { $pull: { leases: { id: leaseId } as never } }, UNSAFE);
}

/** Lets all requests of the mailbox wait; an earlier end of the wait changes nothing. */
export async function blockQuota(key: string, ms: number): Promise<void> {
  const until = { $add: ["$$NOW", Math.ceil(ms)] };
  await changeQuota(key, [
    {
      $set: {
        at: "$$NOW",
        blockedUntil: { $max: ["$blockedUntil", until] },
        expire: { $max: ["$expire", { $add: [until, DAY_MS] }] },
      },
    },
  ]);
}

async function changeQuota(key: string, change: object[]): Promise<ApiQuota> {
  const write = () =>
    ApiQuota.collection.findOneAndUpdate({ _id: key as never }, change, {
      upsert: true,
      returnDocument: "after",
      ...UNSAFE,
    });
  // Two first requests at the same moment: one of them finds the document of the other
  const changed = await write().catch((error: unknown) => {
    if (isDuplicateKey(error)) return write();
    throw error;
  });
  return changed as unknown as ApiQuota; // the collection of the model has its documents
}

/** A list of the document without the entries that no longer count. */
function listOf(field: string, cond: object): object {
  return { $filter: { input: { $ifNull: [field, []] }, cond } };
}

function waitOf(quota: ApiQuota, units: number, limits: ApiLimits, slotMs: number): number {
  const now = quota.at.getTime();
  const blockedMs = (quota.blockedUntil?.getTime() ?? 0) - now;
  if (blockedMs > 0) return blockedMs;
  let spent = quota.spent.reduce((sum, one) => sum + one.units, 0);
  let freeAt = 0;
  for (const one of quota.spent.toSorted((a, b) => a.slot - b.slot)) {
    if (spent + units <= limits.units) break;
    spent -= one.units;
    freeAt = (one.slot + SLOTS + 1) * slotMs;
  }
  return Math.max(LEASED_MS, freeAt - now);
}
