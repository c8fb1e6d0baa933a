import { expect, test } from "@jest/globals";
import { isHeldOut, MOST_HELD_OUT } from "../../../domain/campaigns/hold-out.ts";

const people = Array.from({ length: 20_000 }, (_, index) => `rcp_${index}`);
const heldOut = (share: number, campaignId = "cmp_a") =>
  new Set(people.filter((id) => isHeldOut(campaignId, id, share)));

test.each([0, 0.01, 0.1, MOST_HELD_OUT])("a share of %p holds out that share of people", (share) => {
  expect(Math.abs(heldOut(share).size / people.length - share)).toBeLessThan(0.01);
});

test("a lead held out at a small share is held out at each larger share, and another campaign draws anew", () => {
  const [few, many] = [heldOut(0.05), heldOut(0.15)];
  expect([...few].every((id) => many.has(id))).toBe(true);
  const elsewhere = heldOut(0.1, "cmp_b");
  const both = [...heldOut(0.1)].filter((id) => elsewhere.has(id)).length;
  expect(both / people.length).toBeLessThan(0.02);
});
