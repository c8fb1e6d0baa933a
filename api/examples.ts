import { EXAMPLE_IDS, type Example } from "./example.ts";
import { leadSearchExamples } from "./examples-lead-search.ts";

const ids = EXAMPLE_IDS;

const filterRules = {
  version: 1,
  combinator: "AND",
  rules: [
    { field: "customFields.headcount", operator: "GTE", value: 50 },
    { field: "tags", operator: "CONTAINS_ANY", value: ["saas"] },
    { event: "REPLIED", operator: "PERFORMED", withinDays: 30, negate: true },
  ],
};
const server = { smtpHost: "smtp.example.com", smtpPort: 465, imapHost: "imap.example.com", imapPort: 993, security: "SSL_TLS" };
const credentials = { email: "ann@example.com", password: "an app password", name: "Ann Lee", ...server };
const rows = [
  { "E-Mail": "ada@people.example", "First name": "Ada", Company: "Engines Ltd", Headcount: "120" },
  { "E-Mail": "bob@people.example", "First name": "Bob", Company: "Widgets SA", Headcount: "40" },
];
const fieldMapping = { "E-Mail": "email", "First name": "firstName", Company: "company", Headcount: "customFields.headcount" };
const mailboxRows = [
  { email: "ann@example.com", app_password: "an app password", smtp_host: "smtp.example.com", imap_host: "imap.example.com" },
];

/** An instant that is still in the future when the document is read. */
const today = new Date();
const tomorrow = `${new Date(today.setUTCDate(today.getUTCDate() + 1)).toISOString().slice(0, 10)}T09:00:00+01:00`;

