import { DEFAULT_DELAY, NO_WINNER, type Step } from "../../domain/sequences/sequence.ts";

/** Two emails in one thread, three days apart. */
export const STEPS: Step[] = ["one", "two"].map((name, index) => ({
  stepId: `stp_${name}`,
  order: index + 1,
  type: "EMAIL",
  delay: DEFAULT_DELAY,
  threadMode: index === 0 ? "NEW_THREAD" : "SAME_THREAD",
  conditions: [],
  config: {},
  variants: [],
  winner: NO_WINNER,
}));
