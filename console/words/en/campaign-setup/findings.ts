import type { CAMPAIGN_WARNINGS } from "../../../../domain/campaigns/warnings.ts";
import { counted } from "../../format.ts";

/** The sentence for each warning of a campaign's check, so a new warning does not compile without one. */
export const WARNING: Record<(typeof CAMPAIGN_WARNINGS)[number], string> = {
  MISSING_VARIABLES: "Some recipients lack a value that an email needs",
  DNS_NOT_VERIFIED: "The DNS records of a sending domain are not verified",
  TRACKING_DOMAIN_UNVERIFIED: "Tracking is on, but no tracking domain is verified",
  ONE_CLICK_UNSUBSCRIBE_LOST: "A mailbox provider removes one-click unsubscribe",
  MAILBOX_NOT_WARM: "A mailbox was not warmed up",
  CAPACITY_LOW: "The campaign takes long at this pace",
  UNVERIFIED_RECIPIENTS: "Some addresses were not verified",
  DUPLICATES_IN_OTHER_CAMPAIGNS: "Some recipients are in another running campaign",
  SUPPRESSED_RECIPIENTS: "Some recipients may not be contacted",
  LINKS_IN_FIRST_EMAIL: "The first email has links",
  NO_UNSUBSCRIBE: "Recipients have no way to unsubscribe",
  NO_POSTAL_ADDRESS: "The workspace has no postal address for the footer",
  SPAM_WORDS: "An email has words that spam filters know",
  CONTENT_SPAMMY: "A spam filter would reject an email",
  UNKNOWN_TIMEZONE: "The time zone of some recipients is not known",
  UNKNOWN_SETTING: "A setting has no effect",
  SPINTAX_IN_VALUE: "A lead's value looks like alternatives in braces",
  FOREIGN_PLACEHOLDER: "An email has a placeholder of another tool",
  ENTITY_IN_PLACEHOLDER: "A placeholder contains HTML code",
  CODE_AS_SPINTAX: "Code in an email looks like alternatives in braces",
  LINK_WITHOUT_SCHEME: "A link lacks https://",
  FOREIGN_UNSUBSCRIBE_LINK: "An email has an unsubscribe link of another tool",
  EMPTY_GREETING: "A greeting is empty for some recipients",
  OFTEN_EMPTY_VARIABLES: "A variable is empty for many recipients",
};

/** The texts of the checklist before a launch. */
export const readyWords = {
  title: "Before you launch",
  steps: {
    recipients: "Recipients",
    sequence: "Sequence",
    schedule: "Schedule",
    senders: "Senders",
    other: "Other points",
  },
  done: "ready",
  open: "to do",
  fix: {
    recipients: "Add recipients",
    sequence: "Open the sequence",
    schedule: "Open the schedule",
    senders: "Choose senders",
  },
  settings: "Open the settings",
  mailboxes: "Open the mailboxes",
  address: "Add the address on Home",
  recipients: (open: number) => counted(open, "recipient", "recipients"),
  sequence: (steps: number, variants: number) =>
    `${counted(steps, "step", "steps")}, ${counted(variants, "variant", "variants")}`,
  senders: (mailboxes: number) => counted(mailboxes, "mailbox", "mailboxes"),
  ready: "Ready to launch. Launch shows who gets which email, and when, before anything is sent.",
  notReady: (count: number) => `${counted(count, "point", "points")} to fix before you can launch.`,
  warnings: (count: number) =>
    counted(count, "warning that does not block the launch", "warnings that do not block the launch"),
  errors: {
    NO_RECIPIENTS: "No open recipient yet.",
    NO_MAILBOX: "No connected mailbox is chosen.",
    NO_STEPS: "The sequence has no steps yet.",
    END_DATE_PAST: "The end of the campaign has passed.",
    NO_SCHEDULE_WINDOW: "No sending hours are open before the campaign ends.",
  },
} as const;
