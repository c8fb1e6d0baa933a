import { randomBytes, X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer as createHttp, type RequestListener } from "node:http";
import { createServer as createHttps } from "node:https";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { Connection } from "@temporalio/client";
import { msToTs } from "@temporalio/common/lib/time.js";
import mongoose from "mongoose";
import { createEgress } from "../../connectors/net/connect.ts";
import type { SetupFinding } from "../../domain/readiness.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { freePort } from "../../embedded/ports.ts";
import { checkDisk } from "../../runtime/doctor/disk.ts";
import { checkMongodb } from "../../runtime/doctor/mongodb.ts";
import { checkDns } from "../../runtime/doctor/network.ts";
import { checkPublicUrl } from "../../runtime/doctor/public-url.ts";
import { checkTemporal } from "../../runtime/doctor/temporal.ts";
import { type Certificate, makeCertificate } from "../fakes/certificate.ts";
import { type FakeDns, startDns } from "../fakes/dns.ts";
import { type FakeTcp, startTcp } from "../fakes/tcp.ts";
import { until } from "../fakes/wait.ts";
import { command } from "../support/command.ts";
import { realWorker } from "../support/real-worker.ts";
import { sharedMongodb } from "../support/server-host.ts";
import { SECRET_KEY, startWorld, type World } from "../support/world.ts";

let folder: string;
let world: World;
let certificate: Certificate;
let dns: FakeDns;
let mail: FakeTcp;
let door: Served;
const opened: Served[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "outreach-doctor-"));
  certificate = await makeCertificate();
  await writeFile(join(folder, "ca.pem"), certificate.cert);
  [world, dns, mail] = await Promise.all([
    startWorld({ worker: realWorker() }),
    startDns({ "gmail.com": { MX: ["5 mx.example.test"] } }),
    startTcp(() => {}),
  ]);
  door = await serve(async (req, res) => {
    const answer = await fetch(`${world.baseUrl}${req.url}`);
    res.writeHead(answer.status, { "content-type": "application/json" }).end(await answer.text());
  });
});
afterAll(async () => {
  for (const { server } of opened) server.close();
  await Promise.all([world?.close(), dns?.close(), mail?.close()]);
  await rm(folder, { recursive: true, force: true });
});

interface Served {
  url: string;
  server: Server;
}

