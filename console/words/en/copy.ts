/** What copying says. */
export const copyWords = {
  copy: "Copy",
  copyOf: (label: string) => `Copy: ${label}`,
  copied: "Copied.",
  selected: "Selected: press Ctrl+C.",
} as const;
