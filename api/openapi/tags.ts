/** What each first word of a path is about, in the order of a campaign's life. */
export const TAGS: Record<string, { name: string; description: string }> = {
  whoami: { name: "Account", description: "The workspace and the scopes that a key opens." },
  workspace: { name: "Workspace", description: "The name, postal address, time zone and defaults of the workspace." },
  workspaces: {
    name: "Workspaces",
    description: "The workspaces of the person behind a key, and workspaces of clients.",
  },
  members: { name: "Members", description: "Who belongs to the workspace, and what each may do." },
  invites: { name: "Invites", description: "Invitations into the workspace, each with a link that is good once." },
  "audit-log": { name: "Audit log", description: "Who did what that weighs much, what was refused included." },
  campaigns: {
    name: "Campaigns",
    description:
      "A campaign sends a sequence of mails to its recipients from its mailboxes. It is made as DRAFT, launched, paused, resumed and ended here; its settings, sequence, recipients and mails are parts of it.",
  },
  sends: { name: "Sends", description: "The mails that are booked, over all campaigns." },
  leads: {
    name: "Leads",
    description: "People who may be written to: their fields, tags, notes, import, export and suppression.",
  },
  "lead-lists": {
    name: "Lead lists",
    description: "Lists filled by hand (STATIC), and segments that a filter fills (DYNAMIC).",
  },
  "custom-fields": {
    name: "Custom fields",
    description: "Typed fields of your own on every lead, and the variables that texts may use.",
  },
  analytics: {
    name: "Analytics",
    description: "What campaigns have done and got back, by time, step, variant and mailbox, and by link.",
  },
  conversions: { name: "Conversions", description: "What people did in the end: bought, signed up, booked a meeting." },
  deals: { name: "Deals", description: "What a lead may be worth, and how far it has come." },
  "block-list": { name: "Block list", description: "Addresses and domains to which nothing is ever sent." },
  mailboxes: {
    name: "Mailboxes",
    description: "The mailboxes that send and receive: connecting, limits, DNS records, tracking domains.",
  },
  warmup: {
    name: "Warmup",
    description:
      "Mailboxes that write to each other before campaigns begin, and where their mail lands. Off until somebody starts it.",
  },
  deliverability: {
    name: "Deliverability",
    description:
      "Whether mail arrives: DNS records of sending domains, block lists, rules of the large mail services, scores, alerts, advice.",
  },
  verification: {
    name: "Verification",
    description: "Whether addresses receive mail, by lists, DNS and what their servers say. No mail is sent for it.",
  },
  "lead-search": {
    name: "Lead search",
    description:
      "Search people who may become leads, at a provider or in the installation's own data set; reveal how to reach them, for credits; keep them in lists.",
  },
  calendar: {
    name: "Calendar",
    description: "When the workspace takes meetings: working hours, booking address, free slots.",
  },
  billing: {
    name: "Billing",
    description: "What the workspace pays for, and the pages at Stripe where a person changes it.",
  },
  credits: {
    name: "Credits",
    description: "What reveals may cost: what is left, what was spent, and the ledger of both.",
  },
  crm: {
    name: "CRM",
    description: "HubSpot, Salesforce and Pipedrive: their segments as leads, and what became of them told back.",
  },
  inbox: { name: "Inbox", description: "Conversations of all mailboxes: reading, answering now or later, categories." },
  approvals: {
    name: "Approvals",
    description: "What waits for a person: what a credential asked to send, a campaign's mail, a doubtful opt-out.",
  },
  agent: {
    name: "Inbox agent",
    description: "Drafts answers to replies, and asks or sends; off until somebody enables it.",
  },
  promises: {
    name: "Promises",
    description: "What people announced in their mails: to be written to again, or somebody else.",
  },
  webhooks: {
    name: "Webhooks",
    description: "Addresses of yours that are told of events, and the deliveries to them.",
  },
  files: { name: "Files", description: "Files to attach to mails." },
  jobs: { name: "Jobs", description: "Work over many rows that goes on after its request was answered." },
};

/** The tag of a path. A word without a text gets itself, and a test names it. */
export function tagOf(path: string): string {
  const first = path.split("/")[1] ?? "";
  const word = first === "account" ? "whoami" : first;
  return TAGS[word]?.name ?? word;
}
