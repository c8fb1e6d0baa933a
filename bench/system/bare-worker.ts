import { NativeConnection, Worker } from "@temporalio/worker";
import { answer } from "./processes.ts";

export interface BareOrders {
  temporalAddress: string;
  codePath: string;
  queue: string;
}

/**
 * The worker of the plain workflows that sending is compared with. Its settings are those of the service where they
 * matter.
 */
const { temporalAddress, codePath, queue }: BareOrders = JSON.parse(process.argv[2] ?? "{}");
const done: number[] = [];
const worker = await Worker.create({
  connection: await NativeConnection.connect({ address: temporalAddress }),
  taskQueue: queue,
  workflowBundle: { codePath },
  activities: { nothing: async () => void done.push(Date.now()) },
  maxConcurrentActivityTaskExecutions: 50,
  maxCachedWorkflows: 200,
  reuseV8Context: true,
});
const running = worker.run();
answer({ count: () => done.length, take: () => done.splice(0) }, async () => {
  worker.shutdown();
  await running;
});
