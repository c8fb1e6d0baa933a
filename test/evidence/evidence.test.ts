import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type LeadFact, stateAt, statesOf } from "../../domain/evidence/lead-state.ts";
import { type EvidenceKey, verifyFile } from "../../domain/evidence/signature.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { command } from "../support/command.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
const folder = mkdtempSync(join(tmpdir(), "outreach-evidence-"));
beforeAll(async () => {
  world = await startWorld();
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await world.close();
});

async function keys(): Promise<EvidenceKey[]> {
  const found: { keys?: EvidenceKey[] } = Object(await (await fetch(`${world.baseUrl}/evidence-keys`)).json());
  return found.keys ?? [];
}
const ago = (days: number) => new Date(Date.now() - days * DAY_MS);
const digestOf = (text: string) => createHash("sha256").update(text).digest("hex");

/** A lead that was imported, written to twice, answered, and asked to hear no more. */
async function storied() {
  const { rest, workspaceId, withScopes } = await world.workspace();
  const basis = { "Legal Basis": "asked us at the fair", headcount: 5 };
  const { body: lead } = await rest.post("/leads", { email: "ada@people.test", source: "FAIR" });
  const { ActivityEvent, Lead, Message, Recipient, Send } = scoped(workspaceId);
  const imports = [{ at: ago(40), source: "CSV", fileName: "fair.csv", actor: "key_1", created: true }];
  await Lead.updateOne({ _id: lead.id }, { $set: { imports, customFields: basis } });
  await Lead.wrote({ _id: lead.id }, { $set: { createdAt: ago(40) } });
  const [recipientId, campaignId] = [newId("rcp"), newId("cmp")];
  await Recipient.insert({
    _id: recipientId,
    campaignId,
    leadId: lead.id,
    email: "ada@people.test",
    shard: 0,
    cid: newId("rcp"),
  });
  for (const day of [30, 20]) {
    const content = { text: `Secret offer ${day}`, html: null };
    const fields = {
      to: "ada@people.test",
      recipientId,
      leadId: lead.id,
      campaignId,
      state: "SENT" as const,
      sentAt: ago(day),
      bytesHash: `hash${day}`,
    };
    await Send.insert({
      _id: newId("snd"),
      stepId: `stp_${day}`,
      ...fields,
      content,
      subject: "Hello",
      checks: { suppressed: false, mailbox: "CONNECTED" },
    });
    await ActivityEvent.store({
      _id: newId("evt"),
      type: "SENT",
      at: ago(day),
      leadId: lead.id,
      recipientId,
      campaignId,
      data: {},
    });
  }
  await Message.insert({
    _id: newId("msg"),
    mailboxId: "mbx_1",
    contentKey: newId("msg"),
    recipientId,
    leadId: lead.id,
    kind: "REPLY",
    bodyText: "Who are you?",
    receivedAt: ago(15),
  });
  await ActivityEvent.store({
    _id: newId("evt"),
    type: "REPLIED",
    at: ago(15),
    leadId: lead.id,
    recipientId,
    campaignId,
    data: {},
  });
  await rest.post("/leads/suppress", { action: "suppress", ids: [lead.id] });
  return { rest, workspaceId, withScopes, leadId: lead.id as string };
}

test("evidence shows the origin of an address, the checks of each email, received emails, and the state of the lead at each time", async () => {
  const { rest, leadId, workspaceId } = await storied();
  const { status, body } = await rest.post(`/leads/${leadId}/evidence`, { at: ago(17).toISOString() });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    sends: 2,
    received: 1,
    state: { suppressedBy: null, mailsSent: 2, lastRepliedAt: null },
  });
  expect(body.sha256).toBe(digestOf(body.content));
  const lines = body.content
    .trimEnd()
    .split("\n")
    .map((line: string) => JSON.parse(line));
  const of = (kind: string) => lines.filter(({ line }: { line: string }) => line === kind);
  expect(of("evidence")).toMatchObject([{ format: "outreach-evidence/1", workspaceId, leadId }]);
  expect(of("origin")).toMatchObject([
    { source: "FAIR", imports: [{ fileName: "fair.csv" }], basis: { "Legal Basis": "asked us at the fair" } },
  ]);
  expect(of("origin")[0].basis).not.toHaveProperty("headcount");
  expect(of("stops")).toMatchObject([{ guard: ["MANUAL"], blockList: [] }]);
  expect(of("send")[0]).toMatchObject({
    checks: { suppressed: false },
    hashes: { bytes: "hash30", text: digestOf("Secret offer 30"), subject: digestOf("Hello") },
  });
  expect(of("received")).toMatchObject([{ kind: "REPLY", hashes: { text: digestOf("Who are you?") } }]);
  expect(
    of("state").map((state: { mailsSent: number; suppressedBy: string | null }) => [
      state.mailsSent,
      state.suppressedBy,
    ]),
  ).toEqual([
    [0, null],
    [1, null],
    [2, null],
    [2, null],
    [2, "MANUAL"],
  ]);
  for (const text of ["Secret offer", "Who are you"]) expect(body.content).not.toContain(text);
  const deeds = await scoped(workspaceId).AuditEntry.find({ action: "leads.makeEvidence" });
  expect(deeds).toMatchObject([{ outcome: "DONE", target: { leadId } }]);
});

