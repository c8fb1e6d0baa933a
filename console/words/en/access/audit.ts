import type { Out } from "../../../api/call.ts";
import { formatCount } from "../../format.ts";
import { wordFor } from "../../states.ts";

type Entry = Out<"get /audit-log">["items"][number];

/** The texts of the audit log's page. */
export const auditWords = {
  title: "Audit",
  lead: "Sensitive actions, including refused attempts. Entries are never changed. Only a retention deletes entries, after two years or more.",
  whole: (count: number) => `Audit log intact: ${formatCount(count)} entries verified.`,
  brokenAt: (seq: number, count: number) =>
    `The audit log is broken at entry ${formatCount(seq)}, after ${formatCount(count)} verified entries. Someone changed or removed entries in the database. Ask the operator to run npm run audit:verify.`,
  when: "When",
  who: "Who",
  what: "What",
  outcome: "Outcome",
  about: "Target",
  allActions: "All",
  allActors: "All people",
  from: "From",
  to: "To",
  details: "Details",
  hide: "Hide",
  ofEntry: (seq: number) => `of entry ${formatCount(seq)}`,
  empty: "No sensitive actions yet. They appear here as soon as someone takes one.",
  entry: "Entry",
  action: "Action",
  actor: "Credential",
  code: "Refused by",
  target: "Ids",
  fields: "Other fields of the call",
  changed: "Fields that changed",
  ip: "From",
  trace: "Trace",
} as const;

export const ACTOR: Record<Entry["actor"]["kind"], string> = {
  API_KEY: "key",
  OAUTH: "connection",
  CONSOLE: "person",
  CONSENT: "a person who withdrew a consent",
  OPERATOR: "operator of the service",
  SERVICE: "the service",
};

export const OUTCOME: Record<Entry["outcome"], string> = {
  DONE: "done",
  FAILED: "refused, nothing changed",
  DENIED: "not allowed",
  PLANNED: "only planned",
  ASKED: "asked a person",
};

/** The names of the API areas in the log's entries. */
export const NOUNS = {
  account: "Account",
  agent: "Inbox agent",
  approvals: "Approvals",
  billing: "Billing",
  blockList: "Block list",
  calendar: "Calendar",
  campaigns: "Campaigns",
  connectors: "Connections",
  credits: "Credits",
  crm: "CRM",
  inbox: "Inbox",
  invites: "Invites",
  keys: "API keys",
  leadSearch: "Lead search",
  leads: "Leads",
  mailboxes: "Mailboxes",
  members: "Members",
  placementTests: "Placement tests",
  recipients: "Recipients",
  sends: "Sends",
  verification: "Verification",
  webhooks: "Webhooks",
  workspace: "Workspace",
  workspaces: "Workspaces",
} as const;

/**
 * Turns `members.updateRole` into "Members: update role". The entry of a call that was refused before its action was
 * read names several actions.
 */
export function actionInWords(action: string): string {
  return action
    .split(", ")
    .map((one) => {
      const [noun = "", verb = ""] = one.split(".");
      return `${wordFor(NOUNS, noun)}: ${splitCamelCase(verb)}`;
    })
    .join("; ");
}

/** `memberId` as "member". */
export function idInWords(field: string): string {
  return splitCamelCase(field.replace(/Ids?$/, ""));
}

function splitCamelCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}
