import { randomBytes } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "@jest/globals";
import { Client, Connection } from "@temporalio/client";
import { programEnv, readConfig } from "../../config.ts";
import { OPEN } from "../../domain/states.ts";
import { startTemporal } from "../../embedded/temporal.ts";
import { connect, disconnect } from "../../models/connect.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { SEARCH_ATTRIBUTES } from "../../temporal/search-attributes.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { until } from "../fakes/wait.ts";
import type { Rest } from "../support/rest.ts";
import { throwAwayMongod } from "../support/server-host.ts";
import { Program } from "./programs.ts";

const MAILBOXES = ["ann@a.test", "bob@b.test", "cid@c.test", "dan@d.test"];
const KINDS = ["reply", "refuse", "grey", "plain", "plain", "plain", "plain", "plain"];
/** An email whose content had begun when the pause was answered is accepted within this time. */
const IN_DATA_MS = 1_500;

/** The servers that the programs of the service need, each as a process of its own, and a sandbox of mail servers. */
export interface ProgramWorld {
  folder: string;
  client: Client;
  sandbox: Sandbox;
  /** The settings of all programs. */
  variables: Readonly<Record<string, string>>;
  /** A program that is not started. `root` is the folder of its release, `entry` its file there. */
  program(root: string, entry: string, more?: Record<string, string>): Program;
  /** Waits until an email has gone out, and then for a part of two seconds. */
  comesToWork(part: number): Promise<void>;
  close(): Promise<void>;
}

