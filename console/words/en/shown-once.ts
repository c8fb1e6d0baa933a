/** What stands beside a text that is shown once. */
export const onceWords = {
  copy: "Copy",
  copied: "Copied.",
  cannotCopy: "This browser does not let the page copy: the text is marked, copy it by Ctrl+C.",
  lost: "It was made, but its text was on the answer that did not arrive, and is never shown again: end it and make another.",
} as const;

/** What stands beside a text that is there to be taken elsewhere. */
export const copyWords = {
  copy: "Copy",
  copyOf: (label: string) => `Copy: ${label}`,
  copied: "Copied.",
  selected: "Selected: press Ctrl+C.",
} as const;
