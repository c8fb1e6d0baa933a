/** An address as a person writes it. What a draft may name is looked for more strictly (domain/agent/links.ts). */
const ADDRESS = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}]{2,24}/giu;

/** The e-mail addresses of a text, in small letters. */
export function addressesIn(text: string): string[] {
  return [...new Set([...readable(text).matchAll(ADDRESS)].map(([found]) => found.toLowerCase()))];
}

/** Full-width letters and dots read as the usual ones; a dot that is written as a word or in brackets is one. */
function readable(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[。．｡]/gu, ".")
    .replace(/\s*[[({]\s*(?:\.|dot|punkt|point|punto)\s*[\])}]\s*/giu, ".")
    .replace(/\bhxxp/giu, "http");
}
