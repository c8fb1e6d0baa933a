import type { NounFacts } from "./noun.ts";

export const campaignNouns = [
  {
    noun: "campaign",
    prefix: "cmp",
    id: { of: "the campaign", fields: ["campaignId"] },
    missing: { code: "CAMPAIGN_NOT_FOUND", says: "This workspace has no such campaign" },
  },
] as const satisfies readonly NounFacts[];
