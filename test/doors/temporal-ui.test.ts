import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect } from "@jest/globals";
import { Client, Connection } from "@temporalio/client";
import { ownNames } from "../../domain/access/own-hosts.ts";
import { SECRET_HEADER, startFront } from "../../embedded/front.ts";
import { startTemporal, type Temporal } from "../../embedded/temporal.ts";
import type { Listener } from "../../runtime/listen.ts";
import { until } from "../fakes/wait.ts";
import { hasPages, inPages, temporalWithPages } from "../support/temporal-pages.ts";
import { ask, get, send } from "../support/wire.ts";

/**
 * Temporal's web pages have no login, so they answer only the front, and the front answers only to our own names and
 * our own pages.
 */
const NAMESPACES = "/api/v1/namespaces";
const WORKFLOWS = `${NAMESPACES}/default/workflows`;
const START = JSON.stringify({ workflowType: { name: "recipient" }, taskQueue: { name: "nobody" }, requestId: "1" });
const JSON_BODY = "Content-Type: application/json";

interface Pages {
  temporal: Temporal;
  front: Listener;
  /** The port that the front asks, and the header by which it may. */
  behind: number;
  secret: string;
  client: Client;
}

let closed: Pages;
let open: Pages;

beforeAll(async () => {
  if (hasPages) [closed, open] = await Promise.all([start(false), start(true)]);
}, 120_000);
afterAll(async () => {
  for (const { temporal, front, client } of hasPages ? [closed, open] : []) {
    await client.connection.close();
    await front.close();
    await temporal.stop();
  }
}, 30_000);

async function start(writes: boolean): Promise<Pages> {
  const secret = randomBytes(32).toString("hex");
  const temporal = await startTemporal({
    ...temporalWithPages,
    dataDir: null,
    port: 0,
    pages: { port: 0, secret, writes },
  });
  const behind = temporal.pagesPort ?? 0;
  const names = ownNames(["ops.example.test"], ["https://out.example.test"]);
  const place = { host: "127.0.0.1", port: 0, variable: "TEMPORAL_UI_PORT" };
  const front = await startFront({ ...place, name: "The Temporal UI", behind, secret, names, writes });
  const connection = await Connection.connect({ address: temporal.address });
  // The API behind the pages answers 503 for a moment after its start
  const isUp = async () => (await fetch(`http://127.0.0.1:${front.port}${NAMESPACES}`)).ok;
  await until(isUp, { deadlineMs: 20_000, what: "the Temporal UI" });
  return { temporal, front, behind, secret: `${SECRET_HEADER}: ${secret}`, client: new Client({ connection }) };
}

const post = (port: number, path: string, ...headers: string[]) =>
  ask(port, [`POST ${path} HTTP/1.1`, ...headers], START);

function isStarted({ client }: Pages, id: string): Promise<boolean> {
  return client.workflow
    .getHandle(id)
    .describe()
    .then(
      () => true,
      () => false,
    );
}

