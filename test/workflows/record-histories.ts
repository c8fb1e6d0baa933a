// Records the paths through workflows that have no history yet: `npm run histories`. Existing histories are never overwritten, because
// runs of that time are still open. A change of workflow code keeps them working by patched(), and gets a story for each side.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { cp, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Client, Connection } from "@temporalio/client";
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import { bundleWorkflowCode, DefaultLogger, NativeConnection, Worker } from "@temporalio/worker";
import { programEnv, readConfig } from "../../config.ts";
import { QUEUES } from "../../domain/workflow-contract.ts";
import { startTemporal } from "../../embedded/temporal.ts";
import { createLog } from "../../runtime/log.ts";
import { bundleWorkflows } from "../../worker/queues.ts";
import { installQuietRuntime, startEnvironment } from "./environment.ts";
import { nameOf, STORIES, type Story } from "./histories.ts";

const HISTORIES = fileURLToPath(new URL("../histories/", import.meta.url));
const WORKFLOWS = fileURLToPath(new URL("../../workflows/", import.meta.url));
/** Placed beside `workflows/`, so that its imports still resolve. */
const BEFORE = fileURLToPath(new URL("../../workflows-before/", import.meta.url));
/** Fewer events than any of the short stories has. */
const SUGGESTED_AFTER = 20;

interface Server {
  client: Client;
  now(): Promise<number>;
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

const missing = STORIES.filter((story) => !existsSync(fileOf(story)));
for (const story of missing) {
  const server = await (story.isShort ? shortServer(story) : skippingServer(story));
  try {
    await record(server, story);
  } finally {
    await server.close();
  }
  process.stdout.write(`${nameOf(story)}\n`);
}

async function record({ client }: Server, story: Story): Promise<void> {
  const ids = { v: 1, workspaceId: "wsp_1", campaignId: "cmp_1", ...IDS, ...story.input };
  const args = story.input === null ? [] : [ids];
  const handle = await client.workflow.start(story.workflow, { workflowId: nameOf(story), taskQueue: "engine", args });
  await story.drive?.(handle);
  await handle.result().catch(() => {});
  const first = client.workflow.getHandle(handle.workflowId, handle.firstExecutionRunId);
  const history = historyToJSON(await first.fetchHistory());
  await writeFile(fileOf(story), `${JSON.stringify(JSON.parse(history, withoutMachine))}\n`);
}

function fileOf(story: Story): string {
  return join(HISTORIES, `${nameOf(story)}.json`);
}

/** Leaves out what describes the machine that recorded, not the workflow. */
function withoutMachine(key: string, value: unknown): unknown {
  return ["identity", "stackTrace", "workerVersion", "binaryChecksum"].includes(key) ? undefined : value;
}

/** Makes every activity return what the story says. */
function activitiesOf({ answers }: Story, now: () => Promise<number>) {
  let count = 0;
  const names = [
    "sendStep",
    "actStep",
    "postStep",
    "standingOf",
    "resumeParked",
    "admitRecipients",
    "checkCompletion",
    "stopRecipients",
  ];
  const others = [
    "postEvent",
    "postBatch",
    "bury",
    "sendOnce",
    "sendReply",
    "watchMailbox",
    "wakeWaiting",
    "workOnJob",
    "closeJob",
    "completeConsent",
  ];
  const further = [
    "revokeGrant",
    "tryServers",
    "tryMany",
    "fetchSheet",
    "lookAtTrackingDomain",
    "checkMailboxDns",
    "readProbe",
  ];
  const ofAgent = ["draftAgentReply", "giveUpAgentReply", "readAgentModels"];
  const placing = ["beginPlacementTest", "closePlacementTest", "lookForPlacements", "scoreContents"];
  const warming = ["nextWarmup", "warmupSend", "warmupEngage", "closeWarmupDay", "planWarmupDay"];
  const ofCrm = ["completeCrmConsent", "fetchCrmSegments", "keepCrmLists", "writeCrmBack"];
  const scheduled = ["checkAllDns", "countLists", "growCampaigns", "judgeMailboxes"];
  const all = [...names, ...others, ...further, ...placing, ...ofAgent, ...warming, ...ofCrm, ...scheduled];
  return Object.fromEntries(all.map((name) => [name, async () => answers(name, ++count, await now())]));
}

async function skippingServer(story: Story): Promise<Server> {
  const clock: { now(): Promise<number> } = { now: async () => Date.now() };
  const activities = activitiesOf(story, () => clock.now());
  const environment = await startEnvironment(
    Object.fromEntries(QUEUES.map((queue) => [queue, activities])),
    bundleFor(story),
  );
  clock.now = environment.now;
  return environment;
}

/** A server in real time that suggests a new run early. */
async function shortServer(story: Story): Promise<Server> {
  installQuietRuntime();
  const programs = { binary: readConfig().TEMPORAL_BIN ?? undefined, env: programEnv(), log: () => {} };
  const dynamicConfig = { "limit.historyCount.suggestContinueAsNew": SUGGESTED_AFTER };
  const server = await startTemporal({ dataDir: null, port: 0, pages: null, dynamicConfig, ...programs });
  const { address } = server;
  const connection = await NativeConnection.connect({ address });
  const now = async () => Date.now();
  const workflowBundle = await bundleFor(story);
  const workers = await Promise.all(
    QUEUES.map((taskQueue) =>
      Worker.create({
        connection,
        taskQueue,
        activities: activitiesOf(story, now),
        ...(taskQueue === "engine" && { workflowBundle }),
      }),
    ),
  );
  const running = workers.map((worker) => worker.run());
  const own = await Connection.connect({ address });
  return {
    client: new Client({ connection: own }),
    now,
    async close() {
      for (const worker of workers) worker.shutdown();
      await Promise.all(running);
      await Promise.all([own.close(), connection.close()]);
      await server.stop();
    },
  };
}

/** The workflows as they are now, or as they were before a change: `patched()` is then false for that change. */
async function bundleFor({ before }: Story): ReturnType<typeof bundleWorkflows> {
  if (before === undefined) return bundleWorkflows(createLog("error"));
  await cp(WORKFLOWS, BEFORE, { recursive: true });
  try {
    for (const file of readdirSync(BEFORE)) {
      const path = join(BEFORE, file);
      writeFileSync(path, readFileSync(path, "utf8").replaceAll(`patched("${before}")`, "false"));
    }
    return await bundleWorkflowCode({ workflowsPath: join(BEFORE, "index.ts"), logger: new DefaultLogger("ERROR") });
  } finally {
    await rm(BEFORE, { recursive: true, force: true });
  }
}
