import { parse } from "tldts";

const SCHEME = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s<>"')\]}]+/giu;
const BARE = /(?<![\p{L}\p{N}@._-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,62})\.)+[\p{L}]{2,24}(?:[/?#:][^\s<>"')\]}]*)?/giu;
const ADDRESS = /[\p{L}\p{N}._%+'-]{1,64}@(?:[\p{L}\p{N}-]{1,63}\.)+[\p{L}]{2,24}/giu;
const OTHER_SCHEME = /\b(?:mailto|tel|sms|javascript|data|file|callto|whatsapp|tg|skype):\S+/giu;

/** Characters by which a name is made to look like another, or is hidden: they are none of a reply's. */
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each is meant by itself
const HIDDEN = /[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/u;

/** Whether a text has characters that nobody sees. */
export function hasHidden(text: string): boolean {
  return HIDDEN.test(text);
}

/** Every place that a text leads to, with or without a scheme, in the form in which two are compared: without scheme and a slash at its end. */
export function linksIn(text: string): string[] {
  const plain = readable(text);
  const withScheme = [...plain.matchAll(SCHEME), ...plain.matchAll(OTHER_SCHEME)].map(([found]) => found);
  const rest = plain.replace(SCHEME, " ").replace(OTHER_SCHEME, " ").replace(ADDRESS, " ");
  const bare = [...rest.matchAll(BARE)].map(([found]) => found).filter(isPlace);
  return [...new Set([...withScheme, ...bare].map(comparable))];
}

/** The e-mail addresses of a text, in small letters. */
export function addressesIn(text: string): string[] {
  return [...new Set([...readable(text).matchAll(ADDRESS)].map(([found]) => found.toLowerCase()))];
}

const DATE = /(?<!\d)(?:\d{1,2}[-./]\d{1,2}[-./]\d{2,4}|\d{4}-\d{2}-\d{2})(?!\d)/gu;
/** International, national with its leading zero, and the American way. */
const PHONES = [
  /(?<![\d\p{L}])(?:\+|00)\s?\d[\d ()/.-]{5,20}\d/gu,
  /(?<![\d\p{L}.,:/-])\(?0\d{1,5}\)?[ /-]{0,3}\d[\d -]{3,14}\d/gu,
  /(?<![\d\p{L}.,/])\(?\d{3}\)?[ .-]{1,2}\d{3}[ .-]\d{4}(?!\d)/gu,
];

/** The telephone numbers of a text, as their digits. */
export function phonesIn(text: string): string[] {
  const undated = readable(text).replace(DATE, " ");
  const found = PHONES.flatMap((pattern) => [...undated.matchAll(pattern)].map(([number]) => number.replace(/\D/g, "").replace(/^00/, "")));
  return [...new Set(found)];
}

/** Full-width letters and dots read as the usual ones; a dot that is written as a word or in brackets is one. */
function readable(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/[。．｡]/gu, ".")
    .replace(/\s*[[({]\s*(?:\.|dot|punkt|point|punto)\s*[\])}]\s*/giu, ".")
    .replace(/\bhxxp/giu, "http");
}

/** A word with a dot is a place when it ends in a domain that there is: "e.g" and "Mr.Smith" lead nowhere. */
function isPlace(found: string): boolean {
  const { isIcann, domain } = parse(found.replace(/[/?#:].*$/u, ""));
  return isIcann === true && domain !== null;
}

function comparable(link: string): string {
  const [, scheme = "", rest = link] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/isu.exec(link.replace(/[.,;:!?'"*_]+$/u, "")) ?? [];
  const kept = /^(?:https?:\/\/)?$/i.test(scheme) ? "" : scheme.toLowerCase();
  const [host = "", ...path] = rest.split(/(?=[/?#])/u);
  return `${kept}${host.toLowerCase().replace(/^www\./, "")}${path.join("")}`.replace(/\/+$/u, "");
}
