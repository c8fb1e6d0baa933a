import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Client, Connection } from "@temporalio/client";
import { liveRecord } from "../../embedded/pid-file.ts";
import { until } from "../fakes/wait.ts";
import { portsOf, runService, type Service } from "../support/service.ts";

/** The servers without a login answer under our own names alone: the Temporal pages and the metrics do, Temporal's HTTP API never does. */
const WORKFLOWS = "/api/v1/namespaces/default/workflows";
const START = JSON.stringify({ workflowType: { name: "recipient" }, taskQueue: { name: "nobody" }, requestId: "1" });

interface Running {
  service: Service;
  dataDir: string;
  ui: number;
  metrics: number;
  api: number;
  client: Client;
}

const folders: string[] = [];
let closed: Running;
let open: Running;

beforeAll(async () => {
  [closed, open] = await Promise.all([
    run({}),
    run({ HOST: "0.0.0.0", TEMPORAL_UI_WRITES: "1", ALLOWED_HOSTS: "Ops.example.test", PUBLIC_URL: "https://out.example.test" }),
  ]);
}, 120_000);

afterAll(async () => {
  for (const { service, client } of [closed, open]) {
    await client.connection.close();
    await service.end("SIGTERM", 30_000);
  }
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

async function run(more: Record<string, string>): Promise<Running> {
  const dataDir = await mkdtemp(join(tmpdir(), "outreach-names-"));
  folders.push(dataDir);
  const ports = await portsOf();
  const service = runService({ ...ports, DATA_DIR: dataDir, WORKER_QUEUES: "webhook", ...more });
  await service.says(/workers ready/);
  const connection = await Connection.connect({ address: `127.0.0.1:${ports["TEMPORAL_PORT"]}` });
  const numbers = { ui: Number(ports["TEMPORAL_UI_PORT"]), metrics: Number(ports["METRICS_PORT"]), api: Number(ports["PORT"]) };
  // The API behind the pages answers 503 for a moment after its start
  const isUp = async () => (await fetch(`http://127.0.0.1:${numbers.ui}/api/v1/namespaces`)).ok;
  await until(isUp, { deadlineMs: 20_000, what: "the Temporal UI" });
  return { service, dataDir, ...numbers, client: new Client({ connection }) };
}

interface Answer {
  status: number;
  text: string;
}

/** A request as it goes over the wire, since `fetch` always sends a Host of its own. */
function ask(port: number, lines: string[], body = ""): Promise<Answer> {
  return send(port, [...lines, `Content-Length: ${Buffer.byteLength(body)}`, "Connection: close", "", body]);
}

function send(port: number, lines: string[]): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(lines.join("\r\n")));
    socket.setTimeout(10_000, () => socket.destroy(new Error("silence")));
    socket.setEncoding("latin1").on("data", (part: string) => {
      text += part;
    });
    // A response may be followed by a reset
    socket.on("error", (error) => text === "" && reject(error));
    socket.on("close", () => resolve({ status: Number(text.split(" ")[1] ?? 0), text }));
  });
}

const get = (port: number, path: string, ...headers: string[]) => ask(port, [`GET ${path} HTTP/1.1`, ...headers]);
const post = (port: number, path: string, ...headers: string[]) => ask(port, [`POST ${path} HTTP/1.1`, ...headers], START);

async function isStarted({ client }: Running, id: string): Promise<boolean> {
  return client.workflow
    .getHandle(id)
    .describe()
    .then(
      () => true,
      () => false,
    );
}

test.each(["evil.test", "localhost.evil.test", "evil@localhost", "10.0.0.1", ""])(
  "a request for the host '%s' is not answered",
  async (host) => {
    for (const [port, path] of [
      [closed.ui, "/api/v1/namespaces"],
      [closed.ui, "/"],
      [closed.metrics, "/metrics"],
    ] as const) {
      const { status, text } = await get(port, path, `Host: ${host}`);
      expect([port, path, status]).toEqual([port, path, 421]);
      expect(text).not.toContain("default");
    }
  },
);

