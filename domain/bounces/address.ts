const MAX_TEXT = 60_000;

/** What programs print as an address, in texts of any script. */
export const ADDRESS = String.raw`[^\s<>"'(),:;[\]|：；，、。（）【】「」]{1,64}@[^\s<>"'(),:;[\]|：；，、。（）【】「」]{1,255}`;
const ALL = new RegExp(ADDRESS, "g");

/** The addresses of a text, each once, lower-case. */
export function addressesIn(text: string): string[] {
  return [...new Set((text.slice(0, MAX_TEXT).match(ALL) ?? []).map(cleanAddress))];
}

/** Without what sentences and links leave on it. */
export function cleanAddress(address: string): string {
  return address
    .replace(/^(?:mailto|smtp|rfc822)[:;]/i, "")
    .replace(/[.*?!=]+$/, "")
    .toLowerCase();
}

/** An address that a report gives for questions fails nowhere. */
export function isService(address: string): boolean {
  return /^(?:mailer-daemon|post[-_]?master|mail-daemon|abuse|support|help|helpdesk|hostmaster|noreply|no-reply)@/.test(address);
}
