import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { Client, Connection, type WorkflowHandle } from "@temporalio/client";
import { liveRecord } from "../../embedded/pid-file.ts";
import { until } from "../fakes/wait.ts";
import { listenedBy, treeOf } from "../support/listening.ts";
import { portsOf, runService, type Service } from "../support/service.ts";
import { inPages } from "../support/temporal-pages.ts";
import { ask, type WireAnswer } from "../support/wire.ts";

/**
 * A page of another site reaches every port of this machine through the browser, also under a name of its own that
 * leads to 127.0.0.1. So a whole `npm start` is asked on each port on which one of its processes listens, whether the
 * port is a known one or not.
 */
const HELD = "/namespaces/default/workflows/held";
const TERMINATE = [`/api/v1${HELD}/terminate`, `${HELD}/terminate`];
const NEXUS = "/namespaces/default/task-queues/engine/nexus-services/any/any";
const READS = [
  ...["/", "/healthz", "/readyz", "/metrics", "/render?content=x", "/favicon.ico", "/swagger.json", "/debug/pprof/"],
  ...[
    "/api/v1/settings",
    "/api/v1/namespaces",
    `/api/v1${HELD}`,
    HELD,
    "/api/v1/whoami",
    "/api/v1/leads",
    "/mcp",
    "/console",
  ],
];
const WRITES = [...TERMINATE, NEXUS, "/api/v1/block-list", "/mcp", "/login"];
/** Refused: by its status, or because no HTTP comes back at all. */
const REFUSALS = [0, 400, 401, 403, 404, 405, 421];

interface Answer extends WireAnswer {
  /** `API GET /path` */
  asked: string;
}

let folder: string;
let ports: Record<string, string>;
let service: Service;
let held: WorkflowHandle;
let connection: Connection | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-ports-"));
  ports = await portsOf();
});
afterEach(async () => {
  await connection?.close();
  connection = undefined;
  await service.end("SIGTERM", 30_000);
  await rm(folder, { recursive: true, force: true });
});

async function start(more: Record<string, string>): Promise<void> {
  service = runService({ ...ports, DATA_DIR: folder, ...more });
  await service.says(/workers ready/);
  connection = await Connection.connect({ address: `127.0.0.1:${ports["TEMPORAL_PORT"]}` });
  const client = new Client({ connection });
  held = await client.workflow.start("mailboxSync", { workflowId: "held", taskQueue: "nobody" });
}

/** Every port on which a process of the service listens, with the name of its setting or of its process. */
async function everyPort(): Promise<Map<number, string>> {
  const temporal = (await liveRecord(folder, "temporal"))?.pid;
  const named = new Map(
    Object.entries(ports).map(([name, port]) => [Number(port), name.replace(/_?PORT$/, "") || "API"]),
  );
  return new Map(
    treeOf(service.pid).flatMap((pid) =>
      listenedBy(pid).map(
        (port) => [port, named.get(port) ?? (pid === temporal ? "TEMPORAL, further" : "unknown")] as const,
      ),
    ),
  );
}

/**
 * What a page can do that was loaded under a stranger's name from this very port: it reads every cookie and header it
 * was given.
 */
async function attack(port: number, name: string): Promise<Answer[]> {
  const host = `Host: evil.test:${port}`;
  const own = [host, `Origin: http://evil.test:${port}`, "Sec-Fetch-Site: same-origin"];
  const other = [
    `Host: localhost:${port}`,
    "Origin: https://evil.test",
    "Sec-Fetch-Site: cross-site",
    "Sec-Fetch-Mode: cors",
  ];
  const tell = async (asked: string, lines: string[], body?: string): Promise<Answer> => {
    const silent = (err: unknown): WireAnswer => ({ status: 0, text: String(err) });
    return { asked: `${name} ${asked}`, ...(await ask(port, lines, body).catch(silent)) };
  };
  const answers: Answer[] = [];
  for (const headers of [own, other]) {
    for (const path of READS) answers.push(await tell(`GET ${path}`, [`GET ${path} HTTP/1.1`, ...headers]));
    const token =
      answers.map(({ text }) => /_csrf=([^;\s]+)/.exec(text)?.[1]).find((found) => found !== undefined) ?? "none";
    for (const path of WRITES) {
      for (const type of ["application/json", "text/plain"]) {
        const more = [
          `Cookie: _csrf=${token}`,
          `X-CSRF-Token: ${token}`,
          `Content-Type: ${type}`,
          "Request-Timeout: 1s",
        ];
        answers.push(await tell(`POST ${path}`, [`POST ${path} HTTP/1.1`, ...headers, ...more], "{}"));
      }
    }
  }
  return answers;
}

/**
 * What anyone may read, because it says nothing about this deployment: whether it lives, what the API is, Temporal's
 * published API, and MongoDB's sentence for browsers. A Nexus call waits for a worker that serves Nexus; none
 * does, so it ends with a time-out.
 */
const PUBLIC = [
  { asked: /^(API|METRICS) GET \/(healthz|readyz)$/, answer: /^200 [^"]*\{"status":"(ok|ready)"/ },
  { asked: /^API GET \/$/, answer: /^200 \{"name":"Outreach"/ },
  { asked: /^TEMPORAL, further GET \/swagger\.json$/, answer: /^200 [^"]*\{\s*"swagger"/ },
  {
    asked: /^MONGOD GET /,
    answer: /^200 It looks like you are trying to access MongoDB over HTTP on the native driver port\.\s*$/,
  },
  { asked: /^TEMPORAL, further POST \/namespaces\/default\/task-queues\//, answer: /^520 .*upstream timeout/ },
];

/** The answers that a stranger got although they are not public, each with its status and its text. */
async function strangersGot(): Promise<string[]> {
  const got: string[] = [];
  for (const [port, name] of await everyPort()) {
    for (const { asked, status, text } of await attack(port, name)) {
      const answer = `${status} ${text.split("\r\n\r\n").slice(1).join("").slice(0, 200)}`;
      const isPublic = PUBLIC.some((one) => one.asked.test(asked) && one.answer.test(answer));
      const hasReadableCookie = /^set-cookie:(?!.*; ?httponly)/im.test(text);
      if (hasReadableCookie || !(isPublic || REFUSALS.includes(status))) got.push(`${asked}: ${answer}`);
    }
  }
  return got;
}

test("no port of a running service answers a web page of another site or runs a command that such a page sends", async () => {
  await start({});
  const names = [...(await everyPort()).values()];
  expect(names.filter((name) => name !== "TEMPORAL, further").sort()).toEqual(["API", "METRICS", "MONGOD", "TEMPORAL"]);
  expect(await strangersGot()).toEqual([]);
  expect((await held.describe()).status.name).toBe("RUNNING");
}, 180_000);

inPages(
  "with Temporal's web pages no port answers a page of another site, even if the pages may change workflows and their server restarts",
  async () => {
    await start({ TEMPORAL_UI: "1", TEMPORAL_UI_WRITES: "1" });
    const page = `http://localhost:${ports["TEMPORAL_UI_PORT"]}/api/v1/namespaces`;
    const isUp = async () => (await fetch(page).catch(() => null))?.ok === true;
    await until(isUp, { deadlineMs: 20_000, what: "the Temporal UI" });
    expect(await strangersGot()).toEqual([]);
    process.kill((await liveRecord(folder, "temporal"))?.pid ?? 0, "SIGKILL");
    await until(isUp, { deadlineMs: 30_000, what: "the Temporal UI after its server was killed" });
    expect(await strangersGot()).toEqual([]);
    expect((await held.describe()).status.name).toBe("RUNNING");
  },
  240_000,
);
