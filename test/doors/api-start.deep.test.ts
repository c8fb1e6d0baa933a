import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { readForm } from "../../api/multipart.ts";
import { NO_CRM } from "../../domain/crm/provider.ts";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import type { Mongod } from "../../embedded/mongod.ts";
import { freePort } from "../../embedded/ports.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { createWorkspace } from "../../operations/access/workspaces.ts";
import { type Receiver, Upload } from "../../operations/upload.ts";
import { startApi } from "../../runtime/api.ts";
import { listen } from "../../runtime/listen.ts";
import { createLog } from "../../runtime/log.ts";
import { createEngine } from "../../temporal/engine.ts";
import { until } from "../fakes/wait.ts";
import { restOf } from "../support/rest.ts";
import { throwAwayMongod } from "../support/server-host.ts";
import { runService } from "../support/service.ts";

let folder: string;
let mongod: Mongod | undefined;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-start-"));
});
afterAll(async () => {
  await mongod?.stop();
  await rm(folder, { recursive: true, force: true });
});

test("the API starts before its database, answers 503 until the database is there, and then serves without a restart", async () => {
  const port = await freePort();
  const api = await startApi({
    port: 0,
    mongodbUri: `mongodb://127.0.0.1:${port}/?replicaSet=rs0`,
    secretKey: randomBytes(32).toString("base64"),
    retiredKeys: [],
    engine: createEngine(() => null),
    settings: {
      publicUrl: "http://localhost",
      trackUrl: "http://localhost",
      trustProxy: false,
      proxyNetworks: ["127.0.0.0/8"],
      ownHosts: [],
      hasSystemMail: false,
      hasPostmaster: false,
      hasLeadSearchProvider: false,
      hasAgent: false,
      agentModel: null,
      creditsPerMonth: 0,
      billing: null,
      allowSignUp: false,
      signUp: { perAddress: 3, perNetwork: 10, perDay: 200 },
      conduct: null,
      newcomer: null,
      egressAllow: "",
      allowInsecureMail: false,
      providers: NO_PROVIDERS,
      calendars: { A: null, B: null },
      crm: NO_CRM,
      sheetsUrl: null,
      rspamdUrl: null,
      engineRunsUrl: null,
      version: "0.0.0",
    },
    log: createLog("silent"),
  });
  const url = `http://127.0.0.1:${api.port}`;
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
  // A customer's page may wait for it
  expect((await fetch(`${url}/svc.js`)).status).toBe(200);
  expect(await (await fetch(url)).json()).toMatchObject({
    status: "unready",
    missing: expect.arrayContaining([expect.objectContaining({ code: "MONGODB_UNREACHABLE" })]),
  });
  const early = await restOf(`${url}/api/v1`, "x").get("/whoami");
  expect(early).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  expect(early.headers.get("retry-after")).not.toBeNull();
  mongod = await throwAwayMongod(folder, port);
  const statusOf = async (path: string) => (await fetch(url + path)).status;
  await until(async () => (await statusOf("/readyz")) === 200, { deadlineMs: 20_000, what: "the API to be ready" });
  // Ready means that requests are served, not just that the database answers: its indexes are built before
  expect(await statusOf("/api/v1/whoami")).toBe(401);
  const { workspaceId, ownerId } = await createWorkspace({ name: "Acme", email: "a@b.test" });
  const { key } = await createKey({ workspaceId, name: "k", scopes: ALL_SCOPES, createdBy: ownerId });
  expect(await restOf(`${url}/api/v1`, key).get("/whoami")).toMatchObject({ status: 200, body: { workspaceId } });
  await api.close();
  await expect(fetch(`${url}/healthz`)).rejects.toThrow();
});

