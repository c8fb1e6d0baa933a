import { setTimeout as delay } from "node:timers/promises";
import { AGENT_DEFAULTS } from "../../domain/agent/settings.ts";
import { type AgentWorld, startAgentWorld } from "../../test/agent/agent-world.ts";
import { startServerHost } from "../../test/support/server-host.ts";
import type { World } from "../../test/support/world.ts";
import { type Measured, median, ms, quantile, type Row } from "../table.ts";

const REPLIES = 100;
const GOAL_MS = 2_000;

/** Measures the time from reading a reply until its draft is shown, with a model that answers immediately. */
export async function run(): Promise<Row> {
  const host = await startServerHost();
  process.env["TEST_SERVER_HOST"] = host.url;
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
      measured: [line("from a reply's arrival until its draft is shown, p95", times), await idle(agent)],
    };
  } finally {
    await agent.close();
    await host.stop();
  }
}

/**
 * Counts the workflows that still run. There should be none: a draft waits as a database record that expires, not in a
 * workflow.
 */
async function idle({ world, rest }: AgentWorld): Promise<Measured> {
  const waiting = (await rest.get("/approvals?pageSize=1")).body.total;
  const runs = await running(world);
  return {
    what: `running workflows of the agent, with ${waiting} drafts waiting for a person`,
    goal: "0",
    measured: runs,
    met: runs === "0",
  };
}

/**
 * The number of running workflows, once it is zero or after ten seconds, because Temporal counts a workflow as running
 * for a moment after its end.
 */
async function running({ temporal }: World): Promise<string> {
  const open = 'WorkflowType = "agentReply" AND ExecutionStatus = "Running"';
  for (let look = 0; look < 10; look++) {
    const { count } = (await temporal?.client.workflow.count(open)) ?? { count: -1 };
    if (count === 0) return "0";
    await delay(1_000);
  }
  return String((await temporal?.client.workflow.count(open))?.count ?? -1);
}

function line(what: string, times: number[]): Measured {
  const p95 = quantile(times, 0.95);
  return { what, goal: ms(GOAL_MS), measured: `${ms(p95)} (median ${ms(median(times))})`, met: p95 <= GOAL_MS };
}
