import { expect, test } from "@jest/globals";
import { BANDS, isShut } from "../../domain/mailboxes/band.ts";
import { campaignRoom } from "../../domain/sending/mailbox-room.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { claim } from "../../store/sending/claim.ts";
import type { ClaimRequest } from "../../store/sending/claim-conditions.ts";
import { lastLook } from "../../store/sending/last-look.ts";
import { recordNotSent, recordSingleSent, recordWithdrawn, takeOver } from "../../store/sending/record.ts";
import { releaseBooking } from "../../store/sending/release.ts";
import { takeSlot } from "../../store/sending/slots.ts";
import { dayGoesOn } from "../fakes/wait.ts";
import { healthIn } from "../mailboxes/health-parts.ts";
import {
  campaignId,
  campaignMail,
  freeMailbox,
  LEAVES,
  MAILS,
  singleMail,
  stored,
  today,
  useSetup,
  workspaceId,
} from "./bands-setup.ts";

useSetup();

const CASES = (["campaign", "warmup", "person"] as const).flatMap((kind) => BANDS.map((band) => [kind, band] as const));

test.each(CASES)(
  "an email of the kind %s from a %s mailbox is claimed, and may enter DATA, only if the health band allows it",
  async (kind, band) => {
    const mailbox = await freeMailbox();
    const { Mailbox } = scoped(workspaceId);
    const [first, second] = [await MAILS[kind](mailbox), await MAILS[kind](mailbox)];
    const held = await claim(first);
    if (held.kind !== "claimed") throw new Error(`refused: ${held.kind}`);
    await Mailbox.updateOne({ _id: mailbox._id }, { $set: { health: healthIn(band) } });
    const mayLeave = LEAVES[kind].includes(band);
    expect(await lastLook(held.request)).toEqual(mayLeave ? null : { kind: "replan", by: "mailbox" });
    expect(await claim(second)).toMatchObject(mayLeave ? { kind: "claimed" } : { kind: "replan", by: "mailbox" });
  },
);

test.each(["HEALTHY", "THROTTLED"] as const)(
  "booking and claiming allow the same number of campaign emails from a %s mailbox",
  async (band) => {
    await dayGoesOn(30_000);
    const mailbox = await freeMailbox({ dailySendLimit: 12, warmupTarget: 4, health: healthIn(band) });
    const room = campaignRoom(mailbox)?.limit ?? 0;
    expect(room).toBe(band === "HEALTHY" ? 8 : 6);
    const day = utcDay(Date.now());
    const from = Date.now();
    const take = (owner: string) =>
      takeSlot({
        mailbox,
        sendId: newId("snd"),
        campaignId: owner,
        campaignLimit: 0,
        day,
        from,
        until: from + 20_000,
        gapMs: 0,
      });
    const booked = [];
    for (let index = 0; index < 10; index++) booked.push(await take(index % 2 === 0 ? "cmp_1" : "cmp_2"));
    expect(booked.filter((slot) => slot !== null)).toHaveLength(room);
    // Warmup has the rest of the day, and no room of a campaign's
    const warmup = [];
    for (let index = 0; index < 10; index++) warmup.push(await take("warmup"));
    expect(warmup.filter((slot) => slot !== null)).toHaveLength(12 - room);

    const other = await freeMailbox({ dailySendLimit: 12, warmupTarget: 4, health: healthIn(band) });
    const results = [];
    for (let index = 0; index < 10; index++) results.push((await claim(await campaignMail(other))).kind);
    expect(results.filter((kind) => kind === "claimed")).toHaveLength(room);
    expect(isShut(band)).toBe(false);
  },
);

test("a warmup email waits for its slot and the mailbox's gap, starts a new gap, and is counted as warmup", async () => {
  await dayGoesOn(30_000);
  const early = await singleMail(await freeMailbox(), "WARMUP", { slotAt: new Date(Date.now() + HOUR_MS) });
  expect(await claim(early)).toEqual({ kind: "replan", by: "send" });
  const busy = await freeMailbox({ nextAt: new Date(Date.now() + HOUR_MS) });
  expect(await claim(await singleMail(busy, "WARMUP"))).toEqual({ kind: "replan", by: "mailbox" });
  expect(await claim(await singleMail(busy, "REPLY"))).toMatchObject({ kind: "claimed" });

  const mailbox = await freeMailbox({ minGapSeconds: null, maxGapSeconds: null });
  const request = { ...(await singleMail(mailbox, "WARMUP")), gap: { minGapSeconds: 600, maxGapSeconds: 600 } };
  expect(await claim(request)).toMatchObject({ kind: "claimed" });
  expect(await today(mailbox)).toMatchObject({ sent: 1, sentBy: { warmup: 1 } });
  const after = await stored(mailbox);
  const gapSeconds = ((after.nextAt?.getTime() ?? 0) - Date.now()) / 1_000;
  expect([gapSeconds > 500, gapSeconds <= 540, after.nextAtBy]).toEqual([true, true, null]);
  expect(await claim(await campaignMail(mailbox))).toEqual({ kind: "replan", by: "mailbox" });
  const own = await freeMailbox({ minGapSeconds: 100, maxGapSeconds: 100 });
  expect(
    await claim({ ...(await singleMail(own, "WARMUP")), gap: { minGapSeconds: 600, maxGapSeconds: 600 } }),
  ).toMatchObject({
    kind: "claimed",
  });
  expect(((await stored(own)).nextAt?.getTime() ?? 0) - Date.now()).toBeLessThanOrEqual(90_000);
});

