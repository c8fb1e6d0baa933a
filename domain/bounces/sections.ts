import type { Inbound } from "../mail/inbound.ts";
import { ADDRESS, addressesIn, cleanAddress, isService } from "./address.ts";
import { isFooter } from "./noise.ts";
import { MAX_RECIPIENTS, type StatusBlock } from "./status-blocks.ts";
import { readTranscriptLine } from "./transcript.ts";
import { reasonOfText } from "./verdict.ts";

/** The most characters kept for one address. Reports never contain more text about one address. */
const MAX_SECTION = 8_000;

/** The failed addresses of a text with the lines that belong to each, and the lines that belong to none. */
export interface Sections {
  named: StatusBlock[];
  /** The text above the first address, and answers to commands that named no address. */
  common: string;
}

/**
 * The parts of a report's text that are about each address, in the order of the text. The lines of an address run from
 * its name to the next address. In an SMTP dialogue an answer belongs to the address of the command, and an answer
 * after the content belongs to all addresses accepted before. Addresses in `own` never fail.
 */
export function sectionsOf(message: Inbound, body: string, own: readonly string[]): Sections {
  const failed = (message.headers.get("x-failed-recipients") ?? []).flatMap((value) =>
    addressesIn(value).filter((a) => !isService(a)),
  );
  const mayFail = (address: string) =>
    !isService(address) && (failed.length > 0 ? failed.includes(address) : !own.includes(address));
  const { sections, common } = linesByAddress(addressFirst(body.split("\n"), mayFail), mayFail);
  if (sections.size === 0) {
    const others = failed.length > 0 ? failed : addressesIn(body).filter(mayFail).slice(0, 1);
    for (const address of others) sections.set(address, body.slice(0, MAX_SECTION));
  }
  const named = [...sections].slice(0, MAX_RECIPIENTS).map(([address, section]) => ({
    address,
    originalRecipient: originalIn(section),
    action: null,
    status: null,
    diagnostic: section,
  }));
  return { named, common };
}

/** Marks the end of the lines that belong to an address. */
const CLOSE = "\u0000";

/**
 * Some systems print the address below the reason. A paragraph that gives a reason and ends with an address alone is
 * therefore reordered, address first.
 */
function addressFirst(lines: readonly string[], mayFail: (address: string) => boolean): string[] {
  const turned: string[] = [];
  let paragraph: string[] = [];
  for (const line of [...lines, ""]) {
    if (line.trim() !== "") {
      paragraph.push(line);
      continue;
    }
    const [last = "", ...above] = [paragraph.at(-1), ...paragraph.slice(0, -1)];
    turned.push(...(isNamedBelow(last, above, mayFail) ? [last, ...above, CLOSE] : paragraph), line);
    paragraph = [];
  }
  return turned;
}

function isNamedBelow(last: string, above: readonly string[], mayFail: (address: string) => boolean): boolean {
  const address = ALONE.exec(last.slice(0, 400))?.[1];
  if (address === undefined || !mayFail(cleanAddress(address)) || above.length === 0 || above.length > 3) return false;
  const isLabel = /[:：,;]\s*$/.test(above.at(-1) ?? "");
  return !isLabel && !above.some((one) => one.includes("@")) && reasonOfText(above.join(" "), null) !== null;
}

function linesByAddress(lines: readonly string[], mayFail: (address: string) => boolean) {
  const sections = new Map<string, string>();
  let common = "";
  let current: readonly string[] = [];
  let rcptAddresses: string[] = [];
  let isLabelled = false;
  const open = (address: string) => {
    if (!sections.has(address) && sections.size >= MAX_RECIPIENTS) return;
    sections.set(address, sections.get(address) ?? "");
    current = [address];
  };
  for (const line of lines) {
    const entry = readTranscriptLine(line);
    if (line === CLOSE) current = [];
    else if (entry?.kind === "HOST") [current, rcptAddresses] = [[], []];
    else if (entry?.kind === "COMMAND") {
      if (entry.stage !== "RCPT" && entry.stage !== "DATA") [current, rcptAddresses] = [[], []];
      if (entry.stage === "DATA" && rcptAddresses.length > 0) current = rcptAddresses;
      if (entry.stage === "RCPT" && entry.address !== null && mayFail(entry.address)) {
        open(entry.address);
        rcptAddresses = [...new Set([...rcptAddresses, ...current])].slice(0, MAX_RECIPIENTS);
      }
    } else if (entry?.kind === "ANSWER" && entry.address !== null && sections.has(entry.address))
      current = [entry.address];
    else if (entry?.kind === "ANSWER" && OF_HOST.test(line)) current = [];
    else {
      const opened = openedBy(line, mayFail, isLabelled);
      if (opened !== null) open(opened);
    }
    for (const address of current) {
      const section = sections.get(address) ?? "";
      if (section.length < MAX_SECTION) sections.set(address, `${section}${line}\n`);
    }
    if (current.length === 0 && common.length < MAX_SECTION) common += `${line}\n`;
    if (line.trim() !== "") isLabelled = LABEL.test(line);
  }
  return { sections, common };
}

