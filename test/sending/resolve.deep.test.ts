import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { lostMail, useSetup } from "./resolve-setup.ts";

useSetup();

const MOVES = ["markSent", "markNotSent", "resend", "evidence", "look", "look", "resume", "stop"] as const;

test("in any order of operator decisions, evidence, checks and a stop, no step is sent more often than requested or after the stop", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...MOVES), { minLength: 2, maxLength: 9 }), async (moves) => {
      const lost = await lostMail();
      let resends = 0;
      let atStop: number | null = null;
      let isProven = false;
      for (const move of moves) {
        if (move === "look") await lost.look();
        else if (move === "resume") await lost.resume();
        else if (move === "evidence") await lost.evidence();
        else if (move === "stop") {
          await lost.rest.post("/leads/suppress", { action: "suppress", ids: [(await lost.recipient()).leadId] });
          atStop ??= lost.mails.length;
        } else {
          const { status } = await lost.resolve(move);
          if (move === "resend" && status === 200) resends++;
          // Never once more after proof that it went out
          if (move === "resend" && isProven) expect(status).toBe(409);
        }
        isProven ||= (await lost.send())?.state === "SENT";
      }
      for (let looks = 0; looks < 3; looks++) await lost.look();
      const firsts = lost.mails.filter((mail) => mail.startsWith(lost.stepId));
      expect(new Set(lost.mails).size).toBe(lost.mails.length);
      expect(firsts.length).toBeLessThanOrEqual(1 + resends);
      if (atStop !== null) expect(lost.mails).toHaveLength(atStop);
    }),
    { numRuns: 6 },
  );
}, 180_000);
