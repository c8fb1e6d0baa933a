import type { NounFacts } from "./noun.ts";

export const analyticsNouns = [
  { noun: "days that a report counts again", prefix: "chg" },
  { noun: "link of a report", prefix: "rpl" },
] as const satisfies readonly NounFacts[];
