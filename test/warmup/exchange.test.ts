import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parseMail } from "../../connectors/mime/parse.ts";
import { headerOf, headersOf } from "../fakes/sent-mail.ts";
import { until } from "../fakes/wait.ts";
import { expectAgreement, expectUnseen } from "./agreement.ts";
import { allMails, press, startWarmupWorld, untilQuiet, type WarmupWorld } from "./warmup-world.ts";

const ANN = "ann@a.test";
const BOB = "bob@b.test";
let here: WarmupWorld;

beforeAll(async () => {
  here = await startWarmupWorld({
    workspaces: [[ANN], [BOB]],
    filing: (recipient) => (recipient === BOB ? "Junk" : "INBOX"),
  });
});
afterAll(() => here.close());

const subjectOf = (raw: Buffer) => parseMail(raw).message.subject;

test("two mailboxes of two workspaces exchange warmup emails, and rescue, answer and file the emails; no email appears in an inbox", async () => {
  for (const email of [ANN, BOB]) {
    const { rest, mailboxId } = here.of(email);
    const { status, body } = await rest.post("/warmup/manage", {
      action: "start",
      mailboxId,
      config: { start: 12, replyRate: 0.6 },
    });
    expect([status, body.status, body.dayNumber]).toEqual([200, "ACTIVE", 1]);
  }
  const openings = async () => (await allMails()).filter(({ kind }) => kind === "OPENING").length;
  await until(async () => (await openings()) === 10, { deadlineMs: 30_000, what: "the plan of the day" });
  await press(here.mailboxes.values(), 1_000);
  await untilQuiet(here, 60_000);
  await expectAgreement(here);
  const mails = (await allMails()).filter(({ state }) => state === "SENT");
  expect(mails.some(({ kind }) => kind === "REPLY")).toBe(true);
  for (const { toAddress, landed, engaged } of mails) {
    expect([toAddress, landed?.folder, engaged.rescuedAt !== null]).toEqual([
      toAddress,
      ...(toAddress === BOB ? ["SPAM", true] : ["INBOX", false]),
    ]);
  }
  for (const mailbox of here.mailboxes.values()) await expectUnseen(mailbox);
});

test("a warmup email looks like a personal email of its mailbox, and an answer stays in its thread", () => {
  for (const { raw, to } of here.sandbox.ledger) {
    const text = raw.toString();
    expect(text).not.toMatch(/https?:|unsubscribe|warm ?up|<img/i);
    expect(headersOf(raw).toString()).not.toMatch(/^(?:list-|precedence|auto-submitted|x-(?!mail-ref))/im);
    expect(to).toHaveLength(1);
  }
  const answers = here.sandbox.ledger.filter(({ raw }) => headerOf(raw, "In-Reply-To") !== undefined);
  expect(answers.length).toBeGreaterThan(0);
  for (const { raw, from } of answers) {
    const opened = here.sandbox.ledger.find(({ messageId }) => messageId === headerOf(raw, "In-Reply-To"));
    expect(opened?.to).toEqual([from]);
    expect(subjectOf(raw)).toBe(`Re: ${subjectOf(opened?.raw ?? Buffer.alloc(0)).replace(/^Re: /, "")}`);
  }
});
