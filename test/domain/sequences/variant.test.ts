import { expect, test } from "@jest/globals";
import { NO_WINNER, type Variant, type Winner } from "../../../domain/sequences/sequence.ts";
import { chooseVariant, variantFor } from "../../../domain/sequences/variant.ts";

const arms = [
  { variantId: "var_a", weight: 50, enabled: true },
  { variantId: "var_b", weight: 30, enabled: true },
  { variantId: "var_c", weight: 20, enabled: true },
];
const people = Array.from({ length: 5_000 }, (_, n) => `rcp_${n}`);
const armOf = (variants: typeof arms, recipientId: string) => chooseVariant(variants, recipientId, "stp_1")?.variantId;

test("recipients are assigned to variants in proportion to the variants' weights", () => {
  for (const { variantId, weight } of arms) {
    const share = people.filter((id) => armOf(arms, id) === variantId).length / people.length;
    expect(Math.abs(share - weight / 100)).toBeLessThan(0.03);
  }
});

test("disabling a variant moves only the recipients of that variant, spread over the other variants by weight", () => {
  const without = arms.map((arm) => (arm.variantId === "var_a" ? { ...arm, enabled: false } : arm));
  const moved = people.filter((id) => armOf(arms, id) === "var_a");
  for (const id of people.filter((person) => !moved.includes(person))) expect(armOf(without, id)).toBe(armOf(arms, id));
  const share = moved.filter((id) => armOf(without, id) === "var_b").length / moved.length;
  expect(Math.abs(share - 0.6)).toBeLessThan(0.04);
});

test("a recipient's variant does not depend on the order of the variants, and another step draws again", () => {
  const reversed = [...arms].reverse();
  for (const id of people.slice(0, 200)) expect(armOf(reversed, id)).toBe(armOf(arms, id));
  const other = people.filter((id) => chooseVariant(arms, id, "stp_2")?.variantId !== armOf(arms, id));
  expect(other.length).toBeGreaterThan(people.length / 3);
});

test("no variant is chosen if every variant is disabled", () => {
  expect(chooseVariant([], "rcp_1", "stp_1")).toBeNull();
  expect(chooseVariant([{ variantId: "var_a", weight: 1, enabled: false }], "rcp_1", "stp_1")).toBeNull();
});

const texts = { label: "A", subject: null, bodyHtml: null, bodyText: null, attachments: [] };
const variants: Variant[] = arms.map((arm) => ({ ...texts, ...arm }));
const stepWith = (winner: Partial<Winner>, changed = variants) => ({
  stepId: "stp_1",
  variants: changed,
  winner: { ...NO_WINNER, mode: "AUTO" as const, winnerVariantId: "var_c", ...winner },
});

test("the winning variant gets all recipients except the exploration share, which the other variants divide by weight", () => {
  const share = (variantId: string) =>
    people.filter((id) => variantFor(stepWith({}), id)?.variantId === variantId).length / people.length;
  expect(Math.abs(share("var_c") - 0.9)).toBeLessThan(0.02);
  expect(Math.abs(share("var_a") - 0.1 * (50 / 80))).toBeLessThan(0.015);
  const all = people.filter((id) => variantFor(stepWith({ explorationShare: 0 }), id)?.variantId === "var_c");
  expect(all).toHaveLength(people.length);
});

test("a winner changes no recipient's variant if the mode is off or the winning variant is revoked, removed or disabled", () => {
  const disabled = variants.map((variant) =>
    variant.variantId === "var_c" ? { ...variant, enabled: false } : variant,
  );
  for (const id of people.slice(0, 500)) {
    for (const none of [{ mode: "OFF" as const }, { winnerVariantId: null }, { winnerVariantId: "var_gone" }])
      expect(variantFor(stepWith(none), id)).toBe(variants.find(({ variantId }) => variantId === armOf(arms, id)));
    expect(variantFor(stepWith({}, disabled), id)?.variantId).toBe(chooseVariant(disabled, id, "stp_1")?.variantId);
  }
});

test("a recipient who was already assigned to the winning variant keeps that variant", () => {
  for (const id of people.filter((person) => armOf(arms, person) === "var_c"))
    expect(variantFor(stepWith({}), id)?.variantId).toBe("var_c");
});
