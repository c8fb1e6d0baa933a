import { expect, test } from "@jest/globals";
import { simulateMonth } from "./simulated-month.ts";

test("over thirty days each mailbox receives 0.8 to 1.3 times what it sends, no pair meets more than eight times, and every opening is planned", () => {
  const month = simulateMonth({ mailboxes: 150, workspaces: 15, domains: 50, targets: [4, 6, 8, 10] });
  expect(month.left).toBe(0);
  expect(month.leastReceived).toBeGreaterThanOrEqual(0.8);
  expect(month.mostReceived).toBeLessThanOrEqual(1.3);
  expect(month.mostInSevenDays).toBe(2);
  expect(month.mostMeetings).toBeLessThanOrEqual(8);
});
