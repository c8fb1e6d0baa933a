import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { simpleParser } from "mailparser";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { endRecipient } from "../../store/recipients/stop.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { ALWAYS } from "./campaign-parts.ts";

const MAILBOXES = ["ann@a.test", "bob@b.test"];
const QUICK = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };
const NOW = { value: 0, unit: "MINUTES" };
const HOURS = { value: 2, unit: "HOURS" };
const DEADLINE = { deadlineMs: 60_000 };

let sandbox: Sandbox;
let world: World;
let rest: Rest;
let workspaceId: string;
let mailboxIds: string[];

beforeAll(async () => {
  const certificate = await makeCertificate();
  sandbox = await startSandbox({ mailboxes: MAILBOXES, certificate });
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*" },
  });
  ({ rest, workspaceId } = await world.workspace());
  mailboxIds = await Promise.all(MAILBOXES.map(connect));
}, 120_000);

afterAll(async () => {
  await world.close();
  await sandbox.close();
}, 30_000);

async function connect(email: string): Promise<string> {
  const servers = {
    smtpHost: "localhost",
    smtpPort: sandbox.smtpPort,
    imapHost: "localhost",
    imapPort: sandbox.imapPortOf(email),
  };
  const credentials = { email, password: sandbox.password, security: "SSL_TLS", ...servers };
  return (await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials })).body.id;
}

async function campaignOf(
  emails: string[],
  settings: object,
  steps: object[] = [{ subject: "One", body: "<p>1</p>", delay: NOW }],
) {
  const { body } = await rest.post("/campaigns", { name: "Life" });
  const path = `/campaigns/${body.id}`;
  await rest.patch(`${path}/settings`, { ...QUICK, mailboxIds, ...settings });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  await rest.post(`${path}/recipients`, { action: "addManual", emails });
  const launch = () => rest.post(`${path}/control`, { action: "launch" });
  const status = async () => (await rest.get(path)).body.status;
  const recipients = async () => (await rest.get(`${path}/recipients`)).body.items;
  return { path, campaignId: body.id as string, launch, status, recipients };
}

const mailsTo = (email: string) => sandbox.ledger.filter(({ to }) => to.includes(email));
const soon = (ms: number) => new Date(Date.now() + ms).toISOString();

test("a scheduled campaign sends nothing before its start, and sends and completes afterwards", async () => {
  const startAt = soon(10_000); // far enough ahead to be launched before it on a busy machine too
  const { path, launch, status } = await campaignOf(["start@people.test"], { startAt });
  expect((await launch()).body.campaign.status).toBe("SCHEDULED");
  expect((await rest.get(path)).body.sendingStatus.code).toBe("SCHEDULED");
  const isOver = async () => {
    const now = await status();
    expect(["SCHEDULED", "ACTIVE", "COMPLETED"]).toContain(now); // a launch that came after its start would be refused and leave the campaign PAUSED
    return now === "COMPLETED";
  };
  await until(isOver, { ...DEADLINE, what: "the campaign to begin and finish" });
  const [mail, ...more] = mailsTo("start@people.test");
  expect(more).toEqual([]);
  expect(mail?.at).toBeGreaterThanOrEqual(Date.parse(startAt));
}, 90_000);

test("a campaign sends nothing after its end, and recipients that wait for a follow-up are completed", async () => {
  const steps = [
    { subject: "One", body: "<p>1</p>", delay: NOW },
    { subject: "", body: "<p>2</p>", delay: HOURS },
  ];
  const { path, launch, status, recipients } = await campaignOf(["end@people.test"], {}, steps);
  await launch();
  await until(() => mailsTo("end@people.test").length === 1, { ...DEADLINE, what: "the first mail" });
  await rest.patch(`${path}/settings`, { endAt: soon(2_000) });
  await until(async () => (await recipients())[0].status === "COMPLETED", { ...DEADLINE, what: "the end" });
  expect(await recipients()).toMatchObject([{ stopReason: "SCHEDULE_ENDED", sentCount: 1, nextSendAt: null }]);
  expect((await rest.get(path)).body).toMatchObject({ status: await status(), completedReason: "SCHEDULE_ENDED" });
  expect(mailsTo("end@people.test")).toHaveLength(1);
}, 120_000);

test("when a campaign is completed by hand, its open recipients are completed", async () => {
  const steps = [
    { subject: "One", body: "<p>1</p>", delay: NOW },
    { subject: "", body: "<p>2</p>", delay: HOURS },
  ];
  const { campaignId, launch, recipients } = await campaignOf(["done1@people.test", "done2@people.test"], {}, steps);
  await launch();
  await until(() => mailsTo("done2@people.test").length === 1, { ...DEADLINE, what: "the first mails" });
  const { body } = await rest.post(`/campaigns/${campaignId}/control`, { action: "complete" });
  expect(body).toMatchObject({ status: "COMPLETED", completedReason: "MANUAL" });
  const ended = { status: "COMPLETED", stopReason: "CAMPAIGN_COMPLETED" };
  await until(async () => (await recipients()).every(({ status }: { status: string }) => status === "COMPLETED"), {
    ...DEADLINE,
    what: "everybody to end",
  });
  expect(await recipients()).toMatchObject([ended, ended]);
}, 90_000);

