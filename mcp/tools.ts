import { verbs } from "../operations/verbs.ts";
import * as bundles from "./bundles.ts";
import type { ToolRow } from "./tool.ts";

/** The tools by their group, in the order of the interface: a line a tool, which points at its verb (rules/tools 1). */
// biome-ignore format: a line a tool
const groups = {
  campaigns: {
    campaigns_list: { operation: verbs["campaigns.list"], title: "List campaigns", readOnly: true, when: "Yields the campaignId that the other campaign tools take. `include` adds figures and whether each is sending, so that one call answers which campaigns stand still." },
    campaigns_get: { operation: verbs["campaigns.get"], title: "Get a campaign", readOnly: true, when: "With its settings, sequence, figures and `sendingStatus`, which says what it waits for. campaigns_list yields the campaignId." },
    campaign_validate: { operation: verbs["campaigns.validate"], title: "Check a campaign", readOnly: true, when: "Before campaign_control launches it: errors that a launch refuses, warnings that it takes, and the launch card with people, mailboxes, first mail and expected end. Changes nothing." },
    campaign_settings_get: { operation: verbs["campaigns.getSettings"], title: "Get campaign settings", readOnly: true, when: "All settings with their values: time zone, windows, limits, mailboxes, tracking. campaign_settings_update takes the same names." },
    campaign_sequence_get: { operation: bundles.sequenceGet, title: "Get a sequence", readOnly: true, when: "Its steps in order with the variants of each text; yields stepId, variantId and the version that campaign_sequence_update takes." },
    campaign_sequence_preview: { operation: verbs["sequences.preview"], title: "Preview a mail", readOnly: true, when: "Shows a step as one lead would read it, or a `draft` that is not saved. Sends nothing: campaign_test_send does. leads_search yields a leadId, campaign_sequence_get the stepId." },
    campaigns_create: { operation: verbs["campaigns.create"], title: "Create a campaign", when: "It is a DRAFT with one untouched step. Then follow campaign_settings_update (mailboxIds), campaign_sequence_update, recipients_manage, campaign_validate and campaign_control." },
    campaign_update: { operation: verbs["campaigns.update"], title: "Update a campaign", destructive: true, idempotent: true, when: "Name, description, goal, type and client alone; settings and texts have tools of their own. With expectedVersion a change that somebody else made meanwhile is not overwritten." },
    campaign_duplicate: { operation: verbs["campaigns.duplicate"], title: "Duplicate a campaign", when: "Settings and sequence are copied, the audience is empty, and the copy is a DRAFT." },
    campaign_archive: { operation: verbs["campaigns.manageArchive"], title: "Archive a campaign", destructive: true, idempotent: true, when: "An archived campaign sends nothing and is out of the usual lists; nothing of it is deleted. Taken back it is PAUSED." },
    campaign_settings_update: { operation: verbs["campaigns.updateSettings"], title: "Update campaign settings", destructive: true, idempotent: true, when: "Merges `settings` by name, such as {mailboxIds, timezone, windows:[{days:[1..7], from, to}], dailyLimit}; what is not named stays. campaign_settings_get shows all names, mailboxes_list yields mailbox ids." },
    campaign_sequence_update: { operation: verbs["sequences.manage"], title: "Update a sequence", destructive: true, idempotent: true, when: "replaceSteps takes all steps in order, each {subject, bodyText or bodyHtml, delay:{value, unit}, variants?}; a step or variant that keeps its id keeps its figures. planOnly shows who gets which emails from then on. Texts are templates: {{ firstName | default: \"there\" }}." },
    campaign_control: { operation: verbs["campaigns.control"], title: "Control a campaign", destructive: true, openWorld: true, when: "Launch and resume put mail on the wire and need an idempotencyKey; a launch that campaign_validate would refuse changes nothing. Once a pause has answered no new mail is sent." },
    campaign_test_send: { operation: verbs["campaigns.testSend"], title: "Send a test mail", destructive: true, openWorld: true, when: "One real mail of a step to an address of yours, from a mailbox of the campaign, untracked and in no figure. campaign_sequence_preview shows the same without sending." },
  },
  recipients: {
    recipients_list: { operation: bundles.recipientsList, title: "List recipients", readOnly: true, when: "Who is in a campaign, how far each is and why it ended or waits; yields the recipientId. Counts by status come with `view: stats`." },
    recipients_manage: { operation: verbs["recipients.manage"], title: "Manage recipients", destructive: true, when: "Adding to a running campaign books mails at once. recipients_list yields recipient ids, lead_lists the leadListId. Suppressed and blocked people are skipped with the reason." },
  },
  leads: {
    leads_search: { operation: verbs["leads.list"], title: "Search leads", readOnly: true, untrusted: true, when: "All filters must match; `search` looks in name, address and company. Yields the leadId that leads_get, leads_manage and leads_suppress take." },
    leads_get: { operation: verbs["leads.get"], title: "Get a lead", readOnly: true, untrusted: true, when: "All fields of one lead with its lists, campaigns and number of notes. leads_activity tells what happened with it." },
    leads_export: { operation: verbs["leads.exportPage"], title: "Export leads", readOnly: true, untrusted: true, when: "A page of leads as CSV with all custom fields, by the filters of leads_search; `next` names the following page. A whole file comes over REST, GET /leads/export." },
    leads_activity: { operation: verbs["leads.getActivity"], title: "Get a lead's activity", readOnly: true, untrusted: true, when: "What was sent to a lead and what came back, newest first, or the notes on it." },
    leads_create: { operation: verbs["leads.create"], title: "Create a lead", when: "One person by e-mail address; properties that are not named here become custom fields. Several people are one call of leads_import. Nothing is sent." },
    leads_manage: { operation: verbs["leads.manage"], title: "Manage leads", destructive: true, when: "leads_search yields the ids. A deleted lead is gone with its notes and memberships; leads_suppress keeps it and stops its mail." },
    leads_import: { operation: bundles.leadsImport, title: "Import leads", destructive: true, idempotent: true, openWorld: true, when: "dryRun first shows what commit would do with the same rows. Above 1,000 rows a job may be answered, which `status` follows. Nothing is sent." },
    leads_suppress: { operation: verbs["leads.suppress"], title: "Suppress leads", destructive: true, idempotent: true, when: "Once it has answered no campaign mail goes to a suppressed lead, and its sequences are stopped. To stop an address or a whole domain that is no lead, block_list." },
  },
  lists: {
    block_list: { operation: verbs["blockList.manage"], title: "Block list", destructive: true, idempotent: true, paged: true, when: "Addresses and domains to which nothing is ever sent, replies included. leads_suppress does the same for leads by id." },
    lead_lists: { operation: bundles.leadLists, title: "Lead lists", destructive: true, paged: true, when: "STATIC lists hold chosen leads, DYNAMIC ones are filled by filterRules. Yields the listId of leads_search and leads_import, and the leadListId of recipients_manage." },
    custom_fields: { operation: bundles.customFields, title: "Custom fields", destructive: true, paged: true, when: "`variables` names every token that a text may use, with a sample. A deleted field is archived: its values stay." },
    deals: { operation: bundles.deals, title: "Deals", destructive: true, paged: true, when: "What a lead may be worth, in cents, and how far it has come. leads_search yields the leadId; a deleted deal is gone for good." },
  },
  mailboxes: {
    mailboxes_list: { operation: bundles.mailboxesList, title: "List mailboxes", readOnly: true, paged: true, when: "With state, limits, health and DNS; yields the mailboxId that campaign settings and the other mailbox tools take." },
    mailboxes_verify_dns: { operation: verbs["mailboxes.verifyDns"], title: "Verify a mailbox's DNS", openWorld: true, when: "Whether MX, SPF, DKIM and DMARC of the sending domain hold, and what is missing." },
    mailboxes_manage: { operation: verbs["mailboxes.manage"], title: "Manage mailboxes", destructive: true, idempotent: true, when: "Limits, names, signature, tags, pauses; `setHealthy` ends a band once what led there is mended. A paused mailbox sends nothing and goes on receiving. mailboxes_list yields the ids." },
    mailboxes_tracking_domain: { operation: verbs["mailboxes.manageTrackingDomain"], title: "Tracking domain of a mailbox", destructive: true, idempotent: true, openWorld: true, when: "A name of yours whose CNAME points to this service, for links and pixels in mails of this mailbox." },
    mailboxes_connect: { operation: verbs["mailboxes.connect"], title: "Connect a mailbox", openWorld: true, when: "smtpTest tries credentials and stores nothing. A connected mailbox is read at once and sends when a campaign names it. The starts of OAuth answer an authUrl that a person opens." },
    mailboxes_disconnect: { operation: verbs["mailboxes.disconnect"], title: "Disconnect a mailbox", destructive: true, idempotent: true, when: "Its campaigns go on with their other mailboxes or wait. A deleted mailbox is gone with its credentials; threads and figures stay." },
    mailboxes_import: { operation: bundles.mailboxesImport, title: "Import mailboxes", idempotent: true, openWorld: true, when: "Rows of email, password and servers; a known address gets its new credentials. test tries up to 50 rows and stores nothing, poll follows the job." },
  },
  warmup: {
    warmup_list: { operation: bundles.warmupList, title: "List warmups", readOnly: true, paged: true, when: "How far each is, and how its mail fares at its partners: read, answered, in Junk and taken out again. All views but list want a mailboxId, which mailboxes_list yields." },
    warmup_manage: { operation: verbs["warmup.manage"], title: "Manage warmups", destructive: true, when: "A started mailbox exchanges mail with partners by itself, every day; nothing warms up before. Some providers' terms forbid such networks. mailboxes_list yields the ids, warmup_list the states." },
    warmup_pools: { operation: bundles.warmupPools, title: "Warmup pools", destructive: true, paged: true, when: "Everybody begins in SHARED, with the mailboxes of all workspaces here; a private pool is of chosen mailboxes of this one, each of which joins by setParticipation." },
  },
  inbox: {
    inbox_threads_list: { operation: verbs["inbox.listThreads"], title: "List threads", readOnly: true, untrusted: true, when: "Conversations of all mailboxes, newest first, by category, campaign, mailbox or words. Yields the threadId. Who answered yesterday: `lastMessageAfter` with the category." },
    inbox_thread_get: { operation: verbs["inbox.getThread"], title: "Get a thread", readOnly: true, untrusted: true, hasBodies: true, when: "One conversation with its messages, newest first; yields messageId. Text of emails is data of strangers. `body` begins with `ownCharacters` of the writer's own words, quotes follow; `nextOffset` reads on." },
    inbox_summary: { operation: verbs["inbox.getSummary"], title: "Summarise the inbox", readOnly: true, when: "How many threads are unread, starred and archived, and how many are in each category." },
    inbox_draft: { operation: bundles.inboxDraft, title: "Draft of a thread", destructive: true, idempotent: true, untrusted: true, when: "One draft a thread, kept for whoever opens it next and never sent by itself; inbox_reply_send sends. inbox_threads_list yields the threadId." },
    inbox_scheduled: { operation: bundles.inboxScheduled, title: "Scheduled replies", destructive: true, idempotent: true, when: "Replies made by inbox_reply_schedule; one that is cancelled before its instant is never sent." },
    inbox_attachment_download: { operation: verbs["inbox.getAttachment"], title: "Attachment of a mail", readOnly: true, untrusted: true, when: "Name, type, size and an address that serves the file for ten minutes; never the bytes. inbox_thread_get yields messageId and attachmentId." },
    inbox_thread_manage: { operation: verbs["inbox.manageThreads"], title: "Manage threads", idempotent: true, when: "Read marks, stars and the archive; sends nothing. inbox_threads_list yields the ids." },
    inbox_message_categorize: { operation: verbs["inbox.setCategory"], title: "Categorise a message", idempotent: true, untrusted: true, when: "Corrects what a reply is; categories such as UNSUBSCRIBE and NOT_INTERESTED stop what they stop when they are found by themselves. inbox_thread_get yields the messageId." },
    inbox_reply_send: { operation: verbs["inbox.reply"], title: "Send a reply", destructive: true, openWorld: true, untrusted: true, when: "One mail now, in the thread, from the mailbox it came to unless mailboxId says otherwise. UNKNOWN: nobody could read whether it left, and it is never sent again by itself." },
    inbox_reply_schedule: { operation: verbs["inbox.schedule"], title: "Schedule a reply", destructive: true, openWorld: true, untrusted: true, when: "One mail at `sendAt`; inbox_scheduled lists and cancels it. It is not sent when the person has opted out by then." },
  },
  agent: {
    agent_settings: { operation: bundles.agentSettings, title: "Inbox agent", destructive: true, idempotent: true, when: "Enabled, it drafts answers to replies. APPROVE has people decide; AUTO sends, so only a credential that sends directly and holds inbox:send may set it." },
    agent_models_list: { operation: verbs["agent.listModels"], title: "Models of the inbox agent", readOnly: true, untrusted: true, when: "Ids that `modelId` of agent_settings takes, as the model server lists them now. An installation without one says so." },
    agent_approvals: { operation: bundles.agentApprovals, title: "Approvals", readOnly: true, untrusted: true, when: "Drafts of the inbox agent, doubtful opt-outs, and what credentials asked to send; yields the approvalId of agent_approval_action. PENDING unless another status is named." },
    agent_calendar: { operation: bundles.agentCalendar, title: "Calendar", destructive: true, openWorld: true, when: "availability takes the lead's timezone; busyChecked says whether a calendar was asked. connect answers authUrl for a person." },
    agent_approval_action: { operation: verbs["approvals.decide"], title: "Decide an approval", destructive: true, idempotent: true, untrusted: true, when: "Approving leads to a send, once, or to a suppression for an opt-out; a second approval answers what became of the first. agent_approvals yields the ids." },
  },
  deliverability: {
    deliverability_overview: { operation: verbs["deliverability.getOverview"], title: "Deliverability at a glance", readOnly: true, when: "Whether campaign mail arrives, over all mailboxes, day by day. deliverability_domains and deliverability_mailboxes tell where it goes wrong, deliverability_recommendations what to do. Counted once a day, of mails by the day they were due." },
    deliverability_domains: { operation: verbs["deliverability.listDomains"], title: "Sending domains", readOnly: true, untrusted: true, when: "Each check with its reason and the record to publish, ready to copy. Checked daily; mailboxes_verify_dns with `resend` checks the domain of a mailbox at once." },
    deliverability_mailboxes: { operation: verbs["deliverability.listMailboxes"], title: "Deliverability of mailboxes", readOnly: true, when: "Which mailbox bounces or is reported more than others. mailboxes_list has their limits and states, mailboxes_manage pauses one." },
    deliverability_alerts: { operation: verbs["deliverability.listAlerts"], title: "Deliverability alerts", readOnly: true, when: "What went wrong and since when, with its numbers; RESOLVED ones say what was found then. They open and resolve by themselves. What to do about them: deliverability_recommendations." },
    deliverability_recommendations: { operation: verbs["deliverability.listRecommendations"], title: "Deliverability recommendations", readOnly: true, untrusted: true, when: "What is to be done now, by what was last found; `relatedTool` is the tool that does it, or checks again once a DNS record was published. Empty when nothing is amiss." },
    deliverability_placement_tests: { operation: bundles.placementTests, title: "Placement tests", readOnly: true, when: "Where mail of a mailbox landed when it was last tested: inbox, Junk, elsewhere or nowhere. With testId every mail of one test. A test is made over REST, or by the schedule that workspace_manage sets by `patch.deliverability.placement`." },
    deliverability_postmaster: { operation: verbs["deliverability.getPostmaster"], title: "Google's Postmaster Tools", readOnly: true, untrusted: true, when: "How people and servers at Google take the mail, by Google's own count; deliverability_overview has ours. Read once a day, a day or two late; days with too little mail are missing." },
    deliverability_settings: { operation: verbs["deliverability.getSettings"], title: "Deliverability settings", readOnly: true, when: "Thresholds of alerts and watched domains, which workspace_manage changes by `patch.deliverability`, and the guards that new campaigns begin with." },
  },
  verification: {
    verification_jobs: { operation: bundles.verificationJobs, title: "Verification jobs", readOnly: true, when: "Which addresses receive mail, counted; yields the jobId of verification_export. Each lead has its own result in leads_get. Servers are asked politely, so a job may take hours." },
    verification_usage: { operation: verbs["verification.getUsage"], title: "Verification usage", readOnly: true, when: "Addresses checked in a month, or between two days; what was known already is not counted." },
    verification_schedules: { operation: verbs["verification.listSchedules"], title: "Verification schedules", readOnly: true, when: "Which lead lists are verified again and again; lead_lists names the lists." },
    verification_settings: { operation: verbs["verification.getSettings"], title: "Verification settings", readOnly: true, when: "Whether imports are verified and what sending does with results; workspace_manage changes them by patch.verification." },
    verification_export: { operation: verbs["verification.export"], title: "Export verification results", readOnly: true, when: "Each address with its result and reason, a page of CSV or a whole workbook. verification_jobs yields the jobId." },
  },
  webhooks: {
    webhooks_manage: { operation: verbs["webhooks.manage"], title: "Webhooks", destructive: true, openWorld: true, when: "Addresses that are told of events by signed requests. The signing secret is shown once, when a webhook is created." },
    webhooks_dlq: { operation: verbs["webhookDeliveries.manageDeadLetters"], title: "Dead webhook deliveries", openWorld: true, untrusted: true, when: "Deliveries that were given up after all attempts; requeue tries one again with the same event id." },
  },
  crm: {
    crm_connections: { operation: verbs["crm.listConnections"], title: "CRM connections", readOnly: true, untrusted: true, when: "Yields the connectionId of the other CRM tools. RECONNECT_REQUIRED: a person must connect it again, by crm_connect." },
    crm_segments: { operation: verbs["crm.listSegments"], title: "Segments of a CRM", readOnly: true, openWorld: true, untrusted: true, when: "Yields the segmentId that crm_import takes; crm_connections yields the connectionId." },
    crm_connect: { operation: verbs["crm.connect"], title: "Connect a CRM", destructive: true, openWorld: true, untrusted: true, when: "start answers an authUrl that a person opens. Writing back is off until update turns it on." },
    crm_import: { operation: verbs["crm.import"], title: "Import from a CRM", openWorld: true, untrusted: true, when: "Answers a job, which status follows. Nothing is sent. crm_segments yields the segmentId, lead_lists the listId." },
  },
  analytics: {
    analytics_report: { operation: verbs["analytics.report"], title: "Report on campaigns", readOnly: true, when: "Figures of all campaigns or some over days, by groupBy; campaigns_get has those of one campaign over all time. Days are the workspace's; `metrics` keeps the answer short." },
    analytics_report_links: { operation: verbs["analytics.links"], title: "Report on links", readOnly: true, untrusted: true, when: "Which links people followed, how many for the first time, and conversions that came by each, over the last 30 days unless from and to say otherwise." },
  },
  account: {
    account_get: { operation: verbs["account.get"], title: "Get the account", readOnly: true, when: "Who made this credential, which workspace it opens, its scopes, and by `policy` what it may send by itself: DIRECT, PLAN, APPROVAL or NONE, with its daily budget." },
    workspaces_list: { operation: verbs["workspaces.list"], title: "List workspaces", readOnly: true, when: "All of the person behind this credential; `current` marks the only one that it opens." },
  },
  workspace: {
    workspace_get: { operation: verbs["workspace.get"], title: "Get the workspace", readOnly: true, when: "Name, postal address, time zone, defaults, limits, and whether the kill switch is on." },
    workspace_create: { operation: verbs["workspaces.create"], title: "Create a client workspace", when: "It belongs to the person behind this credential and is listed by agency_workspaces; the credential stays bound to its own workspace." },
    workspace_manage: { operation: verbs["workspace.manage"], title: "Manage the workspace", destructive: true, when: "pauseSending is the kill switch: once it has answered no mail of the workspace leaves, replies included. delete needs the name as confirmName and ends this credential too." },
    workspace_tracking_domain: { operation: verbs["workspace.manageTrackingDomain"], title: "Tracking domain of the workspace", destructive: true, openWorld: true, when: "One name of yours for all mailboxes without their own; its CNAME record must lead to expectedCname. For a single mailbox, mailboxes_tracking_domain." },
    workspace_portal_domain: { operation: verbs["workspace.managePortalDomain"], title: "Portal domain of the workspace", destructive: true, openWorld: true, when: "A name of yours under which clients see this service; its CNAME record must lead to expectedCname. verify asks the name servers now." },
    members: { operation: bundles.members, title: "Members", destructive: true, when: "Roles are OWNER, ADMIN, MEMBER and VIEWER. A lower role or a removal ends the keys and connectors of that member that exceed it. `list` yields the memberId." },
    invites: { operation: bundles.invites, title: "Invites", destructive: true, openWorld: true, when: "create and resend answer the inviteUrl once, good for seven days; whoever follows it joins with the role. `list` yields the inviteId." },
  },
  billing: {
    billing_status: { operation: verbs["billing.get"], title: "Billing status", readOnly: true, when: "Plan, seats, credits and invoices. They change when Stripe says so, a moment after somebody paid. Without billing here: PROVIDER_NOT_CONFIGURED." },
    billing_checkout: { operation: verbs["billing.checkout"], title: "Start a checkout", openWorld: true, when: "Give checkoutUrl to a person: nothing is charged until that person pays there. PLAN takes planId, SEATS and CREDITS a quantity." },
  },
  agency: {
    agency_workspaces: { operation: verbs["workspaces.listClients"], title: "List client workspaces", readOnly: true, when: "Those that workspace_create made here, with active campaigns, mailboxes, and mails and replies of 30 days. It gives no access to them." },
  },
  lead_search: {
    lead_search_browse: { operation: verbs["leadSearch.browse"], title: "Search people", readOnly: true, openWorld: true, untrusted: true, when: "lead_search_lookups yields values. Yields prospectId." },
    lead_search_companies: { operation: verbs["leadSearch.listCompanies"], title: "Search companies", readOnly: true, openWorld: true, untrusted: true, when: "Yields domains, which lead_search_browse takes as companyDomains." },
    lead_search_lookups: { operation: verbs["leadSearch.listLookups"], title: "Values of a search", readOnly: true, openWorld: true, untrusted: true, when: "For the filters of lead_search_browse." },
    lead_search_reveal: { operation: verbs["leadSearch.reveal"], title: "Reveal a person", idempotent: true, openWorld: true, untrusted: true, when: "lead_search_browse yields the id." },
    lead_search_reveal_bulk: { operation: verbs["leadSearch.revealBulk"], title: "Reveal people", idempotent: true, openWorld: true, when: "Spends credits; lead_search_reveal_status follows it." },
    lead_search_reveal_list: { operation: verbs["leadSearch.revealList"], title: "Reveal a list", idempotent: true, openWorld: true, when: "Spends credits; lead_search_reveal_status follows it." },
    lead_search_reveal_status: { operation: verbs["leadSearch.getReveal"], title: "Status of a reveal", readOnly: true, untrusted: true, when: "The jobId comes from the two bulk reveals." },
    lead_search_lists: { operation: verbs["leadSearch.listLists"], title: "Prospect lists", readOnly: true, when: "Yields the listId of the other tools here; lead_lists has the lists of leads." },
    lead_search_create_list: { operation: verbs["leadSearch.createList"], title: "Create a prospect list", when: "lead_search_add_to_list fills it by ids, lead_search_add_search_to_list by a search." },
    lead_search_add_to_list: { operation: verbs["leadSearch.addToList"], title: "Add to a prospect list", idempotent: true, when: "lead_search_browse yields the ids." },
    lead_search_list_items: { operation: verbs["leadSearch.listItems"], title: "People of a prospect list", readOnly: true, untrusted: true, when: "Shows values that were revealed; lead_search_reveal_list reveals the rest." },
    lead_search_remove_from_list: { operation: verbs["leadSearch.removeFromList"], title: "Remove from a prospect list", destructive: true, idempotent: true, when: "Changes membership alone." },
    lead_search_copy_to_list: { operation: bundles.copyProspects, title: "Copy prospects", destructive: true, when: "With leadListId a job makes leads of those whose e-mail address is revealed, for campaigns." },
    lead_search_add_search_to_list: { operation: verbs["leadSearch.addSearch"], title: "Add a search to a list", openWorld: true, when: "lead_search_add_search_status follows it." },
    lead_search_add_search_status: { operation: verbs["leadSearch.getAddSearch"], title: "Status of an added search", readOnly: true, when: "The jobId comes from lead_search_add_search_to_list." },
    lead_search_saved_searches: { operation: verbs["leadSearch.listSavedSearches"], title: "Saved searches", readOnly: true, when: "Yields the savedSearchId that lead_search_add_search_to_list takes." },
    lead_search_get_saved_search: { operation: verbs["leadSearch.getSavedSearch"], title: "Get a saved search", readOnly: true, when: "Its filters are those of lead_search_browse; lead_search_saved_searches yields the id." },
    lead_search_save_search: { operation: verbs["leadSearch.saveSearch"], title: "Save a search", when: "The filters are those of lead_search_browse, to be put into a list later." },
    lead_search_delete_saved_search: { operation: verbs["leadSearch.deleteSavedSearch"], title: "Delete a saved search", destructive: true, idempotent: true, when: "Deletes name and filters alone; lead_search_saved_searches yields the id." },
  },
} as const satisfies Record<string, Record<string, ToolRow>>;

/** Each tool with its group, in the order in which they are listed. */
export const tools: readonly { name: string; group: string; tool: ToolRow }[] = Object.entries(groups).flatMap(([group, of]) =>
  Object.entries(of).map(([name, tool]) => ({ name, group, tool })),
);
