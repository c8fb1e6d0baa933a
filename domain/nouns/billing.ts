import type { NounFacts } from "./noun.ts";

export const billingNouns = [
  { noun: "credit entry", prefix: "cre" },
  { noun: "order", prefix: "ord" },
] as const satisfies readonly NounFacts[];