inPages("the port behind the front refuses every request without the secret, and sets no cookie", async () => {
  const { behind, secret } = open;
  const own = `Host: localhost:${behind}`;
  const page = (await get(behind, "/", own, secret)).text;
  const asset = /\/_app\/[^"']+\.js/.exec(page)?.[0] ?? "";
  expect((await get(behind, asset, own, secret)).status).toBe(200);
  for (const path of [
    "/",
    asset,
    "/favicon.ico",
    "/healthz",
    "/render?content=x",
    "/api/v1/settings",
    NAMESPACES,
    `//${NAMESPACES}`,
  ]) {
    for (const host of [own, `Host: evil.test:${behind}`, "Host: "]) {
      for (const guess of [[], [`${SECRET_HEADER}: `], [`${SECRET_HEADER}: ${"0".repeat(64)}`]]) {
        const { status, text } = await get(behind, path, host, ...guess);
        expect([path, host, status]).toEqual([path, host, 403]);
        expect(text).not.toMatch(/^(set-cookie|access-control-|location)/im);
      }
    }
  }
  for (const method of ["POST", "PUT", "DELETE", "OPTIONS", "HEAD"]) {
    expect([
      method,
      (await ask(behind, [`${method} ${WORKFLOWS}/blind HTTP/1.1`, own, JSON_BODY], START)).status,
    ]).toEqual([method, 403]);
  }
  expect(await isStarted(open, "blind")).toBe(false);
});

inPages("a page under a foreign host name that resolves to this machine cannot terminate a workflow", async () => {
  const { client, front, behind, temporal } = open;
  const handle = await client.workflow.start("waits", { workflowId: "held", taskQueue: "nobody" });
  for (const port of [front.port, behind, temporal.port]) {
    const host = `Host: evil.test:${port}`;
    const { text } = await get(port, "/", host).catch(() => ({ text: "" }));
    const token = /_csrf=([^;\s]+)/.exec(text)?.[1] ?? "none";
    const own = [
      `Origin: http://evil.test:${port}`,
      "Sec-Fetch-Site: same-origin",
      `Cookie: _csrf=${token}`,
      `X-CSRF-Token: ${token}`,
    ];
    await post(port, `${WORKFLOWS}/held/terminate`, host, JSON_BODY, ...own).catch(() => {});
  }
  expect((await handle.describe()).status.name).toBe("RUNNING");
});

inPages.each(["evil.test", "localhost.evil.test", "evil@localhost", "10.0.0.1", ""])(
  "the front does not answer a request for the host '%s'",
  async (host) => {
    for (const path of [NAMESPACES, "/"]) {
      const { status, text } = await get(closed.front.port, path, `Host: ${host}`);
      expect([path, status]).toEqual([path, 421]);
      expect(text).not.toContain("default");
    }
  },
);

inPages(
  "the front answers for the local host names, for allowed host names and for the host name of the service",
  async () => {
    const hosts = [
      "localhost",
      "LOCALHOST:1",
      "127.0.0.1:8233",
      "[::1]:8233",
      "ops.example.test",
      "out.example.test:8233",
    ];
    for (const host of hosts)
      expect((await get(closed.front.port, NAMESPACES, `Host: ${host}`)).text).toContain("default");
  },
);

inPages("a page of another site can neither read the Temporal pages nor frame them, but may link to them", async () => {
  const { port } = closed.front;
  const host = `Host: localhost:${port}`;
  for (const origin of ["https://evil.test", "http://localhost:1", "null"]) {
    expect((await get(port, NAMESPACES, host, `Origin: ${origin}`)).status).toBe(403);
  }
  const from = (site: string, mode: string, dest: string) => [
    `Sec-Fetch-Site: ${site}`,
    `Sec-Fetch-Mode: ${mode}`,
    `Sec-Fetch-Dest: ${dest}`,
  ];
  expect((await get(port, NAMESPACES, host, ...from("cross-site", "no-cors", "script"))).status).toBe(403);
  expect((await get(port, NAMESPACES, host, ...from("same-site", "cors", "empty"))).status).toBe(403);
  expect((await get(port, "/", host, ...from("cross-site", "navigate", "iframe"))).status).toBe(403);
  expect((await get(port, "/", host, ...from("cross-site", "navigate", "document"))).status).toBe(200);
  const own = [...from("same-origin", "cors", "empty"), `Origin: http://localhost:${port}`];
  expect((await get(port, NAMESPACES, host, ...own)).status).toBe(200);
  const { text } = await get(port, "/", host);
  expect(text).toMatch(/^content-security-policy: .*frame-ancestors 'self'/im);
  expect(text).toMatch(/^x-frame-options: SAMEORIGIN/im);
  expect(text).not.toMatch(/^access-control-/im);
});

inPages(
  "the Temporal pages are read-only unless a setting allows changes, both at the front and behind the front",
  async () => {
    const { front, behind, secret } = closed;
    const own = [
      `Host: localhost:${front.port}`,
      `Origin: http://localhost:${front.port}`,
      "Sec-Fetch-Site: same-origin",
      JSON_BODY,
    ];
    expect((await post(front.port, `${WORKFLOWS}/closed`, ...own)).status).toBe(405);
    expect((await post(behind, `${WORKFLOWS}/closed`, ...own, secret)).status).toBe(405);
    expect(await isStarted(closed, "closed")).toBe(false);
    expect((await get(front.port, "/api/v1/settings", `Host: localhost:${front.port}`)).text).toContain(
      '"DisableWriteActions":true',
    );
  },
);

inPages("where the setting allows changes, only the Temporal pages' own requests can make them", async () => {
  const { port } = open.front;
  const host = `Host: localhost:${port}`;
  for (const [id, from] of [
    ["stranger", ["Origin: https://evil.test", "Sec-Fetch-Site: cross-site"]],
    ["neighbour", ["Origin: http://localhost:1", "Sec-Fetch-Site: same-site"]],
    ["nobody", []],
  ] as const) {
    expect([id, (await post(port, `${WORKFLOWS}/${id}`, host, JSON_BODY, ...from)).status]).toEqual([id, 403]);
    expect(await isStarted(open, id)).toBe(false);
  }
  const own = [`Origin: http://localhost:${port}`, "Sec-Fetch-Site: same-origin"];
  expect((await post(port, `${WORKFLOWS}/own`, host, JSON_BODY, ...own)).status).toBe(200);
  expect(await isStarted(open, "own")).toBe(true);
});

inPages(
  "the front does not forward to other hosts, switch protocols, or read a hidden request after a body",
  async () => {
    const { port } = open.front;
    const host = `Host: localhost:${port}`;
    expect((await get(port, "http://evil.test/", host)).status).toBe(421);
    const upgraded = await ask(port, [
      "GET / HTTP/1.1",
      host,
      "Upgrade: websocket",
      "Sec-WebSocket-Key: x",
      "Sec-WebSocket-Version: 13",
    ]);
    expect(upgraded.status).not.toBe(101);
    const hidden = `POST ${WORKFLOWS}/hidden HTTP/1.1\r\n${host}\r\n${JSON_BODY}\r\nContent-Length: ${START.length}\r\n\r\n${START}`;
    const chunked = ["GET / HTTP/1.1", host, "Transfer-Encoding: chunked", "Connection: close"];
    await send(port, [...chunked, "", hidden.length.toString(16), hidden, "0", "", ""]).catch(() => {});
    expect(await isStarted(open, "hidden")).toBe(false);
    expect((await get(port, "/", host, "Host: localhost")).status).toBe(400);
  },
);
