/** What the list of campaigns says. */
export const campaignsWords = {
  title: "Campaigns",
  empty: "There is no campaign yet. It needs a mailbox, leads and a text; the reference tells how to make one.",
  name: "Name",
  why: "Why it sends, or does not",
  funnel: "People › mailed › replied › good",
  people: "people",
  mailed: "mailed",
  replied: "replied",
  good: "good replies",
  rate: "Reply rate",
  next: "Next mail",
  withStatus: (status: string) => `Campaigns: ${status}`,
} as const;
