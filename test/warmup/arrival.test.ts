import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { WarmupDay } from "../../models/warmup/warmup-day.ts";
import { outsideTransaction } from "../../mongo/transaction.ts";
import { deliveryFailure } from "../fakes/mails.ts";
import { startWorld, type World } from "../support/world.ts";
import { arrives, enrolled, mailNow, plant, rawMail } from "./planted.ts";
import { HASTY } from "./warmup-world.ts";

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const daysOf = async ({ workspaceId, _id }: Mailbox): Promise<Partial<WarmupDay>> => {
  const [day] = await scoped(workspaceId).WarmupDay.find({ mailboxId: _id });
  return day ?? {};
};
const outboxOf = ({ workspaceId }: Mailbox) => scoped(workspaceId).OutboxRow.find({ kind: "WARMUP" });

test("a received warmup email stays out of the inbox, is counted for the sender by landing folder, and gets a planned treatment", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  const { mail, messageId, subject } = await plant(ann, bob);
  const raw = rawMail({ From: ann.email, To: bob.email, Subject: subject, "Message-ID": messageId });
  const stored = await arrives(world, bob, raw);
  expect(stored).toMatchObject({ kind: "WARMUP", threadId: null, subject: null, bodyText: null });
  const landed = await mailNow(mail._id);
  expect(landed).toMatchObject({
    state: "SENT",
    landed: { folder: "INBOX", provider: "SMTP" },
    place: { folder: "INBOX" },
  });
  expect(landed.engageAt?.getTime()).toBeGreaterThanOrEqual(Date.now() - 2_000);
  expect(await daysOf(ann)).toMatchObject({ sent: 1, seen: 1, inSpam: 0, received: 0 });
  expect(await daysOf(bob)).toMatchObject({ sent: 0, received: 1 });
  expect(await outboxOf(bob)).toHaveLength(1);
  const { Thread, ActivityEvent } = scoped(bob.workspaceId);
  expect([await Thread.count(), await ActivityEvent.count()]).toEqual([0, 0]);
});

test("a received warmup email signals the run of its mailbox only if the run would wake too late", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  const enrolmentOf = ({ workspaceId, _id }: Mailbox) => scoped(workspaceId).WarmupEnrolment.get(_id);
  const comes = async (wakeAt: number) => {
    await scoped(bob.workspaceId).WarmupEnrolment.updateOne({ _id: bob._id }, { $set: { wakeAt: new Date(wakeAt) } });
    const { mail, messageId, subject } = await plant(ann, bob);
    const read = { ...HASTY, readMedianMs: HOUR_MS, longestReadMs: 10 * HOUR_MS };
    await arrives(
      world,
      bob,
      rawMail({ From: ann.email, To: bob.email, Subject: subject, "Message-ID": messageId }),
      {},
      read,
    );
    return (await mailNow(mail._id)).engageAt;
  };
  const minute = Date.now() + MINUTE_MS;
  await comes(minute);
  expect(await outboxOf(bob)).toEqual([]);
  expect((await enrolmentOf(bob))?.wakeAt?.getTime()).toBe(minute);

  const later = await comes(Date.now() + DAY_MS);
  expect(await outboxOf(bob)).toMatchObject([{ payload: { mailboxId: bob._id, signal: "due", at: later?.getTime() } }]);
  // A run that is lost by then is missed in time
  expect((await enrolmentOf(bob))?.wakeAt).toEqual(later);

  // A run that is at work may have looked already
  const meanwhile = await comes(Date.now() - 1_000);
  expect((await outboxOf(bob)).map(({ payload }) => payload)).toContainEqual({
    mailboxId: bob._id,
    signal: "due",
    at: meanwhile?.getTime(),
  });
});

test("a warmup email that is found in a second folder counts once, in the first folder", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  const { mail, messageId, subject } = await plant(ann, bob);
  const raw = rawMail({ From: ann.email, To: bob.email, Subject: subject, "Message-ID": messageId });
  await arrives(world, bob, raw, { folder: "Junk", folderUse: "JUNK" });
  await arrives(world, bob, raw, { folder: "INBOX" });
  expect(await mailNow(mail._id)).toMatchObject({
    landed: { folder: "SPAM" },
    place: { folder: "Junk" },
    wish: { rescue: true },
  });
  expect(await daysOf(ann)).toMatchObject({ seen: 1, inSpam: 1 });
});

test("a warmup email with a replaced Message-ID is recognized by sender, recipient and subject, unless the sender is forged", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  const { mail, subject } = await plant(ann, bob);
  const raw = (from: string) =>
    rawMail({ From: from, To: bob.email, Subject: `Re: ${subject}`, "Message-ID": "<other@provider.test>" });
  expect((await arrives(world, bob, raw("eve@a.test"))).kind).not.toBe("WARMUP");
  expect((await arrives(world, bob, raw(ann.email), { authentication: "FAIL" })).kind).not.toBe("WARMUP");
  expect((await mailNow(mail._id)).landed).toBeNull();
  expect((await arrives(world, bob, raw(ann.email))).kind).toBe("WARMUP");
  expect((await mailNow(mail._id)).landed).toMatchObject({ folder: "INBOX" });
});

