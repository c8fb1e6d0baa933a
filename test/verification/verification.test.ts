import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { nobodyAt } from "../../domain/verification/etiquette.ts";
import { scoped } from "../../models/scoped.ts";
import { greylist, refuse } from "../fakes/smtp-answers.ts";
import { agentOf } from "../support/mcp.ts";
import {
  endedJob,
  foundBy,
  HELO,
  knows,
  receivedBy,
  startVerificationWorld,
  type VerificationWorld,
} from "./verification-world.ts";

const firm = knows("ann", "info", "bert");
let verifying: VerificationWorld;
beforeAll(async () => {
  verifying = await startVerificationWorld({
    zone: {
      ...receivedBy("firm"),
      ...receivedBy("any"),
      ...receivedBy("grey"),
      ...receivedBy("full"),
      ...receivedBy("block"),
      ...receivedBy("away"),
      "nomail.test": { MX: ["0 ."] },
      "empty.test": { TXT: ["nothing here"] },
      "mute.test": "silence",
      "private.test": { MX: ["10 in.private.test"] },
      "in.private.test": { A: ["10.1.2.3"] },
      "loop.test": { MX: ["10 round.loop.test"] },
      "round.loop.test": { CNAME: ["round.loop.test"] },
      "gmail.com": { MX: ["10 in.gmail.test"] },
      "mailinator.com": { MX: ["10 in.firm-mx.test"] },
    },
    rules: (rcpt, attempt) => {
      const domain = rcpt.split("@")[1];
      if (domain === "any.test") return { act: "accept" };
      if (domain === "grey.test") {
        const told = firm(rcpt, attempt);
        return told.act === "accept" ? greylist(attempt) : told;
      }
      if (domain === "full.test") return refuse(452, "4.2.2 The mailbox is full");
      if (domain === "block.test")
        return refuse(554, "5.7.1 Service unavailable; client host blocked using zen.spamhaus.org");
      return firm(rcpt, attempt);
    },
  });
}, 90_000);
afterAll(() => verifying.close(), 60_000);

test("each address gets a result and reason from lists, DNS and the mail server, and no email is sent", async () => {
  const { rest, key } = await verifying.world.workspace();
  const emails = [
    ...[
      "ann@firm.test",
      "gone@firm.test",
      "info@firm.test",
      "x@any.test",
      "ann@grey.test",
      "ann@full.test",
      "no@nomail.test",
    ],
    ...[
      "no@empty.test",
      "no@absent.test",
      "who@mute.test",
      "who@private.test",
      "who@loop.test",
      "ann@gmail.com",
      "a@mailinator.com",
    ],
    ...["not an address", "ANN@Firm.test ", "ann@firm.test"],
  ];
  const made = await rest.post("/verification/jobs", { emails });
  expect(made.status).toBe(201);
  expect(made.body).toMatchObject({ type: "VERIFICATION", source: "MANUAL", listId: null, notFound: [] });
  const job = await endedJob(rest, made.body.id);
  expect(await foundBy(rest, job.id)).toEqual({
    "ann@firm.test": "VALID ACCEPTED",
    "gone@firm.test": "INVALID USER_UNKNOWN",
    "info@firm.test": "RISKY ROLE",
    "x@any.test": "CATCH_ALL ACCEPTS_ANY",
    "ann@grey.test": "VALID ACCEPTED",
    "ann@full.test": "RISKY MAILBOX_FULL",
    "no@nomail.test": "INVALID NULL_MX",
    "no@empty.test": "INVALID NO_MAIL_HOST",
    "no@absent.test": "INVALID NO_MAIL_HOST",
    "who@mute.test": "UNKNOWN DNS_UNANSWERED",
    "who@private.test": "UNKNOWN HOST_UNREACHABLE",
    "who@loop.test": "UNKNOWN HOST_UNREACHABLE",
    "ann@gmail.com": "UNKNOWN FREE_MAIL_NOT_PROBED",
    "a@mailinator.com": "RISKY DISPOSABLE",
    "not an address": "INVALID SYNTAX",
  });
  expect(job).toMatchObject({
    status: "COMPLETED",
    counts: { valid: 2, risky: 3, catchAll: 1, invalid: 5, unknown: 4 },
    creditsUsed: 15,
    progress: { total: 16, processed: 16, succeeded: 16, failed: 0 },
  });
  const { attempts, ledger } = verifying.smtp;
  expect(attempts.every(({ stage, from }) => stage === "RCPT" && from === "")).toBe(true);
  expect(ledger).toEqual([]);
  expect(new Set(verifying.smtp.greetings)).toEqual(new Set([HELO]));
  const asked = attempts.map(({ to }) => to[0]);
  expect(asked).toContain(nobodyAt("firm.test"));
  // An unused address is asked for once per domain; after that the answer is known
  expect(asked.filter((one) => one === nobodyAt("firm.test"))).toHaveLength(1);
  expect(asked.filter((one) => one === "ann@firm.test")).toHaveLength(1);
  expect(asked.filter((one) => one === "ann@grey.test")).toHaveLength(2);

  const agent = await agentOf(verifying.world, key);
  expect((await agent.call("verification_jobs", {})).body).toMatchObject({ total: 1 });
  expect((await agent.call("verification_jobs", { jobId: job.id })).body).toMatchObject({
    id: job.id,
    counts: { valid: 2 },
  });
  expect((await agent.call("verification_usage", {})).body).toMatchObject({
    used: 15,
    limit: null,
    byDay: [{ count: 15 }],
  });
  expect((await agent.call("verification_settings", {})).body).toMatchObject({
    autoVerifyOnImport: false,
    blockInvalid: true,
  });
  expect((await agent.call("verification_schedules", {})).body).toMatchObject({ total: 0, items: [] });
  const { body: page } = await agent.call("verification_export", { jobId: job.id, result: "INVALID", pageSize: 2 });
  expect(page).toMatchObject({ format: "CSV", rowCount: 2, total: 5, next: { page: 2, pageSize: 2 } });
  await agent.close();
}, 90_000);

