import type { NounFacts } from "./noun.ts";

/** For an id of a CRM connection that does not exist, the answer has the code of a connector. */
export const crmNouns = [
  { noun: "CRM connection", prefix: "crm", id: { of: "the CRM connection", fields: ["connectionId"] } },
  {
    noun: "segment of a CRM",
    missing: { code: "SEGMENT_NOT_FOUND", says: "The CRM has no such segment, or no longer has it" },
  },
  { noun: "import from a CRM", prefix: "cri" },
] as const satisfies readonly NounFacts[];
