/** The texts of the frame's dialogs, which are loaded after the page or when a dialog is opened. */
export const sessionWords = {
  ended: "You were signed out",
  endedText:
    "Your session ended after 12 hours, or you were signed out elsewhere. What you typed is still here. Sign in in another tab, then continue.",
  signIn: "Sign in in another tab",
  goOn: "Continue",
  stillOut: "You are not signed in yet.",
} as const;

export const killSwitchWords = {
  stopTitle: "Pause all sending of this workspace?",
  stopEffect:
    "This workspace sends no emails from now on: no campaign emails, replies or test emails. Running campaigns pause. Nothing is lost, and you can resume later.",
  stopAct: "Pause all sending now",
  resumeTitle: "Resume all sending?",
  resumeEffect:
    "Only the campaigns that this pause stopped continue. Overdue emails are spread over the next hours, never sent all at once. Replies and test emails can be sent again.",
  resumeAct: "Resume sending now",
  saidStopped: "Sending is paused.",
  saidResumed: "Sending is resumed.",
} as const;

export const goToWords = {
  name: "Page or name",
  hint: "A page, campaign, lead, mailbox, conversation…",
  kinds: {
    CAMPAIGN: "Campaign",
    LEAD: "Lead",
    LIST: "List",
    MAILBOX: "Mailbox",
    THREAD: "Conversation",
    TEMPLATE: "Template",
  },
  many: {
    CAMPAIGN: "campaigns",
    LEAD: "leads",
    LIST: "lists",
    MAILBOX: "mailboxes",
    THREAD: "conversations",
    TEMPLATE: "templates",
  },
  late: (kinds: string) => `The search took too long for ${kinds}. Keep typing to search again.`,
} as const;
