import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Client, Connection } from "@temporalio/client";
import { programEnv, readConfig } from "../../config.ts";
import type { Mongod } from "../../embedded/mongod.ts";
import { freePort } from "../../embedded/ports.ts";
import { startTemporal, type Temporal } from "../../embedded/temporal.ts";
import { createLog } from "../../runtime/log.ts";
import { provideSearchAttributes } from "../../runtime/search-attributes.ts";
import { createMissingCheck } from "../../temporal/missing.ts";
import { SEARCH_ATTRIBUTES } from "../../temporal/search-attributes.ts";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { type Rest, restOf } from "../support/rest.ts";
import { throwAwayMongod } from "../support/server-host.ts";
import { environmentOf, runService, type Service } from "../support/service.ts";
import { startRefusingTemporal } from "./refusing-temporal.ts";
import { type ReceivedSpan, startTraceReceiver, type TraceReceiver } from "./trace-receiver.ts";

/**
 * Roles apart: an API and two workers, on an empty MongoDB and on a Temporal server that knows none of our search
 * attributes.
 */
const ANN = "ann@sandbox.test";
const DORA = "dora@people.test";
const ALL_QUEUES = "engine, smtp, imap, webhook, feed, jobs";

let folder: string;
let mongod: Mongod;
let temporal: Temporal;
let connection: Connection;
let sandbox: Sandbox;
let traces: TraceReceiver;
const running: Service[] = [];
/** API, keeper of the outbox, sender. */
let roles: { service: Service; metrics: string }[] = [];
const variables: Record<string, string> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-roles-"));
  [mongod, temporal, sandbox] = await Promise.all([
    throwAwayMongod(folder),
    emptyTemporal(),
    startSandbox({ mailboxes: [ANN] }),
  ]);
  traces = await startTraceReceiver();
  connection = await Connection.connect({ address: temporal.address });
  await writeFile(join(folder, "ca.pem"), sandbox.certificate.cert);
  Object.assign(variables, {
    MONGODB_URI: mongod.uri,
    TEMPORAL_ADDRESS: temporal.address,
    SECRET_KEY: randomBytes(32).toString("base64"),
    EGRESS_ALLOW: "localhost:*",
    EXTRA_CA_FILE: join(folder, "ca.pem"),
    HOST: "127.0.0.1",
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
    OTEL_BSP_SCHEDULE_DELAY: "200",
    METRICS_HOST: "0.0.0.0",
    ALLOWED_HOSTS: "neighbour.test",
  });
}, 60_000);

afterAll(async () => {
  await Promise.all(running.map((service) => service.end("SIGTERM", 30_000)));
  await connection?.close();
  traces?.close();
  await Promise.all([temporal?.stop(), sandbox?.close()]);
  await mongod?.stop();
  await rm(folder, { recursive: true, force: true });
}, 90_000);

function emptyTemporal(): Promise<Temporal> {
  const binary = readConfig().TEMPORAL_BIN ?? undefined;
  return startTemporal({
    dataDir: null,
    port: 0,
    pages: null,
    searchAttributes: [],
    binary,
    env: programEnv(),
    log: () => {},
  });
}

async function begin(entry: string, more: Record<string, string> = {}): Promise<{ service: Service; metrics: string }> {
  const [PORT, ofMetrics] = [String(await freePort()), String(await freePort())];
  const service = runService(
    { ...variables, PORT, METRICS_PORT: ofMetrics, API_METRICS_PORT: ofMetrics, ...more },
    [],
    entry,
  );
  running.push(service);
  return { service, metrics: `http://127.0.0.1:${ofMetrics}` };
}

async function readyzOf(url: string) {
  const response = await fetch(`${url}/readyz`);
  const body: { status: string; missing: { code: string; message: string }[] } = JSON.parse(await response.text());
  return { status: response.status, body };
}

