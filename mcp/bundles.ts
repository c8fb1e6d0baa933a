import { choice } from "../operations/choice.ts";
import { verbs } from "../operations/verbs.ts";

/** Verbs that have addresses of their own over REST and are one tool together, in the interface's order of actions. */

export const recipientsList = choice(
  "recipients:read",
  "List the recipients of a campaign, or count them by status",
  { list: verbs["recipients.list"], stats: verbs["recipients.getStats"] },
  "list",
  "view",
);

export const sequenceGet = choice(
  "campaigns:read",
  "Get a campaign's sequence, an earlier version of it, or its history",
  { sequence: verbs["sequences.get"], versions: verbs["sequences.listVersions"], version: verbs["sequences.getVersion"] },
  "sequence",
  "view",
);

export const leadsImport = choice("leads:write", "Import leads from rows or a spreadsheet", {
  ...verbs["leads.import"].actions,
  status: verbs["leads.getImport"],
});

export const leadLists = choice(
  "lead_lists:read",
  "Read or change lead lists, their members and their filters",
  {
    list: verbs["leadLists.list"],
    preview: verbs["leadLists.preview"],
    create: verbs["leadLists.create"],
    ...verbs["leadLists.manage"].actions,
    moveMembers: verbs["leadLists.moveMembers"],
  },
  "list",
);

export const customFields = choice(
  "custom_fields:read",
  "Read or change the typed fields of leads, and the variables that texts may use",
  {
    list: verbs["customFields.list"],
    variables: verbs["customFields.listVariables"],
    create: verbs["customFields.create"],
    ...verbs["customFields.manage"].actions,
  },
  "list",
);

export const deals = choice(
  "deals:read",
  "Read, create or delete deals",
  { list: verbs["deals.list"], create: verbs["deals.create"], delete: verbs["deals.delete"] },
  "list",
);

export const mailboxesList = choice(
  "mailboxes:read",
  "List the mailboxes that send and receive, get one of them, or how bands changed and would have changed",
  {
    list: verbs["mailboxes.list"],
    get: verbs["mailboxes.get"],
    health: verbs["mailboxes.listHealthChanges"],
    replayHealth: verbs["mailboxes.replayHealth"],
  },
  "list",
  { given: "mailboxId", action: "get" },
);

export const placementTests = choice(
  "deliverability:read",
  "List placement tests, or read one with where each of its mails was found",
  { list: verbs["placementTests.list"], get: verbs["placementTests.get"] },
  "list",
  { given: "testId", action: "get" },
);

export const verificationJobs = choice(
  "verification:read",
  "List verification jobs, or read one",
  { list: verbs["verification.listJobs"], get: verbs["verification.getJob"] },
  "list",
  { given: "jobId", action: "get" },
);

export const mailboxesImport = choice("mailboxes:connect", "Connect many mailboxes with their passwords, as a job", {
  test: verbs["mailboxes.testImport"],
  job: verbs["mailboxes.import"],
  poll: verbs["mailboxes.getImport"],
});

export const warmupList = choice(
  "warmup:read",
  "List the mailboxes that warm up, or see one of them",
  {
    list: verbs["warmup.list"],
    get: verbs["warmup.get"],
    heatmap: verbs["warmup.getHeatmap"],
    reputation: verbs["warmup.getReputation"],
    bounces: verbs["warmup.getBounces"],
  },
  "list",
  "view",
);

export const warmupPools = choice(
  "warmup:read",
  verbs["warmup.managePools"].summary,
  { ...verbs["warmup.managePools"].actions },
  "overview",
);

export const inboxScheduled = choice(
  "inbox:read",
  "List the replies that will be sent later, or cancel one",
  { list: verbs["inbox.listScheduled"], cancel: verbs["inbox.cancelScheduled"] },
  "list",
);

export const inboxDraft = choice(
  "inbox:read",
  "Read, save or discard what has been begun as an answer in a thread",
  { get: verbs["inbox.getDraft"], save: verbs["inbox.saveDraft"], discard: verbs["inbox.discardDraft"] },
  "get",
);

export const agentCalendar = choice(
  "inbox:read",
  "Working hours, booking address and free slots for meetings; connect a calendar for its busy times",
  { get: verbs["calendar.get"], availability: verbs["calendar.listSlots"], ...verbs["calendar.manage"].actions },
  "get",
);

export const agentSettings = choice(
  "inbox:read",
  "Read or change how the inbox agent works",
  { get: verbs["agent.getSettings"], update: verbs["agent.updateSettings"] },
  "get",
);

export const agentApprovals = choice(
  "inbox:read",
  "List what waits for a person's decision, or read one with its conversation",
  { list: verbs["approvals.list"], get: verbs["approvals.get"] },
  "list",
  { given: "approvalId", action: "get" },
);

export const members = choice(
  "members:read",
  "List the members of the workspace, change a role or remove one",
  { list: verbs["members.list"], ...verbs["members.manage"].actions },
  "list",
);

export const invites = choice(
  "members:read",
  "List invites, invite a person, renew a link or take an invite back",
  { list: verbs["invites.list"], ...verbs["invites.manage"].actions },
  "list",
);

export const copyProspects = choice(
  "lead_search:lists",
  "Copy or move people of a prospect list into another, or make leads of them",
  { copy: verbs["leadSearch.copyToList"], makeLeads: verbs["leadSearch.makeLeads"] },
  "copy",
  { given: "leadListId", action: "makeLeads" },
);