/** Serves requests with the certificate of this file, or over plain HTTP. */
async function serve(answer: RequestListener, isTls = true): Promise<Served> {
  const server = isTls ? createHttps({ ...certificate }, answer) : createHttp(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // a TCP server has no other kind of address
  const served = { url: `${isTls ? "https" : "http"}://localhost:${port}`, server };
  opened.push(served);
  return served;
}

function engine() {
  if (world.temporal === null) throw new Error("the world has a Temporal server");
  return world.temporal;
}

/** The settings of a deployment in which everything is right. */
function settings(): Record<string, string> {
  return {
    MONGODB_URI: world.mongodbUri,
    SECRET_KEY,
    TEMPORAL_ADDRESS: engine().address,
    TEMPORAL_NAMESPACE: engine().namespace,
    PUBLIC_URL: door.url,
    EXTRA_CA_FILE: join(folder, "ca.pem"),
    EGRESS_ALLOW: "localhost:*",
    DNS_SERVERS: dns.server,
  };
}

interface Checked {
  code: number;
  out: string;
  of(check: string): SetupFinding | undefined;
  /** The checks that ended in this way. */
  named(status: SetupFinding["status"]): string[];
}

async function doctor(changed: Record<string, string> = {}, args: string[] = []): Promise<Checked> {
  const { code, out, err } = await command({ ...settings(), ...changed }, "doctor", ["--json", ...args]);
  expect(err).toBe("");
  const { checks }: { checks: SetupFinding[] } = JSON.parse(out);
  return {
    code,
    out,
    of: (check) => checks.find((one) => one.check === check),
    named: (status) => checks.filter((one) => one.status === status).map(({ check }) => check),
  };
}

const mailArgs = () => ["--smtp", `localhost:${mail.port}`, "--imap", `localhost:${mail.port}`];

test("doctor reports OK for every check of a healthy deployment, and its exit code is 0", async () => {
  const { address, namespace } = engine();
  const polled = async () => {
    const findings = await checkTemporal({ connection: { address }, namespace }, { isEmbedded: false });
    return findings.some(({ check, status }) => check === "Workers" && status === "OK");
  };
  await until(polled, { deadlineMs: 60_000, what: "workers on every queue" });
  const { code, named, of } = await doctor({}, mailArgs());
  expect([named("FAIL"), named("WARN"), code]).toEqual([[], [], 0]);
  // The embedded servers' disk does not apply here, and no call of Temporal shows its dynamic configuration
  expect(named("SKIPPED")).toEqual(["Temporal fairness", "Disk space"]);
  expect(of("Temporal fairness")?.advice).toContain("matching.enableFairness: true");
  expect(named("OK")).toEqual([
    "Settings",
    "SECRET_KEY",
    "MongoDB",
    "MongoDB version",
    "MongoDB replica set",
    "MongoDB writes",
    "MongoDB transactions",
    "MongoDB scripting",
    "MongoDB user",
    "MongoDB indexes",
    "MongoDB clock",
    "Temporal",
    "Temporal version",
    "Temporal namespace",
    "Temporal search attributes",
    "Temporal retention",
    "Workers",
    "Worker version",
    "Temporal clock",
    "DNS",
    "SMTP egress",
    "IMAP egress",
    "PUBLIC_URL",
    "PUBLIC_URL certificate",
  ]);
});

test("doctor prints one line for each check with its status and advice, and neither a secret nor an address of MongoDB", async () => {
  const { out, code } = await command({ ...settings(), TEMPORAL_ADDRESS: "127.0.0.1:1" }, "doctor");
  expect(code).toBe(1);
  const lines = out.trimEnd().split("\n");
  for (const line of lines) expect(line).toMatch(/^(OK {6}|WARN {4}|FAIL {4}|SKIPPED )[A-Z][\w ]+: .+\.$/);
  expect(lines).toContain(
    "SKIPPED SMTP egress: no mail server is named. Name one: npm run doctor -- --smtp smtp.example.com.",
  );
  expect(out).not.toContain(SECRET_KEY);
  expect(out).not.toContain("mongodb://");
});

test("doctor refuses arguments that it does not know", async () => {
  for (const args of [
    ["--smtp", "a:b"],
    ["--port", "1"],
    ["--imap", "user@host"],
  ]) {
    const { code, out, err } = await command(settings(), "doctor", args);
    expect([code, out, err]).toEqual([1, "", expect.stringMatching(/^usage: npm run doctor/)]);
  }
});

test("doctor creates nothing in a database that does not exist yet", async () => {
  const server = await sharedMongodb();
  const name = `test_doctor_${process.env["JEST_WORKER_ID"] ?? "0"}`;
  const { of } = await doctor({ MONGODB_URI: server.replace("/?", `/${name}?`) });
  expect([of("MongoDB writes")?.status, of("MongoDB indexes")?.found]).toEqual([
    "OK",
    "the database is new, and the first start makes them",
  ]);
  expect(of("SECRET_KEY")?.found).toBe("it is set, and the database holds no secrets yet");
  const { databases } = await mongoose.connection.getClient().db().admin().listDatabases({ nameOnly: true });
  expect(databases.map((database) => database.name)).not.toContain(name);
});

test("an example value as SECRET_KEY fails, while the other checks continue", async () => {
  const { code, of } = await doctor({ SECRET_KEY: Buffer.alloc(32).toString("base64") });
  expect([code, of("SECRET_KEY")]).toMatchObject([
    1,
    { status: "FAIL", found: "it is not 32 random bytes in base64, or it is an example value" },
  ]);
  expect([of("MongoDB")?.status, of("Temporal")?.status]).toEqual(["OK", "OK"]);
});

test("a SECRET_KEY that does not open the stored secrets fails", async () => {
  const { code, of } = await doctor({ SECRET_KEY: randomBytes(32).toString("base64") });
  expect([code, of("SECRET_KEY")]).toMatchObject([
    1,
    { status: "FAIL", found: expect.stringContaining("does not open") },
  ]);
});

test("a setting that cannot be used is reported by its name, and nothing else is checked", async () => {
  const { code, of, named } = await doctor({ TEMPORAL_ADDRESS: "temporal" });
  expect([code, of("Settings")?.found]).toEqual([1, expect.stringContaining("TEMPORAL_ADDRESS cannot be used")]);
  expect(named("SKIPPED")).toEqual(["All other checks"]);
});

test("an unreachable Temporal server fails, and what only it knows is skipped", async () => {
  const { code, of, named } = await doctor({ TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}` });
  expect([code, of("Temporal")]).toMatchObject([1, { status: "FAIL", found: "it does not answer" }]);
  expect(named("SKIPPED")).toEqual(
    expect.arrayContaining(["Temporal namespace", "Temporal search attributes", "Workers", "Temporal clock"]),
  );
});

test("a missing namespace fails, and one without search attributes and workers is a FAIL and a WARN", async () => {
  const { address } = engine();
  const checkNamespace = async (namespace: string) => {
    const findings = await checkTemporal({ connection: { address }, namespace }, { isEmbedded: false });
    return (check: string) => findings.find((one) => one.check === check);
  };
  expect((await checkNamespace("nowhere"))("Temporal namespace")).toMatchObject({
    status: "FAIL",
    advice: expect.stringContaining("temporal operator namespace create --namespace nowhere"),
  });
  const connection = await Connection.connect({ address });
  const namespace = `bare-${randomBytes(4).toString("hex")}`;
  await connection.workflowService.registerNamespace({
    namespace,
    workflowExecutionRetentionPeriod: msToTs(HOUR_MS),
  });
  await connection.close();
  const isKnown = async () => (await checkNamespace(namespace))("Temporal search attributes")?.status === "FAIL";
  await until(isKnown, { deadlineMs: 60_000, what: "the new namespace" });
  const of = await checkNamespace(namespace);
  expect(of("Temporal search attributes")?.advice).toContain("--name WorkspaceId --type Keyword --name CampaignId");
  expect(of("Workers")).toMatchObject({ status: "WARN", found: "none is running" });
  expect(of("Temporal retention")?.status).toBe("WARN");
});

test("a clock of MongoDB or Temporal that differs from this machine's is a WARN from 2 s and a FAIL from 30 s on", async () => {
  const temporal = { connection: { address: engine().address }, namespace: engine().namespace };
  const clocksAt = async (aheadMs: number) => {
    const now = () => Date.now() + aheadMs;
    const mongodb = await checkMongodb(world.mongodbUri, now);
    const both = [...mongodb.findings, ...(await checkTemporal(temporal, { isEmbedded: false, now }))];
    return both.filter(({ check }) => check.endsWith("clock"));
  };
  expect((await clocksAt(0)).map(({ status }) => status)).toEqual(["OK", "OK"]);
  expect(await clocksAt(-10 * MINUTE_MS)).toMatchObject([
    { status: "FAIL", found: "its clock is 600 s ahead of the clock of this machine" },
    { status: "FAIL", found: expect.stringMatching(/^its clock is \d+ s ahead/) },
  ]);
  expect(await clocksAt(10 * MINUTE_MS)).toMatchObject([
    { status: "FAIL", found: "its clock is 600 s behind the clock of this machine" },
    { status: "WARN", found: expect.stringContaining("its clock is behind") },
  ]);
  const [mongodb] = await clocksAt(15_000);
  expect(mongodb?.status).toBe("WARN");
});

test("PUBLIC_URL fails when it leads to another deployment, to something else or to a redirect, and 503 is a WARN", async () => {
  const keys = [{ keyId: "abc", algorithm: "Ed25519" as const, publicKey: "another" }];
  const answers = [
    [200, JSON.stringify({ keys }), "FAIL", "it leads to another deployment"],
    [200, "<html>", "FAIL", "something else answers there (status 200)"],
    [404, "{}", "FAIL", "something else answers there (status 404)"],
    [302, "", "FAIL", "it redirects to another address"],
    [503, "", "WARN", "the service answers, but it is not ready"],
  ] as const;
  for (const [status, body, ...expected] of answers) {
    const { url } = await serve((_req, res) => res.writeHead(status).end(body));
    const [finding] = await checkPublicUrl(url, { keys, ca: [certificate.cert] });
    if (body.includes("keys")) {
      const { code, of } = await doctor({ PUBLIC_URL: url });
      expect([code, of("PUBLIC_URL")?.status, of("PUBLIC_URL")?.found]).toEqual([1, ...expected]);
    } else expect([finding?.status, finding?.found]).toEqual(expected);
  }
});

test("PUBLIC_URL must be reachable, and its certificate trusted and valid for 14 days; plain http fails outside this network", async () => {
  const gone = await doctor({ PUBLIC_URL: `https://localhost:${await freePort()}` });
  expect(gone.of("PUBLIC_URL")?.found).toBe("it is not reachable: connection refused (ECONNREFUSED)");
  const statuses = async (url: string, options: Partial<Parameters<typeof checkPublicUrl>[1]>) =>
    (await checkPublicUrl(url, { keys: null, ...options })).map(({ status, found }) => [status, found]);
  expect(await statuses(door.url, {})).toEqual([
    ["SKIPPED", "its certificate cannot be used"],
    ["FAIL", "the certificate is not signed by an authority that this machine trusts"],
  ]);
  const ca = [certificate.cert];
  const soon = Date.parse(new X509Certificate(certificate.cert).validTo) - 10 * DAY_MS;
  expect((await statuses(door.url, { ca, now: () => soon }))[1]).toEqual(["WARN", "it is valid for only 10 more days"]);
  const plain = await serve((_req, res) => res.end("{}"), false);
  expect((await statuses(plain.url, {}))[1]?.[0]).toBe("WARN");
  expect((await statuses("http://nowhere.example.invalid", {}))[1]).toEqual([
    "FAIL",
    "the address is plain http, so anyone on the way can read passwords and sessions",
  ]);
});

test("a resolver that does not answer fails, and one that knows no public name is a WARN", async () => {
  const zones = [
    ["silence", "FAIL"],
    ["servfail", "FAIL"],
    [{ A: ["192.0.2.1"] }, "WARN"],
    [{ MX: ["5 mx.example.test"] }, "OK"],
  ] as const;
  for (const [zone, status] of zones) {
    const one = await startDns({ "gmail.com": zone });
    const egress = createEgress({ allow: [], ownAddresses: [], dnsServers: [one.server] });
    expect((await checkDns(egress)).status).toBe(status);
    await egress.close();
    await one.close();
  }
});

test("a mail server that accepts no connection fails, and the mail server of the system is checked by default", async () => {
  const closed = await freePort();
  const { code, of } = await doctor({ SYSTEM_SMTP_URL: `smtps://ann%40a.test:hunter2@localhost:${mail.port}` }, [
    "--imap",
    `localhost:${closed}`,
  ]);
  expect([code, of("SMTP egress")?.found, of("IMAP egress")?.found]).toEqual([
    1,
    `localhost accepts connections on port ${mail.port}`,
    `localhost is not reachable on port ${closed}: connection refused (ECONNREFUSED)`,
  ]);
});

test("free space of the data folder is a WARN below 5 GB and a FAIL below 1 GB", async () => {
  const statusAt = async (gigabytes: number) =>
    (await checkDisk(join(folder, "new"), async () => gigabytes * 1e9)).status;
  expect([await statusAt(0.5), await statusAt(3), await statusAt(20)]).toEqual(["FAIL", "WARN", "OK"]);
  expect((await checkDisk(join(folder, "new"))).found).toMatch(/^[\d.]+ GB are free/);
});
