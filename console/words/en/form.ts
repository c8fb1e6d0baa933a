/** What a form says when it is left with something in it. */
export const formWords = {
  unsaved: "Your changes are not saved.",
  stay: "Keep editing",
  leave: "Discard changes",
} as const;
