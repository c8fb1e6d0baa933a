import { mkdtemp, rm } from "node:fs/promises";
import { connect } from "node:net";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Client, Connection } from "@temporalio/client";
import { liveRecord } from "../../embedded/pid-file.ts";
import { accepts } from "../../embedded/ports.ts";
import { listenedBy } from "../support/listening.ts";
import { portsOf, runService, type Service } from "../support/service.ts";
import { ask, get } from "../support/wire.ts";

/** The servers without a login answer under our own names alone: the metrics do, Temporal's HTTP API never does. */
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
    run({ HOST: "0.0.0.0", ALLOWED_HOSTS: "Ops.example.test", PUBLIC_URL: "https://out.example.test" }),
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
  const numbers = {
    ui: Number(ports["TEMPORAL_UI_PORT"]),
    metrics: Number(ports["METRICS_PORT"]),
    api: Number(ports["PORT"]),
  };
  return { service, dataDir, ...numbers, client: new Client({ connection }) };
}

const post = (port: number, path: string, ...headers: string[]) =>
  ask(port, [`POST ${path} HTTP/1.1`, ...headers], START);

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
  "a metrics request for the host '%s' is refused",
  async (host) => {
    const { status, text } = await get(closed.metrics, "/metrics", `Host: ${host}`);
    expect(status).toBe(421);
    expect(text).not.toContain("temporal_");
  },
);

test("when the service starts its own servers, it listens on this machine only, unless HOST says otherwise", async () => {
  const outward = Object.values(networkInterfaces()).flatMap((list = []) =>
    list.filter(({ internal, family }) => !internal && family === "IPv4"),
  );
  // Without a network every address from 127.0.0.1 on is this machine's
  const address = outward[0]?.address ?? "127.0.0.2";
  expect(await isOpen(open.api, address)).toBe(true);
  for (const port of [closed.api, closed.metrics, open.metrics])
    expect([port, await isOpen(port, address)]).toEqual([port, false]);
});

test("requests are answered for the local host names, for allowed host names and for the host name of the service", async () => {
  for (const host of ["localhost", "LOCALHOST:1", "127.0.0.1:8233", "[::1]:8233"]) {
    expect((await get(closed.metrics, "/metrics", `Host: ${host}`)).text).toContain("temporal_");
  }
  for (const host of ["ops.example.test", "out.example.test:8233"]) {
    expect((await get(open.metrics, "/metrics", `Host: ${host}`)).status).toBe(200);
    expect((await get(closed.metrics, "/metrics", `Host: ${host}`)).status).toBe(421);
  }
});

test("a page of another site can neither read the metrics nor frame them", async () => {
  const host = `Host: localhost:${closed.metrics}`;
  expect((await get(closed.metrics, "/metrics", host, "Origin: https://evil.test")).status).toBe(403);
  const { text } = await get(closed.metrics, "/metrics", host);
  expect(text).toMatch(/^x-frame-options: SAMEORIGIN/im);
  expect(text).toMatch(/^cross-origin-resource-policy: same-origin/im);
});

test("the service listens only on ports that a setting names, and its metrics include those of the Temporal SDK", async () => {
  expect(listenedBy(closed.service.pid).sort()).toEqual([closed.api, closed.metrics].sort());
  const { text } = await get(closed.metrics, "/metrics", `Host: localhost:${closed.metrics}`);
  expect(text).toMatch(/^temporal_worker_task_slots_available\{.*task_queue="webhook".*worker_type="ActivityWorker"/m);
  expect(text).toMatch(/^temporal_request_latency_bucket\{le="2500".*operation="DescribeNamespace"/m);
});

test("Temporal's web pages do not run unless a setting asks for them", async () => {
  expect(await accepts(closed.ui)).toBe(false);
  expect(closed.service.output()).not.toContain("Temporal UI");
});

test("no port of the Temporal server accepts a command from a web page", async () => {
  const { pid = 0 } = (await liveRecord(closed.dataDir, "temporal")) ?? {};
  const ports = listenedBy(pid);
  // At least gRPC and its HTTP API
  expect(ports.length).toBeGreaterThanOrEqual(2);
  for (const port of ports) {
    for (const host of [`Host: localhost:${port}`, `Host: 127.0.0.1:${port}`, "Host: evil.test", "Host: "]) {
      await post(port, `${WORKFLOWS}/blind`, host, "Origin: https://evil.test", "Content-Type: text/plain").catch(
        () => {},
      );
      await post(port, "/namespaces/default/workflows/blind", host, "Content-Type: text/plain").catch(() => {});
    }
    await ask(port, [`POST ${WORKFLOWS}/blind HTTP/1.0`, "Content-Type: text/plain"], START).catch(() => {});
  }
  expect(await isStarted(closed, "blind")).toBe(false);
});

test("a request with two Host headers or none is 400 on the API and on the metrics server", async () => {
  const { api, metrics } = closed;
  for (const port of [api, metrics]) {
    expect((await get(port, "/healthz", "Host: localhost", "Host: localhost")).status).toBe(400);
    expect((await get(port, "/healthz", "Host: evil.test", "hOST: localhost")).status).toBe(400);
    expect((await get(port, "/healthz")).status).toBe(400);
  }
  expect((await get(api, "/healthz", "Host: localhost")).status).toBe(200);
});

function isOpen(port: number, address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, address, () => resolve(true)).on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}
