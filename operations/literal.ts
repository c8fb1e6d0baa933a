/** A text as a regular expression that finds it and nothing else. */
export function literal(text: string): string {
  return text.replace(/[^\p{L}\p{N}\s]/gu, "\\$&");
}
