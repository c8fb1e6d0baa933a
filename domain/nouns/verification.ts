import type { NounFacts } from "./noun.ts";

export const verificationNouns = [
  {
    noun: "verification schedule",
    prefix: "vsc",
    id: { of: "the verification schedule", fields: ["scheduleId"] },
    missing: { code: "SCHEDULE_NOT_FOUND", says: "This workspace has no such verification schedule" },
  },
  { noun: "request to verify leads", prefix: "vrq" },
  { noun: "lease of a mail server", prefix: "lse" },
  { noun: "export of results", prefix: "xls" },
] as const satisfies readonly NounFacts[];
