/** The question when a form with unsaved input is left. */
export const formWords = {
  unsaved: "Your changes are not saved.",
  stay: "Keep editing",
  leave: "Discard changes",
} as const;
