/** The question of a form that is left with unsaved input. */
export const formWords = {
  unsaved: "Your changes are not saved.",
  stay: "Keep editing",
  leave: "Discard changes",
} as const;
