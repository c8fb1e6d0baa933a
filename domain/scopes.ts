/**
 * The 41 scopes in the order of the API, each with the sentence that a consent page shows. No scope implies another.
 */
export const SCOPES = {
  "campaigns:read": "see campaigns, sequences and settings",
  "campaigns:write": "create and change campaigns",
  "campaigns:launch": "launch, pause and resume campaigns and send test emails",
  "recipients:read": "see the recipients of campaigns",
  "recipients:write": "add and remove recipients, record outcomes",
  "leads:read": "see and export leads",
  "leads:write": "create, change, import and delete leads",
  "leads:suppress": "decide which leads can receive email",
  "block_list:read": "see the block list",
  "block_list:write": "block and unblock addresses and domains",
  "lead_lists:read": "see lead lists and segments",
  "lead_lists:write": "change lead lists and their members",
  "custom_fields:read": "see custom fields and variables",
  "custom_fields:write": "change custom fields",
  "deals:read": "see deals",
  "deals:write": "create and delete deals",
  "mailboxes:read": "see mailboxes and their health",
  "mailboxes:write": "change, pause and resume mailboxes",
  "mailboxes:connect": "connect, import and disconnect mailboxes",
  "warmup:read": "see warmup",
  "warmup:write": "start, stop and configure warmup",
  "inbox:read": "read replies and drafts",
  "inbox:write": "sort replies, save drafts, decide on proposed replies",
  "inbox:send": "send and schedule replies in your name",
  "deliverability:read": "see deliverability",
  "verification:read": "see and export address verification",
  "webhooks:read": "see webhook subscriptions and failures",
  "webhooks:write": "create and delete webhooks, requeue deliveries",
  "crm:read": "see CRM connections and segments",
  "crm:write": "connect a CRM and import from it",
  "analytics:read": "see reports",
  "account:read": "see your account and workspaces",
  "workspace:read": "see the workspace and its domains",
  "workspace:write": "change or delete the workspace, manage members",
  "members:read": "see members and invites",
  "billing:read": "see plan, credits and invoices",
  "billing:write": "start a checkout",
  "agency:read": "see client workspaces",
  "lead_search:browse": "search prospects, without credits",
  "lead_search:reveal": "spend credits to reveal contact data",
  "lead_search:lists": "manage prospect lists and saved searches",
} as const;

export type Scope = keyof typeof SCOPES;

export const ALL_SCOPES = Object.keys(SCOPES).filter(isScope);

export function isScope(value: string): value is Scope {
  return Object.hasOwn(SCOPES, value);
}

/**
 * Scopes that a person must select on the consent page. They allow to send, to spend, to read about people and money,
 * or to change who may do so.
 */
const SENSITIVE: ReadonlySet<Scope> = new Set([
  "campaigns:launch",
  "leads:suppress",
  "block_list:write",
  "mailboxes:connect",
  "inbox:send",
  "crm:write",
  "workspace:write",
  "members:read",
  "billing:read",
  "billing:write",
  "lead_search:reveal",
]);

/** Whether the consent page preselects the scope (rules/access 5.4). */
export function isTickedFirst(scope: Scope): boolean {
  return !SENSITIVE.has(scope);
}
