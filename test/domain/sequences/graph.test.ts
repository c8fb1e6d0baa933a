import { expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Facts } from "../../../domain/sequences/conditions.ts";
import { cycleIn, edgesOf, followerOf, type HadStep, openersOf, routeFrom } from "../../../domain/sequences/graph.ts";
import type { Step } from "../../../domain/sequences/sequence.ts";
import { DAY_MS } from "../../../domain/time/durations.ts";
import { editWhileMailsGoOut, facts, step } from "./edited.ts";

const SENT: HadStep[] = [{ stepId: "a", at: 0 }];

/** The id of the step, `END`, or the day until which the recipient waits. */
function goesTo(conditions: Record<string, unknown>[], known: Facts, others = ["b", "x", "y"]): string {
  const route = routeFrom([step("a", conditions), ...others.map((id) => step(id))], SENT, known);
  return route.kind === "STEP"
    ? route.step.stepId
    : route.kind === "WAIT"
      ? `until day ${route.until / DAY_MS}`
      : "END";
}

const opened = { if: "OPENED", withinDays: 3, nextStepId: "x" };
const unopened = { if: "NOT_OPENED", withinDays: 3, nextStepId: "y" };

test.each([
  ["no condition: the next in order", [], facts(0), "b"],
  ["an event counts at once", [opened, unopened], facts(DAY_MS, { OPENED: DAY_MS }), "x"],
  ["while its days run it is awaited", [opened, unopened], facts(DAY_MS), "until day 3"],
  ["a NOT_ form holds once its days are over", [opened, unopened], facts(3 * DAY_MS), "y"],
  ["an event that came too late changes nothing", [opened, unopened], facts(5 * DAY_MS, { OPENED: 4 * DAY_MS }), "y"],
  [
    "what stands below waits for what stands above",
    [unopened, { if: "ALWAYS", nextStepId: "x" }],
    facts(DAY_MS),
    "until day 3",
  ],
  [
    "an event that refutes a NOT_ form lets the next be read at once",
    [unopened, { if: "ALWAYS", nextStepId: "x" }],
    facts(DAY_MS, { OPENED: 1 }),
    "x",
  ],
  ["an event without days delays nothing", [{ if: "CLICKED", nextStepId: "x" }], facts(DAY_MS), "b"],
  [
    "but is heeded until the next step acts",
    [{ if: "CLICKED", nextStepId: "x" }],
    facts(DAY_MS, { CLICKED: DAY_MS }),
    "x",
  ],
  ["null ends", [{ if: "ALWAYS", nextStepId: null }], facts(0), "END"],
  [
    "no match: the next in order",
    [{ if: "CATEGORY_IS", category: "INTERESTED", withinDays: 1, nextStepId: "x" }],
    facts(2 * DAY_MS),
    "b",
  ],
  [
    "a category",
    [{ if: "CATEGORY_IS", category: "INTERESTED", nextStepId: "x" }],
    facts(0, {}, { category: "INTERESTED" }),
    "x",
  ],
  [
    "a field of the lead",
    [{ if: "FIELD_MATCHES", filterRules: { company: "Acme" }, nextStepId: "x" }],
    facts(0, {}, { lead: { company: "ACME" } }),
    "x",
  ],
  ["another value of it", [{ if: "FIELD_MATCHES", filterRules: { company: "Acme" }, nextStepId: "x" }], facts(0), "b"],
  ["a mail that never went out was not opened", [{ if: "NOT_OPENED", ofStepId: "b", nextStepId: "y" }], facts(0), "y"],
  [
    "nor was it opened in any number of days",
    [{ if: "OPENED", ofStepId: "b", withinDays: 9, nextStepId: "y" }],
    facts(0),
    "b",
  ],
  ["no percent is nobody", [{ if: "RANDOM", percent: 0, nextStepId: "x" }], facts(0), "b"],
  ["a hundred is everybody", [{ if: "RANDOM", percent: 100, nextStepId: "x" }], facts(0), "x"],
])("a step's conditions are evaluated from top to bottom: %s", (_what, conditions, known, target) => {
  expect(goesTo(conditions, known)).toBe(target);
});

