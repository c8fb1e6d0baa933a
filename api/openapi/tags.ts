/** The tag for each first word of a path, in the order of a campaign's life. */
export const TAGS: Record<string, { name: string; description: string }> = {
  whoami: { name: "Account", description: "The workspace and the scopes of an API key." },
  workspace: { name: "Workspace", description: "The name, postal address, time zone and defaults of the workspace." },
  workspaces: {
    name: "Workspaces",
    description: "The workspaces of the person who owns the API key, and workspaces of clients.",
  },
  members: { name: "Members", description: "The members of the workspace and their roles." },
  invites: { name: "Invites", description: "Invitations to the workspace, each with a link that works once." },
  "audit-log": { name: "Audit log", description: "Sensitive actions and who took them, including refused attempts." },
  campaigns: {
    name: "Campaigns",
    description:
      "A campaign sends a sequence of emails to its recipients from its mailboxes. Create it as DRAFT, then launch, pause, resume and end it here. Its settings, sequence, recipients and emails belong to it.",
  },
  templates: {
    name: "Templates",
    description: "Texts and whole sequences to copy into campaigns and replies.",
  },
  sends: { name: "Sends", description: "The booked emails of all campaigns." },
  leads: {
    name: "Leads",
    description: "People you may contact: their fields, tags, notes, import, export and suppression.",
  },
  imports: {
    name: "Imports",
    description: "Undo an import of leads.",
  },
  "lead-lists": {
    name: "Lead lists",
    description: "Lists that you fill by hand (STATIC), and segments that a filter fills (DYNAMIC).",
  },
  "custom-fields": {
    name: "Custom fields",
    description: "Your own typed fields on every lead, and the variables that texts may use.",
  },
  analytics: {
    name: "Analytics",
    description: "Emails sent and their results, by time, step, variant, mailbox and link.",
  },
  home: { name: "Home", description: "What needs a person, and what happens today, in one read." },
  conversions: { name: "Conversions", description: "Purchases, sign-ups, booked meetings and similar results." },
  deals: { name: "Deals", description: "The value of a possible sale to a lead, and its stage." },
  "block-list": { name: "Block list", description: "Addresses and domains that never receive an email." },
  mailboxes: {
    name: "Mailboxes",
    description: "The mailboxes that send and receive: connection, limits, DNS records, tracking domains.",
  },
  warmup: {
    name: "Warmup",
    description:
      "Mailboxes that email each other before campaigns begin, and where these emails land. Off until you start it.",
  },
  deliverability: {
    name: "Deliverability",
    description:
      "Whether emails arrive: DNS records of sending domains, block lists, rules of the large mail services, scores, alerts, advice.",
  },
  verification: {
    name: "Verification",
    description:
      "Whether addresses receive email, checked by lists, DNS and the replies of their servers. No email is sent.",
  },
  "lead-search": {
    name: "Lead search",
    description:
      "Search for people who may become leads, at a provider or in the data set of this deployment. Reveal their contact details for credits, and keep them in lists.",
  },
  calendar: {
    name: "Calendar",
    description: "When the workspace takes meetings: working hours, booking address, free slots.",
  },
  billing: {
    name: "Billing",
    description: "The plan of the workspace, and the Stripe pages where a person changes it.",
  },
  credits: {
    name: "Credits",
    description: "Credits for reveals: the balance, what was spent, and the ledger.",
  },
  crm: {
    name: "CRM",
    description: "HubSpot, Salesforce and Pipedrive: import their segments as leads, and report the results back.",
  },
  inbox: {
    name: "Inbox",
    description: "Conversations of all mailboxes: read them, reply now or later, set categories.",
  },
  approvals: {
    name: "Approvals",
    description:
      "Decisions that wait for a person: a send that a credential requested, an email of a campaign, a doubtful opt-out.",
  },
  agent: {
    name: "Inbox agent",
    description: "Drafts answers to replies, then asks for approval or sends. Off until you enable it.",
  },
  promises: {
    name: "Promises",
    description: "Promises that people made in their emails: contact them again later, or contact someone else.",
  },
  webhooks: {
    name: "Webhooks",
    description: "Your URLs that receive events, and the deliveries to them.",
  },
  privacy: { name: "Privacy", description: "All data about one person: export it, or erase it." },
  search: {
    name: "Search",
    description: "One search over campaigns, leads, lists, mailboxes, threads and templates.",
  },
  files: { name: "Files", description: "Files to attach to emails." },
  jobs: { name: "Jobs", description: "Work on many rows that continues after the response to its request." },
};

/** The tag of a path. A word that is missing above becomes its own tag, and a test reports it. */
export function tagOf(path: string): string {
  const first = path.split("/")[1] ?? "";
  const word = first === "account" ? "whoami" : first;
  return TAGS[word]?.name ?? word;
}
