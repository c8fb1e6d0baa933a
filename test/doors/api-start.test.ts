import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { NO_PROVIDERS } from "../../domain/mailboxes/provider.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import type { Mongod } from "../../embedded/mongod.ts";
import { freePort } from "../../embedded/ports.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { createWorkspace } from "../../operations/access/workspaces.ts";
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
      egressAllow: "",
      allowInsecureMail: false,
      providers: NO_PROVIDERS,
      sheetsUrl: null,
    },
    log: createLog("silent"),
  });
  const url = `http://127.0.0.1:${api.port}`;
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(503);
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

test("the API in a process of its own ends at SIGTERM, whether its servers are there or not", async () => {
  const PORT = String(await freePort());
  const SECRET_KEY = randomBytes(32).toString("base64");
  const api = runService(
    { PORT, API_METRICS_PORT: "0", MONGODB_URI: "mongodb://127.0.0.1:1/?replicaSet=rs0", SECRET_KEY, TEMPORAL_ADDRESS: "127.0.0.1:1" },
    [],
    "api/main.ts",
  );
  await api.says(/listening/);
  expect(await api.end("SIGTERM", 10_000)).toBe(0);
});

test("a port in use is reported with its number and the variable that changes it", async () => {
  const first = await listen((_req, res) => res.end(), 0, { host: "127.0.0.1" });
  await expect(listen((_req, res) => res.end(), first.port, { host: "127.0.0.1" })).rejects.toThrow(new RegExp(`${first.port}.*PORT`));
  await first.close();
});
