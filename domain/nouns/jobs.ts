import type { NounFacts } from "./noun.ts";

export const jobNouns = [
  {
    noun: "job",
    prefix: "job",
    id: { of: "the job", fields: ["jobId"] },
    missing: { code: "JOB_NOT_FOUND", says: "This workspace has no such job" },
  },
  { noun: "row of the outbox", prefix: "out" },
] as const satisfies readonly NounFacts[];
