import { expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { judgeMailbox } from "../../store/mailboxes/health.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { tellFacts } from "./health-parts.ts";
import { useSetup, workspaceId } from "./health-setup.ts";

useSetup();

const now = async ({ _id }: Mailbox) => (await scoped(workspaceId).Mailbox.get(_id))?.health ?? null;

const rowsOf = ({ _id }: Mailbox) =>
  scoped(workspaceId).MailboxHealthChange.find({ mailboxId: _id }, { sort: { at: 1 } });

const signalsOf = async ({ _id }: Mailbox) => {
  const rows = await scoped(workspaceId).OutboxRow.find({ kind: "MAILBOX" });
  return rows.flatMap(({ payload }) =>
    "mailboxId" in payload && payload.mailboxId === _id && "signal" in payload ? payload.signal : [],
  );
};

test("emails and bounces of campaigns are counted apart from replies and warmup, and decide the health band of the mailbox", async () => {
  const mailbox = await storedMailbox(workspaceId);
  const { MailboxDay, MailboxFacts } = scoped(workspaceId);
  await tellFacts(workspaceId, mailbox._id, { sent: 95, bounced: 5, refused: 4 });
  // Mail of people and warmup is no campaign mail
  await MailboxDay.updateOne(
    { mailboxId: mailbox._id },
    { $inc: { sent: 50, "sentBy.none": 30, "sentBy.warmup": 20 } },
  );
  await judgeMailbox(workspaceId, mailbox._id);
  expect(await now(mailbox)).toMatchObject({ band: "HEALTHY", score: null });
  const [facts] = await MailboxFacts.find({ mailboxId: mailbox._id });
  expect(facts).toMatchObject({ isNew: false, points: [{ sent: 95, bounced: 5, refused: 4, seen: 0 }] });
  await tellFacts(workspaceId, mailbox._id, { refused: 1, bounced: 1 });
  const review = await judgeMailbox(workspaceId, mailbox._id);
  expect(review).toMatchObject({ isNews: true, changes: [{ from: "HEALTHY", to: "QUARANTINED" }] });
  const told = {
    band: "QUARANTINED",
    measure: "BOUNCE_RATE",
    numerator: 6,
    denominator: 100,
    threshold: 0.05,
    score: 76,
  };
  expect(await now(mailbox)).toMatchObject(told);
  expect(await rowsOf(mailbox)).toMatchObject([
    { from: "HEALTHY", to: "QUARANTINED", by: "FACTS", actor: null, numerator: 6 },
  ]);
  expect(await signalsOf(mailbox)).toEqual(["health"]);
});

test("judging a mailbox again without new facts adds no data point and changes nothing", async () => {
  const mailbox = await storedMailbox(workspaceId);
  await tellFacts(workspaceId, mailbox._id, { sent: 100, bounced: 5 });
  await judgeMailbox(workspaceId, mailbox._id);
  expect(await judgeMailbox(workspaceId, mailbox._id)).toMatchObject({ isNews: false, changes: [] });
  const [facts] = await scoped(workspaceId).MailboxFacts.find({ mailboxId: mailbox._id });
  expect(facts?.points).toHaveLength(1);
  expect(await rowsOf(mailbox)).toHaveLength(1);
});

test("recipients that wait for a mailbox are woken when the health band allows more emails, and not when fewer are allowed", async () => {
  const mailbox = await storedMailbox(workspaceId);
  const start = new Date(Date.now() - 20 * DAY_MS);
  await tellFacts(workspaceId, mailbox._id, { sent: 100, bounced: 5 }, start);
  const at = (days: number) => new Date(start.getTime() + days * DAY_MS);
  await judgeMailbox(workspaceId, mailbox._id, start);
  expect(await signalsOf(mailbox)).toEqual(["health"]);
  for (const days of [6, 8, 10, 12, 14, 16]) await judgeMailbox(workspaceId, mailbox._id, at(days));
  expect(await now(mailbox)).toMatchObject({ band: "HEALTHY" });
  // Four steps, and the end of the last one lets no more through than the last one
  expect((await signalsOf(mailbox)).filter((signal) => signal === "freed")).toHaveLength(4);
});

test("for a mailbox without a daily limit, the busiest of the 14 days before a health band began is kept until the band ends", async () => {
  const mailbox = await storedMailbox(workspaceId, { dailySendLimit: 0 });
  const start = new Date(Date.now() - 15 * DAY_MS);
  const before = (days: number) => new Date(start.getTime() - days * DAY_MS);
  await tellFacts(workspaceId, mailbox._id, { sent: 300 }, before(14));
  await tellFacts(workspaceId, mailbox._id, { sent: 90 }, before(13));
  await tellFacts(workspaceId, mailbox._id, { sent: 45 }, before(1));
  await tellFacts(workspaceId, mailbox._id, { sent: 60, bounced: 11 }, start);
  await judgeMailbox(workspaceId, mailbox._id, start);
  expect(await now(mailbox)).toMatchObject({ band: "BLOCKED", busiestDay: 90 });
  await tellFacts(workspaceId, mailbox._id, { sent: 500 }, new Date(start.getTime() + HOUR_MS));
  await judgeMailbox(workspaceId, mailbox._id, new Date(start.getTime() + DAY_MS));
  expect(await now(mailbox)).toMatchObject({ busiestDay: 90 });
});

test("a bounce that is counted while a mailbox is being judged is included in that judgement or the next, and never lost", async () => {
  const mailbox = await storedMailbox(workspaceId);
  await tellFacts(workspaceId, mailbox._id, { sent: 1_000 });
  for (let round = 0; round < 20; round++) {
    await Promise.all([tellFacts(workspaceId, mailbox._id, { bounced: 1 }), judgeMailbox(workspaceId, mailbox._id)]);
  }
  const { MailboxFacts } = scoped(workspaceId);
  const known = (await MailboxFacts.findOne({ mailboxId: mailbox._id }))?.points.at(-1)?.bounced;
  if (known !== 20) expect(await MailboxFacts.findOne({ mailboxId: mailbox._id })).toMatchObject({ isNew: true });
  await judgeMailbox(workspaceId, mailbox._id);
  expect((await MailboxFacts.findOne({ mailboxId: mailbox._id }))?.points.at(-1)).toMatchObject({ bounced: 20 });
});

test("facts of a deleted mailbox are not judged any more", async () => {
  await tellFacts(workspaceId, "mbx_gone", { bounced: 1 });
  expect(await judgeMailbox(workspaceId, "mbx_gone")).toBeNull();
  expect(await scoped(workspaceId).MailboxFacts.findOne({ mailboxId: "mbx_gone" })).toMatchObject({ isNew: false });
});
