import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { DAY_MS } from "../../domain/time/durations.ts";
import {
  campaignWith,
  OF_MAILS,
  OF_PEOPLE,
  type Plan,
  person,
  type Row,
  type StoredStep,
  useSetup,
} from "./figures-setup.ts";

useSetup();

const sum = (rows: Row[], figure: keyof Row) => rows.reduce((total, row) => total + row[figure], 0);

test("after any history the totals equal the campaign's metrics, and steps, variants and days sum up to the totals", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(person, { maxLength: 12 }), async (people) => {
      const { rest, path, steps } = await campaignWith(people);
      const { body } = await rest.get(`${path}/metrics`);
      const { metrics } = (await rest.get(path)).body;
      expect(body.totals).toEqual(metrics);
      const mails = people.flatMap(({ mails }) => mails);
      expect(body.totals.sent).toBe(mails.length);
      for (const figure of [...OF_MAILS, ...OF_PEOPLE]) {
        expect([figure, sum(body.steps, figure)]).toEqual([figure, body.totals[figure]]);
        expect([figure, sum(body.days, figure)]).toEqual([figure, body.totals[figure]]);
        for (const step of body.steps) expect(sum(step.variants, figure)).toBe(step[figure]);
      }
      expect(body.steps.map(({ stepId }: StoredStep) => stepId)).toEqual(steps.map(({ stepId }) => stepId));
      for (const [place, step] of body.steps.entries()) {
        expect(step.sent).toBe(people.filter((plan) => plan.mails.length > place).length);
        expect(step.contacted).toBe(people.filter((plan) => reached(plan) > place).length);
        // The events are of one instant, so the first that was written is the first
        expect(step.replied).toBe(
          people.filter((plan) => plan.replies.find((at) => at < plan.mails.length) === place).length,
        );
      }
      const dates: string[] = body.days.map(({ date }: { date: string }) => date);
      const [first = "", last = ""] = [dates.at(0), dates.at(-1)];
      const span = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1;
      expect(dates).toHaveLength(dates.length === 0 ? 0 : span);
      expect(dates).toEqual([...new Set(dates)].sort());
    }),
    { numRuns: 20 },
  );
}, 120_000);

/** How many steps have tried to reach the person. */
function reached({ mails, after }: Plan): number {
  return mails.length + (after === "REFUSED" && mails.length < 3 ? 1 : 0);
}
