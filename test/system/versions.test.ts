import { expect, test } from "@jest/globals";
import { readiness } from "../../api/health.ts";
import { isPinned, VERSIONING } from "../../domain/workflow-contract.ts";
import { startRun } from "../../temporal/run.ts";
import { connectionTestRun, dnsCheckRun, testSendRun } from "../../temporal/runs.ts";
import * as workflows from "../../workflows/index.ts";
import { until } from "../fakes/wait.ts";
import { useVersions } from "./versioned-workers.ts";

/** Which version of the workers gets the work, without a command of the operator. */
const [OLD, NEW] = ["1.1.0-old", "1.2.0-new"];
const DEADLINE = { deadlineMs: 60_000 };
const [PINNED, AUTO_UPGRADE] = [1, 2]; // temporal.api.enums.v1.VersioningBehavior

const versions = useVersions();

test("every workflow declares its versioning behavior, and a PINNED run has an execution timeout", () => {
  expect(Object.keys(VERSIONING).sort()).toEqual(Object.keys(workflows).sort());
  const ids = { v: 1, workspaceId: "wsp_1" } as const;
  expect(connectionTestRun({ ...ids, testId: "tst_1" }).options.workflowExecutionTimeout).toBe("2m");
  expect(testSendRun({ ...ids, sendId: "snd_1" }, "one", {}).options.workflowExecutionTimeout).toBeUndefined();
  // What sends an email, or has no caller that repeats it, must not end with its workers
  expect(["singleSend", "recipient", "job", "revokeGrant", "syncBilling"].filter(isPinned)).toEqual([]);
});

test("the first version becomes current by itself; a later one waits while the current one has workers, and says so", async () => {
  await versions.start(OLD);
  const old = versions.follow(OLD);
  await until(() => old.state() === "CURRENT", { ...DEADLINE, what: "the first version to be current" });
  await versions.start(NEW);
  const next = versions.follow(NEW);
  await until(() => next.state() === "WAITING", { ...DEADLINE, what: "the next version to wait" });
  expect(versions.lines.join("")).toContain("these workers wait");
  const run = await startRun(versions.client, connectionTestRun({ v: 1, workspaceId: "wsp_1", testId: "tst_0" }));
  expect(await run.result()).toEqual({ by: OLD });
  expect([await versions.current(), next.state()]).toEqual([OLD, "WAITING"]);
}, 120_000);

test("the runs of a workflow have the versioning behavior that it declares", async () => {
  await versions.makeCurrent(NEW);
  const short = await startRun(versions.client, connectionTestRun({ v: 1, workspaceId: "wsp_1", testId: "tst_1" }));
  expect(await short.result()).toEqual({ by: NEW });
  const ids = { v: 1, workspaceId: "wsp_1", mailboxId: "mbx_1", probeId: "snd_1" } as const;
  const long = await startRun(versions.client, dnsCheckRun(ids));
  const behaviorOf = async (run: Pick<typeof long, "describe">) =>
    (await run.describe()).raw.workflowExecutionInfo?.versioningInfo?.behavior;
  await until(async () => (await behaviorOf(long)) === AUTO_UPGRADE, { ...DEADLINE, what: "the long run" });
  expect(await behaviorOf(short)).toBe(PINNED);
  await long.terminate();
}, 120_000);

test("the /readyz of a worker is 200 while its version waits, and 503 when the poller of a queue has failed", async () => {
  const general = { mongodb: true, engine: true, recipientsOverdue: 0, emailsHeldBack: 0, missing: [] };
  const answerOf = (smtp: string) =>
    readiness(async () => ({ ...general, worker: { version: NEW, versionState: "WAITING", queues: { smtp } } }), true);
  expect(await answerOf("RUNNING")).toMatchObject({ status: 200, body: { worker: { versionState: "WAITING" } } });
  expect(await answerOf("FAILED")).toMatchObject({ status: 503, body: { worker: { queues: { smtp: "FAILED" } } } });
});