test("the conditions of the last step wait three days for an event, and then the sequence ends", () => {
  const conditions = [{ if: "REPLIED", nextStepId: null }];
  expect(goesTo(conditions, facts(DAY_MS), [])).toBe("until day 3");
  expect(goesTo(conditions, facts(3 * DAY_MS), [])).toBe("END");
});

test("random branches share one draw in proportion to the percentages, and the same recipient always gets the same branch", () => {
  const conditions = [
    { if: "RANDOM", percent: 30, nextStepId: "x" },
    { if: "RANDOM", percent: 50, nextStepId: "y" },
  ];
  const counts: Record<string, number> = { x: 0, y: 0, b: 0 };
  for (let index = 0; index < 4_000; index++) {
    const target = goesTo(conditions, facts(0, {}, { recipientId: `rcp_${index}` }));
    expect(goesTo(conditions, facts(DAY_MS, {}, { recipientId: `rcp_${index}` }))).toBe(target);
    counts[target] = (counts[target] ?? 0) + 1;
  }
  expect(Math.abs((counts["x"] ?? 0) / 4_000 - 0.3)).toBeLessThan(0.04);
  expect(Math.abs((counts["y"] ?? 0) / 4_000 - 0.5)).toBeLessThan(0.04);
});

test("a step that a recipient has already received is skipped by following that step's own branches", () => {
  const steps = [step("a"), step("b", [{ if: "ALWAYS", nextStepId: "y" }]), step("x"), step("y")];
  expect(routeFrom(steps, [...SENT, { stepId: "b", at: 7 }], facts(9))).toEqual({ kind: "STEP", step: steps[3] });
});

const had = (...ids: string[]): HadStep[] => ids.map((stepId, at) => ({ stepId, at: at * DAY_MS }));

/** The steps named, of which `a` may have conditions. */
const sequence = (ids: string[], conditions: Record<string, unknown>[] = []) =>
  ids.map((id) => step(id, id === "a" ? conditions : []));

const clicked = [{ if: "CLICKED", nextStepId: "x" }];
const late = facts(9 * DAY_MS, { CLICKED: 5 * DAY_MS });

test.each<[string, Step[], HadStep[], Facts, string]>([
  ["a step that was put before one that was had is owed", sequence(["a", "c", "b", "d"]), had("a", "b"), late, "c"],
  ["so is one that is new there", sequence(["new", "a", "b"]), had("a"), late, "new"],
  ["what was had is not owed again, wherever it stands", sequence(["b", "c", "a"]), had("a", "b", "c"), late, "END"],
  ["a removed step that was had changes nothing", sequence(["a", "c"]), had("a", "b"), late, "c"],
  [
    "what stands on a branch that was not taken is not owed",
    sequence(["a", "b", "x", "y"], clicked),
    had("a", "x"),
    late,
    "y",
  ],
  [
    "a click after the next step was had leads nowhere",
    sequence(["a", "b", "c", "x"], clicked),
    had("a", "b"),
    late,
    "c",
  ],
  [
    "nor does it after an edit put a step between",
    sequence(["a", "new", "b", "x"], clicked),
    had("a", "b"),
    late,
    "new",
  ],
  [
    "a click before it leads to the branch",
    sequence(["a", "new", "x"], clicked),
    had("a", "b"),
    facts(9 * DAY_MS, { CLICKED: 1 }),
    "x",
  ],
])(
  "the next step depends on the steps that the recipient has received and on the order of the steps: %s",
  (_what, steps, known, then, next) => {
    const route = routeFrom(steps, known, then);
    expect(route.kind === "STEP" ? route.step.stepId : route.kind).toBe(next);
  },
);

