/** The kinds of email that a person probably wrote. The service replies only to these kinds (rules/mail 6.2). */
export const ANSWERABLE = ["REPLY", "OTHER"] as const;

export function isAnswerable({ direction, kind }: { direction: "INBOUND" | "OUTBOUND"; kind: string }): boolean {
  const kinds: readonly string[] = ANSWERABLE;
  return direction === "INBOUND" && kinds.includes(kind);
}
