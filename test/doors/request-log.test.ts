import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { scoped } from "../../models/scoped.ts";
import { flushCalls } from "../../operations/access/call-log.ts";
import { operation } from "../../operations/operation.ts";
import { until } from "../fakes/wait.ts";
import { post, rpc } from "../support/mcp.ts";
import { postModern } from "../support/modern.ts";
import { startWorld, type World } from "../support/world.ts";

const INFO = 30;
const ERROR = 50;

const begun = Promise.withResolvers<void>();
const released = Promise.withResolvers<void>();
const input = z.strictObject({});
const output = z.object({});
const refuses = (code: "PROVIDER_NOT_CONFIGURED" | "SERVICE_UNAVAILABLE", cause?: Error) =>
  operation({
    summary: "Refuses",
    scope: null,
    input,
    output,
    async run() {
      throw new AppError(code, "Not now", undefined, cause && { cause });
    },
  });
const waits = operation({
  summary: "Waits",
  scope: null,
  input,
  output,
  async run() {
    begun.resolve();
    await released.promise;
    return {};
  },
});

let world: World;
const lines: string[] = [];
beforeAll(async () => {
  world = await startWorld({
    onLog: (line) => lines.push(line),
    routes: [
      ["get", "/not-set-up", refuses("PROVIDER_NOT_CONFIGURED")],
      ["get", "/refused-key", refuses("PROVIDER_NOT_CONFIGURED", new Error("The provider refused our key"))],
      ["get", "/away", refuses("SERVICE_UNAVAILABLE")],
      ["get", "/waits", waits],
    ],
  });
});
afterAll(() => world.close());

const logged = async (route: string) => {
  const read = () => lines.map((line) => JSON.parse(line)).filter((line) => line.route === route);
  await until(async () => read().length > 0, { deadlineMs: 10_000, what: `the line of ${route}` });
  return read();
};

test("503 for a provider that is not set up is logged as information, and 503 for a fault of the service as an error", async () => {
  const { rest } = await world.workspace();
  for (const path of ["/not-set-up", "/refused-key", "/away"]) expect((await rest.get(path)).status).toBe(503);
  expect(await logged("/not-set-up")).toMatchObject([{ level: INFO, status: 503, code: "PROVIDER_NOT_CONFIGURED" }]);
  expect(await logged("/refused-key")).toMatchObject([
    { level: ERROR, status: 503, err: { message: "The provider refused our key" } },
  ]);
  expect(await logged("/away")).toMatchObject([{ level: ERROR, status: 503 }]);
});

test("an unexpected error of the tool server is logged with its cause, and the caller gets it in our own words in both revisions", async () => {
  const { key, workspaceId } = await world.workspace();
  const { settings } = world.services;
  const { providers } = settings;
  const broken = () => {
    throw new Error("The text of a library");
  };
  Object.defineProperty(settings, "providers", { configurable: true, get: broken });
  const answers = await Promise.all([post(world, key, rpc("tools/list")), postModern(world, key, "tools/list")]);
  Object.defineProperty(settings, "providers", { configurable: true, writable: true, value: providers });
  for (const answer of answers) {
    const text = await answer.text();
    expect(JSON.parse(text).error).toMatchObject({
      code: -32_603,
      data: { code: "INTERNAL_ERROR", traceId: expect.any(String) },
    });
    expect(text).not.toContain("library");
  }
  await until(async () => lines.filter((line) => line.includes("/mcp")).length > 1, {
    deadlineMs: 10_000,
    what: "both lines",
  });
  const causes = (await logged("/mcp")).map(({ level, err }) => [level, err?.message]);
  expect(causes).toEqual(Array(2).fill([ERROR, "The text of a library"]));
  await flushCalls();
  const rows = await scoped(workspaceId).ToolCall.find({});
  expect(rows.map(({ outcome, code }) => [outcome, code])).toEqual(Array(2).fill(["TOOL_ERROR", "INTERNAL_ERROR"]));
});

test("a request that the caller aborts is logged with status 499 and as abandoned", async () => {
  const { key } = await world.workspace();
  const caller = new AbortController();
  const call = fetch(`${world.baseUrl}/api/v1/waits`, {
    headers: { Authorization: `Bearer ${key}` },
    signal: caller.signal,
  });
  await begun.promise;
  caller.abort();
  await expect(call).rejects.toThrow("aborted");
  expect(await logged("/waits")).toMatchObject([{ level: INFO, status: 499, outcome: "ABANDONED" }]);
  released.resolve();
});

test("a tool call that its caller aborts is logged like any other", async () => {
  const { key, workspaceId } = await world.workspace();
  const { hostname, port } = new URL(world.baseUrl);
  const body = JSON.stringify(rpc("tools/call", { name: "mailboxes_list", arguments: {} }));
  const head = [
    "POST /mcp HTTP/1.1",
    `Host: ${hostname}`,
    `Authorization: Bearer ${key}`,
    "Content-Type: application/json",
    "Accept: application/json, text/event-stream",
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const CALLS = 20;
  for (let call = 0; call < CALLS; call++) {
    const socket = connect(Number(port), hostname);
    await once(socket, "connect");
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`, () => socket.destroy());
  }
  const read = async () => {
    await flushCalls();
    return scoped(workspaceId).ToolCall.find({});
  };
  // Some are given up before the server has read who calls
  await until(async () => (await read()).length > 0, { deadlineMs: 300_000, what: "calls in the log" });
  expect([...new Set((await read()).map(({ outcome }) => outcome))]).toEqual(["OK"]);
});
