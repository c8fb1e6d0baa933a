import { domainToASCII } from "node:url";
import libmime from "libmime";
import libqp from "libqp";
import addressparser, { type AddressOrGroup } from "nodemailer/lib/addressparser";
import type { Address } from "../../domain/mail/inbound.ts";
import type { TraceField } from "../../domain/mail/own-side.ts";
import { isCharset, textIn } from "./charset.ts";

const MAX_HEADER = 64 * 1024;
const MAX_HEADERS = 10_000;
const MAX_ADDRESSES = 1_000;
const MAX_TRACE = 200;

/** Headers by lower-case name. Values are unfolded; encoded words are not decoded. */
export type Headers = ReadonlyMap<string, readonly string[]>;

/** Reads a header block within the limits of rules/mail 11.2. `block` is latin1. */
export function headersOf(block: string): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  let left = MAX_HEADERS;
  for (const [name, values] of Object.entries(libmime.decodeHeaders(block))) {
    const short = values.slice(0, left).filter((value) => value.length <= MAX_HEADER);
    left -= short.length;
    if (name !== "" && short.length > 0) headers.set(name, short.map(unfoldValue));
  }
  return headers;
}

/** The trace fields of a header block in their order, which is lost in a map by name. */
export function traceOf(block: string): TraceField[] {
  const fields: TraceField[] = [];
  for (const line of block.replace(/\n[ \t]+/g, " ").split("\n")) {
    const [, name = "", value = ""] = /^(received|authentication-results)[ \t]{0,20}:(.*)$/i.exec(line) ?? [];
    if (name === "" || value.length > MAX_HEADER) continue;
    if (
      fields.push({
        name: name.toLowerCase() === "received" ? "received" : "authentication-results",
        value: value.trim(),
      }) >= MAX_TRACE
    )
      break;
  }
  return fields;
}

/** The first header of a name; "" when there is none. */
export function firstOf(headers: Headers, name: string): string {
  return headers.get(name)?.[0] ?? "";
}

// Most values are ASCII on one line, and an email has dozens of values, so both steps are skipped when possible
function unfoldValue(value: string): string {
  const text = /[\x80-\xff]/.test(value) ? Buffer.from(value, "latin1").toString() : value;
  return text.includes("  ") ? text.replace(/ {2,}/g, " ") : text;
}

/** Decodes the encoded words (RFC 2047) of a value. */
export function wordsIn(value: string): string {
  return value.includes("=?") ? libmime.decodeWords(value.replaceAll(ENCODED_WORD, knownWord)) : value;
}

const ENCODED_WORD = /=\?([^?*\s]+)(?:\*[^?\s]*)?\?([bq])\?([^?]*)\?=/gi;

/** Rewrites an encoded word with an unknown charset as a word in UTF-8; the charset is detected from the octets. */
function knownWord(word: string, charset: string, encoding: string, text: string): string {
  if (isCharset(charset)) return word;
  const octets =
    encoding.toLowerCase() === "b" ? Buffer.from(text, "base64") : libqp.decode(text.replaceAll("_", "=20"));
  return `=?utf-8?B?${Buffer.from(textIn(charset, octets)).toString("base64")}?=`;
}

/** The addresses in every header of a name. A group (RFC 5322 3.4) is replaced by its members. */
export function addressesOf(headers: Headers, name: string): Address[] {
  const found = (headers.get(name) ?? []).flatMap((value) =>
    addressesIn(value).flatMap((entry) => entry.group ?? [entry]),
  );
  // The null sender `MAILER-DAEMON <>` has a name but no address
  return found
    .slice(0, MAX_ADDRESSES)
    .map(({ name, address }) => ({ name: wordsIn(name), address: canonical(decodeAddress(address ?? "")) }));
}

/**
 * Parses addresses. A header that is encoded as a whole is decoded first, but only when the decoded addresses are in
 * angle brackets, because a name must never become an address.
 */
function addressesIn(value: string): AddressOrGroup[] {
  const whole = /^\s*(?:=\?[^?\s]+\?[bq]\?[^?\s]*\?=\s*)+$/i.test(value) ? wordsIn(value) : "";
  return addressparser(/<[^<>\s]+@[^<>\s]+>/.test(whole) ? whole : value);
}

/**
 * Decodes an address that contains encoded words, which RFC 2047 5 forbids. Returns "" unless the result is a single
 * address.
 */
function decodeAddress(address: string): string {
  if (!address.includes("=?")) return address;
  const read = wordsIn(address);
  return /^[^\s@]+@[^\s@]+$/.test(read) && !read.includes("=?") ? read : "";
}

/** Only the addresses, without names. Entries without an address are left out. */
export function addressesWithoutNames(addresses: readonly Address[]): string[] {
  return addresses.flatMap(({ address }) => (address === "" ? [] : [address]));
}

export function bareAddresses(value: string): string[] {
  return (value.match(/[^\s<>,;:"()]+@[^\s<>,;:"()]+/g) ?? []).slice(0, MAX_ADDRESSES).map(canonical);
}

function canonical(address: string): string {
  const at = address.lastIndexOf("@");
  if (at < 0) return address.trim().toLowerCase();
  const domain = address.slice(at + 1).trim();
  return `${address.slice(0, at).trim().toLowerCase()}@${(domainToASCII(domain) || domain).toLowerCase()}`;
}

export function idsOf(value: string): string[] {
  const ids = value.match(/<[^<>\s]+>/g);
  if (ids) return ids.slice(0, MAX_ADDRESSES);
  // Some servers omit the angle brackets, and some relays the domain too
  const bare = /^(?:[^\s<>]+@[^\s<>]+|(?=\S*\d)[\w.+=~$-]{16,200})$/.exec(value.trim());
  return bare ? [`<${bare[0]}>`] : [];
}

export function timeOf(value: string): number | null {
  const time = Date.parse(value.replace(/\([^()]*\)/g, " ").trim());
  return Number.isNaN(time) ? null : time;
}
