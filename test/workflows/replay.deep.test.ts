import { expect, test } from "@jest/globals";
import { createLog } from "../../runtime/log.ts";
import { WORKFLOW_INTERCEPTORS } from "../../runtime/tracing-temporal.ts";
import { bundleWorkflows } from "../../worker/queues.ts";
import { recorded, replayAll, useSetup } from "./replay-setup.ts";

useSetup();

test("runs that were recorded without tracing replay on a worker with tracing", async () => {
  const traced = await bundleWorkflows(createLog("error"), [WORKFLOW_INTERCEPTORS]);
  const outcomes = await replayAll(traced);
  expect(recorded.filter((file) => outcomes.get(file) !== null)).toEqual([]);
}, 240_000);
