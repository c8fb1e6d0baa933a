import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTransport } from "nodemailer";
import { freePort } from "../../embedded/ports.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { ALWAYS } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Dovecot, startDovecot } from "./dovecot.ts";
import { makeGround } from "./ground.ts";
import { type Postfix, startPostfix } from "./postfix.ts";

const ANN = "ann@a.test";
const BOB = "bob@a.test";
const PASSWORD = "mail-servers";
const NOW = { value: 0, unit: "MINUTES" };
const DEADLINE = { deadlineMs: 40_000 };

let ground: Awaited<ReturnType<typeof makeGround>>;
let dovecot: Dovecot;
let postfix: Postfix;
let submission: number;
let world: World;
let rest: Rest;
let workspaceId: string;
let mailboxId: string;

beforeAll(async () => {
  ground = await makeGround({ certificate: await makeCertificate(), password: PASSWORD });
  submission = await freePort();
  dovecot = await startDovecot({ ...ground, port: await freePort() });
  postfix = await startPostfix(ground, { submission, remote: await freePort(), dead: await freePort() }, [ANN, BOB]);
  const egress = { egressAllow: "localhost:*,127.0.0.1:*" };
  world = await startWorld({ worker: realWorker({ extraCa: ground.certificate.cert }), settings: egress });
  ({ rest, workspaceId } = await world.workspace());
  const servers = { smtpHost: "localhost", smtpPort: submission, imapHost: "localhost", imapPort: dovecot.port };
  const credentials = { email: ANN, password: PASSWORD, name: "Ann", security: "SSL_TLS", ...servers };
  const { status, body } = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
  if (status !== 200) throw new Error(`${JSON.stringify(body)} ${await postfix.log()}`);
  mailboxId = body.id;
  await until(async () => (await cursors()).length === 4, { ...DEADLINE, what: "the first look into every folder" });
}, 120_000);

afterAll(async () => {
  await world?.close();
  await postfix?.stop();
  await dovecot?.stop();
  await ground?.remove();
}, 60_000);

const cursors = () => scoped(workspaceId).MailboxCursor.find({ mailboxId });
const inbound = () => scoped(workspaceId).Message.find({ mailboxId, direction: "INBOUND" }, { sort: { _id: 1 } });

async function campaignTo(...emails: string[]): Promise<string> {
  const { body } = await rest.post("/campaigns", { name: "Real" });
  const path = `/campaigns/${body.id}`;
  const quick = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, mailboxIds: [mailboxId] };
  await rest.patch(`${path}/settings`, quick);
  const steps = [
    { subject: "A question", body: "<p>Hello</p>", delay: NOW },
    { subject: "", body: "<p>Still there?</p>", delay: { value: 3, unit: "DAYS" } },
  ];
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  await rest.post(`${path}/recipients`, { action: "addManual", emails });
  expect(await rest.post(`${path}/control`, { action: "launch" })).toMatchObject({ body: { launched: true } });
  return path;
}

async function recipient(email: string): Promise<Recipient> {
  const found = await scoped(workspaceId).Recipient.findOne({ email });
  if (found === null) throw new Error(`${email} is no recipient`);
  return found;
}

async function bounceOf(email: string) {
  const about = async () =>
    scoped(workspaceId).Message.findOne({ kind: "BOUNCE", recipientId: (await recipient(email))._id });
  const found = await until(about, { ...DEADLINE, what: `the report on ${email}` }).catch(async (err) => {
    throw new Error(
      `${err} ${(await inbound()).map(({ kind, subject, evidence }) => JSON.stringify({ kind, subject, evidence }))} ${await postfix.log()}`,
    );
  });
  return found?.bounce ?? null;
}

/** Sends an email as a person with a mail program would. */
async function mailFromBob(mail: { subject: string; text: string; inReplyTo?: string }): Promise<void> {
  const transport = createTransport({
    host: "localhost",
    port: submission,
    secure: true,
    tls: { ca: ground.certificate.cert },
    auth: { user: BOB, pass: PASSWORD },
  });
  await transport.sendMail({ from: BOB, to: ANN, ...mail });
  transport.close();
}

test("a dead host, a remote 550 and a remote 452 come back as reports of Postfix and are read correctly", async () => {
  await campaignTo("gone@remote.test", "full@remote.test", "spam@remote.test", "who@dead.test", BOB);
  expect(await bounceOf("gone@remote.test")).toMatchObject({ type: "HARD", reason: "USER_UNKNOWN", code: "5.1.1" });
  expect(await bounceOf("full@remote.test")).toMatchObject({ type: "SOFT", code: "4.2.2" });
  expect(await bounceOf("who@dead.test")).toMatchObject({ type: "SOFT", code: expect.stringMatching(/^4\.4\.\d$/) });
  expect((await bounceOf("spam@remote.test"))?.type).not.toBe("HARD");

  const leads = async (email: string) => (await rest.get(`/leads?search=${email.split("@")[0]}`)).body.items[0];
  expect(await recipient("gone@remote.test")).toMatchObject({ status: "BOUNCED", stopReason: "HARD_BOUNCE" });
  expect(await leads("gone@remote.test")).toMatchObject({ suppressed: true, suppressionReason: "HARD_BOUNCE" });
  for (const email of ["full@remote.test", "who@dead.test", "spam@remote.test"]) {
    expect(await leads(email)).toMatchObject({ suppressed: false });
    expect((await recipient(email)).status).not.toBe("BOUNCED");
  }
  expect(await recipient(BOB)).toMatchObject({ status: "IN_PROGRESS", sentCount: 1, bounce: null });
}, 120_000);

test("a reply is noticed while the server idles, and stops the person who wrote it", async () => {
  const bob = await recipient(BOB);
  await mailFromBob({ subject: "Re: A question", text: "Yes, tell me more.", inReplyTo: bob.thread?.ids.at(-1) ?? "" });
  await until(async () => (await recipient(BOB)).status === "REPLIED", { ...DEADLINE, what: "the reply to be read" });
  const replies = (await inbound()).filter(({ kind }) => kind === "REPLY");
  expect(replies).toMatchObject([{ subject: "Re: A question", recipientId: bob._id }]);
});
