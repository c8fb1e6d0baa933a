import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { lastLook } from "../../store/sending/last-look.ts";
import { suppressAddress } from "../../store/suppression/suppress.ts";
import { startWorld, type World } from "../support/world.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { type Claiming, claimingIn } from "./claiming.ts";
import { raced } from "./raced.ts";

let world: World;
let workspaceId: string;
let claiming: Claiming;
let mailboxes: Mailbox[];

/** How many suppressions run, each against a claim of the same address. */
export function raceSuppressions(races: number): void {
  beforeAll(async () => {
    world = await startWorld();
    ({ workspaceId } = await world.workspace());
    claiming = await claimingIn(workspaceId);
    ({ mailboxes } = claiming);
  });
  afterAll(() => world.close());

  test("after a suppression is acknowledged no claim commits, and an earlier claim enters DATA before the acknowledgement or never", async () => {
    const campaignId = await claiming.activeCampaign();
    const random = randomFrom(7);
    const outcomes = { refused: 0, claimedButStopped: 0, inData: 0 };
    for (let race = 0; race < races; race++) {
      const email = `race${race}@people.test`;
      const send = await claiming.bookedSend(campaignId, email);
      const others = await Promise.all(
        [1, 2, 3].map((index) => claiming.bookedSend(campaignId, `by${index}.${email}`, mailboxes[index])),
      );
      const attemptId = randomUUID();
      const sending = async () => {
        await sleep(6 * random());
        const neighbours = others.map((other) => claiming.claimOf(other, campaignId, randomUUID()));
        const result = await claiming.claimOf(send, campaignId, attemptId);
        // A claim that shares its transaction with a refused claim loses nothing
        expect((await Promise.all(neighbours)).map(({ kind }) => kind)).toEqual(["claimed", "claimed", "claimed"]);
        if (result.kind !== "claimed") return "refused" as const;
        await sleep(6 * random());
        return (await lastLook(result.request)) === null ? ("inData" as const) : ("claimedButStopped" as const);
      };
      const stopping = async () => {
        await sleep(12 * random());
        await suppressAddress(workspaceId, email, "MANUAL");
        return scoped(workspaceId).Send.get(send._id);
      };
      const [outcome, atAnswer] = await raced(race, sending, stopping);
      outcomes[outcome]++;
      const last = await scoped(workspaceId).Send.get(send._id);
      // Once the suppression has answered, an email that is not yet in DATA can never enter it
      if (outcome === "inData") expect(atAnswer?.phase).toBe("DATA");
      expect([atAnswer?.state, atAnswer?.phase]).toEqual(
        outcome === "refused" ? ["RELEASED", null] : [last?.state, last?.phase],
      );
    }
    expect(outcomes.refused + outcomes.claimedButStopped + outcomes.inData).toBe(races);
    // A race that only one side ever wins would prove nothing
    expect(Math.min(outcomes.refused, outcomes.claimedButStopped + outcomes.inData)).toBeGreaterThan(0);
  }, 180_000);
}
