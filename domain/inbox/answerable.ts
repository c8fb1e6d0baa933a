/** The kinds of email that a person wrote, as far as we know. We never reply to any other kind (rules/mail 6.2). */
export const ANSWERABLE = ["REPLY", "OTHER"] as const;

export function isAnswerable({ direction, kind }: { direction: "INBOUND" | "OUTBOUND"; kind: string }): boolean {
  const kinds: readonly string[] = ANSWERABLE;
  return direction === "INBOUND" && kinds.includes(kind);
}
