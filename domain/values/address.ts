import roles from "role-based-email-addresses";
import { type NormalizedAddress, normalizeAddress } from "../mail/message.ts";
import { withoutInvisible } from "./invisible.ts";

/** The address in a cell or a field, with the name and the other addresses next to it. */
export interface WrittenAddress extends NormalizedAddress {
  /** The name in `Ada Lovelace <ada@x.example>`. */
  name: string | null;
  /** The other addresses in the text, in their stored form. Only the first address counts. */
  others: string[];
}

/** The most characters of a text in which an address is looked for. A longer text counts as having none. */
const LONGEST = 2_000;
/** A plain address, which needs no parsing. */
const PLAIN = /^[\w.%+-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/;
const QUOTES = "\"'`´‘’‚‛“”„‟«»‹›「」『』〝〞＂＇";
const OPENING = new RegExp(`^[\\s,;${QUOTES}(<\\[{（＜［｛〈《【]+`, "u");
const CLOSING = new RegExp(`[\\s,;${QUOTES})>\\]}）＞］｝〉》】]+$`, "u");
/** Words before an address in links, in exports and in texts of people. */
const LABEL = /^(?:mailto|smtp|e-?mail|mail)\s*:\s*(?:\/\/)?/i;
/** A name before an address in brackets, and the text after the brackets. */
const NAMED = /^(?<name>[^<>()[\]{}@]*)[<([{]\s*(?<address>[^<>()[\]{}]*(?:@|%40)[^<>()[\]{}]*)\s*[>)\]}](?<rest>.*)$/s;
/** A word in brackets next to an address: `ada@x.example (work)`. */
const REMARK = /[([{][^<>()[\]{}@]*[)\]}]/g;
const SEPARATOR = new RegExp(`[\\s,;|/<>()[\\]{}${QUOTES.replace(/['`]/g, "")}]+`, "u");
/** Words that may be between two addresses. */
const BETWEEN = /^(?:or|and|und|oder|ou|et|o|e|y|of|en|[-–—&+?]*)$/i;

/**
 * Reads an address as people write it (rules/leads 2.5). Removes invisible characters, quotes, brackets, `mailto:` and
 * one final full stop. If there are several addresses, the first counts. Null if there is none, or if other words are
 * next to it, because such a word may be part of the address.
 */
export function readAddress(written: string): WrittenAddress | null {
  if (PLAIN.test(written)) {
    const plain = normalizeAddress(written);
    if (plain !== null) return { ...plain, name: null, others: [] };
  }
  if (written.length > LONGEST) return null;
  const text = withoutInvisible(toHalfWidth(written)).trim();
  const { name = "", address, rest = "" } = NAMED.exec(text)?.groups ?? {};
  const first = address === undefined ? null : oneAddress(address);
  if (first !== null) return { ...first, name: nameIn(name), others: othersIn(rest, first.address) };
  const one = oneAddress(text) ?? oneAddress(text.replace(REMARK, " "));
  return one === null ? firstOfSeveral(text) : { ...one, name: null, others: [] };
}

/** The address in a field that must contain only one; null if it contains several. */
export function readOneAddress(written: string): WrittenAddress | null {
  const read = readAddress(written);
  return read !== null && read.others.length === 0 ? read : null;
}

/** One address without quotes and brackets around it; null if there is other text. */
function oneAddress(text: string): NormalizedAddress | null {
  const bare = peel(text).replace(/^(\S+)\s*@\s*(\S+)$/, "$1@$2");
  // `{a}@x.example` has brackets in its name
  return normalizeAddress(/[{}`].*@/.test(bare) ? text : bare);
}

/**
 * Removes quotes, brackets, labels and one final full stop. Two full stops are not removed, because they may mean that
 * the text was cut off.
 */
export function peel(text: string): string {
  let bare = text;
  let hasStop = false;
  for (let before = ""; bare !== before; ) {
    before = bare;
    bare = bare.replace(OPENING, "").replace(CLOSING, "");
    if (LABEL.test(bare)) bare = decodeLink(bare.replace(LABEL, "").replace(/\?.*$/s, ""));
    if (hasStop || !bare.endsWith(".")) continue;
    hasStop = true;
    bare = bare.slice(0, -1);
  }
  return bare;
}

function firstOfSeveral(text: string): WrittenAddress | null {
  const [first, ...others] = addressesIn(text) ?? [];
  return first === undefined ? null : { ...first, name: null, others: otherAddresses(first.address, others) };
}

/** All valid addresses of a list, without invalid ones; null if the list contains other words. */
function addressesIn(text: string): NormalizedAddress[] | null {
  const found: NormalizedAddress[] = [];
  for (const part of text.replace(REMARK, " ").split(SEPARATOR)) {
    const read = oneAddress(part);
    if (read !== null) found.push(read);
    else if (!part.includes("@") && !BETWEEN.test(part) && !LABEL.test(part)) return null;
  }
  return found;
}

/** The addresses after the first one. They may have names next to them. */
function othersIn(rest: string, first: string): string[] {
  const found = rest.split(SEPARATOR).flatMap((part) => (part.includes("@") ? (oneAddress(part) ?? []) : []));
  return otherAddresses(first, found);
}

function otherAddresses(first: string, found: readonly NormalizedAddress[]): string[] {
  return [...new Set(found.map(({ address }) => address))].filter((address) => address !== first);
}

/** Replaces full-width characters, which East Asian keyboards produce, by their usual form. */
function toHalfWidth(text: string): string {
  return text.replace(/[\uff01-\uff5e\ufe6b]/g, (wide) => wide.normalize("NFKC")).replace(/(?<=@.*)[。｡]/g, ".");
}

function nameIn(written: string): string | null {
  const name = written.replace(OPENING, "").replace(CLOSING, "");
  return name === "" || LABEL.test(`${name}:`) ? null : name;
}

/**
 * The first and last name in a name as mail programs write it, also `Lovelace, Ada`. They are known only for a name of
 * two words.
 */
export function partsOfName(name: string): { fullName: string; firstName?: string; lastName?: string } {
  const [last = "", first, ...more] = name.split(",").map((part) => part.trim());
  const isTurned = first !== undefined && first !== "" && last !== "" && more.length === 0;
  const words = isTurned ? [first, last] : name.split(/\s+/);
  const [firstName, lastName] = words;
  if (firstName === undefined || lastName === undefined || words.length !== 2) return { fullName: name };
  return { fullName: `${firstName} ${lastName}`, firstName, lastName };
}

const ROLES = new Set(roles);

/** Whether an address belongs to a role and not to a person, such as `info@` or `sales@`. */
export function isRoleAddress(email: string): boolean {
  return ROLES.has(email.slice(0, email.lastIndexOf("@")).replace(/\+.*$/, ""));
}

function decodeLink(link: string): string {
  try {
    return decodeURIComponent(link);
  } catch {
    return link;
  }
}
