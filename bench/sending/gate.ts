import { KEY_POLICY, policyOf } from "../../domain/access/policy.ts";
import type { Rest } from "../../test/support/rest.ts";
import { startRig } from "../rig.ts";
import { ms, quantile, type Row } from "../table.ts";

const CALLS = 220;
const WARM_UP = 40;

/**
 * Measures how much time the policy check adds to a write: alternates calls by a key whose writes take effect directly
 * and by one that may cause nothing.
 */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    const { rest: direct, bound } = await rig.workspace();
    const held = await bound({ ...KEY_POLICY, ...policyOf("NONE") });
    const { body: draft } = await direct.post("/campaigns", { name: "Draft" });
    const calls: Record<string, (by: Rest, at: number) => Promise<{ status: number }>> = {
      "a new lead": (by, at) => by.post("/leads", { email: `lead${at}-${by === held ? "h" : "d"}@bench.test` }),
      "settings of a draft": (by, at) => by.patch(`/campaigns/${draft.id}/settings`, { dailyLimit: 1 + (at % 500) }),
    };
    const measured: Row["measured"] = [];
    for (const [what, call] of Object.entries(calls)) {
      const took = { direct: [] as number[], held: [] as number[] };
      for (let at = 0; at < CALLS + WARM_UP; at++) {
        for (const [name, by] of [
          ["direct", direct],
          ["held", held],
        ] as const) {
          const started = performance.now();
          const { status } = await call(by, at);
          if (status >= 300) throw new Error(`A write was answered with ${status}`);
          if (at >= WARM_UP) took[name].push(performance.now() - started);
        }
      }
      const [free, gated] = [quantile(took.direct, 0.5), quantile(took.held, 0.5)];
      measured.push({
        what: `${what}, p50 without and with the check`,
        goal: "1 ms more",
        measured: `${ms(free)}, ${ms(gated)}`,
        met: gated - free < 1,
      });
    }
    return {
      title: "Cost of the policy check",
      how: `${CALLS} calls of each kind, alternating between a key whose calls take effect directly and a key that may cause no effect. The effects of the second key are checked before the call and in its transaction.`,
      measured,
    };
  } finally {
    await rig.close();
  }
}
