import type { NounFacts } from "./noun.ts";

export const sendingNouns = [
  {
    noun: "mail",
    prefix: "snd",
    id: { of: "the mail", fields: ["sendId"] },
    missing: { code: "SEND_NOT_FOUND", says: "The campaign has no such email" },
  },
  {
    noun: "approval",
    prefix: "apr",
    id: { of: "the approval", fields: ["approvalId"] },
    missing: { code: "APPROVAL_NOT_FOUND", says: "This workspace has no such approval" },
  },
  { noun: "plan of an effect", prefix: "pln" },
  { noun: "uploaded file", prefix: "fil" },
] as const satisfies readonly NounFacts[];
