import type { NounFacts } from "./noun.ts";

export const recipientNouns = [
  {
    noun: "recipient",
    prefix: "rcp",
    id: { of: "the recipient: a lead in a campaign", fields: ["recipientId"] },
    missing: { code: "RECIPIENT_NOT_FOUND", says: "The campaign has no such recipient" },
  },
  { noun: "execution of a step that is no mail", prefix: "act" },
] as const satisfies readonly NounFacts[];
