import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { coolDown } from "../../store/mailboxes/faults.ts";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { accept, refuse } from "../fakes/smtp-answers.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { mailboxIn } from "../inbox/mailbox-in.ts";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";

const [ANN, BOB] = ["ann@a.test", "bob@b.test"] as const;
const TWO_MAILS = [mail("one", "One"), mail("two", "Two")];
const HOUR_SECONDS = 3_600;

let sending: SendingWorld;
beforeAll(async () => {
  sending = await startSendingWorld();
});
beforeEach(() => sending.sandbox.smtp.setRules(() => accept));
afterAll(() => sending.close());

/** A new workspace with mailboxes of the sandbox, and campaigns without gaps that send from them. */
async function workspaceWith(...addresses: string[]) {
  const { world, sandbox } = sending;
  const { rest, workspaceId } = await world.workspace();
  const mailboxIds = await Promise.all(addresses.map((address) => mailboxIn(world, workspaceId, address, sandbox)));
  const [mailboxId = ""] = mailboxIds;
  return {
    ...{ rest, workspaceId, mailboxId, db: scoped(workspaceId) },
    patchMailbox: (patch: object) => rest.post("/mailboxes/manage", { action: "updateSettings", mailboxId, patch }),
    async launched(emails: string[], steps: object[], settings: object = {}): Promise<string> {
      const { body } = await rest.post("/campaigns", { name: "Freed" });
      const path = `/campaigns/${body.id}`;
      const quick = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };
      await rest.patch(`${path}/settings`, { ...quick, mailboxIds, ...settings });
      await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
      await rest.post(`${path}/recipients`, { action: "addManual", emails });
      expect((await rest.post(`${path}/control`, { action: "launch" })).body.launched).toBe(true);
      return path;
    },
  };
}

const people = (count: number) => Array.from({ length: count }, () => `${newId("rcp").toLowerCase()}@people.test`);
const mailsTo = (emails: string[]) => sending.sandbox.ledger.filter(({ to }) => to.some((address) => emails.includes(address)));
const arrived = (emails: string[], count: number, what: string) =>
  until(() => mailsTo(emails).length >= count, { ...MAIL_DEADLINE, what: `${count} mails: ${what}` });

test("when a server refuses a sender, all recipients wait for that mailbox, and all go on when it is connected again", async () => {
  const { rest, mailboxId, launched, db } = await workspaceWith(ANN);
  const emails = people(3);
  sending.sandbox.smtp.setRules((_rcpt, attempt) => (attempt > 1 ? refuse(550, "5.7.1 Message rejected: poor reputation", "DOT") : accept));
  await launched(emails, TWO_MAILS);
  await arrived(emails, 3, "the first of each");
  const held = async () => (await db.Recipient.count({ awaitedMailboxId: mailboxId })) === 3;
  await until(held, { ...MAIL_DEADLINE, what: "everybody to wait for the mailbox" });
  expect((await rest.get(`/mailboxes/${mailboxId}`)).body).toMatchObject({ status: "COOLING_DOWN" });

  sending.sandbox.smtp.setRules(() => accept);
  const { password, smtpPort } = sending.sandbox;
  const servers = { smtpHost: "localhost", smtpPort, imapHost: "localhost", imapPort: sending.sandbox.imapPortOf(ANN) };
  const credentials = { email: ANN, password, security: "SSL_TLS", ...servers };
  expect(await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials })).toMatchObject({ body: { id: mailboxId } });
  await arrived(emails, 6, "the second of each");
});

test("a recipient that was never mailed does not wait for a mailbox that cools down while another one is idle", async () => {
  const { workspaceId, mailboxId, launched } = await workspaceWith(ANN, BOB);
  const emails = people(6);
  await launched(emails, [mail("one", "One")], { minGapSeconds: 4, maxGapSeconds: 4 });
  await arrived(emails, 2, "one from each mailbox");
  await coolDown(workspaceId, mailboxId, "550");
  await arrived(emails, 6, "everybody");
  expect(mailsTo(emails).filter(({ from }) => from === BOB).length).toBeGreaterThanOrEqual(5);
  expect(mailsTo(emails)).toHaveLength(6);
});

test("a raised limit wakes all who wait at once: mails it had pushed to another day come first, then new leads", async () => {
  const { rest, launched, patchMailbox, db } = await workspaceWith(ANN);
  await patchMailbox({ dailySendLimit: 3 });
  const [contacted, fresh] = [people(2), people(2)];
  const path = await launched(contacted, TWO_MAILS);
  await arrived(contacted, 3, "both first mails and one follow-up");
  await rest.post(`${path}/recipients`, { action: "addManual", emails: fresh });
  const isPushed = async () => (await db.Send.count({ state: "RESERVED" })) === 1;
  await until(isPushed, { ...MAIL_DEADLINE, what: "the other follow-up to be booked for another day" });
  expect([mailsTo(contacted).length, mailsTo(fresh).length]).toEqual([3, 0]);

  await patchMailbox({ dailySendLimit: 4 });
  await arrived([...contacted, ...fresh], 4, "one more");
  expect([mailsTo(contacted).length, mailsTo(fresh).length]).toEqual([4, 0]);
  await patchMailbox({ dailySendLimit: 0 });
  await arrived([...contacted, ...fresh], 8, "everybody");
});

test("a shorter gap, of the mailbox or of the campaign, wakes every recipient that waits for the longer one", async () => {
  const own = await workspaceWith(ANN);
  await own.patchMailbox({ minGapSeconds: HOUR_SECONDS, maxGapSeconds: HOUR_SECONDS });
  const first = people(2);
  await own.launched(first, [mail("one", "One")]);
  await arrived(first, 1, "the first");
  await own.patchMailbox({ minGapSeconds: 0, maxGapSeconds: 0 });
  await arrived(first, 2, "the second");

  const theirs = await workspaceWith(BOB);
  const second = people(1);
  const path = await theirs.launched(second, TWO_MAILS, { minGapSeconds: HOUR_SECONDS, maxGapSeconds: HOUR_SECONDS });
  await arrived(second, 1, "the first");
  await theirs.rest.patch(`${path}/settings`, { minGapSeconds: 0, maxGapSeconds: 0 });
  await arrived(second, 2, "the follow-up, which was booked an hour later");
});

test("a campaign whose sending window is changed to be open now sends at once", async () => {
  const { rest, launched, db } = await workspaceWith(ANN);
  const emails = people(2);
  const tomorrow = new Date(Date.now() + DAY_MS).getUTCDay() || 7;
  const path = await launched(emails, [mail("one", "One")], { windows: [{ days: [tomorrow], from: "00:00", to: "24:00" }] });
  await until(async () => (await db.Campaign.findOne({ status: "ACTIVE" })) !== null, { ...MAIL_DEADLINE, what: "the launch" });
  await rest.patch(`${path}/settings`, { windows: ALWAYS });
  await arrived(emails, 2, "everybody");
});
