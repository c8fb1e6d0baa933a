/** What the list of campaigns says. */
export const campaignsWords = {
  title: "Campaigns",
  empty: "No campaigns yet. A campaign sends a sequence of emails from your mailboxes to your leads.",
  name: "Name",
  why: "Sending status",
  funnel: "Recipients › contacted › replied › positive",
  people: "recipients",
  mailed: "contacted",
  replied: "replied",
  good: "positive replies",
  rate: "Reply rate",
  next: "Next email",
  withStatus: (status: string) => `Campaigns: ${status}`,
} as const;
