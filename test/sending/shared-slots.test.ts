import { expect, test } from "@jest/globals";
import { createSendSlots, type SendSlots } from "../../activities/sending/slots.ts";
import { COMES_AGAIN } from "../../domain/sending/yield.ts";

const SLOTS = 9;

/** Takes slots of a workspace until one has to be left; returns how many it got, and what ends their sends. */
function take(slots: SendSlots, workspaceId: string): { taken: number; leavesUntil: number; end(): void } {
  const ended = Promise.withResolvers<void>();
  for (let taken = 0; ; taken++) {
    const leavesUntil = slots.leavesUntil(workspaceId);
    if (leavesUntil !== null || taken > SLOTS) return { taken, leavesUntil: leavesUntil ?? 0, end: ended.resolve };
    void slots.hold(workspaceId, (wait) => {
      wait.begins();
      return ended.promise;
    });
  }
}

test("a workspace whose mail servers have accepted no email yet leaves some send slots to other workspaces; once a server accepts one, the workspace leaves none", async () => {
  const slots = createSendSlots(SLOTS);
  const first = take(slots, "wsp_1");
  expect(first.taken).toBe(7);
  expect(first.leavesUntil).toBeGreaterThan(Date.now());
  // Those that left come back one after the other
  const second = slots.leavesUntil("wsp_1") ?? 0;
  expect(slots.leavesUntil("wsp_1")).toBe(second + COMES_AGAIN.UNKNOWN.apartMs);
  expect(second).toBe(first.leavesUntil + COMES_AGAIN.UNKNOWN.apartMs);
  expect(take(slots, "wsp_2").taken).toBe(3);
  first.end();
  await slots.hold("wsp_1", async (wait) => wait.begins());
  expect(slots.leavesUntil("wsp_1")).toBeNull();
});