test("on servers of its own the service can be reached only from this machine, unless HOST says otherwise", async () => {
  const outward = Object.values(networkInterfaces()).flatMap((list = []) =>
    list.filter(({ internal, family }) => !internal && family === "IPv4"),
  );
  // Without a network every address from 127.0.0.1 on is this machine's
  const address = outward[0]?.address ?? "127.0.0.2";
  expect(await isOpen(open.api, address)).toBe(true);
  for (const port of [closed.api, closed.ui, closed.metrics, open.ui, open.metrics])
    expect([port, await isOpen(port, address)]).toEqual([port, false]);
});

test("requests are answered under the names of this machine, under allowed names and under the name of the service", async () => {
  for (const host of ["localhost", "LOCALHOST:1", "127.0.0.1:8233", "[::1]:8233"]) {
    expect((await get(closed.ui, "/api/v1/namespaces", `Host: ${host}`)).text).toContain("default");
    expect((await get(closed.metrics, "/metrics", `Host: ${host}`)).text).toContain("temporal_");
  }
  for (const host of ["ops.example.test", "out.example.test:8233"]) {
    expect((await get(open.ui, "/", `Host: ${host}`)).status).toBe(200);
    expect((await get(open.metrics, "/metrics", `Host: ${host}`)).status).toBe(200);
    expect((await get(closed.ui, "/", `Host: ${host}`)).status).toBe(421);
  }
});

test("a page of another site can neither read the Temporal pages nor frame them, but may link to them", async () => {
  const host = `Host: localhost:${closed.ui}`;
  const path = "/api/v1/namespaces";
  for (const origin of ["https://evil.test", "http://localhost:1", "null"]) {
    expect((await get(closed.ui, path, host, `Origin: ${origin}`)).status).toBe(403);
  }
  const from = (site: string, mode: string, dest: string) => [
    `Sec-Fetch-Site: ${site}`,
    `Sec-Fetch-Mode: ${mode}`,
    `Sec-Fetch-Dest: ${dest}`,
  ];
  expect((await get(closed.ui, path, host, ...from("cross-site", "no-cors", "script"))).status).toBe(403);
  expect((await get(closed.ui, path, host, ...from("same-site", "cors", "empty"))).status).toBe(403);
  expect((await get(closed.ui, "/", host, ...from("cross-site", "navigate", "iframe"))).status).toBe(403);
  expect((await get(closed.ui, "/", host, ...from("cross-site", "navigate", "document"))).status).toBe(200);
  expect((await get(closed.ui, path, host, ...from("same-origin", "cors", "empty"), `Origin: http://localhost:${closed.ui}`)).status).toBe(
    200,
  );
  const { text } = await get(closed.ui, "/", host);
  expect(text).toMatch(/^content-security-policy: .*frame-ancestors 'self'/im);
  expect(text).toMatch(/^x-frame-options: SAMEORIGIN/im);
  expect(text).not.toMatch(/^access-control-/im);
  const metrics = await get(closed.metrics, "/metrics", host);
  expect(metrics.text).toMatch(/^x-frame-options: SAMEORIGIN/im);
  expect(metrics.text).toMatch(/^cross-origin-resource-policy: same-origin/im);
});

test("the Temporal pages change nothing unless a setting allows it", async () => {
  const own = [`Host: localhost:${closed.ui}`, `Origin: http://localhost:${closed.ui}`, "Sec-Fetch-Site: same-origin"];
  expect((await post(closed.ui, `${WORKFLOWS}/closed`, ...own)).status).toBe(405);
  expect(await isStarted(closed, "closed")).toBe(false);
});

