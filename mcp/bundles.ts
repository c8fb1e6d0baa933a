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
  "List the mailboxes that send and receive, or get one of them",
  { list: verbs["mailboxes.list"], get: verbs["mailboxes.get"] },
  "list",
  { given: "mailboxId", action: "get" },
);

export const mailboxesImport = choice("mailboxes:connect", "Connect many mailboxes with their passwords, as a job", {
  test: verbs["mailboxes.testImport"],
  job: verbs["mailboxes.import"],
  poll: verbs["mailboxes.getImport"],
});

export const inboxScheduled = choice(
  "inbox:read",
  "List the replies that will be sent later, or cancel one",
  { list: verbs["inbox.listScheduled"], cancel: verbs["inbox.cancelScheduled"] },
  "list",
);
