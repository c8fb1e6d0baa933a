import { readdirSync, readFileSync } from "node:fs";
import { beforeAll, expect, test } from "@jest/globals";
import { historyFromJSON } from "@temporalio/common/lib/proto-utils.js";
import { Worker } from "@temporalio/worker";
import { sharedBundle } from "../server-host.ts";
import { installQuietRuntime } from "./environment.ts";

const HISTORIES = new URL("../histories/", import.meta.url);
const recorded = readdirSync(HISTORIES).filter((file) => file.endsWith(".json"));

let workflowBundle: { codePath: string };

beforeAll(async () => {
  installQuietRuntime();
  workflowBundle = await sharedBundle();
});

test.each(recorded)("a run that was recorded as %s goes on under the present code", async (file) => {
  await Worker.runReplayHistory({ workflowBundle }, historyOf(file), "replayed");
});

test("a run whose code has gone another way is found out", async () => {
  const history = historyOf("recipient.sent-three-times.json");
  const [started] = history.events ?? [];
  const type = started?.workflowExecutionStartedEventAttributes?.workflowType;
  if (type == null) throw new Error("the history names no workflow");
  type.name = "campaign";
  await expect(Worker.runReplayHistory({ workflowBundle }, history, "another")).rejects.toMatchObject({
    name: "DeterminismViolationError",
  });
});

test("no history outgrows a look at it", () => {
  for (const file of recorded) expect(readFileSync(new URL(file, HISTORIES)).length).toBeLessThan(30_000);
});

function historyOf(file: string) {
  return historyFromJSON(JSON.parse(readFileSync(new URL(file, HISTORIES), "utf8")));
}
