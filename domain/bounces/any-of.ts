/** Joins several patterns into one, so that each alternative can be on a separate line of the code. */
export function anyOf(flags: "" | "i", ...alternatives: readonly RegExp[]): RegExp {
  return new RegExp(alternatives.map(({ source }) => source).join("|"), flags);
}
