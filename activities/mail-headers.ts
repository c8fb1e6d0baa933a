import { domainToASCII } from "node:url";
import type { AddressObject, ParsedMail } from "mailparser";
import type { Address } from "../domain/inbound.ts";

const MAX_HEADER = 64 * 1024;
const MAX_HEADERS = 10_000;
const MAX_ADDRESSES = 1_000;

/** Lower-case names; values unfolded, of headers within the limits of mail.md 12. */
export function headersOf(mail: ParsedMail): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const { key, line } of (mail.headerLines ?? []).slice(0, MAX_HEADERS)) {
    if (line.length > MAX_HEADER) continue;
    const value = unfolded(line.slice(line.indexOf(":") + 1));
    const values = headers.get(key);
    if (values) values.push(value);
    else headers.set(key, [value]);
  }
  return headers;
}

// Most are one line of ASCII, and a mail has dozens
function unfolded(value: string): string {
  const text = /[\x80-\xff]/.test(value) ? Buffer.from(value, "latin1").toString() : value;
  if (!/[\r\n]/.test(text)) return text.trim();
  return text
    .split(/[\r\n]+/)
    .map((part) => part.trim())
    .join(" ")
    .trim();
}

export function addressesOf(header: AddressObject | AddressObject[] | undefined): Address[] {
  const found = [header ?? []].flat().flatMap((h) => h.value.flatMap((entry) => entry.group ?? [entry]));
  // `MAILER-DAEMON <>` has a name only
  return found.slice(0, MAX_ADDRESSES).map(({ name, address }) => ({ name: name ?? "", address: canonical(address ?? "") }));
}

export function bare(header: AddressObject | AddressObject[] | undefined): string[] {
  return addressesOf(header).flatMap(({ address }) => (address === "" ? [] : [address]));
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
  const bare = /^[^\s<>]+@[^\s<>]+$/.exec(value.trim()); // some servers forget the brackets
  return bare ? [`<${bare[0]}>`] : [];
}

export function timeOf(value: string): number | null {
  const time = Date.parse(value.replace(/\([^()]*\)/g, " ").trim());
  return Number.isNaN(time) ? null : time;
}
