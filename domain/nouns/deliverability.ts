import type { NounFacts } from "./noun.ts";

export const deliverabilityNouns = [
  {
    noun: "alert",
    prefix: "alr",
    id: { of: "the alert", fields: ["alertId"] },
    missing: { code: "ALERT_NOT_FOUND", says: "This workspace has no such alert" },
  },
  {
    noun: "placement test",
    prefix: "plt",
    id: { of: "the placement test", fields: ["testId"] },
    missing: { code: "TEST_NOT_FOUND", says: "This workspace has no such placement test" },
  },
] as const satisfies readonly NounFacts[];
