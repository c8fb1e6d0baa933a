import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { QUEUES } from "../../domain/workflow-contract.ts";
import { createLog } from "../../runtime/log.ts";
import { createMissingCheck } from "../../temporal/missing.ts";
import { type Following, followVersion } from "../../worker/deployment.ts";
import { until } from "../fakes/wait.ts";
import { type StubTemporal, stubTemporal } from "./stub-temporal.ts";

/** When a version of the workers takes work by itself, and what it does when Temporal refuses. */
const [OLD, NEW] = ["1.1.0-old", "1.2.0-new"];
const DEADLINE = { deadlineMs: 20_000 };
const [PERMISSION_DENIED, UNAVAILABLE, UNIMPLEMENTED] = [7, 14, 12];

let temporal: StubTemporal;
let lines: string[];
let ending: AbortController;
let following: Following | undefined;

beforeEach(() => {
  temporal = stubTemporal();
  temporal.current = OLD;
  temporal.polled = { [OLD]: QUEUES, [NEW]: QUEUES };
  lines = [];
  ending = new AbortController();
});

afterEach(async () => {
  ending.abort();
  await following?.ended;
});

function follow(buildId: string, { takesOver = false, silentMs = 0 } = {}): Following {
  const log = createLog("info", { write: (line: string) => lines.push(line) });
  const candidate = { client: () => temporal.client, buildId, log, stopping: ending.signal, takesOver };
  const pace = { followMs: 5, refusedMs: 5, unservedMs: 0, silentMs };
  following = followVersion(candidate, pace);
  return following;
}

/** Resolves when the version has looked some more times. */
async function looksAgain(): Promise<void> {
  const { describeWorkerDeployment } = temporal.client.workflowService;
  let looks = 0;
  let isOver = false;
  following?.ended.then(() => {
    isOver = true;
  });
  temporal.client.workflowService.describeWorkerDeployment = (async (request: object) => {
    looks += 1;
    return describeWorkerDeployment(request);
  }) as typeof describeWorkerDeployment;
  await until(() => looks > 5 || isOver, { ...DEADLINE, what: "some looks" });
  expect(isOver).toBe(false);
}

function logged(text: string): number {
  return lines.filter((line) => line.includes(text)).length;
}

test("a waiting version leaves a partial gap of the current version to the operator, and takes over when that has no worker at all", async () => {
  temporal.polled = { [OLD]: ["workflows"], [NEW]: QUEUES };
  const next = follow(NEW);
  await next.settled;
  await looksAgain();
  expect([next.state(), temporal.asked]).toEqual(["WAITING", []]);
  temporal.polled = { [OLD]: [], [NEW]: QUEUES.slice(1) };
  await looksAgain();
  expect(temporal.asked).toEqual([]);
  temporal.polled = { [OLD]: [], [NEW]: QUEUES };
  await until(() => next.state() === "CURRENT", { ...DEADLINE, what: "the version to take over" });
  await looksAgain();
  expect([temporal.asked, logged("has taken it over")]).toEqual([[`current ${NEW}`], 1]);
});

test("a version with a share of the work takes the rest when the workers of the current version have ended", async () => {
  temporal.ramp = { buildId: NEW, percent: 10 };
  const next = follow(NEW);
  await next.settled;
  await looksAgain();
  expect([next.state(), temporal.asked]).toEqual(["RAMPING", []]);
  temporal.polled = { [OLD]: [], [NEW]: QUEUES };
  await until(() => next.state() === "CURRENT", { ...DEADLINE, what: "the version to take over" });
});

test("the current version takes back a share whose version has no worker, and a takeover ends the ramp of another version", async () => {
  temporal.ramp = { buildId: NEW, percent: 10 };
  const old = follow(OLD);
  await old.settled;
  await looksAgain();
  expect([old.state(), temporal.asked]).toEqual(["CURRENT", []]);
  temporal.polled = { [OLD]: QUEUES, [NEW]: [] };
  await until(() => temporal.asked.length > 0, { ...DEADLINE, what: "the version to take the work" });
  await looksAgain();
  expect([temporal.current, temporal.ramp]).toEqual([OLD, null]);
  ending.abort();
  await old.ended;

  ending = new AbortController();
  temporal.ramp = { buildId: NEW, percent: 10 };
  temporal.polled = { [OLD]: [], [NEW]: [], "1.3.0": QUEUES };
  const third = follow("1.3.0");
  await until(() => third.state() === "CURRENT", { ...DEADLINE, what: "the third version to take over" });
  expect([temporal.current, temporal.ramp]).toEqual(["1.3.0", null]);
});

test("a start without other processes takes all work once, also from a ramp, and afterwards the operator decides", async () => {
  temporal.ramp = { buildId: OLD, percent: 10 };
  temporal.current = NEW;
  const next = follow(NEW, { takesOver: true });
  await until(() => next.state() === "CURRENT", { ...DEADLINE, what: "the version to be current" });
  expect(temporal.ramp).toBeNull();
  temporal.current = OLD;
  await looksAgain();
  expect([next.state(), temporal.current]).toEqual(["WAITING", OLD]);
});

test("a refusal is logged once and does not end the following; only a server without versions does", async () => {
  temporal.failing = { describeWorkerDeployment: PERMISSION_DENIED };
  const next = follow(NEW);
  await next.settled;
  await looksAgain();
  expect([next.state(), logged("PERMISSION_DENIED")]).toEqual(["UNKNOWN", 1]);
  temporal.failing = {};
  await until(() => next.state() !== "UNKNOWN", { ...DEADLINE, what: "the state" });
  temporal.failing = { describeWorkerDeployment: UNIMPLEMENTED };
  await next.ended;
  expect(logged("does not know versions of workers")).toBe(1);
});

test("a version that cannot become current warns once with the reason, and does not say that it has taken over", async () => {
  temporal.polled = { [OLD]: [], [NEW]: QUEUES };
  temporal.failing = { setCurrent: UNAVAILABLE };
  const next = follow(NEW);
  await until(() => logged("because of the test") > 0, { ...DEADLINE, what: "the warning" });
  await looksAgain();
  expect([logged("because of the test"), logged("has taken it over"), next.state()]).toEqual([1, 0, "WAITING"]);
  temporal.failing = {};
  await until(() => next.state() === "CURRENT", { ...DEADLINE, what: "the version to take over" });
});

test("workers of another version do not hide that the version with the work has none; a server that describes no versions is not unreachable", async () => {
  const missing = () => createMissingCheck(() => temporal.client)();
  expect(await missing()).toEqual([]);
  temporal.polled = { [OLD]: QUEUES.slice(1), [NEW]: QUEUES };
  expect(await missing()).toMatchObject([{ code: "NO_WORKER", message: expect.stringContaining(OLD) }]);
  temporal.failing = { describeWorkerDeployment: UNAVAILABLE };
  expect(await missing()).toEqual([]);
  temporal.failing = {};
  temporal.hanging.add("describeWorkerDeployment");
  expect(await missing()).toEqual([]);
});
