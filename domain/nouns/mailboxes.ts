import type { NounFacts } from "./noun.ts";

export const mailboxNouns = [
  {
    noun: "mailbox",
    prefix: "mbx",
    id: { of: "the mailbox", fields: ["mailboxId"] },
    missing: { code: "MAILBOX_NOT_FOUND", says: "This workspace has no such mailbox" },
    limit: { name: "mailboxes", most: 10_000, called: "mailboxes" },
  },
  { noun: "change of a mailbox's health", prefix: "mhc" },
  { noun: "connection test", prefix: "tst" },
] as const satisfies readonly NounFacts[];
