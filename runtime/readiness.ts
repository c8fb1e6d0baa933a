import { setTimeout as delay } from "node:timers/promises";
import type { Ready } from "../api/health.ts";
import type { Missing } from "../domain/readiness.ts";
import { isConnected } from "../models/connect.ts";
import { emailsHeldBack, recipientsOverdue } from "../operations/recipients/overdue.ts";
import type { Engine } from "../temporal/engine.ts";
import { type DatabaseState, UNREACHABLE } from "./database.ts";

/** A health probe must be answered faster than a write may take. */
const PROBE_MS = 2_000;

/** The answer of `/readyz`. While the database opens, it covers only the database. */
export function readinessOf(engine: Pick<Engine, "isReachable" | "findMissing">, opening: DatabaseState): Ready {
  return async () => {
    const [mongodb, reachable, engineLacks] = await Promise.all([isUp(), engine.isReachable(), engine.findMissing()]);
    const databaseLacks: Missing[] = mongodb || opening.missing.length > 0 ? opening.missing : [UNREACHABLE];
    return {
      mongodb,
      engine: reachable,
      ...(mongodb ? await countWaitingWork() : { recipientsOverdue: null, emailsHeldBack: null }),
      missing: [...databaseLacks, ...engineLacks],
    };
  };
}

function isUp(): Promise<boolean> {
  return Promise.race([isConnected(), delay(PROBE_MS, false, { ref: false })]);
}

async function countWaitingWork() {
  const [overdue, heldBack] = await Promise.all([countOrNull(recipientsOverdue()), countOrNull(emailsHeldBack())]);
  return { recipientsOverdue: overdue, emailsHeldBack: heldBack };
}

function countOrNull(count: Promise<number>): Promise<number | null> {
  return Promise.race([count, delay(PROBE_MS, null, { ref: false })]).catch(() => null);
}
