import { expect, test } from "@jest/globals";
import { chooseVariant } from "../../domain/variant.ts";

const arms = [
  { variantId: "var_a", weight: 50, enabled: true },
  { variantId: "var_b", weight: 30, enabled: true },
  { variantId: "var_c", weight: 20, enabled: true },
];
const people = Array.from({ length: 5_000 }, (_, n) => `rcp_${n}`);
const armOf = (variants: typeof arms, recipientId: string) => chooseVariant(variants, recipientId, "stp_1")?.variantId;

test("arms are drawn in proportion to their weight", () => {
  for (const { variantId, weight } of arms) {
    const share = people.filter((id) => armOf(arms, id) === variantId).length / people.length;
    expect(Math.abs(share - weight / 100)).toBeLessThan(0.03);
  }
});

test("disabling an arm moves its recipients only, spread by weight over the others", () => {
  const without = arms.map((arm) => (arm.variantId === "var_a" ? { ...arm, enabled: false } : arm));
  const moved = people.filter((id) => armOf(arms, id) === "var_a");
  for (const id of people.filter((person) => !moved.includes(person))) expect(armOf(without, id)).toBe(armOf(arms, id));
  const share = moved.filter((id) => armOf(without, id) === "var_b").length / moved.length;
  expect(Math.abs(share - 0.6)).toBeLessThan(0.04);
});

test("the order of the arms does not matter, and another step draws anew", () => {
  const reversed = [...arms].reverse();
  for (const id of people.slice(0, 200)) expect(armOf(reversed, id)).toBe(armOf(arms, id));
  const other = people.filter((id) => chooseVariant(arms, id, "stp_2")?.variantId !== armOf(arms, id));
  expect(other.length).toBeGreaterThan(people.length / 3);
});

test("no enabled arm, no variant", () => {
  expect(chooseVariant([], "rcp_1", "stp_1")).toBeNull();
  expect(chooseVariant([{ variantId: "var_a", weight: 1, enabled: false }], "rcp_1", "stp_1")).toBeNull();
});
