import { afterAll, afterEach, beforeAll, expect, test } from "@jest/globals";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { resumeSending, suspendSending } from "../../store/campaigns/kill-switch.ts";
import { planWarmupRound } from "../../store/warmup/plan-round.ts";
import { accept, hold, loseReply, refuse } from "../fakes/smtp-answers.ts";
import { startTcp } from "../fakes/tcp.ts";
import { until } from "../fakes/wait.ts";
import { type Doing, startDoing } from "./doing.ts";
import { mailNow } from "./planted.ts";
import { allMails, startWarmupWorld, type Warming, type WarmupWorld } from "./warmup-world.ts";

const [ANN, BOB] = ["ann@a.test", "bob@b.test"];
let here: WarmupWorld;
let doing: Doing;

beforeAll(async () => {
  here = await startWarmupWorld({ workspaces: [[ANN], [BOB]], isWorked: false });
  doing = startDoing(here, 1_000);
}, 60_000);
afterEach(async () => {
  here.sandbox.smtp.setRules(() => accept);
  for (const { rest, mailboxId } of here.mailboxes.values())
    await rest.post("/warmup/manage", { action: "remove", mailboxId });
  for (const { workspaceId } of here.mailboxes.values()) await scoped(workspaceId).Send.deleteMany({ kind: "WARMUP" });
  await WarmupMail.deleteMany({});
});
afterAll(async () => {
  await doing.close();
  await here.close();
}, 60_000);

/** Both warm up with six openings a day. Returns Ann's emails. */
async function planned(): Promise<WarmupMail[]> {
  for (const { rest, mailboxId } of here.mailboxes.values())
    await rest.post("/warmup/manage", { action: "start", mailboxId, config: { start: 6, replyRate: 0 } });
  await planWarmupRound("ALL", () => {});
  return (await allMails()).filter(({ fromAddress, state }) => fromAddress === ANN && state === "PLANNED");
}

const [ann, bob] = [() => here.of(ANN), () => here.of(BOB)];
const sendOf = ({ fromWorkspaceId, sendId }: WarmupMail): Promise<Send | null> =>
  scoped(fromWorkspaceId).Send.get(sendId);
const mailsTo = (email: string) => here.sandbox.ledger.filter(({ to }) => to.includes(email)).length;
const mailboxNow = ({ workspaceId, mailboxId }: Warming) => scoped(workspaceId).Mailbox.get(mailboxId);

/** The outcome of an email: its state, its row in the ledger, how many more Bob's server has taken. */
async function outcome(mail: WarmupMail | undefined, act: (mail: WarmupMail) => Promise<unknown>) {
  if (mail === undefined) throw new Error("Nothing is planned");
  const before = mailsTo(BOB);
  await act(mail);
  const send = await sendOf(mail);
  return [(await mailNow(mail._id)).state, send?.state, send?.failure?.reason ?? null, mailsTo(BOB) - before];
}
const send = (mail: WarmupMail | undefined) => outcome(mail, (one) => doing.send(one));

test("a workspace's block list stops its own warmup emails to the blocked address, but not warmup emails from that address", async () => {
  const mails = await planned();
  const { body: entry } = await ann().rest.post("/block-list", { value: BOB });
  expect(await send(mails[0])).toEqual(["FAILED", "FAILED", "RECIPIENT_SUPPRESSED", 0]);
  await ann().rest.delete(`/block-list/${entry.id}`);
  const { body: ofBob } = await bob().rest.post("/block-list", { value: ANN });
  expect(await send(mails[1])).toEqual(["SENT", "SENT", null, 1]);
  const [own] = (await allMails()).filter(({ fromAddress }) => fromAddress === BOB);
  const before = mailsTo(ANN);
  if (own !== undefined) await doing.send(own);
  expect([(await mailNow(own?._id ?? "")).state, mailsTo(ANN) - before]).toEqual(["FAILED", 0]);
  await bob().rest.delete(`/block-list/${ofBob.id}`);
});

