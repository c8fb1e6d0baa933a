import { AppError } from "../../domain/errors.ts";
import { type PoolShare, SHARED } from "../../domain/warmup/enrolment.ts";
import { scoped } from "../../models/scoped.ts";
import type { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import type { WarmupPool } from "../../models/warmup/warmup-pool.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../outbox.ts";
import { changeWarmup } from "./enrol.ts";

export const POOL_LIMITS = { pools: 50, mailboxes: 500 } as const;

/**
 * Creates a private pool of mailboxes of the workspace. A mailbox uses the pool only after its own warmup settings
 * include it.
 * @throws AppError MAILBOX_NOT_FOUND, LIMIT_EXCEEDED, INVALID_STATE_TRANSITION when a pool already has this name
 */
export async function createPool(
  workspaceId: string,
  name: string,
  mailboxIds: readonly string[],
): Promise<WarmupPool> {
  try {
    return await inTransaction(async () => {
      const { Mailbox, WarmupPool } = scoped(workspaceId);
      const ids = [...new Set(mailboxIds)];
      if ((await Mailbox.count({ _id: trusted({ $in: ids }) })) < ids.length)
        throw new AppError("MAILBOX_NOT_FOUND", "No mailbox has this id");
      if ((await WarmupPool.count()) >= POOL_LIMITS.pools)
        throw new AppError("LIMIT_EXCEEDED", `A workspace has at most ${POOL_LIMITS.pools} private pools`, {
          limit: POOL_LIMITS.pools,
        });
      return WarmupPool.insert({ _id: newId("wpl"), name, mailboxIds: ids });
    });
  } catch (err) {
    if (!isDuplicateKey(err)) throw err;
    throw new AppError("INVALID_STATE_TRANSITION", "A private pool with this name already exists", {
      action: "createPrivate",
    });
  }
}

/** Deletes a private pool and removes it from the settings of its mailboxes. Their other shares do not change. */
export function deletePool(workspaceId: string, poolId: string): Promise<void> {
  return inTransaction(async () => {
    const { WarmupEnrolment, WarmupPool } = scoped(workspaceId);
    if ((await WarmupPool.deleteOne({ _id: poolId })) === 0)
      throw new AppError("POOL_NOT_FOUND", "No pool has this id");
    const members = await WarmupEnrolment.find({ "pools.type": poolId }, { select: { _id: 1 } });
    await WarmupEnrolment.updateMany(
      { "pools.type": poolId },
      { $pull: { pools: { type: poolId } }, $set: { replanAt: new Date() } },
    );
    for (const { _id: mailboxId } of members) await nudge(workspaceId, "WARMUP", { mailboxId, signal: "changed" });
  });
}

/** Sets the pools in which a mailbox takes part, and its share in each. */
export function setPools(workspaceId: string, mailboxId: string, pools: PoolShare[]): Promise<WarmupEnrolment> {
  return changeWarmup(workspaceId, mailboxId, { pools });
}

export interface PoolOverview {
  pools: { type: string; name: string; mailboxes: number }[];
  participation: { mailboxId: string; pools: PoolShare[] }[];
}

/** The pools of a workspace with the number of its own mailboxes in each, and the shares of each mailbox. */
export async function loadPoolOverview(workspaceId: string): Promise<PoolOverview> {
  const { WarmupEnrolment, WarmupPool } = scoped(workspaceId);
  const enrolments = await WarmupEnrolment.read({}, { select: { pools: 1 }, sort: { _id: 1 } });
  const priv = await WarmupPool.read({}, { sort: { _id: 1 } });
  const takingPart = (type: string) =>
    enrolments.filter(({ pools }) => pools.some((pool) => pool.type === type)).length;
  const named = [{ type: SHARED, name: "Shared" }, ...priv.map(({ _id, name }) => ({ type: _id, name }))];
  return {
    pools: named.map((pool) => ({ ...pool, mailboxes: takingPart(pool.type) })),
    participation: enrolments.map(({ _id, pools }) => ({ mailboxId: _id, pools })),
  };
}
