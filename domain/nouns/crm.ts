import type { NounFacts } from "./noun.ts";

/** If a CRM connection does not exist, the error code is that of a connector. */
export const crmNouns = [
  { noun: "CRM connection", prefix: "crm", id: { of: "the CRM connection", fields: ["connectionId"] } },
  {
    noun: "segment of a CRM",
    missing: { code: "SEGMENT_NOT_FOUND", says: "The CRM has no such segment, or no longer has it" },
  },
  { noun: "import from a CRM", prefix: "cri" },
] as const satisfies readonly NounFacts[];