test("verified leads keep result and evidence, and a known address is not probed again for any workspace", async () => {
  const { rest, workspaceId } = await verifying.world.workspace();
  const { body: list } = await rest.post("/lead-lists", { name: "Fair" });
  const rows = ["bert@firm.test", "olga@firm.test", "y@any.test"].map((email) => ({ email }));
  await rest.post("/leads/import", { action: "commit", rows, listId: list.id });
  const first = await endedJob(rest, (await rest.post("/verification/jobs", { listId: list.id })).body.id);
  expect(first).toMatchObject({
    listId: list.id,
    counts: { valid: 1, risky: 0, catchAll: 1, invalid: 1, unknown: 0 },
    creditsUsed: 3,
  });
  const lead = (await scoped(workspaceId).Lead.findOne({ email: "bert@firm.test" }))?._id;
  const { body } = await rest.get(`/leads/${lead}`);
  expect(body).toMatchObject({ verificationStatus: "VALID", verifiedAt: expect.any(String) });
  expect(body.verification).toEqual({
    reason: "ACCEPTED",
    isDisposable: false,
    isRole: false,
    isFreeMail: false,
    suggestion: null,
    mailHost: "in.firm-mx.test",
    smtpCode: 250,
    enhancedCode: null,
    foundAt: expect.any(String),
  });
  const before = verifying.smtp.attempts.length;
  const again = await endedJob(rest, (await rest.post("/verification/jobs", { leadIds: [lead, "led_none"] })).body.id);
  expect(again).toMatchObject({ counts: { valid: 1 }, creditsUsed: 0, progress: { total: 1 } });
  const other = await verifying.world.workspace();
  const theirs = await endedJob(
    other.rest,
    (await other.rest.post("/verification/jobs", { emails: ["bert@firm.test", "z@any.test"] })).body.id,
  );
  expect(theirs).toMatchObject({ counts: { valid: 1, catchAll: 1 } });
  expect(verifying.smtp.attempts.length).toBe(before);
}, 60_000);

test("after a host refuses with a block, its waiting addresses are UNKNOWN without further probes, in all workspaces", async () => {
  const { rest } = await verifying.world.workspace();
  const emails = Array.from({ length: 8 }, (_, n) => `p${n}@block.test`);
  const job = await endedJob(rest, (await rest.post("/verification/jobs", { emails })).body.id);
  expect(job.counts).toMatchObject({ unknown: 8 });
  expect(new Set(Object.values(await foundBy(rest, job.id)))).toEqual(new Set(["UNKNOWN HOST_REFUSES"]));
  const asked = () => verifying.smtp.attempts.filter(({ to }) => to[0]?.endsWith("@block.test")).length;
  expect(asked()).toBe(1);
  const other = await verifying.world.workspace();
  await endedJob(other.rest, (await other.rest.post("/verification/jobs", { emails: ["q@block.test"] })).body.id);
  expect(asked()).toBe(1);
}, 60_000);

