import { expect, test } from "@jest/globals";
import { leavesSlot, type RunningSend } from "../../../domain/sending/yield.ts";
import { SECOND_MS } from "../../../domain/time/durations.ts";

const SLOTS = 50;
const sends = (workspaceId: string, count: number, waitsMs: number): RunningSend[] =>
  Array.from({ length: count }, () => ({ workspaceId, waitsMs }));
const ONE = "wsp_1";

test.each([
  [
    "while it has less than a third of the slots",
    [...sends(ONE, 16, 60 * SECOND_MS), ...sends("wsp_2", 34, 0)],
    null,
    null,
  ],
  ["while a third of all is free", sends(ONE, 33, 60 * SECOND_MS), null, null],
  ["whose mail servers are known as quick", sends(ONE, 49, SECOND_MS), SECOND_MS, null],
  [
    "whose mail servers keep half of its sends waiting",
    [...sends(ONE, 17, 11 * SECOND_MS), ...sends(ONE, 17, 0)],
    SECOND_MS,
    "SLOW",
  ],
  ["whose mail servers were slow lately", sends(ONE, 34, 0), 30 * SECOND_MS, "SLOW"],
  ["of whose mail servers nothing is known yet", sends(ONE, 34, 0), null, "UNKNOWN"],
])(
  "a workspace %s gives up a send slot only if the workspace holds many slots, few are free and the mail servers are slow or unknown",
  (_, running, usualWaitMs, expected) => {
    expect(leavesSlot(ONE, running, SLOTS, usualWaitMs)).toBe(expected);
  },
);
