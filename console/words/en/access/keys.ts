import type { Scope } from "../../../../domain/scopes.ts";

/** The texts of the page of API keys. */
export const keysWords = {
  title: "API keys",
  lead: "A program uses an API key to reach this workspace through the API and the tool server.",
  name: "Name",
  may: "What it may do",
  sends: "Policy",
  by: "Created by",
  used: "Last used",
  from: (ip: string) => `from ${ip}`,
  ends: "Ends",
  revoked: "revoked",
  ended: "ended",
  show: "Show",
  living: "Active",
  every: "Active and ended",
  empty: "No API keys yet. A program needs one to use the API.",
  revoke: "Revoke",
  revokeEffect: (name: string) =>
    `${name} stops working within a second. This cannot be undone. Its program needs another key.`,
  lastUsed: "It was last used:",
  saidRevoked: (name: string) => `${name} is revoked.`,

  create: "Create API key…",
  createTitle: "Create API key",
  nameHint: "What uses it, such as a program or a person.",
  preset: "Preset",
  presets: {
    READ: "Read everything",
    LIGHT: "Read and write, without sensitive actions",
    ALL: "Everything that my role allows",
    NONE: "Nothing",
  },
  scopes: "What it may do",
  scopesHint: "At most what your role allows. You cannot change it later. Create another key instead.",
  noScope: "Choose at least one permission.",
  expiry: "Ends",
  expiries: { NEVER: "Never", DAYS_30: "In 30 days", DAYS_90: "In 90 days", DAYS_365: "In a year" },
  createAct: (count: number) => `Create API key with ${count} ${count === 1 ? "permission" : "permissions"}`,
  shownTitle: "Your API key",
  shownText: "Copy it now. It is not shown again. Anyone who has it can use its permissions.",
  shown: "Key",
  done: "Done",
} as const;

/** The texts of the page of connections. */
export const connectionsWords = {
  title: "Connections",
  lead: "Applications that a member connected, such as an assistant that uses the tool server.",
  empty: "No connections yet. An application appears here when a member adds this service's tool server to it.",
  name: "Application",
  may: "What it may do",
  sends: "Policy",
  by: "Connected by",
  since: "Since",
  used: "Last used",
  ends: "Ends unless used",
  change: "Policy…",
  changeTitle: (name: string) => `What ${name} may do by itself`,
  changeAct: "Change it",
  changed: (name: string) => `Saved for ${name}.`,
  revoke: "Revoke",
  revokeEffect: (name: string) =>
    `All tokens of ${name} stop working within a second. To use it again, someone has to connect it again.`,
  revoked: (name: string) => `${name} is disconnected.`,
} as const;

/** The part of a scope before its colon, such as `campaigns`. */
type Area = Scope extends `${infer A}:${string}` ? A : never;

export const AREA: Record<Area, string> = {
  campaigns: "Campaigns",
  recipients: "Recipients",
  leads: "Leads",
  block_list: "Block list",
  lead_lists: "Lead lists",
  custom_fields: "Custom fields",
  deals: "Deals",
  mailboxes: "Mailboxes",
  warmup: "Warmup",
  inbox: "Inbox",
  deliverability: "Deliverability",
  verification: "Verification",
  webhooks: "Webhooks",
  crm: "CRM",
  analytics: "Analytics",
  account: "Account",
  workspace: "Workspace",
  members: "Members",
  billing: "Billing",
  agency: "Clients",
  lead_search: "Lead search",
};

export const scopesWords = {
  all: "All permissions",
  some: (count: number, areas: number) =>
    `${count} ${count === 1 ? "permission" : "permissions"} in ${areas} ${areas === 1 ? "area" : "areas"}`,
} as const;
