import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { judgeMailbox } from "../../store/mailboxes/health.ts";
import { claim } from "../../store/sending/claim.ts";
import { lastLook } from "../../store/sending/last-look.ts";
import { tellFacts } from "../mailboxes/health-parts.ts";
import { randomFrom } from "../system/killed-worker.ts";
import { campaignMail, freeMailbox, useSetup, workspaceId } from "./bands-setup.ts";
import { raced } from "./raced.ts";

/** How many judgements that block a mailbox run, each against a claim of its email. */
export function raceBands(races: number): void {
  useSetup();

  test("once a health band that forbids sending is stored, no claim commits and no email enters DATA, in any order of the two", async () => {
    const random = randomFrom(5);
    const outcomes = { refused: 0, withdrawn: 0, late: 0, begun: 0 };
    for (let race = 0; race < races; race++) {
      const mailbox = await freeMailbox();
      await tellFacts(workspaceId, mailbox._id, { sent: 100, bounced: 11 });
      const request = await campaignMail(mailbox);
      const sending = async () => {
        await sleep(8 * random());
        const result = await claim(request);
        if (result.kind !== "claimed") return "refused" as const;
        await sleep(8 * random());
        const refusal = await lastLook(result.request);
        if (refusal === null) return "begun" as const;
        return refusal.kind === "late" ? ("late" as const) : ("withdrawn" as const);
      };
      const stopping = async () => {
        await sleep(14 * random());
        expect(await judgeMailbox(workspaceId, mailbox._id)).toMatchObject({ health: { band: "BLOCKED" } });
        return scoped(workspaceId).Send.get(request.send._id);
      };
      const [outcome, atAnswer] = await raced(race, sending, stopping);
      outcomes[outcome]++;
      // The model: an email that had not begun when the stop answered never begins
      const last = await scoped(workspaceId).Send.get(request.send._id);
      if (outcome === "begun") expect(atAnswer?.phase).toBe("DATA");
      // A look that took too long withdraws, though it may have been let in (rules/sending 5.4)
      else if (outcome !== "late") expect([atAnswer?.phase, last?.phase]).not.toContain("DATA");
      if (outcome === "refused") expect(last?.state).toBe("RESERVED");
    }
    const { refused, withdrawn, late, begun } = outcomes;
    expect(refused + withdrawn + late + begun).toBe(races);
    expect(Math.min(refused, withdrawn + begun)).toBeGreaterThan(0);
  }, 180_000);
}
