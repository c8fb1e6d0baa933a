import type { NounFacts } from "./noun.ts";

export const trackingNouns = [
  { noun: "conversion", prefix: "cnv" },
  { noun: "conversion of an e-mail address", prefix: "ecv" },
] as const satisfies readonly NounFacts[];
