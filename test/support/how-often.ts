/**
 * How often a test of the suite repeats what is random, and how often by hand: `KILLS=full npm run jest -- <file>`. The suite must stay under
 * twenty minutes.
 */
export function howOften({ suite, full }: { suite: number; full: number }): number {
  return process.env["KILLS"] === "full" ? full : suite;
}