/** What a command prints last. */
async function command(entry: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--no-warnings", `api/cli/${entry}.ts`, ...args], {
    env: environmentOf(variables),
  });
  return stdout.trim().split("\n").at(-1) ?? "";
}

test("the check of Temporal names missing search attributes, missing workers, an unknown namespace and an unreachable server", async () => {
  const found = await createMissingCheck(() => new Client({ connection }))();
  expect(found.map(({ code }) => code)).toEqual(["SEARCH_ATTRIBUTES_MISSING", "NO_WORKER"]);
  expect(found[0]?.message).toContain(SEARCH_ATTRIBUTES.join(", "));
  expect(found[1]?.message).toContain(ALL_QUEUES);
  const elsewhere = await createMissingCheck(() => new Client({ connection, namespace: "nowhere" }))();
  expect(elsewhere.map(({ code }) => code)).toEqual(["NAMESPACE_MISSING"]);
  expect(await createMissingCheck(() => null)()).toMatchObject([{ code: "ENGINE_UNREACHABLE" }]);
});

test("when Temporal refuses to register search attributes, the refusal is logged and the worker continues", async () => {
  const refusing = await startRefusingTemporal(temporal.address);
  const lines: string[] = [];
  const log = createLog("error", { write: (line: string) => lines.push(line) });
  const settings = { namespace: "default", connection: { address: refusing.address } };
  await provideSearchAttributes(settings, log, new AbortController().signal);
  refusing.close();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { refusal: "PERMISSION_DENIED", searchAttributes: [...SEARCH_ATTRIBUTES] },
  ]);
});

test("an API and two workers that start together on empty servers set up all they need, and a launched campaign sends its email", async () => {
  const [api, keeper, sender] = await Promise.all([
    begin("api/main.ts"),
    begin("worker/main.ts", { WORKER_QUEUES: "engine,imap,webhook,jobs" }),
    begin("worker/main.ts", { WORKER_QUEUES: "smtp" }),
  ]);
  roles = [api, keeper, sender];
  await Promise.all([
    api.service.says(/"ready"/),
    keeper.service.says(/workers ready/),
    sender.service.says(/workers ready/),
  ]);
  const isWhole = async () => (await readyzOf(api.service.url)).body.missing.length === 0;
  await until(isWhole, { deadlineMs: 60_000, what: "everything that is needed" });
  for (const url of [api.service.url, api.metrics, keeper.metrics, sender.metrics])
    expect(await readyzOf(url)).toMatchObject({ status: 200, body: { status: "ready", missing: [] } });
  // Neither needs an operator: the first version of a deployment becomes current by itself
  expect(await readyzOf(sender.metrics)).toMatchObject({
    body: { worker: { versionState: "CURRENT", queues: { smtp: "RUNNING" } } },
  });

  await command("workspace-create", "--name", "Acme", "--email", "owner@acme.test");
  const rest = restOf(`${api.service.url}/api/v1`, await command("key-create"));
  const launched = await launch(rest);
  expect(launched).toMatchObject({ status: 200, body: { launched: true, waitingFor: [] } });
  await until(() => sandbox.ledger.some(({ to }) => to.includes(DORA)), { ...MAIL_DEADLINE, what: "the mail" });
}, 180_000);

