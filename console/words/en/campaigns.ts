/** What the list of campaigns says. */
export const campaignsWords = {
  title: "Campaigns",
  empty: "There is no campaign yet. It needs a mailbox, leads and a text; the reference tells how to make one.",
  name: "Name",
  why: "Why it sends, or does not",
  people: "People",
  mailed: "Mailed",
  replied: "Replied",
  good: "Good",
  rate: "Reply rate",
  next: "Next mail",
  withStatus: (status: string) => `Campaigns: ${status}`,
} as const;
