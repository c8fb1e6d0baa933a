/** The labels for a text that is shown only once. */
export const onceWords = {
  copy: "Copy",
  copied: "Copied.",
  cannotCopy: "The browser does not allow copying. The text is selected: press Ctrl+C.",
  lost: "It was created, but its text did not arrive and is not shown again. Revoke it and create another one.",
} as const;

/** The labels for a text with a copy button. */
export const copyWords = {
  copy: "Copy",
  copyOf: (label: string) => `Copy: ${label}`,
  copied: "Copied.",
  selected: "Selected: press Ctrl+C.",
} as const;