test("a kill switch, a lost or paused partner, a late hour or a full day makes a warmup email MISSED and frees its slot", async () => {
  const mails = await planned();
  const slots = async () =>
    (await scoped(ann().workspaceId).MailboxDay.find({ mailboxId: ann().mailboxId })).flatMap(({ taken }) => taken)
      .length;
  expect(await slots()).toBe(6);
  await suspendSending(ann().workspaceId, null);
  expect(await send(mails[0])).toEqual(["MISSED", "FAILED", "WARMUP_MISSED", 0]);
  await resumeSending(ann().workspaceId, null);

  await bob().rest.post("/warmup/manage", { action: "pause", mailboxId: bob().mailboxId });
  expect(await send(mails[1])).toEqual(["MISSED", "FAILED", "WARMUP_MISSED", 0]);
  await bob().rest.post("/warmup/manage", { action: "start", mailboxId: bob().mailboxId });
  await scoped(bob().workspaceId).Mailbox.updateOne(
    { _id: bob().mailboxId },
    { $set: { status: "RECONNECT_REQUIRED" } },
  );
  expect(await send(mails[2])).toEqual(["MISSED", "FAILED", "WARMUP_MISSED", 0]);
  await scoped(bob().workspaceId).Mailbox.updateOne({ _id: bob().mailboxId }, { $set: { status: "CONNECTED" } });

  const late = async (mail: WarmupMail) => {
    await WarmupMail.updateOne({ _id: mail._id }, { $set: { dueAt: new Date(Date.now() - HOUR_MS) } });
    await doing.sendAsPlanned(mail);
  };
  expect(await outcome(mails[3], late)).toEqual(["MISSED", "FAILED", "WARMUP_MISSED", 0]);
  const [{ sent } = { sent: 0 }] = await scoped(ann().workspaceId).MailboxDay.find({ mailboxId: ann().mailboxId });
  await scoped(ann().workspaceId).Mailbox.updateOne({ _id: ann().mailboxId }, { $set: { dailySendLimit: sent + 1 } });
  expect(await send(mails[4])).toEqual(["SENT", "SENT", null, 1]);
  expect(await send(mails[5])).toEqual(["MISSED", "FAILED", "WARMUP_MISSED", 0]);
  await scoped(ann().workspaceId).Mailbox.updateOne({ _id: ann().mailboxId }, { $set: { dailySendLimit: 0 } });
  expect(await slots()).toBe(0);
});

test("a pause withdraws a warmup email before its content is sent, and the email does not go out later", async () => {
  const mails = await planned();
  let go = () => {};
  const held = new Promise<void>((resolve) => {
    go = resolve;
  });
  here.sandbox.smtp.setRules(() => hold("RCPT", held));
  const paused = async (mail: WarmupMail) => {
    const sending = doing.send(mail);
    await until(async () => (await sendOf(mail))?.state === "SENDING", {
      deadlineMs: 20_000,
      what: "the mail to be claimed",
    });
    expect((await ann().rest.post("/warmup/manage", { action: "pause", mailboxId: ann().mailboxId })).status).toBe(200);
    go();
    await sending;
  };
  expect((await outcome(mails[0], paused)).slice(1)).toEqual(["RESERVED", "WITHDRAWN", 0]);
  here.sandbox.smtp.setRules(() => accept);
  expect(await send(mails[0])).toEqual(["MISSED", "FAILED", "WARMUP_MISSED", 0]);
});

test("a permanent refusal ends a warmup email and suppresses no one; a temporary refusal postpones the email", async () => {
  const mails = await planned();
  here.sandbox.smtp.setRules(() => refuse(550, "5.1.1 User unknown"));
  expect(await send(mails[0])).toEqual(["FAILED", "FAILED", "HARD_BOUNCE", 0]);
  expect((await ann().rest.get("/block-list")).body).toEqual([]);
  expect(await mailboxNow(ann())).toMatchObject({ status: "CONNECTED" });
  here.sandbox.smtp.setRules(() => refuse(451, "4.3.0 Try again later"));
  expect(await send(mails[1])).toEqual(["PLANNED", "RESERVED", null, 0]);
  expect(((await mailNow(mails[1]?._id ?? "")).dueAt.getTime() - Date.now()) / MINUTE_MS).toBeGreaterThan(5);
  here.sandbox.smtp.setRules(() => accept);
  expect(await send(mails[1])).toEqual(["SENT", "SENT", null, 1]);
});

test("a warmup email of unknown outcome is never sent again", async () => {
  const mails = await planned();
  here.sandbox.smtp.setRules(() => loseReply({ kept: true }));
  expect(await send(mails[0])).toEqual(["UNKNOWN", "UNKNOWN", null, 1]);
  here.sandbox.smtp.setRules(() => accept);
  expect(await send(mails[0])).toEqual(["UNKNOWN", "UNKNOWN", null, 0]);
});

test("a mailbox whose server stops answering keeps its received warmup emails untreated and tries again later", async () => {
  const [mail] = await planned();
  const silent = await startTcp((socket) => {
    socket.write("* OK ready\r\n");
  });
  const imap = { host: "localhost", port: silent.port, security: "NONE" as const };
  const { workspaceId, mailboxId } = bob();
  const usual = (await mailboxNow(bob()))?.imap;
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: { imap } });
  const landed = { folder: "INBOX" as const, provider: "SMTP" as const, at: new Date() };
  const wish = { rescue: false, important: false, answer: false };
  const place = { folder: "INBOX", uidValidity: "1", uid: 1 };
  await WarmupMail.updateOne(
    { _id: mail?._id ?? "" },
    { $set: { state: "SENT", landed, wish, place, engageAt: new Date() } },
  );
  const turn = await doing.engage(bob());
  expect(silent.connections()).toBeGreaterThan(0);
  // The turn itself may be one of Bob's own emails: late in the day they follow each other closely
  expect(Date.parse(turn.plan.nextEngagementAt ?? "")).toBeGreaterThan(Date.now() + MINUTE_MS);
  const { engageAt, engaged } = await mailNow(mail?._id ?? "");
  expect([engaged.readAt, (engageAt?.getTime() ?? 0) > Date.now() + MINUTE_MS]).toEqual([null, true]);
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailboxId }, { $set: { imap: usual } });
  await silent.close();
});
