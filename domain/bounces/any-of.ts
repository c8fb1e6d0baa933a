/** One pattern of several, each of which may stand on a line of its own in the code. */
export function anyOf(flags: "" | "i", ...alternatives: readonly RegExp[]): RegExp {
  return new RegExp(alternatives.map(({ source }) => source).join("|"), flags);
}
