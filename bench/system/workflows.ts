import { proxyActivities, sleep } from "@temporalio/workflow";

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: "1m" });

/** The workflow that sending is compared with: the minimum cost of a durable step on this server. */
export async function bare(): Promise<void> {
  await sleep(1);
  await nothing();
}