export async function startProgramWorld(seed: number): Promise<ProgramWorld> {
  const folder = await mkdtemp(join(tmpdir(), "outreach-programs-"));
  const [mongod, temporal, sandbox] = await Promise.all([
    throwAwayMongod(folder),
    startTemporal({
      dataDir: null,
      port: 0,
      pages: null,
      searchAttributes: [...SEARCH_ATTRIBUTES],
      binary: readConfig().TEMPORAL_BIN ?? undefined,
      env: programEnv(),
      log: () => {},
    }),
    startSandbox({ mailboxes: MAILBOXES, reactionMs: { min: 50, max: 400 }, seed }),
  ]);
  const connection = await Connection.connect({ address: temporal.address });
  await writeFile(join(folder, "ca.pem"), sandbox.certificate.cert);
  const variables = {
    MONGODB_URI: mongod.uri,
    TEMPORAL_ADDRESS: temporal.address,
    SECRET_KEY: randomBytes(32).toString("base64"),
    EGRESS_ALLOW: "localhost:*",
    EXTRA_CA_FILE: join(folder, "ca.pem"),
    HOST: "127.0.0.1",
  };
  const programs: Program[] = [];
  await connect(mongod.uri);
  return {
    folder,
    client: new Client({ connection }),
    sandbox,
    variables,
    program(root, entry, more = {}) {
      const program = new Program(root, entry, { ...variables, ...more });
      programs.push(program);
      return program;
    },
    async comesToWork(part) {
      const before = sandbox.ledger.length;
      const isSent = () => sandbox.ledger.length > before;
      const soon = { deadlineMs: 20_000, what: "an email", longestMs: 50, mayBeMissed: true } as const;
      await until(isSent, soon).catch(() => {});
      await sleep(2_000 * part);
    },
    async close() {
      await Promise.all(programs.map((one) => one.end("SIGTERM")));
      await disconnect();
      await connection.close();
      await Promise.all([temporal.stop(), sandbox.close()]);
      await mongod.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A launched campaign of two steps, which is watched by someone who may pause it. */
export class WatchedCampaign {
  readonly #sandbox: Sandbox;
  readonly #workspaceId: string;
  readonly #path: string;
  readonly #pauses: { at: number; until: number }[] = [];
  /** How many emails were between claim and outcome at the kills. */
  inFlight = 0;

  private constructor(sandbox: Sandbox, workspaceId: string, path: string) {
    this.#sandbox = sandbox;
    this.#workspaceId = workspaceId;
    this.#path = path;
  }

  static async launch({ sandbox }: ProgramWorld, rest: Rest, people: number): Promise<WatchedCampaign> {
    const mailboxIds: string[] = [];
    for (const email of MAILBOXES) {
      const credentials = {
        email,
        password: sandbox.password,
        name: email,
        security: "SSL_TLS",
        smtpHost: "localhost",
        smtpPort: sandbox.smtp.port,
        imapHost: "localhost",
        imapPort: sandbox.imapOf(email).port,
      };
      const connected = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
      expect(connected).toMatchObject({ status: 200 });
      const mailboxId = connected.body.id;
      const patch = { dailySendLimit: 1_000 };
      expect((await rest.post("/mailboxes/manage", { action: "updateSettings", mailboxId, patch })).status).toBe(200);
      mailboxIds.push(mailboxId);
    }
    const { body: campaign } = await rest.post("/campaigns", { name: "Watched" });
    const path = `/campaigns/${campaign.id}`;
    const pace = { windows: ALWAYS, minGapSeconds: 2, maxGapSeconds: 2, perMailboxDailyLimit: 0 };
    const settings = { ...pace, mailboxIds, bounceGuard: { enabled: false } };
    expect((await rest.patch(`${path}/settings`, settings)).status).toBe(200);
    const steps = ["Hello {{email}}", ""].map((subject, index) => ({
      subject,
      body: `<p>Mail ${index + 1}</p>`,
      delay: { value: 0, unit: "MINUTES" },
    }));
    await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
    const emails = Array.from({ length: people }, (_, at) => `${KINDS[at % KINDS.length]}${at}@people.test`);
    await rest.post(`${path}/recipients`, { action: "addManual", emails });
    expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
    const { body: account } = await rest.get("/account");
    return new WatchedCampaign(sandbox, account.workspaceId, path);
  }

  async pauseForAWhile(rest: Rest): Promise<void> {
    expect((await rest.post(`${this.#path}/control`, { action: "pause" })).status).toBe(200);
    const at = Date.now();
    await sleep(IN_DATA_MS + 3_000);
    this.#pauses.push({ at, until: Date.now() });
    expect((await rest.post(`${this.#path}/control`, { action: "resume" })).status).toBe(200);
  }

  async noteInFlight(): Promise<void> {
    this.inFlight += await scoped(this.#workspaceId).Send.count({ state: "SENDING" });
  }

  /** The emails to recipients that the mail server has accepted. */
  accepted() {
    return this.#sandbox.ledger.filter(({ to }) => to.some((address) => address.endsWith("@people.test")));
  }

  /** Waits for the end of every recipient, and fails if an email left twice, was lost, or left during a pause. */
  async expectEachOnce(): Promise<void> {
    const { Recipient, Send } = scoped(this.#workspaceId);
    const isOver = async () => {
      if ((await Send.count({ state: "SENDING" })) > 0) return false;
      const unknown = (await Send.find({ state: "UNKNOWN" })).map(({ recipientId }) => recipientId);
      const open = { status: trusted({ $in: [...OPEN] }), _id: trusted({ $nin: unknown }) };
      return (await Recipient.count(open)) === 0;
    };
    await until(isOver, { deadlineMs: 600_000, what: "every recipient to come to an end" }).catch(async (error) => {
      const open = await Recipient.find({ status: trusted({ $in: [...OPEN] }) }, { limit: 10 });
      console.log(open.map(({ email, status, nextSendAt, sentCount }) => ({ email, status, nextSendAt, sentCount })));
      throw error;
    });
    const sends = await Send.find({ kind: "CAMPAIGN" });
    const took = new Set(this.#sandbox.ledger.map(({ messageId }) => messageId));
    const tried = sends.filter(({ state }) => state === "SENT" || state === "UNKNOWN");
    const recorded = new Set(tried.flatMap(({ messageIds }) => messageIds));
    expect(this.#sandbox.report().duplicates).toEqual([]);
    expect(this.accepted().filter(({ messageId }) => !recorded.has(messageId ?? ""))).toEqual([]);
    expect(sends.filter(({ state, messageId }) => state === "SENT" && !took.has(messageId ?? ""))).toEqual([]);
    const isInPause = (mailAt: number) =>
      this.#pauses.some(({ at, until }) => mailAt > at + IN_DATA_MS && mailAt < until);
    expect(this.accepted().filter(({ at }) => isInPause(at))).toEqual([]);
    const lost = [];
    for (const { _id, email, status } of await Recipient.find({})) {
      const own = sends.filter(({ recipientId }) => recipientId === _id);
      const count = own.filter(({ state }) => state === "SENT").length;
      const isKept = status !== "COMPLETED" || count === 2 || own.some(({ state }) => state === "UNKNOWN");
      if (!isKept) lost.push({ email, status, count });
    }
    expect(lost).toEqual([]);
    const unknown = sends.filter(({ state }) => state === "UNKNOWN").length;
    expect(unknown).toBeLessThanOrEqual(this.inFlight);
    console.log(`${this.inFlight} in flight at kills, ${this.accepted().length} emails, ${unknown} unknown`);
  }
}
