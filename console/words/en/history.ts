/** The text of links to the engine's own pages. */
export const historyWords = {
  history: "History",
  of: (id: string) => `History of ${id} in Temporal`,
} as const;
