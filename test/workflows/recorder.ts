import { Context } from "@temporalio/activity";
import { Client, Connection } from "@temporalio/client";
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import { NativeConnection, Worker, type WorkerOptions } from "@temporalio/worker";
import { programEnv, readConfig } from "../../config.ts";
import { QUEUES } from "../../domain/workflow-contract.ts";
import { startTemporal } from "../../embedded/temporal.ts";
import { installQuietRuntime, startEnvironment } from "./environment.ts";
import { nameOf, type Story } from "./histories.ts";

type Bundle = NonNullable<WorkerOptions["workflowBundle"]>;

/** Fewer events than any of the short stories has. */
const SUGGESTED_AFTER = 20;

interface Server {
  client: Client;
  close(): Promise<void>;
}

const IDS = {
  ...{
    recipientId: "rcp_1",
    mailboxId: "mbx_1",
    deliveryId: "whd_1",
    subscriptionId: "whs_1",
    sendId: "snd_1",
    scheduledId: "srp_1",
    sendAt: 0,
    jobId: "job_1",
  },
  ...{
    consentId: "con_1",
    grantId: "grt_1",
    testId: "tst_1",
    batchId: "tst_2",
    sheetId: "job_2",
    questionId: "job_3",
    probeId: null,
  },
};

/** Records stories one after another and hands over the history of each as JSON. */
export async function recordStories(
  stories: readonly Story[],
  bundle: Promise<Bundle>,
  onRecorded: (story: Story, history: string) => void,
): Promise<void> {
  for (const isShort of [false, true]) {
    const chosen = stories.filter((story) => (story.isShort ?? false) === isShort);
    if (chosen.length === 0) continue;
    const stage: Stage = { story: null, count: 0, now: async () => Date.now() };
    const server = await (isShort ? shortServer(stage, await bundle) : skippingServer(stage, bundle));
    try {
      for (const story of chosen) {
        Object.assign(stage, { story, count: 0 });
        onRecorded(story, await record(server.client, story));
      }
    } finally {
      await server.close();
    }
  }
}

async function record(client: Client, story: Story): Promise<string> {
  const ids = { v: 1, workspaceId: "wsp_1", campaignId: "cmp_1", ...IDS, ...story.input };
  const args = story.input === null ? [] : [ids];
  const handle = await client.workflow.start(story.workflow, { workflowId: nameOf(story), taskQueue: "engine", args });
  await story.drive?.(handle);
  await handle.result().catch(() => {});
  const first = client.workflow.getHandle(handle.workflowId, handle.firstExecutionRunId);
  const history = historyToJSON(await first.fetchHistory());
  return JSON.stringify(JSON.parse(history, withoutMachine));
}

/** Leaves out what describes the machine that recorded, not the workflow. */
function withoutMachine(key: string, value: unknown): unknown {
  return ["identity", "stackTrace", "workerVersion", "binaryChecksum"].includes(key) ? undefined : value;
}

/** The story that is recorded now, and how many activities it has called. */
interface Stage {
  story: Story | null;
  count: number;
  now(): Promise<number>;
}

/** Makes every activity return what the story says. */
function activitiesOf(stage: Stage) {
  return {
    default: async () => stage.story?.answers(Context.current().info.activityType, ++stage.count, await stage.now()),
  };
}

async function skippingServer(stage: Stage, bundle: Promise<Bundle>): Promise<Server> {
  const activities = activitiesOf(stage);
  const environment = await startEnvironment(Object.fromEntries(QUEUES.map((queue) => [queue, activities])), bundle);
  stage.now = environment.now;
  return environment;
}

/** A server in real time that suggests a new run early. */
async function shortServer(stage: Stage, workflowBundle: Bundle): Promise<Server> {
  installQuietRuntime();
  const programs = { binary: readConfig().TEMPORAL_BIN ?? undefined, env: programEnv(), log: () => {} };
  const dynamicConfig = { "limit.historyCount.suggestContinueAsNew": SUGGESTED_AFTER };
  const server = await startTemporal({ dataDir: null, port: 0, pages: null, dynamicConfig, ...programs });
  const { address } = server;
  const connection = await NativeConnection.connect({ address });
  const workers = await Promise.all(
    QUEUES.map((taskQueue) =>
      Worker.create({
        connection,
        taskQueue,
        activities: activitiesOf(stage),
        ...(taskQueue === "engine" && { workflowBundle }),
      }),
    ),
  );
  const running = workers.map((worker) => worker.run());
  const own = await Connection.connect({ address });
  return {
    client: new Client({ connection: own }),
    async close() {
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      await Promise.all([own.close(), connection.close()]);
      await server.stop();
    },
  };
}