/** In the order in which a campaign is created, run and ended. */
export const examples: Example[] = [
  // Audience
  { at: "post /custom-fields", title: "A number on each lead", body: { label: "Headcount", key: "headcount", type: "NUMBER" } },
  { at: "post /lead-lists", title: "A list filled by hand", body: { name: "Trade fair" } },
  { at: "post /lead-lists", title: "A segment", body: { name: "Mid-size, quiet", type: "DYNAMIC", filterRules } },
  { at: "post /lead-lists/preview", title: "Who would be in a segment", body: { filterRules } },
  { at: "post /leads/import", title: "Look before an import", body: { action: "dryRun", rows } },
  { at: "post /leads/import", title: "Import rows of a file", body: { action: "commit", fileName: "fair.csv", rows, fieldMapping } },
  {
    at: "post /files",
    title: "Upload a file for a step or a reply",
    body: { file: "What we offer" },
  },
  {
    at: "post /leads/import/file",
    title: "Import a file",
    body: {
      action: "commit",
      fieldMapping,
      file: "E-Mail;First name;Company;Headcount\r\nada@people.example;Ada;Analytical Engines;12\r\n",
    },
  },
  {
    at: "post /leads/import",
    title: "Read a spreadsheet, to import its rows next",
    body: { action: "googleSheet", url: "https://docs.google.com/spreadsheets/d/1AbCdEfGhIjKlMnOpQrStUvWxYz/edit#gid=0" },
  },
  {
    at: "post /leads",
    title: "One lead",
    body: { email: "cleo@people.example", firstName: "Cleo", company: "Rivers Inc", tags: ["saas"], customFields: { headcount: 75 } },
  },
  { at: "post /leads/manage", title: "Change a lead", body: { action: "update", leadId: ids.lead, patch: { jobTitle: "Head of Sales" } } },
  { at: "post /leads/manage", title: "Tag several", body: { action: "bulkAddTags", ids: [ids.lead], tags: ["fair"] } },
  { at: "post /leads/manage", title: "Take a tag away", body: { action: "bulkRemoveTags", ids: [ids.lead], tags: ["fair"] } },
  { at: "post /leads/manage", title: "Write a note", body: { action: "createNote", leadId: ids.lead, body: "Met at the fair" } },
  { at: "post /leads/manage", title: "Delete a note", body: { action: "deleteNote", leadId: ids.lead, noteId: ids.note } },
  { at: "post /lead-lists/manage", title: "Put leads into a list", body: { action: "addMembers", listId: ids.list, leadIds: [ids.lead] } },
  { at: "post /lead-lists/manage", title: "Rename a list", body: { action: "update", listId: ids.list, input: { name: "Fair 2026" } } },
  {
    at: "post /workspace",
    title: "Say who writes, and where from",
    body: { action: "update", patch: { name: "Acme", postalAddress: "Acme Ltd\n1 Main Street\nLondon", timezone: "Europe/London" } },
  },
  { at: "post /invites/manage", title: "Invite a colleague", body: { action: "create", email: "kim@acme.example", role: "MEMBER" } },
  { at: "post /invites/manage", title: "Renew the link of an invite", body: { action: "resend", inviteId: ids.invite } },
  { at: "post /invites/manage", title: "Take an invite back", body: { action: "revoke", inviteId: ids.invite } },
  { at: "post /members/manage", title: "Make a member an admin", body: { action: "updateRole", memberId: ids.member, role: "ADMIN" } },
  { at: "post /members/manage", title: "Remove a member", body: { action: "remove", memberId: ids.member } },
  {
    at: "post /leads/:leadId/evidence",
    title: "Show where an address came from and what was sent to it, signed, with the state at an instant",
    body: { at: "2026-01-31T12:00:00Z" },
  },
  { at: "post /workspace/export", title: "Have everything of the workspace written into a file", body: {} },
  { at: "post /workspaces", title: "A workspace for a client", body: { name: "Client Ltd", timezone: "Europe/Paris" } },
  { at: "post /block-list", title: "Never write to a domain", body: { value: "competitor.example", reason: "Competitor" } },
  {
    at: "post /conversions",
    title: "Somebody bought, known by the address alone",
    body: {
      events: [
        {
          event_name: "Purchase",
          event_id: "order-4711",
          user_data: { em: "973dfe463ec85785f5f95af5ba3906eedb2d931c24e69824a89ea65dba4e813b" },
          custom_data: { value: 129.9, currency: "EUR" },
        },
      ],
    },
  },
  { at: "post /deals", title: "A deal with a lead", body: { leadId: ids.lead, name: "Pilot", stage: "QUALIFIED", amountCents: 250_000 } },
  { at: "post /deals/:dealId/delete", title: "See what would be deleted first", body: { planOnly: true } },
  {
    at: "post /custom-fields/manage",
    title: "Rename a field",
    body: { action: "update", fieldId: ids.field, input: { label: "Employees" } },
  },
  { at: "post /custom-fields/manage", title: "Put fields in order", body: { action: "reorder", ids: [ids.field] } },

  ...leadSearchExamples,

  // Mailboxes
  { at: "post /mailboxes/connect", title: "Try a mailbox, storing nothing", body: { action: "smtpTest", credentials } },
  { at: "post /mailboxes/connect", title: "Connect a mailbox", body: { action: "smtpConnect", credentials } },
  {
    at: "post /mailboxes/connect",
    title: "Connect by an app password",
    body: { action: "providerAAppPassword", providerA: { email: "ann@example.com", appPassword: "an app password" } },
  },
  { at: "post /mailboxes/connect", title: "Start a consent in the browser", body: { action: "providerAOAuthStart" } },
  { at: "post /mailboxes/import/test-bulk", title: "Try the mailboxes of a file", body: { rows: mailboxRows } },
  { at: "post /mailboxes/import/csv", title: "Connect the mailboxes of a file", body: { fileName: "mailboxes.csv", rows: mailboxRows } },
  {
    at: "post /mailboxes/manage",
    title: "Limits and working hours of a mailbox",
    body: {
      action: "updateSettings",
      mailboxId: ids.mailbox,
      patch: { dailySendLimit: 40, workday: { timezone: "Europe/Berlin", days: [1, 2, 3, 4, 5], from: "08:00", to: "18:00" } },
    },
  },
  {
    at: "post /mailboxes/manage",
    title: "Tag a mailbox",
    body: { action: "updateTags", mailboxId: ids.mailbox, add: ["emea"], remove: [] },
  },
  { at: "post /mailboxes/manage", title: "Pause several", body: { action: "pause", mailboxIds: [ids.mailbox] } },
  { at: "post /mailboxes/manage", title: "Set its band back to HEALTHY", body: { action: "setHealthy", mailboxId: ids.mailbox } },
  {
    at: "post /mailboxes/health/replay",
    title: "What a stricter threshold would have done",
    body: { days: 60, thresholds: { BOUNCE_RATE: { THROTTLED: 0.02 } } },
  },
  { at: "post /mailboxes/manage", title: "Go on with one", body: { action: "resume", mailboxId: ids.mailbox } },
  {
    at: "post /mailboxes/tracking-domain",
    title: "A domain for its links",
    body: { action: "set", mailboxId: ids.mailbox, domain: "go.example.com" },
  },
  { at: "post /mailboxes/tracking-domain", title: "Without it again", body: { action: "detach", mailboxId: ids.mailbox } },
  { at: "post /mailboxes/:mailboxId/verify-dns", title: "What its DNS records say", body: { action: "status" } },
  { at: "post /mailboxes/:mailboxId/verify-dns", title: "Ask again, with a mail to itself", body: { action: "resend" } },
  { at: "post /mailboxes/:mailboxId/verify-dns", title: "Go on without", body: { action: "skip" } },

  // Content
  { at: "post /campaigns", title: "A campaign", body: { name: "Fair follow-up", goal: "Meetings" } },
  {
    at: "put /campaigns/:campaignId/sequence",
    title: "Two steps, the first with two variants",
    body: {
      action: "replaceSteps",
      steps: [
        {
          stepId: ids.step,
          variants: [
            { variantId: ids.variant, label: "A", subject: "{{company}} at the fair", bodyHtml: "<p>Hi {{firstName}}, shall we talk?</p>" },
            { label: "B", subject: "A question, {{firstName}}", bodyHtml: "<p>{Hi|Hello} {{firstName}}, a short question.</p>" },
          ],
        },
        { delay: { value: 3, unit: "BUSINESS_DAYS" }, bodyHtml: "<p>Did you see my last mail, {{firstName}}?</p>" },
      ],
    },
  },
  { at: "put /campaigns/:campaignId/sequence", title: "Allow branches", body: { action: "setMode", mode: "VISUAL" } },
  { at: "post /campaigns/:campaignId/sequence/preview", title: "The first mail as a lead would get it", body: { leadId: ids.lead } },
  {
    at: "patch /campaigns/:campaignId/settings",
    title: "When, how many and from where",
    body: {
      timezone: "Europe/Berlin",
      windows: [{ days: [1, 2, 3, 4, 5], from: "09:00", to: "17:00" }],
      dailyLimit: 200,
      mailboxIds: [ids.mailbox],
    },
  },
  { at: "patch /campaigns/:campaignId", title: "Rename a campaign", body: { name: "Fair follow-up, autumn" } },
  { at: "post /campaigns/:campaignId/recipients", title: "Add addresses", body: { action: "addManual", emails: ["cleo@people.example"] } },
  { at: "post /campaigns/:campaignId/recipients", title: "Add a list", body: { action: "addFromList", leadListId: ids.list } },
  { at: "post /campaigns/:campaignId/recipients", title: "Add who joined its lists since", body: { action: "refreshAudience" } },
  { at: "post /campaigns/:campaignId/test-send", title: "A test mail to yourself", body: { toEmail: "me@example.com", leadId: ids.lead } },
  {
    at: "post /conversions/test",
    title: "What would become of a purchase",
    body: {
      event: {
        event_name: "Purchase",
        event_id: "order-1007",
        user_data: { cid: "x7Gk2mQ9rT4vW1" },
        custom_data: { value: 49.9, currency: "EUR" },
      },
    },
  },
  {
    at: "post /webhooks",
    title: "Be told of replies and bounces",
    body: { url: "https://hooks.example.com/in", events: ["REPLIED", "BOUNCED"] },
  },
  { at: "patch /webhooks/:webhookId", title: "Be told of everything", body: { events: [] } },

  // Sending
  { at: "post /campaigns/:campaignId/control", title: "What a launch would do", body: { action: "launch", planOnly: true } },
  { at: "post /campaigns/:campaignId/control", title: "Start sending", body: { action: "launch" } },
  { at: "post /campaigns/:campaignId/control", title: "Stop sending", body: { action: "pause" } },
  { at: "post /campaigns/:campaignId/control", title: "Go on", body: { action: "resume" } },
  {
    at: "post /campaigns/:campaignId/recipients",
    title: "Hold one person back",
    body: { action: "pauseRecipients", recipientIds: [ids.recipient] },
  },
  {
    at: "post /campaigns/:campaignId/recipients",
    title: "Let them go on",
    body: { action: "resumeRecipients", recipientIds: [ids.recipient] },
  },
  {
    at: "post /campaigns/:campaignId/recipients",
    title: "A meeting was booked",
    body: { action: "updateOutcome", recipientId: ids.recipient, meetingBooked: true, revenueAmount: "2500.00", revenueCurrency: "EUR" },
  },
  { at: "put /inbox/threads/:threadId/draft", title: "Save what you have begun to answer", body: { text: "Hello Dan,\n\n" } },
  { at: "post /inbox/threads/manage", title: "Mark threads as read", body: { action: "markRead", threadIds: [ids.thread] } },
  { at: "post /inbox/threads/manage", title: "Star a thread", body: { action: "star", threadIds: [ids.thread] } },
  { at: "post /inbox/messages/:messageId/category", title: "Say that an answer is promising", body: { category: "INTERESTED" } },
  {
    at: "post /inbox/threads/:threadId/reply",
    title: "Answer now",
    body: { text: "Gladly: how about Thursday?", idempotencyKey: "answer-2f6c81d0" },
  },
  {
    at: "post /inbox/threads/:threadId/schedule",
    title: "Answer tomorrow morning",
    body: { text: "As promised: our prices.", inReplyToMessageId: ids.message, sendAt: tomorrow, idempotencyKey: "later-2f6c81d0" },
  },
  { at: "post /inbox/threads/manage", title: "Put a thread away", body: { action: "archive", threadIds: [ids.thread] } },
  { at: "post /leads/suppress", title: "Never write to a lead again", body: { action: "suppress", ids: [ids.lead] } },
  { at: "post /leads/suppress", title: "Allow it again", body: { action: "unsuppress", ids: [ids.lead] } },
  {
    at: "patch /agent/settings",
    title: "Let the agent draft, once it is enabled",
    body: { settings: { mode: "APPROVE", tone: "Short and warm", knowledge: ["Prices: https://www.example.com/prices"], dailyLimit: 10 } },
  },
  { at: "post /promises/:promiseId", title: "Make a lead of a referral", body: { action: "accept" } },
  { at: "post /approvals/:approvalId", title: "Yes, as it is shown", body: { action: "approve", expectedVersion: 1 } },
  { at: "post /approvals/:approvalId", title: "No", body: { action: "reject", note: "Not this week" } },

  // Warmup, which the last of these ends
  {
    at: "post /warmup/manage",
    title: "Warm a new mailbox up, slowly",
    body: { action: "start", mailboxId: ids.mailbox, preset: "COLD", config: { language: "de", weekdaysOnly: true } },
  },
  {
    at: "post /warmup/manage",
    title: "Start several alike",
    body: {
      action: "onboard",
      onboard: { mailboxIds: [ids.mailbox, ids.testMailbox], preset: "WARM", pools: [{ type: "SHARED", share: 1 }] },
    },
  },
  {
    at: "post /warmup/manage",
    title: "A ramp of your own",
    body: { action: "applyPreset", mailboxId: ids.mailbox, preset: "CUSTOM", customConfig: { start: 5, increment: 1, max: 25 } },
  },
  {
    at: "post /warmup/manage",
    title: "Leave its mail where it came",
    body: { action: "configure", mailboxId: ids.mailbox, config: { folder: "" } },
  },
  { at: "post /warmup/manage", title: "Take what came out of Junk", body: { action: "unspam", mailboxId: ids.mailbox } },
  { at: "post /warmup/manage", title: "Read and flag what came", body: { action: "markImportant", mailboxId: ids.mailbox } },
  { at: "post /warmup/pools", title: "Who takes part where", body: { action: "overview" } },
  {
    at: "post /warmup/pools",
    title: "A pool of your own mailboxes",
    body: { action: "createPrivate", name: "Our own firms", mailboxIds: [ids.mailbox, ids.testMailbox] },
  },
  {
    at: "post /warmup/pools",
    title: "A part of its mail to each pool",
    body: {
      action: "setParticipation",
      mailboxId: ids.mailbox,
      pools: [
        { type: "SHARED", share: 0.5 },
        { type: ids.pool, share: 0.5 },
      ],
    },
  },
  { at: "post /warmup/pools", title: "Delete a pool", body: { action: "deletePrivate", poolId: ids.pool } },
  { at: "post /warmup/manage", title: "Rest a while", body: { action: "pause", mailboxId: ids.mailbox } },
  {
    at: "post /warmup/manage",
    title: "Stop several",
    body: { action: "bulkAction", bulkAction: "stop", mailboxIds: [ids.mailbox, ids.testMailbox] },
  },
  { at: "post /warmup/manage", title: "Take a mailbox out", body: { action: "remove", mailboxId: ids.mailbox } },

  // Afterwards
  {
    at: "post /workspace",
    title: "Be told of bounces sooner, and of a further domain",
    body: { action: "update", patch: { deliverability: { alertThresholds: { bounceRate: 0.02 }, monitoredDomains: ["acme.com"] } } },
  },
  {
    at: "post /workspace",
    title: "Keep a mailbox for placement tests, and test the others each week",
    body: { action: "update", patch: { deliverability: { placement: { testMailboxIds: [ids.mailbox], schedule: "WEEKLY" } } } },
  },
  {
    at: "post /deliverability/placement-tests",
    title: "See where the first mail of a campaign lands",
    body: { mailboxIds: [ids.mailbox], testMailboxIds: [ids.testMailbox], campaignId: ids.campaign },
  },
  { at: "post /verification/jobs", title: "Verify the members of a list", body: { listId: ids.list } },
  {
    at: "post /verification/jobs",
    title: "Verify addresses before they become leads",
    body: { emails: ["ada@acme.com", "grace@acme.com"] },
  },
  { at: "put /verification/schedules", title: "Verify a list every week", body: { listId: ids.list, cadence: "WEEKLY" } },
  {
    at: "patch /verification/settings",
    title: "Verify whom imports bring, and treat catch-all domains as risky",
    body: { autoVerifyOnImport: true, treatCatchAllAs: "RISKY" },
  },
  {
    at: "post /crm/connect",
    title: "Connect a CRM by a token",
    body: { action: "connect", provider: "PIPEDRIVE", apiToken: "an-api-token" },
  },
  { at: "post /crm/connect", title: "Start a consent at a CRM", body: { action: "start", provider: "HUBSPOT" } },
  {
    at: "post /crm/import",
    title: "Keep a list in step with a segment",
    body: { connectionId: ids.crmConnection, segmentId: "3", listId: ids.list, sync: true },
  },
  {
    at: "post /crm/connect",
    title: "Tell the CRM what became of its contacts",
    body: { action: "update", connectionId: ids.crmConnection, writeBack: { activities: true, doNotContact: true } },
  },
  {
    at: "post /calendar",
    title: "Say where people book",
    body: { action: "update", settings: { bookingUrl: "https://book.example.com/ann" } },
  },
  { at: "post /calendar", title: "Forget the connected calendar", body: { action: "disconnect" } },
  { at: "post /billing/checkout", title: "Buy a plan for three", body: { item: "PLAN", planId: "team", quantity: 3 } },
  { at: "post /billing/portal", title: "Look at invoices, or end the plan", body: {} },
  { at: "post /workspace", title: "Stop all sending at once", body: { action: "pauseSending" } },
  { at: "post /workspace", title: "Let what that had stopped go on", body: { action: "resumeSending" } },
  { at: "post /campaigns/:campaignId/recipients", title: "Take people out", body: { action: "bulkRemove", recipientIds: [ids.recipient] } },
  { at: "post /campaigns/:campaignId/sends/:sendId/resolve", title: "A lost mail did not arrive", body: { action: "markNotSent" } },
  { at: "post /campaigns/:campaignId/sends/:sendId/resolve", title: "A lost mail did arrive", body: { action: "markSent" } },
  { at: "post /campaigns/:campaignId/control", title: "End a campaign", body: { action: "complete" } },
  { at: "post /campaigns/:campaignId/archive", title: "Put a campaign away", body: { action: "archive" } },
  { at: "post /campaigns/:campaignId/archive", title: "Take it out again, paused", body: { action: "unarchive" } },
  { at: "post /campaigns/:campaignId/duplicate", title: "Once more for another audience", body: { newName: "Fair follow-up, spring" } },
  { at: "post /webhooks/:webhookId/rotate-secret", title: "A new signing secret", body: { overlapHours: 24 } },
  {
    at: "post /lead-lists/manage",
    title: "Take leads out of a list",
    body: { action: "removeMembers", listId: ids.list, leadIds: [ids.lead] },
  },
  { at: "post /lead-lists/manage", title: "Delete a list", body: { action: "delete", listId: ids.list } },
  { at: "post /custom-fields/manage", title: "Archive a field", body: { action: "delete", fieldId: ids.field } },
  { at: "post /leads/manage", title: "Delete a lead for good", body: { action: "delete", leadId: ids.lead } },
  { at: "post /mailboxes/:mailboxId/disconnect", title: "Erase a mailbox's credentials", body: { action: "disconnect" } },
];