test("without the recipient's events, the conditions of a step leave the next step undecided", () => {
  expect(followerOf(sequence(["a", "b", "x"], clicked), had("a"))).toEqual({ stepId: "b", isDecided: false });
  expect(followerOf(sequence(["a", "b", "x"], clicked), had("a", "b"))).toEqual({ stepId: "x", isDecided: true });
  expect(followerOf(sequence(["a"], clicked), had("a"))).toEqual({ stepId: null, isDecided: false });
  expect(followerOf(sequence(["a"]), had("a"))).toBeNull();
});

test.each([
  ["back to itself", [step("a", [{ if: "OPENED", nextStepId: "a" }])], { step: 0, condition: 0 }],
  ["back in order", [step("a"), step("b", [{ if: "OPENED", nextStepId: "a" }])], { step: 1, condition: 0 }],
  [
    "back, but nothing leads on",
    [step("a", [{ if: "ALWAYS", nextStepId: null }]), step("b", [{ if: "OPENED", nextStepId: "a" }])],
    null,
  ],
  [
    "behind an ALWAYS, where nobody reads on",
    [
      step("a"),
      step("b", [
        { if: "ALWAYS", nextStepId: null },
        { if: "ALWAYS", nextStepId: "a" },
      ]),
    ],
    null,
  ],
  ["forward", [step("a", [{ if: "OPENED", nextStepId: "c" }]), step("b"), step("c")], null],
])("a cycle is found only if a reachable branch leads back: %s", (_what, steps, cycle) => {
  expect(cycleIn(steps)).toEqual(cycle);
});

test("the largest sequence with the most branches is checked for cycles and for steps that open a thread", () => {
  const ids = Array.from({ length: 50 }, (_, index) => `s${index}`);
  const steps = ids.map((id, index) => {
    const back = Array.from({ length: 19 }, (_, at) => ({
      if: "OPENED",
      nextStepId: ids[Math.max(0, index - 1 - at)] ?? null,
    }));
    return step(id, index === 0 ? [{ if: "ALWAYS", nextStepId: null }] : [...back, { if: "ALWAYS", nextStepId: null }]);
  });
  expect(cycleIn(steps)).toBeNull();
  expect([...openersOf(steps)]).toEqual(["s0"]);
});

test("every path through a sequence without a cycle ends and visits no step twice", () => {
  const ids = ["a", "b", "c", "d", "e", "f"];
  const branch = fc.record({
    if: fc.constantFrom("OPENED", "ALWAYS", "RANDOM"),
    percent: fc.constant(50),
    nextStepId: fc.constantFrom(null, ...ids),
  });
  const sequences = fc.tuple(
    ...ids.map((id) => fc.array(branch, { maxLength: 2 }).map((conditions) => step(id, conditions))),
  );
  fc.assert(
    fc.property(sequences, fc.infiniteStream(fc.nat()), (steps, choices) => {
      const cycle = cycleIn(steps);
      const seen: string[] = [];
      for (let at: Step | undefined = steps[0]; at !== undefined && seen.length <= ids.length; ) {
        seen.push(at.stepId);
        const edges: string[] = edgesOf(steps, at);
        const chosen: string | undefined = edges[(choices.next().value ?? 0) % Math.max(1, edges.length)];
        at = steps.find(({ stepId }) => stepId === chosen);
      }
      if (cycle === null) expect(new Set(seen).size).toBe(seen.length);
    }),
  );
});

test("when a sequence is edited while emails go out, each recipient receives each due step exactly once, in the order of that time", () => {
  editWhileMailsGoOut(500);
});

test("each email that may be the first one for a recipient starts a thread", () => {
  const task = { type: "TASK" } as const;
  const steps = [step("t", [{ if: "RANDOM", percent: 50, nextStepId: "c" }], task), step("a"), step("b"), step("c")];
  expect([...openersOf(steps)].sort()).toEqual(["a", "c"]);
});
