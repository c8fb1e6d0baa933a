import { AGENT_DEFAULTS } from "../domain/agent/settings.ts";
import { startAgentWorld } from "../test/agent/agent-world.ts";
import { type Measured, median, ms, quantile, type Row } from "./table.ts";

const REPLIES = 100;
const GOAL_MS = 2_000;

/** How long a reply takes from being read until its draft is shown, beside a model that answers at once. */
export async function run(): Promise<Row> {
  const agent = await startAgentWorld();
  try {
    await agent.set({ ...AGENT_DEFAULTS, enabled: true });
    const times: number[] = [];
    for (let count = 0; count < REPLIES; count++) {
      const begun = performance.now();
      const { message } = await agent.replied(`p${count}@b.test`, "Sounds good. How much is it?");
      await agent.settled(message);
      times.push(performance.now() - begun);
    }
    return {
      title: "Drafts of the inbox agent",
      how: `${REPLIES} replies, one after the other, each with its campaign and recipient made before it; the model answers at once.`,
      measured: [line("from a reply's arrival until its draft is shown, p95", times)],
    };
  } finally {
    await agent.close();
  }
}

function line(what: string, times: number[]): Measured {
  const p95 = quantile(times, 0.95);
  return { what, goal: ms(GOAL_MS), measured: `${ms(p95)} (median ${ms(median(times))})`, met: p95 <= GOAL_MS };
}
