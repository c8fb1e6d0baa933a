/**
 * How often a test of the suite repeats what is random, and how often by hand: `KILLS=full npm run jest -- <file>`. The suite must stay under
 * twenty minutes.
 */
export function howOften({ suite, full }: { suite: number; full: number }): number {
  return isFull ? full : suite;
}

/** Whether what takes minutes for one more case of what other files show is run too. */
export const isFull = process.env["KILLS"] === "full";
