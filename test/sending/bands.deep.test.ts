import { expect, test } from "@jest/globals";
import { BANDS } from "../../domain/mailboxes/band.ts";
import { campaignSentOn, REPLY_RESERVE } from "../../domain/sending/day-use.ts";
import { campaignRoom } from "../../domain/sending/mailbox-room.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { setHealthy } from "../../store/mailboxes/health.ts";
import { claim } from "../../store/sending/claim.ts";
import { recordNotSent } from "../../store/sending/record.ts";
import { dayGoesOn } from "../fakes/wait.ts";
import { healthIn } from "../mailboxes/health-parts.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { freeMailbox, LEAVES, MAILS, stored, today, useSetup, workspaceId } from "./bands-setup.ts";

useSetup();

test("in random orders of emails, health bands and resets, each claim has the result that a model of the mailbox predicts", async () => {
  await dayGoesOn(60_000);
  const random = randomFrom(23);
  const { Mailbox } = scoped(workspaceId);
  const mailbox = await freeMailbox({ dailySendLimit: 40 });
  const model = { campaigns: 0, persons: 0, all: 0 };
  const seen = new Set<string>();
  for (let turn = 0; turn < 160; turn++) {
    const draw = random();
    if (draw < 0.12) {
      const band = BANDS[Math.floor(random() * BANDS.length)] ?? "HEALTHY";
      const step = band === "THROTTLED" ? ([25, 50, 75, 100][Math.floor(random() * 4)] ?? 25) : null;
      const set = {
        health: healthIn(band, { step }),
        warmupTarget: Math.floor(random() * 20),
        coldLimit: random() < 0.3 ? 15 : null,
      };
      await Mailbox.updateOne({ _id: mailbox._id }, { $set: set });
      continue;
    }
    if (draw < 0.16) {
      await inTransaction(async () => setHealthy(await stored(mailbox), "key_test"));
      continue;
    }
    const kind = draw < 0.75 ? "campaign" : draw < 0.9 ? "warmup" : "person";
    const current = await stored(mailbox);
    const band = current.health?.band ?? "HEALTHY";
    const room = campaignRoom(current)?.limit ?? Number.POSITIVE_INFINITY;
    const isReserved = kind === "person" && model.persons < REPLY_RESERVE;
    const isRoom = (model.all < 40 || isReserved) && (kind !== "campaign" || model.campaigns < room);
    const expected = !LEAVES[kind].includes(band) ? "mailbox" : isRoom ? "claimed" : "day";
    const result = await claim(await MAILS[kind](mailbox));
    expect(result.kind === "claimed" ? "claimed" : "by" in result ? result.by : result.kind).toBe(expected);
    seen.add(`${kind} ${expected}`);
    if (expected !== "claimed") continue;
    model.all += 1;
    if (kind === "campaign") model.campaigns += 1;
    if (kind === "person") model.persons += 1;
    // Some are given back
    if (result.kind === "claimed" && random() < 0.4) {
      await recordNotSent(result.send, result.request.attemptId, null);
      model.all -= 1;
      if (kind === "campaign") model.campaigns -= 1;
      if (kind === "person") model.persons -= 1;
    }
  }
  const day = await today(mailbox);
  expect([day?.sent, day === null ? 0 : campaignSentOn(day)]).toEqual([model.all, model.campaigns]);
  expect([...seen]).toEqual(
    expect.arrayContaining([
      "campaign claimed",
      "campaign mailbox",
      "campaign day",
      "warmup claimed",
      "person claimed",
    ]),
  );
}, 120_000);
