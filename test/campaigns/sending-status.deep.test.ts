import { expect, test } from "@jest/globals";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { trusted } from "../../mongo/collection.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { ALWAYS, storedMailbox } from "./campaign-parts.ts";
import { active, TWO_STEPS, useSetup } from "./sending-status-setup.ts";

useSetup();

test("in any state of its recipients, a campaign's breakdown counts each open recipient once", async () => {
  const running = await active(
    TWO_STEPS,
    Array.from({ length: 12 }, (_, index) => `person${index}@example${index % 3}.test`),
  );
  const { rest, path, workspaceId, campaignId, mailbox, Recipient } = running;
  const resting = await storedMailbox(workspaceId, { status: "PAUSED" });
  const { steps } = (await rest.get(`${path}/sequence`)).body;
  const people = await Recipient.find({ campaignId });
  const random = randomFrom(7);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] ?? from[0] ?? never();
  for (let round = 0; round < 25; round++) {
    for (const { _id } of people) {
      const status = pick([
        "PENDING",
        "PENDING",
        "IN_PROGRESS",
        "IN_PROGRESS",
        "PAUSED",
        "COMPLETED",
        "REPLIED",
      ] as const);
      const at = new Date(Date.now() + pick([-1, 0.1, 5, 100]) * HOUR_MS);
      const isAdmitted = status === "IN_PROGRESS" || (status === "PENDING" && random() < 0.5);
      const awaitedMailboxId = isAdmitted && random() < 0.2 ? resting._id : null;
      const lastSentAt = status === "IN_PROGRESS" ? new Date(Date.now() - pick([1, 500]) * HOUR_MS) : null;
      const nextStepId = isAdmitted ? pick([steps[0].stepId, steps[1].stepId]) : null;
      const nextSendAt = isAdmitted ? pick([at, null]) : null;
      const mailboxId = isAdmitted ? mailbox._id : null;
      await Recipient.updateOne(
        { _id },
        {
          $set: {
            status,
            awaitedMailboxId,
            lastSentAt,
            nextStepId,
            nextSendAt,
            mailboxId,
            admittedAt: isAdmitted ? new Date() : null,
          },
        },
      );
    }
    const before = Date.now();
    const found = await running.status(
      pick([{}, { dailyLimit: 1 }, { dailyLimit: null }, { windows: [] }, { windows: ALWAYS }]),
    );
    const open = await Recipient.count({ campaignId, status: trusted({ $in: ["PENDING", "IN_PROGRESS", "PAUSED"] }) });
    const counts: number[] = Object.values(found.breakdown);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(open);
    if (found.nextSendAt !== null) expect(Date.parse(found.nextSendAt)).toBeGreaterThanOrEqual(before);
    if (found.code === "HEALTHY") expect(found.breakdown.MAILBOXES_UNHEALTHY).toBeUndefined();
  }
});

function never(): never {
  throw new Error("There is nothing to pick from");
}
