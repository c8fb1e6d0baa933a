import type { NounFacts } from "./noun.ts";

export const leadNouns = [
  {
    noun: "lead",
    prefix: "led",
    id: { of: "the lead", fields: ["leadId"] },
    missing: { code: "LEAD_NOT_FOUND", says: "This workspace has no such lead" },
  },
  {
    noun: "note",
    prefix: "note",
    id: { of: "the note", fields: ["noteId"] },
    missing: { code: "NOTE_NOT_FOUND", says: "The lead has no such note" },
  },
  {
    noun: "lead list",
    prefix: "lst",
    id: { of: "the lead list", fields: ["listId"] },
    missing: { code: "LIST_NOT_FOUND", says: "This workspace has no such lead list" },
    limit: { name: "leadLists", most: 1_000, called: "lead lists" },
  },
  {
    noun: "custom field",
    prefix: "fld",
    id: { of: "the custom field", fields: ["fieldId"] },
    missing: { code: "FIELD_NOT_FOUND", says: "This workspace has no such custom field" },
    limit: { name: "customFields", most: 200, called: "custom fields" },
  },
  {
    noun: "deal",
    prefix: "deal",
    id: { of: "the deal", fields: ["dealId"] },
    missing: { code: "DEAL_NOT_FOUND", says: "This workspace has no such deal" },
  },
  { noun: "event of a lead or a webhook", prefix: "evt" },
] as const satisfies readonly NounFacts[];