test("an address with a typing error is verified like any other and gets a suggested correction", async () => {
  const { rest } = await verifying.world.workspace();
  const job = await endedJob(rest, (await rest.post("/verification/jobs", { emails: ["ann@gmial.com"] })).body.id);
  const { body } = await rest.get(`/verification/export?jobId=${job.id}`);
  expect(body.content).toMatch(/^ann@gmial\.com,INVALID,NO_MAIL_HOST,.*,ann@gmail\.com,/m);
}, 60_000);

test("a workspace sees and exports only its own verification jobs, and only with the required scopes", async () => {
  const [own, other] = [await verifying.world.workspace(), await verifying.world.workspace()];
  const { body } = await own.rest.post("/verification/jobs", { emails: ["no@nomail.test"] });
  await endedJob(own.rest, body.id);
  for (const path of [`/verification/jobs/${body.id}`, `/verification/export?jobId=${body.id}`]) {
    expect([path, (await other.rest.get(path)).status, (await own.rest.get(path)).status]).toEqual([path, 404, 200]);
  }
  expect((await other.rest.post(`/jobs/${body.id}/cancel`, {})).status).toBe(404);
  const { body: list } = await own.rest.post("/lead-lists", { name: "Ours" });
  expect((await other.rest.post("/verification/jobs", { listId: list.id })).body.code).toBe("LIST_NOT_FOUND");
  expect((await other.rest.put("/verification/schedules", { listId: list.id, cadence: "DAILY" })).body.code).toBe(
    "LIST_NOT_FOUND",
  );
  const reader = await own.withScopes("verification:read");
  expect((await reader.get("/verification/jobs")).status).toBe(200);
  expect((await reader.post("/verification/jobs", { emails: ["a@b.test"] })).status).toBe(403);
  expect((await reader.patch("/verification/settings", { blockInvalid: false })).status).toBe(403);
  expect((await own.rest.post("/verification/jobs", {})).status).toBe(400);
  expect((await own.rest.post("/verification/jobs", { emails: ["a@b.test"], listId: list.id })).status).toBe(400);
}, 60_000);

test("an exported workbook contains the results, with every cell as text", async () => {
  const { rest } = await verifying.world.workspace();
  const job = await endedJob(
    rest,
    (await rest.post("/verification/jobs", { emails: ["no@nomail.test", "=1+1"] })).body.id,
  );
  const { body } = await rest.get(`/verification/export?jobId=${job.id}&format=XLSX`);
  expect(body).toMatchObject({ format: "XLSX", rowCount: 2, content: null, next: null });
  const file = await fetch(body.downloadUrl.replace("http://localhost:3000", verifying.world.baseUrl));
  expect(file.headers.get("content-type")).toMatch(/spreadsheetml/);
  const bytes = Buffer.from(await file.arrayBuffer());
  expect([bytes.length, bytes.subarray(0, 2).toString()]).toEqual([body.size, "PK"]);
  const texts = await sharedTextsOf(bytes);
  expect(texts).toContain("no@nomail.test");
  expect(texts).toContain("=1+1");
  expect(texts).not.toMatch(/<f[ >]/);
}, 60_000);

/** The XML parts of a workbook as one text. */
async function sharedTextsOf(zip: Buffer): Promise<string> {
  const { fromBuffer } = await import("yauzl");
  return new Promise((resolve, reject) => {
    fromBuffer(zip, { lazyEntries: true }, (error, archive) => {
      if (error) return reject(error);
      let all = "";
      archive.on("end", () => resolve(all));
      archive.on("entry", (entry) => {
        archive.openReadStream(entry, (wrong, stream) => {
          if (wrong) return reject(wrong);
          stream.on("data", (part: Buffer) => {
            all += part.toString("utf8");
          });
          stream.on("end", () => archive.readEntry());
        });
      });
      archive.readEntry();
    });
  });
}
