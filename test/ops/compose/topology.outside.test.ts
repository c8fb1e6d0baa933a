import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS } from "../../../domain/time/durations.ts";
import { freePort } from "../../../embedded/ports.ts";
import { runTool } from "../../clients/tools.ts";
import { makeCertificate } from "../../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../../fakes/sandbox.ts";
import { until } from "../../fakes/wait.ts";
import { type Rest, restOf } from "../../support/rest.ts";
import { startTopology, type Topology } from "./containers.ts";

const MAIL = "mail.sandbox.test";
const OURS = ["api", "worker-engine", "worker-mail"];
const PATIENCE = { deadlineMs: 300_000 };
let home: string;
let sandbox: Sandbox;
let topology: Topology;
let port: number;

beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), "outreach-topology-"));
  const certificate = await makeCertificate([MAIL]);
  await writeFile(join(home, "ca.pem"), certificate.cert, { mode: 0o644 });
  sandbox = await startSandbox({ mailboxes: ["ann@sandbox.test"], certificate });
  port = await freePort();
  const variables = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PORT: String(port),
    EGRESS_ALLOW: `${MAIL}:*`,
    EXTRA_CA_FILE: join(home, "ca.pem"),
  };
  topology = await startTopology(variables, [MAIL]);
  await topology.offer(sandbox.smtpPort);
  await topology.offer(sandbox.imapPortOf("ann@sandbox.test"));
  await topology.up();
}, HOUR_MS);

afterAll(async () => {
  await topology?.close();
  await sandbox?.close();
  await rm(home, { recursive: true, force: true });
}, 300_000);

/** The commands at the top of the file. */
async function firstKey(): Promise<string> {
  const commands = [...(await readFile("docker-compose.yml", "utf8")).matchAll(/docker compose run --rm api (.*)/g)];
  expect(commands.length).toBe(2);
  const outputs: string[] = [];
  for (const [, command = ""] of commands) outputs.push(await topology.run("api", command.trim().split(/\s+/)));
  return outputs.at(-1)?.trim().split("\n").at(-1) ?? "";
}

/** With the owners of the files, who alone may read them. */
async function copy(from: string, to: string): Promise<void> {
  await runTool("cp", ["-a", from, to], ".");
}

/** The first campaign of the README. */
async function firstCampaign(rest: Rest): Promise<string> {
  const credentials = {
    email: "ann@sandbox.test",
    password: sandbox.password,
    name: "Ann",
    smtpHost: MAIL,
    smtpPort: sandbox.smtpPort,
    imapHost: MAIL,
    imapPort: sandbox.imapPortOf("ann@sandbox.test"),
    security: "SSL_TLS",
  };
  const mailbox = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
  expect(mailbox).toMatchObject({ status: 200, body: { status: "CONNECTED" } });
  const { body: campaign } = await rest.post("/campaigns", { name: "First", goal: "Meetings" });
  const path = `/campaigns/${campaign.id}`;
  const windows = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }];
  const pace = { minGapSeconds: 1, maxGapSeconds: 2 };
  await rest.patch(`${path}/settings`, { mailboxIds: [mailbox.body.id], timezone: "UTC", windows, ...pace });
  const steps = [
    { subject: "A question", bodyText: "Hello, shall we talk?" },
    { delay: { value: 1, unit: "MINUTES" }, bodyText: "Did you see my last mail?" },
  ];
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  const emails = ["reply.rosa@people.test", "unsub.ugo@people.test", "hard.hans@people.test", "dora@people.test"];
  await rest.post(`${path}/recipients`, { action: "addManual", emails });
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ status: 200 });
  return path;
}

test(
  "docker-compose.yml runs the first campaign of the README, and a backup of it is restored",
  async () => {
    const base = `http://127.0.0.1:${port}/api/v1`;
    const rest = restOf(base, await firstKey());
    const path = await firstCampaign(rest);
    const mailsTo = (name: string) => sandbox.smtp.ledger.filter(({ to }) => to.some((one) => one.startsWith(name)));
    await until(() => mailsTo("dora").length === 2, { ...PATIENCE, what: "both emails to Dora" });
    await until(async () => (await rest.get("/inbox/threads")).body.items.length > 0, {
      ...PATIENCE,
      what: "the reply",
    });
    expect(["reply.rosa", "unsub.ugo", "hard.hans"].map((name) => mailsTo(name).length)).toEqual([1, 1, 1]);

    // docs/operating.md: stopped, so that the copy shows the state of one instant
    await topology.stop(...OURS, "mongo");
    const takenAt = new Date().toISOString();
    await copy(topology.volume("mongo"), join(home, "backup"));
    await topology.up();
    await rest.post(`${path}/recipients`, { action: "addManual", emails: ["late@people.test"] });
    await rest.post("/leads", { email: "after-the-backup@people.test" });
    await until(() => mailsTo("late").length === 1, { ...PATIENCE, what: "the email after the backup" });

    await topology.stop(...OURS, "mongo");
    await rm(topology.volume("mongo"), { recursive: true });
    await copy(join(home, "backup"), topology.volume("mongo"));
    await topology.up({ RESTORED_FROM: takenAt });
    expect((await rest.get("/leads?search=after-the-backup")).body.items).toEqual([]);
    const { body: restored } = await rest.get(path);
    expect(restored).toMatchObject({ status: expect.stringMatching(/^(PAUSED|COMPLETED)$/) });
    expect((await rest.get(`${path}/recipients/stats`)).status).toBe(200);
    expect(mailsTo("late").length).toBe(1);
    expect(mailsTo("dora").length).toBe(2);
  },
  HOUR_MS,
);

test("databases and Temporal have no way out, and the service has no root and writes nowhere", async () => {
  for (const name of ["mongo", "postgres", "temporal"]) {
    await expect(topology.exec(name, ["ip", "route", "get", "10.213.2.1"])).rejects.toThrow(/unreachable/i);
  }
  for (const name of OURS) {
    expect((await topology.exec(name, ["id", "-u"])).trim()).toBe("1000");
    await expect(topology.exec(name, ["touch", "/app/x"])).rejects.toThrow(/Read-only|denied/i);
    await expect(topology.exec(name, ["sh", "-c", "echo x > /etc/x"])).rejects.toThrow(/Read-only|denied/i);
  }
}, 600_000);
