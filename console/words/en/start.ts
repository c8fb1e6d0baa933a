/** The texts of the start page. */
export const startWords = {
  title: "Start",
  lead: "Get to your first email. Steps complete automatically.",
  done: "done",
  open: "open",
  allDone: "Everything is set up.",
  steps: {
    address: "Add the postal address for the footer of your emails, as the law requires",
    mailbox: "Connect a mailbox",
    dns: "Set up the DNS records of its domain",
    leads: "Add leads",
    campaign: "Create a campaign with a sequence, recipients and a mailbox",
    launch: "Launch the campaign",
  },
  recent: "Campaigns",
  figures: { people: "Recipients", sent: "Emails sent", replied: "Replies", positive: "Positive replies" },
} as const;

/** The texts of the form for the postal address. */
export const postalWords = {
  open: "Add address",
  title: "Postal address in the footer",
  label: "Postal address",
  hint: "Name, street, town and country, as shown in the footer of each campaign email. Up to 500 characters.",
  act: "Save",
  said: "Saved. The address is in the footer of each email from now on.",
} as const;

/** The texts for a person who is in no workspace. */
export const homeWords = {
  noWorkspace: "You are not in a workspace yet",
  noWorkspaceText:
    "Ask someone to invite you by your email address. Operators can also create a workspace: npm run workspace:create.",
} as const;