test("an email goes to the campaign's CC and hidden BCC addresses, but not to a suppressed one", async () => {
  await rest.post("/block-list", { value: "blocked.test" });
  const lists = { ccList: ["cc@people.test", "no@blocked.test"], bccList: ["bcc@people.test"] };
  const { launch, status } = await campaignOf(["main@people.test"], lists);
  await launch();
  await until(async () => (await status()) === "COMPLETED", { ...DEADLINE, what: "the campaign to finish" });
  await until(() => mailsTo("bcc@people.test").length > 0, { ...DEADLINE, what: "the copies" });
  const [mail] = mailsTo("main@people.test");
  const [copy] = mailsTo("cc@people.test");
  expect([mail?.to, copy?.to]).toEqual([["main@people.test"], ["cc@people.test", "bcc@people.test"]]);
  expect(copy?.raw).toEqual(mail?.raw);
  const read = await simpleParser(mail?.raw ?? "");
  expect([read.cc, read.bcc].flat().map((to) => to?.text)).toEqual(["cc@people.test", undefined]);
  expect(mailsTo("no@blocked.test")).toEqual([]);
}, 90_000);

test("with ROUND_ROBIN the mailboxes of a campaign take turns", async () => {
  const emails = Array.from({ length: 4 }, (_, index) => `turn${index}@people.test`);
  const { launch, status } = await campaignOf(emails, { rotation: "ROUND_ROBIN" });
  await launch();
  await until(async () => (await status()) === "COMPLETED", { ...DEADLINE, what: "the campaign to finish" });
  const from = emails.map((email) => mailsTo(email)[0]?.from);
  expect(from.filter((address) => address === MAILBOXES[0])).toHaveLength(2);
}, 120_000);

test("when a recipient ends while a follow-up is booked, the send slot is freed", async () => {
  const steps = [
    { subject: "One", body: "<p>1</p>", delay: NOW },
    { subject: "", body: "<p>2</p>", delay: HOURS },
  ];
  const { launch } = await campaignOf(["early@people.test"], {}, steps);
  await launch();
  const { Send, MailboxDay } = scoped(workspaceId);
  const to = "early@people.test";
  await until(() => mailsTo(to).length === 1, { ...DEADLINE, what: "the first mail" });
  const booked = await until(() => Send.findOne({ to, state: "RESERVED" }), {
    ...DEADLINE,
    what: "the booking of the second step",
  });
  const isTaken = async () =>
    (await MailboxDay.get(`${booked?.mailboxId}:${booked?.day}`))?.taken.some(({ sendId }) => sendId === booked?._id) ??
    false;
  expect(await isTaken()).toBe(true);
  const ending = { status: "COMPLETED", stopReason: "SEQUENCE_FINISHED", bySelf: true } as const;
  await inTransaction(() => endRecipient(workspaceId, booked?.recipientId ?? "", ending));
  await until(async () => !(await isTaken()), { ...DEADLINE, what: "the slot to be free" });
}, 120_000);

test("when a mailbox is disconnected, another one continues with the same subject in a new thread", async () => {
  const steps = [
    { subject: "Our plans", body: "<p>1</p>", delay: NOW },
    { subject: "", body: "<p>2</p>", delay: HOURS },
  ];
  const { path, launch } = await campaignOf(
    ["moved@people.test"],
    { mailboxFailover: "REASSIGN", mailboxFailoverAfterHours: 1 },
    steps,
  );
  await launch();
  await until(() => mailsTo("moved@people.test").length === 1, { ...DEADLINE, what: "the first mail" });
  const lost = MAILBOXES.indexOf(mailsTo("moved@people.test")[0]?.from ?? "");
  // Three hours have passed since the mailbox was lost, just after the first email
  const ago = new Date(Date.now() - 3 * HOUR_MS);
  await rest.post(`/mailboxes/${mailboxIds[lost]}/disconnect`, {});
  const paused = {
    status: "PAUSED",
    pauseReason: "MAILBOX_DISCONNECTED",
    admittedAt: null,
    lastSentAt: ago,
    updatedAt: ago,
  };
  await scoped(workspaceId).Recipient.changeOne({ email: "moved@people.test" }, { $set: paused });
  await rest.patch(`${path}/settings`, { trackOpens: false });
  await until(() => mailsTo("moved@people.test").length === 2, {
    ...DEADLINE,
    what: "the follow-up from the other mailbox",
  });
  const [first, second] = await Promise.all(mailsTo("moved@people.test").map(({ raw }) => simpleParser(raw)));
  expect(mailsTo("moved@people.test")[1]?.from).toBe(MAILBOXES[1 - lost]);
  expect([first?.subject, second?.subject]).toEqual(["Our plans", "Our plans"]);
  expect([second?.inReplyTo, second?.references]).toEqual([undefined, undefined]);
}, 120_000);
