import { proxyActivities, sleep } from "@temporalio/workflow";

const { nothing } = proxyActivities<{ nothing(): Promise<void> }>({ startToCloseTimeout: "1m" });

/** What the engine can be compared with: the least that a durable step costs on this server. */
export async function bare(): Promise<void> {
  await sleep(1);
  await nothing();
}
