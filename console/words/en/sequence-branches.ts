import type { Condition } from "../../../domain/sequences/conditions.ts";

/** Each kind of condition, as a choice in the sequence editor. */
export const CONDITIONS: Record<Condition["if"], string> = {
  REPLIED: "The recipient replies",
  NOT_REPLIED: "The recipient does not reply",
  OPENED: "The recipient opens the email",
  NOT_OPENED: "The recipient does not open the email",
  CLICKED: "The recipient clicks a link",
  NOT_CLICKED: "The recipient clicks no link",
  CATEGORY_IS: "The reply has a category",
  FIELD_MATCHES: "The lead matches a filter",
  RANDOM: "At random",
  ALWAYS: "Always",
};

export const editBranchWords = {
  none: "Recipients continue with the next step.",
  branch: (place: number) => `Condition ${place}`,
  when: "If",
  goesTo: "Then",
  email: "Email",
  category: "Category",
  withinDays: "Within days",
  percent: "Percent of recipients",
  severalRules: "This filter can only be changed through the API.",
  field: "Field",
  operator: "Comparison",
  value: "Value",
  fields: {
    country: "Country",
    company: "Company",
    jobTitle: "Job title",
    city: "City",
    emailDomain: "Email domain",
    website: "Website",
    phone: "Phone",
  },
  add: "Add condition",
  remove: (place: number) => `Remove condition ${place}`,
  moveUp: (place: number) => `Move condition ${place} up`,
  allow: "Use conditions and other steps",
  allowTitle: "Use conditions and other steps?",
  allowEffect:
    "You can then add conditions and steps that are not emails. This setting is saved immediately and does not affect recipients.",
  otherStep: "Add another step",
} as const;

/** The fields of steps that are not emails. */
export const configWords = {
  title: "Task",
  note: "Note",
  assignee: "Assigned to",
  url: "Webhook URL",
  urlHint: "An https address that gets the recipient's data.",
  urlNow: (host: string) => `The current URL is at ${host}. Enter a new URL to replace it.`,
  tags: "Tags",
  tagsHint: "Separate tags by commas.",
  campaign: "Campaign",
  choose: "Choose a campaign",
  thisCampaign: "The campaign that was chosen before",
} as const;
