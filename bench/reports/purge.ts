import { setTimeout } from "node:timers/promises";
import { DAY_MS, MINUTE_MS, SECOND_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { PURGE_REST, purgeDeletedWorkspace } from "../../store/purge-workspaces.ts";
import type { Rest } from "../../test/support/rest.ts";
import { fillLeads } from "../leads/export.ts";
import { startRig } from "../rig.ts";
import { ms, quantile, type Row } from "../table.ts";

const LEADS = Number(process.env["BENCH_LEADS"] ?? 1_000_000);
const OTHERS = 20_000;
const ALONE_MS = 40 * SECOND_MS;
/** Milliseconds between calls, so that a key stays below its limit of calls per minute. */
const PAUSE_MS = 120;

/**
 * Measures how long it takes to purge a workspace with a million leads, and how long REST calls in another workspace
 * take meanwhile.
 */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const gone = await rig.workspace();
    const user = await rig.workspace();
    await fillLeads(gone.workspaceId, LEADS);
    await fillLeads(user.workspaceId, OTHERS);
    await callUntil(user.rest, setTimeout(10 * SECOND_MS));
    const alone = await callUntil(user.rest, setTimeout(ALONE_MS));
    await Workspace.updateOne({ _id: gone.workspaceId }, { $set: { deletedAt: new Date(Date.now() - 31 * DAY_MS) } });
    const started = performance.now();
    const purge = purgeDeletedWorkspace(new Date(), { rest: PURGE_REST });
    const meanwhile = await callUntil(user.rest, purge);
    await purge;
    const tookMs = performance.now() - started;
    const [before, during] = [quantile(alone, 0.95), quantile(meanwhile, 0.95)];
    return {
      title: "Purge of a workspace",
      how: `${LEADS.toLocaleString("en")} leads with their indexes, deleted in chunks with rests; meanwhile another workspace of ${OTHERS.toLocaleString("en")} leads is listed, searched and written to over REST, eight calls a second.`,
      measured: [
        {
          what: "the whole purge",
          goal: "under 10 min",
          measured: `${(tookMs / MINUTE_MS).toFixed(1)} min (${(LEADS / (tookMs / SECOND_MS)).toFixed(0)} leads/s)`,
          met: tookMs < 10 * MINUTE_MS,
        },
        {
          what: "p95 of the service meanwhile, compared with no purge",
          goal: "within 1.5 times",
          measured: `${(during / before).toFixed(2)} times (${ms(before)}, then ${ms(during)})`,
          met: during / before <= 1.5,
        },
      ],
      runs: {
        head: ["", "calls", "p50", "p95", "p99"],
        lines: [
          ["alone", alone.length, ...[0.5, 0.95, 0.99].map((share) => ms(quantile(alone, share)))],
          ["during the purge", meanwhile.length, ...[0.5, 0.95, 0.99].map((share) => ms(quantile(meanwhile, share)))],
        ],
      },
    };
  } finally {
    await rig.close();
  }
}

let made = 0;

/** Makes calls until the work ends. Returns the milliseconds that each call took. */
export async function callUntil(rest: Rest, work: Promise<unknown>): Promise<number[]> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  const took: number[] = [];
  while (!isOver) {
    const calls = [
      () => rest.get("/leads?pageSize=50"),
      () => rest.get("/leads?search=lovelace&pageSize=20"),
      () => rest.post("/leads", { email: `new.${++made}@people.test`, company: "New Ltd" }),
    ];
    for (const call of calls) {
      const started = performance.now();
      const { status } = await call();
      took.push(performance.now() - started);
      if (status >= 400) throw new Error(`A call was answered ${status}`);
      await setTimeout(PAUSE_MS);
    }
  }
  return took;
}
