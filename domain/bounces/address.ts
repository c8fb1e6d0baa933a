const MAX_TEXT = 60_000;

/** A pattern for an email address within a text of any script. */
export const ADDRESS = String.raw`[^\s<>"'(),:;[\]|：；，、。（）【】「」]{1,64}@[^\s<>"'(),:;[\]|：；，、。（）【】「」]{1,255}`;
const ALL = new RegExp(ADDRESS, "g");

/** The addresses in a text, each once and in lower case. */
export function addressesIn(text: string): string[] {
  return [...new Set((text.slice(0, MAX_TEXT).match(ALL) ?? []).map(cleanAddress))];
}

/** Removes the prefixes and punctuation that sentences and links leave on an address. */
export function cleanAddress(address: string): string {
  return address
    .replace(/^(?:mailto|smtp|rfc822)[:;]/i, "")
    .replace(/[.*?!=]+$/, "")
    .replace(/^([^@]+@[\w.-]+\.[a-z]{2,18})[^\x00-\x7f].*$/i, "$1") // Korean and Japanese add particles to it
    .toLowerCase();
}

/**
 * Whether an address is a contact address, such as postmaster or support. Reports name these for questions, so such an
 * address is not the one that failed.
 */
export function isService(address: string): boolean {
  return /^(?:mailer-daemon|post[-_]?master|mail-daemon|abuse|support|help|helpdesk|hostmaster|noreply|no-reply)@/.test(
    address,
  );
}
