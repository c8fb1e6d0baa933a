import type { NounFacts } from "./noun.ts";

export const warmupNouns = [
  { noun: "enrolment", missing: { code: "ENROLMENT_NOT_FOUND", says: "The mailbox is not enrolled for warmup" } },
  { noun: "pool", prefix: "wpl", missing: { code: "POOL_NOT_FOUND", says: "This workspace has no such pool" } },
] as const satisfies readonly NounFacts[];
