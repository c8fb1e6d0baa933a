import { expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { accept, refuse } from "../fakes/smtp-answers.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { ANN, arrived, BOB, mailsTo, people, sending, useSetup, workspaceWith } from "./freed-setup.ts";

useSetup();

const TWO_MAILS = [mail("one", "One"), mail("two", "Two")];

const HOUR_SECONDS = 3_600;

test("when a server refuses a sender, all recipients wait for that mailbox, and all continue when the mailbox is reconnected", async () => {
  const { rest, mailboxId, launched, db } = await workspaceWith(ANN);
  const emails = people(3);
  sending.sandbox.smtp.setRules((_rcpt, attempt) =>
    attempt > 1 ? refuse(550, "5.7.1 Message rejected: poor reputation", "DOT") : accept,
  );
  await launched(emails, TWO_MAILS);
  await arrived(emails, 3, "the first of each");
  const held = async () => (await db.Recipient.count({ awaitedMailboxId: mailboxId })) === 3;
  await until(held, { ...MAIL_DEADLINE, what: "everybody to wait for the mailbox" });
  expect((await rest.get(`/mailboxes/${mailboxId}`)).body).toMatchObject({ status: "COOLING_DOWN" });

  sending.sandbox.smtp.setRules(() => accept);
  const { password, smtpPort } = sending.sandbox;
  const servers = { smtpHost: "localhost", smtpPort, imapHost: "localhost", imapPort: sending.sandbox.imapPortOf(ANN) };
  const credentials = { email: ANN, password, security: "SSL_TLS", ...servers };
  expect(await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials })).toMatchObject({
    body: { id: mailboxId },
  });
  await arrived(emails, 6, "the second of each");
});

test("a raised daily limit wakes all waiting recipients: emails moved to another day are sent first, then new leads", async () => {
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

test("a shorter gap of the mailbox or campaign wakes every recipient that waits for the longer gap", async () => {
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

test("a campaign whose sending window is changed to include now sends immediately", async () => {
  const { rest, launched, db } = await workspaceWith(ANN);
  const emails = people(2);
  const tomorrow = new Date(Date.now() + DAY_MS).getUTCDay() || 7;
  const path = await launched(emails, [mail("one", "One")], {
    windows: [{ days: [tomorrow], from: "00:00", to: "24:00" }],
  });
  await until(async () => (await db.Campaign.findOne({ status: "ACTIVE" })) !== null, {
    ...MAIL_DEADLINE,
    what: "the launch",
  });
  await rest.patch(`${path}/settings`, { windows: ALWAYS });
  await arrived(emails, 2, "everybody");
});
