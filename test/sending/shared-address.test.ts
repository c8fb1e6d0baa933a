import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

const EMAIL = "ann@a.test";
const QUICK = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };

let world: World;
let sandbox: Sandbox;

beforeAll(async () => {
  const certificate = await makeCertificate();
  sandbox = await startSandbox({ mailboxes: [EMAIL], certificate, reactionMs: { min: 20, max: 60 } });
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*" },
  });
}, 90_000);
afterAll(async () => {
  await world.close();
  await sandbox.close();
}, 30_000);

interface Person {
  id: string;
  email: string;
  status: string;
  sentCount: number;
}

/** A workspace that has connected the shared address, with a launched campaign to these people. */
async function sending(subject: string, emails: string[], patch: object = {}) {
  const { rest } = await world.workspace();
  const servers = {
    smtpHost: "localhost",
    smtpPort: sandbox.smtpPort,
    imapHost: "localhost",
    imapPort: sandbox.imapPortOf(EMAIL),
  };
  const credentials = { email: EMAIL, password: sandbox.password, security: "SSL_TLS", ...servers };
  const { status, body: mailbox } = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
  expect({ status, email: mailbox.email }).toEqual({ status: 200, email: EMAIL });
  const managed = await rest.post("/mailboxes/manage", { action: "updateSettings", mailboxId: mailbox.id, patch });
  expect(managed).toMatchObject({ status: 200, body: patch });
  const path = `/campaigns/${(await rest.post("/campaigns", { name: subject })).body.id}`;
  await rest.patch(`${path}/settings`, { ...QUICK, mailboxIds: [mailbox.id] });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [mail("stp_one", subject)] });
  await rest.post(`${path}/recipients`, { action: "addManual", emails });
  const recipients = async (): Promise<Person[]> => (await rest.get(`${path}/recipients?pageSize=200`)).body.items;
  expect((await rest.post(`${path}/control`, { action: "launch" })).body).toMatchObject({ launched: true });
  return { rest, path, mailbox, recipients };
}

test("two workspaces that connected one address send, count and read replies independently of each other", async () => {
  const [theirs, ours] = [
    ["reply1@one.test", "plain1@one.test", "plain2@one.test"],
    ["reply2@two.test", "plain3@two.test"],
  ];
  const first = await sending("Spring", theirs, { dailySendLimit: 0 });
  const second = await sending("Autumn", [...ours, "plain4@two.test", "plain5@two.test"], { dailySendLimit: 2 });
  expect(second.mailbox.id).not.toBe(first.mailbox.id);
  const hasReplied = async () =>
    (await first.recipients()).find(({ email }) => email === "reply1@one.test")?.status === "REPLIED";
  await until(hasReplied, { ...MAIL_DEADLINE, what: "the first reply" });
  await until(async () => (await first.rest.get(first.path)).body.status === "COMPLETED", {
    ...MAIL_DEADLINE,
    what: "the first campaign",
  });
  const mailAt = async ({ id }: Person): Promise<string> => {
    const { next, afterwards } = (await second.rest.get(`${second.path}/recipients/${id}/explain`)).body;
    return [next, ...afterwards].find((told) => told?.event === "MAIL")?.at ?? "";
  };
  const tomorrow = new Date(Math.ceil(Date.now() / DAY_MS) * DAY_MS).toISOString();
  const isFull = async () => {
    const waiting = (await second.recipients()).filter(({ sentCount }) => sentCount === 0);
    return waiting.length === 2 && (await Promise.all(waiting.map(mailAt))).every((at) => at >= tomorrow);
  };
  await until(isFull, { ...MAIL_DEADLINE, what: "two mails of the second, and the others put off until tomorrow" });
  const today = async ({ rest, mailbox }: typeof first) =>
    (await rest.get(`/mailboxes/${mailbox.id}`)).body.sentToday.total;
  expect([await today(first), await today(second)]).toEqual([3, 2]);
  expect(sandbox.ledger.filter(({ to }) => to.some((address) => address.endsWith("@one.test")))).toHaveLength(3);
  expect(sandbox.ledger.filter(({ to }) => to.some((address) => address.endsWith("@two.test")))).toHaveLength(2);

  await first.rest.post(`/mailboxes/${first.mailbox.id}/disconnect`, {});
  expect((await second.rest.get(`/mailboxes/${second.mailbox.id}`)).body).toMatchObject({ status: "CONNECTED" });
  expect((await second.rest.get(`/mailboxes/${first.mailbox.id}`)).body.code).toBe("MAILBOX_NOT_FOUND");
}, 120_000);