test("every metric that the dashboard and alerts use is served and documented, and only host names in ALLOWED_HOSTS can read the metrics", async () => {
  const told = () => Promise.all(roles.map(async ({ metrics }) => (await fetch(`${metrics}/metrics`)).text()));
  // The mail is counted when it has been recorded
  const isCounted = async () => /^outreach_mails_sent 1$/m.test((await told()).at(-1) ?? "");
  await until(isCounted, { deadlineMs: 60_000, what: "the mail to be counted" });
  const texts = await told();
  const served = new Set(texts.flatMap((text) => [...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name)));
  const ops = ["alerts.yml", "dashboard.json"].map((file) => readFileSync(`ops/${file}`, "utf8")).join();
  const named = [...ops.matchAll(/\b(?:outreach|temporal|process|nodejs)_\w+/g)].map(([name]) =>
    name.replace(/_bucket$/, ""),
  );
  expect(named.length).toBeGreaterThan(30);
  expect([...new Set(named)].filter((name) => !served.has(name))).toEqual([]);
  const ours = [...served].filter((name) => name?.startsWith("outreach_"));
  expect(
    ours.filter((name) => name !== undefined && !readFileSync("docs/operating.md", "utf8").includes(`\`${name}\``)),
  ).toEqual([]);
  for (const { metrics } of roles) {
    expect(await statusAs(metrics, "neighbour.test")).toBe(200);
    expect(await statusAs(metrics, "stranger.test")).toBe(421);
  }
  const [ofApi = "", ofKeeper = "", ofSender = ""] = texts;
  expect(ofApi).toMatch(
    /^outreach_http_requests_total\{method="POST",route="\/campaigns\/:campaignId\/control",status="200"\} 1$/m,
  );
  expect(ofApi).not.toMatch(/cmp_|^outreach_mailboxes\{/m);
  expect(ofKeeper).toMatch(/^outreach_mailboxes\{status="CONNECTED"\} 1$/m);
  expect(ofSender).toMatch(/^outreach_claims_total\{outcome="claimed"\} 1$/m);
  expect(ofSender).toMatch(/^outreach_send_lateness_seconds_count 1$/m);
});

test("a trace leads from the launch through the workflows to the mail server, and contains no address, subject or secret", async () => {
  const sent = () => traces.spans.filter(({ name }) => name === "SMTP transmit").map(roadTo);
  const whole = () => sent().find(([first]) => first?.startsWith("POST ")) ?? [];
  await until(() => whole().length > 0, { deadlineMs: 60_000, what: "the whole trace" });
  const steps = [
    "SignalWithStartWorkflow:campaign",
    "RunActivity:admitRecipients",
    "RunWorkflow:recipient",
    "RunActivity:sendStep",
    "SMTP transmit",
  ];
  expect(whole()[0]).toBe("POST /campaigns/:campaignId/control");
  expect(whole().filter((name) => steps.includes(name))).toEqual(steps);
  const text = traces.text();
  for (const secret of [
    ANN,
    DORA,
    "Hello",
    "owner@acme.test",
    sandbox.password,
    variables["SECRET_KEY"] ?? "",
    "ocp_live",
  ])
    expect(text).not.toContain(secret);
});

/** The names of the spans from the first to this one. */
function roadTo(span: ReceivedSpan): string[] {
  const above = traces.spans.find(({ spanId, traceId }) => spanId === span.parentSpanId && traceId === span.traceId);
  return above === undefined ? [span.name] : [...roadTo(above), span.name];
}

/** The status of a request for the metrics by this name of the host. */
function statusAs(url: string, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(`${url}/metrics`, { headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode ?? 0);
    });
    asking.on("error", reject).end();
  });
}

async function launch(rest: Rest) {
  const credentials = {
    email: ANN,
    password: sandbox.password,
    name: "Ann",
    security: "SSL_TLS",
    smtpHost: "localhost",
    smtpPort: sandbox.smtp.port,
    imapHost: "localhost",
    imapPort: sandbox.imapOf(ANN).port,
  };
  const connected = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
  expect(connected.status).toBe(200);
  const { body: campaign } = await rest.post("/campaigns", { name: "Apart" });
  const path = `/campaigns/${campaign.id}`;
  await rest.patch(`${path}/settings`, {
    mailboxIds: [connected.body.id],
    windows: ALWAYS,
    minGapSeconds: 0,
    maxGapSeconds: 0,
  });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [mail("stp_1", "Hello")] });
  await rest.post(`${path}/recipients`, { action: "addManual", emails: [DORA] });
  return rest.post(`${path}/control`, { action: "launch" });
}