test("evidence can be verified with the public keys alone, and any changed byte, missing line or addition makes the file invalid", async () => {
  const { rest, leadId } = await storied();
  const { content, keyId } = (await rest.post(`/leads/${leadId}/evidence`, {})).body;
  const known = await keys();
  const file = Buffer.from(content);
  expect(verifyFile(file, known)).toMatchObject({ isGenuine: true, keyId });
  for (let at = 0; at < file.length; at++) {
    const changed = Buffer.from(file);
    changed[at] = (changed[at] ?? 0) ^ 1;
    if (verifyFile(changed, known).isGenuine) throw new Error(`byte ${at} was changed, and nobody noticed`);
  }
  expect(verifyFile(file.subarray(1), known).isGenuine).toBe(false);
  expect(verifyFile(Buffer.concat([file, file]), known).isGenuine).toBe(false);
  expect(verifyFile(Buffer.alloc(0), known).isGenuine).toBe(false);
  const lines = content.trimEnd().split("\n");
  expect(verifyFile(Buffer.from(`${lines.toSpliced(2, 1).join("\n")}\n`), known).isGenuine).toBe(false);
});

test("evidence:verify reports whether a file is genuine, without a database", async () => {
  const { rest, leadId } = await storied();
  const { content } = (await rest.post(`/leads/${leadId}/evidence`, {})).body;
  const [genuine, changed, keyFile] = ["genuine.ndjson", "changed.ndjson", "keys.json"].map((name) =>
    join(folder, name),
  );
  writeFileSync(genuine ?? "", content);
  writeFileSync(changed ?? "", content.replace("ada@", "bob@"));
  writeFileSync(keyFile ?? "", JSON.stringify({ keys: await keys() }));
  const run = (file = "") => command({}, "evidence-verify", [file, "--keys", keyFile ?? ""]);
  expect(await run(genuine)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^genuine: \d+ lines, signed with the key \w{6}\n$/),
  });
  expect(await run(changed)).toMatchObject({
    code: 1,
    out: "",
    err: "not genuine: its lines are not those that were signed\n",
  });
  expect(await command({}, "evidence-verify")).toMatchObject({
    code: 1,
    err: expect.stringContaining("usage: npm run evidence:verify"),
  });
}, 60_000);

test("evidence is refused for a lead of another workspace and for a credential without leads:read", async () => {
  const { leadId, withScopes } = await storied();
  const another = await world.workspace();
  expect(await another.rest.post(`/leads/${leadId}/evidence`, {})).toMatchObject({
    status: 404,
    body: { code: "LEAD_NOT_FOUND" },
  });
  const blind = await withScopes("recipients:read");
  expect(await blind.post(`/leads/${leadId}/evidence`, {})).toMatchObject({
    status: 403,
    body: { details: { requiredScope: "leads:read" } },
  });
});

const TYPES = [
  "SENT",
  "SENT",
  "OPEN",
  "REPLIED",
  "BOUNCED",
  "UNSUBSCRIBE",
  "SUPPRESSED",
  "UNSUPPRESSED",
  "ADDED_TO_CAMPAIGN",
  "LEAD_UPDATED",
];
const START = Date.UTC(2025, 0, 1);
const fact = fc.record({
  hour: fc.integer({ min: 0, max: 365 * 24 }),
  type: fc.constantFrom(...TYPES),
  campaign: fc.integer({ min: 1, max: 3 }),
});

test("later events do not change the lead state that is derived for an earlier instant", () => {
  fc.assert(
    fc.property(fc.array(fact, { maxLength: 200 }), fc.integer({ min: 0, max: 365 }), (year, day) => {
      const facts = year
        .map(
          ({ hour, type, campaign }): LeadFact => ({
            at: new Date(START + (hour * DAY_MS) / 24),
            type,
            campaignId: `cmp_${campaign}`,
            data: { reason: "MANUAL" },
          }),
        )
        .toSorted((one, other) => one.at.getTime() - other.at.getTime());
      // A lead that was suppressed from the beginning has no event of it; only the next event, which lifts it, shows it
      const lifted = [{ at: new Date(START), type: "SUPPRESSED", campaignId: null, data: {} }, ...facts];
      const at = new Date(START + day * DAY_MS);
      const then = statesOf(
        new Date(START),
        lifted.filter((one) => one.at <= at),
      );
      const now = statesOf(new Date(START), lifted);
      expect(stateAt(now, at)).toEqual(stateAt(then, at));
      expect(stateAt(now, at)?.mailsSent).toBe(facts.filter((one) => one.type === "SENT" && one.at <= at).length);
    }),
    { numRuns: 300 },
  );
});
