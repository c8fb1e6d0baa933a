import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { afterSpending, NO_CREDITS, withMonth } from "../../domain/credits.ts";
import type { ProspectPerson, RevealField } from "../../domain/lead-search/prospect.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { grantCredits, readCredits } from "../../store/credits.ts";
import { whileKnowing } from "../../store/lead-search/known.ts";
import { holdForReveals, type RevealOrder, releaseHolds, settleReveals } from "../../store/lead-search/reveal.ts";
import { startWorld, type World } from "../support/world.ts";
import { ledgerOf } from "./ledger.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const PEOPLE = ["a", "b", "c", "d"] as const;
/** The values that the provider has of each person. */
const VALUES: Record<string, Record<RevealField, string | null>> = {
  a: { EMAIL: "a@x.example", PHONE: "1" },
  b: { EMAIL: "b@x.example", PHONE: null },
  c: { EMAIL: null, PHONE: null },
  d: { EMAIL: "d@x.example", PHONE: "4" },
};
const MONTHS = ["2030-01-15", "2030-02-15", "2030-02-20", "2030-04-01"].map((day) => new Date(`${day}T00:00:00Z`));
const PER_MONTH = 3;

type Move =
  | { kind: "grant"; amount: number; key: number }
  | {
      kind: "reveal";
      person: string;
      fields: RevealField[];
      by: string;
      dies: "NO" | "HELD" | "GAVE_UP";
      isRepeated: boolean;
    }
  | { kind: "month" }
  | { kind: "wait" };

const fields = fc.constantFrom<RevealField[]>(["EMAIL"], ["PHONE"], ["EMAIL", "PHONE"]);
const move = fc.oneof(
  fc.record({
    kind: fc.constant("grant" as const),
    amount: fc.integer({ min: 1, max: 3 }),
    key: fc.integer({ min: 1, max: 4 }),
  }),
  fc.record({
    kind: fc.constant("reveal" as const),
    person: fc.constantFrom(...PEOPLE),
    fields,
    by: fc.constantFrom("job_1", "job_2"),
    dies: fc.constantFrom("NO" as const, "NO" as const, "HELD" as const, "GAVE_UP" as const),
    isRepeated: fc.boolean(),
  }),
  fc.constant({ kind: "month" as const }),
  fc.constant({ kind: "wait" as const }),
);

function personOf(id: string): ProspectPerson {
  const texts = {
    firstName: id,
    lastName: null,
    fullName: id,
    title: null,
    seniority: null,
    department: null,
    city: null,
    state: null,
  };
  const company = {
    country: null,
    companyName: null,
    companyDomain: null,
    industry: null,
    companySize: null,
    linkedinUrl: null,
  };
  return { id, ...texts, ...company, technologies: [], keywords: [], hasEmail: null, hasPhone: null, isSample: false };
}

test("after any order of grants, reveals, failures, repeats and expired holds, the credit ledger matches a simple model", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 5, maxLength: 25 }), async (moves: Move[]) => {
      const { workspaceId } = await world.workspace();
      let now = MONTHS[0] ?? new Date(0);
      let model = { ...NO_CREDITS };
      const granted = new Set<number>();
      const finals = new Map<string, "revealed" | "not_found">();
      const holds = new Map<string, { by: string; count: number; until: number }>();
      const held = () => [...holds.values()].reduce((sum, { count }) => sum + count, 0);
      const tick = () => {
        now = new Date(now.getTime() + 1_000);
      };
      const turn = () => {
        model = withMonth(model, now, PER_MONTH).credits;
      };

      async function reveal({ person, fields, by, dies }: Move & { kind: "reveal" }) {
        const order: RevealOrder = {
          workspaceId,
          fields,
          actor: "test",
          creditsPerMonth: PER_MONTH,
          by,
          isJob: true,
          mostCredits: null,
        };
        const { toAsk, outcomes } = await whileKnowing(() => holdForReveals(order, [personOf(person)], now));
        turn();
        const open = fields.filter((field) => !finals.has(`${person} ${field}`));
        const hold = holds.get(person);
        if (open.length === 0) return void expect(toAsk).toEqual([]);
        if (hold !== undefined && hold.by !== by && hold.until > now.getTime())
          return void expect(outcomes.get(person)?.end).toBe("BUSY");
        holds.delete(person);
        if (open.length > model.monthly + model.granted - held()) {
          for (const [id, { until }] of holds) if (until <= now.getTime()) holds.delete(id);
        }
        if (open.length > model.monthly + model.granted - held())
          return void expect(outcomes.get(person)?.end).toBe("CREDITS_EXHAUSTED");
        expect(toAsk).toEqual([{ id: person, fields: open }]);
        holds.set(person, { by, count: open.length, until: now.getTime() + 120_000 });
        if (dies === "HELD") return;
        if (dies === "GAVE_UP") {
          await inTransaction(() => releaseHolds(order, [person], now));
          return void holds.delete(person);
        }
        const contact = { email: VALUES[person]?.EMAIL ?? null, phone: VALUES[person]?.PHONE ?? null };
        const found = new Map([[person, { person: personOf(person), contact }]]);
        const settled = await whileKnowing(() => settleReveals(order, found, [person], now));
        holds.delete(person);
        const valued = open.filter((field) => VALUES[person]?.[field] !== null);
        for (const field of open)
          finals.set(`${person} ${field}`, VALUES[person]?.[field] === null ? "not_found" : "revealed");
        model = afterSpending(model, valued.length);
        expect(settled.creditsUsed).toBe(valued.length);
      }

      for (const one of moves) {
        tick();
        // Longer than credits are held
        if (one.kind === "wait") now = new Date(now.getTime() + 130_000);
        else if (one.kind === "month")
          now = new Date(Math.max(now.getTime(), MONTHS.find((at) => at > now)?.getTime() ?? 0));
        else if (one.kind === "grant") {
          const about = { amount: one.amount, reason: "test", actor: "test", key: `${one.key}` };
          await grantCredits(workspaceId, about, PER_MONTH, now);
          turn();
          if (!granted.has(one.key)) model = { ...model, granted: model.granted + one.amount };
          granted.add(one.key);
        } else {
          await reveal(one);
          if (one.isRepeated) await reveal(one);
        }
        const credits = await readCredits(workspaceId, PER_MONTH, now);
        turn();
        expect(credits).toEqual({ ...model, held: held() });
        const paid = [...finals.values()].filter((end) => end === "revealed").length;
        expect(await ledgerOf(workspaceId)).toMatchObject({ isWhole: true, reveals: paid, held: held() });
      }
    }),
    { numRuns: 40, includeErrorInReport: true },
  );
}, 180_000);
