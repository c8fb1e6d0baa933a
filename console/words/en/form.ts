/** What a form says when it is left with something in it. */
export const formWords = {
  unsaved: "What you typed is not saved.",
  stay: "Keep writing",
  leave: "Throw it away",
} as const;
