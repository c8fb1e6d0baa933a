/** The labels of links to Temporal's web interface. */
export const historyWords = {
  history: "History",
  of: (id: string) => `History of ${id} in Temporal`,
} as const;
