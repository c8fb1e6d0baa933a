import type { Scope } from "../../../../domain/scopes.ts";

/** The noun that a scope is about: what stands before its colon. */
export type Area = Scope extends `${infer A}:${string}` ? A : never;

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
