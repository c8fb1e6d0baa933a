import { expect, test } from "@jest/globals";
import { compareArms, compareTakings, reportTrial } from "../../../domain/campaigns/experiment.ts";
import { DEFAULT_DELAY, NO_WINNER, type Step } from "../../../domain/sequences/sequence.ts";
import type { Trial } from "../../../domain/sequences/winner.ts";

const variant = (variantId: string) => ({
  variantId,
  label: variantId.toUpperCase(),
  subject: null,
  bodyHtml: null,
  bodyText: null,
  weight: 50,
  enabled: true,
  attachments: [],
});
const step: Step = {
  stepId: "stp_1",
  order: 1,
  type: "EMAIL",
  delay: DEFAULT_DELAY,
  threadMode: "NEW_THREAD",
  conditions: [],
  config: {},
  variants: [variant("a"), variant("b")],
  winner: { ...NO_WINNER, mode: "AUTO" },
};

function trialOf(a: [sends: number, hits: number], b: [sends: number, hits: number]): Trial {
  const achiever = (variantId: string) => ({
    variantId,
    shares: { a: 0.5, b: 0.5 },
    amount: 1,
    total: 1,
    countedAt: 0,
  });
  const of = (variantId: string, hits: number) => Array.from({ length: hits }, () => achiever(variantId));
  return {
    arms: [
      { variantId: "a", sends: a[0] },
      { variantId: "b", sends: b[0] },
    ],
    achievers: [...of("a", a[1]), ...of("b", b[1])],
  };
}

const contacted = new Map([["a", 120]]);

test("a report on two variants shows each rate with an interval, and the worse variant's difference to the better one", () => {
  const { code, betterVariantId, variants } = reportTrial(step, trialOf([100, 5], [100, 40]), contacted, true);
  expect([code, betterVariantId]).toEqual(["PROVEN", "b"]);
  expect(variants).toMatchObject([
    { variantId: "a", label: "A", share: 0.5, contacted: 120, judged: 100, hits: 5, result: { value: 0.05 } },
    { variantId: "b", contacted: 0, hits: 40, difference: { value: null, low: null, high: null } },
  ]);
  const { low, high } = variants[0]?.difference ?? {};
  expect(variants[0]?.difference.value).toBeCloseTo(-0.35, 9);
  expect((low ?? 0) < -0.35 && -0.35 < (high ?? 0) && (high ?? 0) < 0).toBe(true);
});

test.each<[string, Trial, boolean, string]>([
  ["little happened", trialOf([100, 3], [100, 4]), true, "NOT_ENOUGH_YET"],
  ["few mails are old enough", trialOf([100, 10], [40, 9]), true, "NOT_ENOUGH_YET"],
  ["it is open", trialOf([200, 20], [200, 22]), true, "UNDECIDED"],
  ["nothing can be seen", trialOf([200, 0], [200, 0]), false, "NOT_MEASURED"],
])("while %s, no difference is reported", (_name, trial, isMeasured, code) => {
  const report = reportTrial(step, trial, contacted, isMeasured);
  expect(report.code).toBe(code);
  if (code !== "UNDECIDED") for (const { difference } of report.variants) expect(difference.value).toBeNull();
  // A figure that no one could see is not a zero
  if (code === "NOT_MEASURED")
    expect(report.variants).toMatchObject([{ hits: null, result: { value: null } }, { hits: null }]);
});

test("a hold-out without any report is not measured, and none of its rates is 0", () => {
  const lift = compareArms({ hits: 0, of: 900 }, { hits: 0, of: 100 }, 0.1);
  expect(lift).toMatchObject({
    code: "NOT_MEASURED",
    written: { people: 900, hits: null, value: null },
    heldOut: { people: 100, value: null },
  });
  expect([lift.difference.value, lift.proven]).toEqual([null, null]);
});

test("lift over the hold-out is reported with an interval, and proven only by evidence that is valid at any time", () => {
  const open = compareArms({ hits: 95, of: 900 }, { hits: 5, of: 100 }, 0.1);
  expect(open).toMatchObject({ code: "MEASURED", proven: null });
  expect(compareArms({ hits: 270, of: 900 }, { hits: 5, of: 100 }, 0.1)).toMatchObject({
    code: "MEASURED",
    proven: "MORE",
  });
  expect(compareArms({ hits: 45, of: 900 }, { hits: 25, of: 100 }, 0.1)).toMatchObject({ proven: "FEWER" });
  expect(compareArms({ hits: 8, of: 900 }, { hits: 1, of: 100 }, 0.1)).toMatchObject({
    code: "NOT_ENOUGH_YET",
    proven: null,
  });
  expect(compareArms({ hits: 40, of: 60 }, { hits: 1, of: 10 }, 0.1)).toMatchObject({
    code: "NOT_ENOUGH_YET",
    proven: null,
  });
});

test("revenue is reported per person of each arm, and omitted where no one paid", () => {
  const written = { amounts: Array.from({ length: 40 }, () => 25), of: 1_000 };
  const compared = compareTakings(written, { amounts: [10], of: 100 });
  expect(compared).toMatchObject({ written: { value: 1 }, heldOut: { value: 0.1 }, difference: { value: 0.9 } });
  expect(compareTakings({ amounts: [], of: 10 }, { amounts: [], of: 10 })).toBeNull();
});
