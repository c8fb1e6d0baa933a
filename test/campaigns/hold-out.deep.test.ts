import { expect, test } from "@jest/globals";
import { isHeldOut } from "../../domain/campaigns/hold-out.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { heldOutCampaign, SHARE, useSetup } from "./hold-out-setup.ts";

useSetup();

const ORDERS = 3;

const STEPS = 12;

test("in any order of rounds, pauses, removals, additions and changes of the share, no held-out person is booked and no draw changes", async () => {
  const seen = { heldOut: 0, admitted: 0 };
  // Orders in which no one is held out or no one admitted would prove nothing: as many more as it takes
  const provesLittle = () => Math.min(seen.heldOut, seen.admitted) <= ORDERS / 2;
  for (let seed = 1; seed <= ORDERS || provesLittle(); seed++) {
    const random = randomFrom(seed);
    const { rest, path, campaignId, round, all, Send } = await heldOutCampaign(12);
    const pick = (recipients: readonly Recipient[]) => recipients.filter(() => random() < 0.4).map(({ _id }) => _id);
    const drawn = new Map<string, string>();
    for (let step = 0; step < STEPS; step++) {
      const now = await all();
      const recipientIds = [...pick(now), now[0]?._id ?? ""];
      const emails = now.map(({ email }) => email);
      const verbs = [
        () => round(),
        () => round(),
        () => rest.post(`${path}/recipients`, { action: "pauseRecipients", recipientIds }),
        () => rest.post(`${path}/recipients`, { action: "resumeRecipients", recipientIds }),
        () => rest.post(`${path}/recipients`, { action: "bulkRemove", recipientIds }),
        () => rest.post(`${path}/recipients`, { action: "addManual", emails }),
        () => rest.patch(`${path}/settings`, { holdOut: random() < 0.5 ? 0 : SHARE }),
      ];
      const chosen = Array.from({ length: 3 }, () => verbs[Math.floor(random() * verbs.length)] ?? round);
      await Promise.all(chosen.map((verb) => verb()));
      for (const { _id, stopReason, assignedAt, assignedShare, status } of await all()) {
        if (assignedAt === null) continue;
        const draw = JSON.stringify([assignedAt, assignedShare, stopReason === "HOLD_OUT"]);
        expect([seed, step, drawn.get(_id) ?? draw]).toEqual([seed, step, draw]);
        drawn.set(_id, draw);
        if (stopReason !== "HOLD_OUT") continue;
        expect(status).toBe("SKIPPED");
        expect(isHeldOut(campaignId, _id, assignedShare ?? 0)).toBe(true);
        expect(await Send.count({ recipientId: _id, state: "RESERVED" })).toBe(0);
      }
    }
    const end = await all();
    seen.heldOut += end.filter(({ stopReason }) => stopReason === "HOLD_OUT").length;
    seen.admitted += end.filter(
      ({ assignedAt, stopReason }) => assignedAt !== null && stopReason !== "HOLD_OUT",
    ).length;
  }
}, 180_000);
