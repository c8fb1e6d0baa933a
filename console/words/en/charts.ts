/** The texts of all charts. */
export const chartWords = {
  step: "Step",
  people: "People",
  share: "Of the step before",
  ofBefore: (share: string) => `${share} of the step before`,
  hour: "Hour",
  at: (day: string, hour: string) => `${day} from ${hour}`,
  most: (when: string, count: string) => `Most on ${when}: ${count}.`,
  nothing: "None yet.",
} as const;