test("an API in its own process ends at SIGTERM, also while MongoDB and Temporal are unreachable", async () => {
  const PORT = String(await freePort());
  const SECRET_KEY = randomBytes(32).toString("base64");
  const api = runService(
    {
      PORT,
      API_METRICS_PORT: "0",
      MONGODB_URI: "mongodb://127.0.0.1:1/?replicaSet=rs0",
      SECRET_KEY,
      TEMPORAL_ADDRESS: "127.0.0.1:1",
    },
    [],
    "api/main.ts",
  );
  await api.says(/listening/);
  expect(await api.end("SIGTERM", 30_000)).toBe(0);
});

test("a port that is in use is reported with its number and the variable that changes the port", async () => {
  const first = await listen((_req, res) => res.end(), 0, { host: "127.0.0.1" });
  await expect(listen((_req, res) => res.end(), first.port, { host: "127.0.0.1" })).rejects.toThrow(
    new RegExp(`${first.port}.*PORT`),
  );
  await first.close();
});

test("an upload may last longer than the request timeout, which still cuts other requests", async () => {
  let begun = 0;
  const receiver: Receiver = {
    maxBytes: 1_000,
    async receive(file) {
      let size = 0;
      for await (const part of file.bytes) size += part.length;
      return new Upload(file, { size, digest: "" }, null);
    },
    discard: async () => {},
  };
  const app: RequestListener = (req, res) => {
    begun++;
    if (req.url === "/other") req.resume();
    else {
      const told = ({ file }: Record<string, unknown>) =>
        res.end(`of ${file instanceof Upload ? file.size : "no"} bytes`);
      readForm(req, receiver).then(told, () => res.end("refused"));
    }
  };
  const { port, server, close } = await listen(app, 0, { host: "127.0.0.1" });
  // Milliseconds: whatever is under way when the server looks the next time has lasted too long
  [server.headersTimeout, server.requestTimeout] = [1, 1];
  const post = (path: string, type: string, text: string) => {
    const socket = connect(port, "127.0.0.1");
    const head = `POST ${path} HTTP/1.1\r\nHost: a.test\r\nContent-Type: ${type}\r\nContent-Length: 200\r\nConnection: close\r\n\r\n`;
    socket.write(head + text);
    return socket;
  };
  const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';
  const upload = post("/upload", "multipart/form-data; boundary=x", body);
  await until(() => begun === 1, { deadlineMs: 30_000, what: "the upload to begin" });
  const other = post("/other", "application/json", "{");
  await once(other, "close");
  const rest = 200 - body.length - "\r\n--x--".length;
  upload.write(`${"a".repeat(rest)}\r\n--x--`);
  let answer = "";
  upload.setEncoding("utf8").on("data", (part: string) => {
    answer += part;
  });
  await once(upload, "close");
  expect(answer).toContain(`of ${rest} bytes`);
  await close();
}, 60_000);

test("an upload that continues after a refusal, or stalls, is cut", async () => {
  const receiver: Receiver = {
    maxBytes: 1_000,
    receive: () => Promise.reject(new Error("not wanted")),
    discard: async () => {},
  };
  const app: RequestListener = (req, res) => {
    const patience = req.url === "/long" ? { longestMs: 300, idleMs: 60_000 } : { longestMs: 60_000, idleMs: 300 };
    readForm(req, receiver, patience).then(
      () => res.end("taken"),
      () => res.end("refused"),
    );
  };
  const { port, server, close } = await listen(app, 0, { host: "127.0.0.1" });
  server.requestTimeout = 0; // only the upload's own may cut it
  const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n1';
  const cut = ["/long", "/idle"].map(async (path) => {
    // The cut reaches a client that is writing as an error before the close, and the answer has come by then
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    let answer = "";
    socket.setEncoding("utf8").on("data", (part: string) => {
      answer += part;
    });
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: a.test\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n\r\n`,
    );
    socket.write(body);
    await until(() => answer.includes("refused"), { deadlineMs: 30_000, what: `the refusal of ${path}` });
    const drip = setInterval(() => path === "/long" && socket.write("1"), 20);
    await until(() => socket.closed, { deadlineMs: 30_000, what: `the cut of ${path}` });
    clearInterval(drip);
  });
  await Promise.all(cut);
  await close();
}, 60_000);
