import type { NounFacts } from "./noun.ts";

export const agentNouns = [
  {
    noun: "promise",
    prefix: "prm",
    id: { of: "the promise", fields: ["promiseId"] },
    missing: { code: "PROMISE_NOT_FOUND", says: "This workspace has no such promise" },
  },
] as const satisfies readonly NounFacts[];