test("a stranger's email that uses or references the Message-ID of a warmup email still appears in the inbox", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  const { mail, messageId } = await plant(ann, bob);
  const forged = rawMail({ From: "eve@x.test", To: bob.email, Subject: "Pay this", "Message-ID": messageId });
  expect((await arrives(world, bob, forged)).kind).toBe("OTHER");
  const referring = rawMail({
    From: "eve@x.test",
    To: ann.email,
    Subject: "Re: Pay",
    "Message-ID": "<e@x.test>",
    "In-Reply-To": messageId,
  });
  expect((await arrives(world, ann, referring)).kind).toBe("OTHER");
  expect((await mailNow(mail._id)).landed).toBeNull();
});

test("a warmup email of unknown outcome is SENT once the receiver's mailbox shows it", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  const { mail, send, messageId, subject } = await plant(ann, bob, {
    state: "UNKNOWN",
    sentAt: null,
    unknownAt: new Date(),
  });
  await arrives(world, bob, rawMail({ From: ann.email, To: bob.email, Subject: subject, "Message-ID": messageId }));
  expect(await scoped(ann.workspaceId).Send.get(send._id)).toMatchObject({ state: "SENT", evidence: "warmup arrival" });
  expect((await mailNow(mail._id)).state).toBe("SENT");
  expect(await daysOf(ann)).toMatchObject({ sent: 1, seen: 1 });
});

test("the copy of a warmup email in the sender's Sent folder is recorded and scheduled for filing", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  const { mail, messageId, subject } = await plant(ann, bob);
  const raw = rawMail({ From: ann.email, To: bob.email, Subject: subject, "Message-ID": messageId });
  const stored = await arrives(world, ann, raw, { folder: "Sent", folderUse: "SENT", isSentFolder: true });
  expect(stored.kind).toBe("WARMUP");
  const noted = await mailNow(mail._id);
  expect(noted).toMatchObject({ sentCopy: { folder: "Sent" }, landed: null });
  expect(noted.tidyAt).not.toBeNull();
  expect(await outboxOf(ann)).toHaveLength(1);
});

test("a personal answer to a warmup email counts as an answer, an automatic reply does not, and neither appears in the inbox", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  const [first, second] = [await plant(ann, bob), await plant(ann, bob)];
  const answer = (to: string, more: Record<string, string> = {}) =>
    rawMail({
      From: bob.email,
      To: ann.email,
      Subject: "Re: call",
      "Message-ID": `<${Math.random()}@b.test>`,
      "In-Reply-To": to,
      ...more,
    });
  expect((await arrives(world, ann, answer(first.messageId))).kind).toBe("WARMUP");
  expect((await arrives(world, ann, answer(second.messageId, { "Auto-Submitted": "auto-replied" }))).kind).toBe(
    "WARMUP",
  );
  expect((await mailNow(first.mail._id)).engaged.repliedAt).not.toBeNull();
  expect((await mailNow(second.mail._id)).engaged.repliedAt).toBeNull();
  expect(await daysOf(ann)).toMatchObject({ replied: 1 });
  expect(await scoped(ann.workspaceId).Thread.count()).toBe(0);
});

test("a bounced warmup email counts once, suppresses no one and does not appear in the inbox", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  const { mail, messageId, subject } = await plant(ann, bob);
  const raw = rawMail({ From: ann.email, To: bob.email, Subject: subject, "Message-ID": messageId });
  const sent = {
    at: Date.now(),
    from: ann.email,
    to: [bob.email],
    raw: Buffer.from(raw),
    messageId,
    mailRef: undefined,
    subject,
    user: undefined,
    session: "s",
    answered: "250",
  } as const;
  const report = deliveryFailure(
    { ...sent, to: [...sent.to] },
    { status: "5.1.1", diagnostic: "550 5.1.1 No such user" },
  ).toString();
  for (const _ of [1, 2]) expect((await arrives(world, ann, report.replaceAll("\r\n", "\n"))).kind).toBe("WARMUP");
  expect((await mailNow(mail._id)).bouncedAt).not.toBeNull();
  expect(await daysOf(ann)).toMatchObject({ bounced: 1 });
  expect(await scoped(ann.workspaceId).AddressGuard.count({ reasons: "HARD_BOUNCE" })).toBe(0);
});

test("when several workers read one warmup email at once, the email counts once", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  const { messageId, subject } = await plant(ann, bob);
  const raw = rawMail({ From: ann.email, To: bob.email, Subject: subject, "Message-ID": messageId });
  await Promise.all([1, 2, 3, 4].map((n) => outsideTransaction(() => arrives(world, bob, raw, { folder: `F${n}` }))));
  expect(await daysOf(ann)).toMatchObject({ sent: 1, seen: 1 });
  expect(await daysOf(bob)).toMatchObject({ received: 1 });
});

test("a warmup email to a mailbox with a stopped warmup gets no treatment and still counts for its sender", async () => {
  const [ann, bob] = [await enrolled(world, "ann@a.test"), await enrolled(world, "bob@b.test")];
  await scoped(bob.workspaceId).WarmupEnrolment.updateOne({ _id: bob._id }, { $set: { status: "STOPPED" } });
  const { mail, messageId, subject } = await plant(ann, bob);
  await arrives(world, bob, rawMail({ From: ann.email, To: bob.email, Subject: subject, "Message-ID": messageId }));
  expect((await mailNow(mail._id)).engageAt).toBeNull();
  expect(await daysOf(ann)).toMatchObject({ seen: 1 });
});