test("where the setting allows changes, only the Temporal pages' own requests can make them", async () => {
  const { ui } = open;
  const host = `Host: localhost:${ui}`;
  const { text } = await get(ui, "/", host);
  const token = /_csrf=([^;\s]+)/.exec(text)?.[1] ?? "";
  const cookie = [host, `Cookie: _csrf=${token}`, `X-CSRF-Token: ${token}`, "Content-Type: application/json"];
  for (const [id, from] of [
    ["stranger", ["Origin: https://evil.test", "Sec-Fetch-Site: cross-site"]],
    ["neighbour", ["Origin: http://localhost:1", "Sec-Fetch-Site: same-site"]],
    ["nobody", []],
  ] as const) {
    expect([id, (await post(ui, `${WORKFLOWS}/${id}`, ...cookie, ...from)).status]).toEqual([id, 403]);
    expect(await isStarted(open, id)).toBe(false);
  }
  const own = [`Origin: http://localhost:${ui}`, "Sec-Fetch-Site: same-origin"];
  expect((await post(ui, `${WORKFLOWS}/own`, ...cookie, ...own)).status).toBe(200);
  expect(await isStarted(open, "own")).toBe(true);
});

test("no port of the Temporal server accepts a command from a web page", async () => {
  const { pid = 0 } = (await liveRecord(closed.dataDir, "temporal")) ?? {};
  const ports = listenedBy(pid);
  // At least gRPC, its HTTP API and the pages behind the front
  expect(ports.length).toBeGreaterThanOrEqual(3);
  for (const port of ports) {
    for (const host of [`Host: localhost:${port}`, `Host: 127.0.0.1:${port}`, "Host: evil.test", "Host: "]) {
      await post(port, `${WORKFLOWS}/blind`, host, "Origin: https://evil.test", "Content-Type: text/plain").catch(() => {});
      await post(port, "/namespaces/default/workflows/blind", host, "Content-Type: text/plain").catch(() => {});
    }
    await ask(port, [`POST ${WORKFLOWS}/blind HTTP/1.0`, "Content-Type: text/plain"], START).catch(() => {});
  }
  expect(await isStarted(closed, "blind")).toBe(false);
});

test("a second Host is 400, on whichever server", async () => {
  const { api, ui, metrics } = closed;
  for (const port of [api, ui, metrics]) {
    expect((await get(port, "/healthz", "Host: localhost", "Host: localhost")).status).toBe(400);
    expect((await get(port, "/healthz", "Host: evil.test", "hOST: localhost")).status).toBe(400);
    expect((await get(port, "/healthz")).status).toBe(400);
  }
  expect((await get(api, "/healthz", "Host: localhost")).status).toBe(200);
});

test("the front is no proxy to other hosts, switches to no other protocol, and takes nothing that follows a body for a request", async () => {
  const { ui } = closed;
  const host = `Host: localhost:${ui}`;
  expect((await get(ui, "http://evil.test/", host)).status).toBe(421);
  const upgraded = await ask(ui, ["GET / HTTP/1.1", host, "Upgrade: websocket", "Sec-WebSocket-Key: x", "Sec-WebSocket-Version: 13"]);
  expect(upgraded.status).not.toBe(101);
  const hidden = `POST ${WORKFLOWS}/hidden HTTP/1.1\r\n${host}\r\nContent-Type: application/json\r\nContent-Length: ${START.length}\r\n\r\n${START}`;
  const chunked = ["GET / HTTP/1.1", host, "Transfer-Encoding: chunked", "Connection: close"];
  await send(ui, [...chunked, "", hidden.length.toString(16), hidden, "0", "", ""]).catch(() => {});
  expect(await isStarted(closed, "hidden")).toBe(false);
});

function isOpen(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address, () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

/** The ports of 127.0.0.1 on which a process listens. */
function listenedBy(pid: number): number[] {
  const inodes = readdirSync(`/proc/${pid}/fd`).map((fd) => /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1]);
  const rows = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/));
  return rows.filter((row) => row[3] === "0A" && inodes.includes(row[9])).map((row) => Number.parseInt(row[1]?.split(":")[1] ?? "", 16));
}
