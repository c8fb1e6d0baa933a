import { proxyActivities, sleep } from "@temporalio/workflow";

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: "1m" });

/** The comparison for the engine: the minimum cost of a durable step on this server. */
export async function bare(): Promise<void> {
  await sleep(1);
  await nothing();
}
