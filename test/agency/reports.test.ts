import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { reportMail, weekBefore } from "../../domain/agency-report.ts";
import { systemSmtpOf } from "../../domain/mailboxes/system-smtp.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type FakeSmtp, startSmtp } from "../fakes/smtp.ts";
import { realWorker } from "../support/real-worker.ts";
import { invited, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let smtp: FakeSmtp;
beforeAll(async () => {
  const certificate = await makeCertificate();
  smtp = await startSmtp({ certificate, accounts: { "noreply@out.test": "password" }, secure: true });
  const systemSmtp = systemSmtpOf(`smtps://noreply%40out.test:password@localhost:${smtp.port}`, null);
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert, systemSmtp }),
    settings: { hasSystemMail: true },
  });
}, 90_000);
afterAll(async () => {
  await world.close();
  await smtp.close();
}, 60_000);

let rounds = 0;
async function round(): Promise<number> {
  const { temporal } = world;
  if (temporal === null) throw new Error("There is no engine");
  const asked = { taskQueue: "engine", workflowId: `round/${rounds++}`, args: [] };
  return temporal.client.workflow.execute("mailAgencyReports", asked);
}
const mailsTo = (address: string) =>
  smtp.ledger.filter(({ to }) => to.includes(address)).map(({ raw }) => raw.toString());

test("a person who wants the report gets one email for the last week, which counts only the clients' events of that week", async () => {
  const agency = await world.workspace();
  const owner = (await Workspace.findOne({ _id: agency.workspaceId }).lean<Workspace>())?.ownerEmail ?? "";
  const { body: client } = await agency.rest.post("/workspaces", { name: "Zeta\nLtd" });
  const { from } = weekBefore(new Date());
  const at = (days: number) => new Date(from.getTime() + days * DAY_MS);
  const event = (type: string, when: Date) => ({
    _id: newId("evt"),
    type,
    at: when,
    leadId: null,
    campaignId: null,
    recipientId: null,
    actor: null,
    data: {},
  });
  const { ActivityEvent } = scoped(client.id);
  await ActivityEvent.insertMany([
    event("SENT", at(0)),
    event("SENT", at(6)),
    event("REPLIED", at(3)),
    event("SENT", at(7)),
    event("SENT", at(-1)),
  ]);
  expect([await round(), mailsTo(owner)]).toEqual([0, []]);
  expect(
    (await agency.rest.post("/workspace", { action: "update", patch: { weeklyReport: true } })).body.weeklyReport,
  ).toBe(true);
  expect([await round(), await round()]).toEqual([1, 0]);
  const [mail = "", ...others] = mailsTo(owner);
  expect(others).toEqual([]);
  expect(mail.replaceAll("=\r\n", "")).toContain("Zeta Ltd: 2 sent, 1 replied; 0 active campaigns, 0 mailboxes");
});

test("the reported week runs from Monday to Monday, whatever the day of the report", () => {
  for (const day of ["2026-11-23T00:00:00Z", "2026-11-24T10:00:00Z", "2026-11-29T23:59:59Z"]) {
    expect(weekBefore(new Date(day))).toEqual({
      week: "2026-11-16",
      from: new Date("2026-11-16T00:00:00Z"),
      to: new Date("2026-11-23T00:00:00Z"),
    });
  }
  expect(reportMail("A\r\nBcc: b@c.test", "2026-11-16", []).subject).toBe(
    "A Bcc: b@c.test: your clients in the week of 2026-11-16",
  );
});

test("a client who signs in sees only their own workspace, whatever id they ask for", async () => {
  const agency = await signedIn(world);
  const { body: mine } = await agency.rest.post("/workspaces", { name: "Mine" });
  const { body: other } = await agency.rest.post("/workspaces", { name: "Other" });
  const owner = { ...agency, workspaceId: mine.id, rest: agency.browser.console(mine.id) };
  const client = await invited(world, owner, "client@people.test", "VIEWER");
  expect((await client.rest.get("/workspaces")).body.items.map(({ id }: { id: string }) => id)).toEqual([mine.id]);
  expect((await client.rest.get("/workspace")).body.id).toBe(mine.id);
  for (const id of [other.id, agency.workspaceId]) {
    expect(await client.browser.console(id).get("/workspace")).toMatchObject({
      status: 404,
      body: { code: "WORKSPACE_NOT_FOUND" },
    });
  }
  expect((await client.rest.post("/leads", { email: "a@b.test" })).status).toBe(403);
});