/** A line in which sendmail describes a problem with a host, above the line of the address. */
const OF_HOST = /^\s*[45]\d\d(?:[ -][45]\.\d{1,3}\.\d{1,3})? [\w-]{1,63}(?:\.[\w-]{1,63}){1,8}\.? \(\w{1,12}\)\.\.\. /;

/** A line that announces an address on the next line. */
const LABEL =
  /(?:address(?:e[sn]?)?|recipients?|users?|mail ?box(?:es)?|destinataires?|empf.nger|adresse|destinatari\w{0,2}|direcci.n\w{0,2}|indirizz\w|endere.os?|адрес\w{0,3}|получател\w{0,3}|宛先|アドレス|收件人|地址)\)?[^\S\n]{0,5}[:：]?[^\S\n]{0,5}$/iu;

const OPENS = [
  new RegExp(String.raw`^[\s>*"'(\[<•·-]{0,20}(?:mailto:|smtp:|rfc822;\s?)?(${ADDRESS})`, "i"),
  new RegExp(
    String.raw`(?:recipient(?: address)?|original address|failed address|address|to the following recipients?|final delivery userid|error-for)\s*:\s*[<\["']{0,2}(?:smtp:)?(${ADDRESS})`,
    "i",
  ),
  new RegExp(
    String.raw`(?:mail|message|e-?mail|letter|undeliverable|delivery) (?:\w+ ){0,4}to:?\s{1,3}"?<?(${ADDRESS})>?`,
    "i",
  ),
  new RegExp(String.raw`^\s*(?:<<<|<--?)?\s*[45]\d\d[ -](?:[45]\.\d{1,3}\.\d{1,3} )?<?(${ADDRESS})>?`, "i"),
  new RegExp(String.raw`(?:size|for|user|mailbox|userid)\s?:? <?(${ADDRESS})>?\s*$`, "i"),
  // "Empfänger: x@a.example" and nothing else on the line
  new RegExp(
    String.raw`^[\s*>-]{0,10}(?!(?:from|to\b|an\b|à\b|para|per\b|aan\b|till?\b|кому|cc|bcc|reply|sender|von|de|da|contact|help|postmaster|support|message-?id|content-?id|in-reply|references|return|envelope|absender|exp.diteur|remitente|mittente|remetente|afzender|avs.ndare|отправитель|差出人|送信者|发件人|寄件者))\p{L}[\p{L} -]{1,40}\s?[:：]\s{0,20}[<\["']{0,2}(${ADDRESS})[>\]"']{0,2}\s*$`,
    "iu",
  ),
];
const ALONE = new RegExp(String.raw`^[\s>*<-]{0,20}(${ADDRESS})[>\s]{0,20}$`);
const WITHIN = new RegExp(String.raw`[(<\["'](${ADDRESS})[)>\]"']`, "i");

function openedBy(whole: string, mayFail: (address: string) => boolean, isLabelled: boolean): string | null {
  const line = whole.slice(0, 1_000);
  if (isFooter(line)) return null;
  for (const opens of isLabelled ? [...OPENS, WITHIN] : OPENS) {
    const opened = opens.exec(line)?.[1];
    const address = opened === undefined ? undefined : cleanAddress(opened);
    if (address !== undefined && mayFail(address)) return address;
  }
  return null;
}

function originalIn(section: string): string | null {
  const original = new RegExp(
    String.raw`\((?:ultimately generated|expanded|generated|originally addressed) (?:from|to):?\s+<?(${ADDRESS})>?\)`,
    "i",
  ).exec(section)?.[1];
  return original === undefined ? null : cleanAddress(original);
}
