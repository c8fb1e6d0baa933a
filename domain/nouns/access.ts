import type { NounFacts } from "./noun.ts";

export const accessNouns = [
  {
    noun: "workspace",
    prefix: "wsp",
    missing: { code: "WORKSPACE_NOT_FOUND", says: "There is no such workspace, or you are not a member of it" },
  },
  { noun: "user", prefix: "usr" },
  {
    noun: "member",
    prefix: "mbr",
    id: { of: "the member: a person in the workspace", fields: ["memberId"] },
    missing: { code: "MEMBER_NOT_FOUND", says: "The workspace has no such member" },
    limit: { name: "members", most: 1_000, called: "members, open invites included" },
  },
  {
    noun: "invite",
    prefix: "inv",
    id: { of: "the invite", fields: ["inviteId"] },
    missing: { code: "INVITE_NOT_FOUND", says: "This workspace has no such invite" },
  },
  { noun: "session", prefix: "ses", missing: { code: "SESSION_NOT_FOUND", says: "You have no such session" } },
  { noun: "API key", prefix: "key", missing: { code: "KEY_NOT_FOUND", says: "This workspace has no such API key" } },
  {
    noun: "connector",
    prefix: "gnt",
    missing: { code: "CONNECTION_NOT_FOUND", says: "This workspace has no such connector, or no such CRM connection" },
  },
  { noun: "audit entry", prefix: "aud" },
  { noun: "tool call", prefix: "call" },
] as const satisfies readonly NounFacts[];
