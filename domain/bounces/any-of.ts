/** Joins several patterns into one, so that each alternative can stand on its own line in the code. */
export function anyOf(flags: "" | "i", ...alternatives: readonly RegExp[]): RegExp {
  return new RegExp(alternatives.map(({ source }) => source).join("|"), flags);
}