test("up to ten replies a day may exceed the daily limit of a mailbox, and no other email may", async () => {
  await dayGoesOn(30_000);
  const mailbox = await freeMailbox({ dailySendLimit: 1 });
  expect(await claim(await campaignMail(mailbox))).toMatchObject({ kind: "claimed" });
  expect(await claim(await campaignMail(mailbox))).toMatchObject({ kind: "replan", by: "day" });
  for (let reply = 0; reply < 10; reply++)
    expect(await claim(await singleMail(mailbox, "REPLY"))).toMatchObject({ kind: "claimed" });
  expect(await claim(await singleMail(mailbox, "REPLY"))).toMatchObject({ kind: "replan", by: "day" });
  expect(await today(mailbox)).toMatchObject({ sent: 11, sentBy: { none: 10 } });
});

test("warmup emails stay within the daily limit for all emails, and need a connected mailbox and an active workspace", async () => {
  await dayGoesOn(30_000);
  const mailbox = await freeMailbox({ dailySendLimit: 2 });
  expect(await claim(await singleMail(mailbox, "REPLY"))).toMatchObject({ kind: "claimed" });
  expect(await claim(await singleMail(mailbox, "WARMUP"))).toMatchObject({ kind: "claimed" });
  expect(await claim(await singleMail(mailbox, "WARMUP"))).toMatchObject({ kind: "replan", by: "day" });
  const paused = await freeMailbox({ status: "PAUSED" });
  expect(await claim(await singleMail(paused, "WARMUP"))).toEqual({ kind: "replan", by: "mailbox" });
  expect(await claim(await singleMail(paused, "REPLY"))).toMatchObject({ kind: "claimed" });
  const { Gate } = scoped(workspaceId);
  const request = await singleMail(await freeMailbox(), "WARMUP");
  await Gate.updateMany({ ownerId: workspaceId }, { $set: { isOpen: false } });
  const refused = await claim(request);
  await Gate.updateMany({ ownerId: workspaceId }, { $set: { isOpen: true } });
  expect(refused).toEqual({ kind: "parked" });
});

test("a warmup email that is refused, withdrawn or lost with its worker is removed from the day's count", async () => {
  await dayGoesOn(30_000);
  const mailbox = await freeMailbox();
  const { MailboxDay, Send } = scoped(workspaceId);
  const ways: [string, (request: ClaimRequest) => Promise<unknown>][] = [
    ["refused", ({ send, attemptId }) => recordNotSent(send, attemptId, null)],
    ["withdrawn", ({ send, attemptId }) => recordWithdrawn(send, attemptId)],
    [
      "its worker died",
      async ({ send }) => {
        await Send.updateOne({ _id: send._id }, { $set: { leaseUntil: new Date(Date.now() - 1_000) } });
        return takeOver((await Send.get(send._id)) ?? send);
      },
    ],
  ];
  for (const [way, undo] of ways) {
    const request = await singleMail(mailbox, "WARMUP");
    const held = await claim(request);
    if (held.kind !== "claimed") throw new Error(`refused: ${held.kind}`);
    expect(await today(mailbox)).toMatchObject({ sent: 1, sentBy: { warmup: 1 } });
    await undo({ ...request, send: held.send });
    expect([way, await today(mailbox)]).toMatchObject([way, { sent: 0, sentBy: { warmup: 0 } }]);
    expect(await Send.get(request.send._id)).toMatchObject({ state: "RESERVED", phase: null });
  }
  // One that goes out stays counted, and a booking of warmup that is given up leaves its day
  const sent = await singleMail(mailbox, "WARMUP");
  const held = await claim(sent);
  if (held.kind !== "claimed") throw new Error(`refused: ${held.kind}`);
  await recordSingleSent(held.send, sent.attemptId, "250 OK", null);
  const day = utcDay(Date.now());
  const planned = await singleMail(mailbox, "WARMUP", { day });
  const slot = { at: new Date(), sendId: planned.send._id, campaignId: "warmup" };
  await MailboxDay.updateOne({ _id: `${mailbox._id}:${day}` }, { $push: { taken: slot } });
  await inTransaction(() => releaseBooking(planned.send));
  expect(await today(mailbox)).toMatchObject({ sent: 1, sentBy: { warmup: 1 }, taken: [] });
});

test("a reply in a campaign's conversation is not counted for the campaign, neither when it is claimed nor when it is refused", async () => {
  await dayGoesOn(30_000);
  const mailbox = await freeMailbox();
  const request = await singleMail(mailbox, "REPLY", { campaignId });
  const held = await claim(request);
  if (held.kind !== "claimed") throw new Error(`refused: ${held.kind}`);
  expect(await today(mailbox)).toMatchObject({ sent: 1, sentBy: { none: 1 } });
  await recordNotSent(held.send, request.attemptId, null);
  expect(await today(mailbox)).toMatchObject({ sent: 0, sentBy: { none: 0 } });
});
