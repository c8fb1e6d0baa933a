import { loadSigningKeys } from "../../operations/access/signing-keys.ts";
import { floodWith, stopsOf } from "../../test/access/stops-flood.ts";
import { startRig } from "../rig.ts";
import { ms, quantile, type Row } from "../table.ts";

const ROUNDS = 20;
const READ = "read";

/** Measures stops and reads in a workspace while it is flooded with refused and permitted writes. */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const { workspaceId, rest, another } = await rig.workspace();
    const stops = await stopsOf(
      { baseUrl: rig.api.url, signing: await loadSigningKeys(rig.keyRing) },
      rest,
      workspaceId,
    );
    const reader = await another();
    const flood = await floodWith({ refusedBy: () => another("leads:read"), rightfulBy: () => another() });
    const took = new Map<string, number[]>();
    const started = performance.now();
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, stop] of Object.entries(stops)) {
        const ask = await stop(round);
        note(took, name, await timed(ask()));
        note(took, READ, await timed(reader.get("/block-list")));
      }
    }
    const seconds = (performance.now() - started) / 1_000;
    await flood.end();
    return rowOf(took, flood.calls / seconds);
  } finally {
    await rig.close();
  }
}

function note(took: Map<string, number[]>, name: string, milliseconds: number): void {
  took.set(name, [...(took.get(name) ?? []), milliseconds]);
}

async function timed(response: Promise<{ status: number }>): Promise<number> {
  const started = performance.now();
  const { status } = await response;
  if (status >= 300) throw new Error(`A stop or a read was answered with ${status}`);
  return performance.now() - started;
}

function rowOf(took: Map<string, number[]>, callsPerSecond: number): Row {
  const { [READ]: reads = [], ...stops } = Object.fromEntries(took);
  const limit = 10 * Math.max(200, quantile(reads, 0.99));
  const cells = (all: number[]) => `${ms(quantile(all, 0.5))}, ${ms(quantile(all, 0.99))}`;
  return {
    title: "Stops under load",
    how: `${ROUNDS} stops of each kind, one after another, while six connections are refused with 403 and six change webhooks, ${callsPerSecond.toFixed(0)} calls per second in total. The goal for stops is ten times the p99 of reads, and at least 2 s.`,
    measured: [
      { what: "read of the block list, p50 and p99", goal: "", measured: cells(reads), met: null },
      ...Object.entries(stops).map(([name, all]) => ({
        what: `${name}, p50 and p99`,
        goal: `p99 under ${ms(limit)}`,
        measured: cells(all),
        met: quantile(all, 0.99) < limit,
      })),
    ],
  };
}
