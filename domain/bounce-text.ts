import type { Stage } from "./bounce-verdict.ts";
import type { Inbound } from "./inbound.ts";

/** One failed address as a text or a status part names it, with the words that belong to it. */
export interface Named {
  address: string | null;
  originalRecipient: string | null;
  action: string | null;
  status: string | null;
  diagnostic: string;
}

const MAX_BODY = 60_000;
const MAX_TEXT = 256 * 1024;
const MAX_RECIPIENTS = 100;
const ADDRESS = String.raw`[^\s<>"'(),:;[\]：；，、。（）【】「」]{1,64}@[^\s<>"'(),:;[\]：；，、。（）【】「」]{1,255}`;

// Where programs announce the copy of the message; a header at the start of a line does as well
const COPY =
  /^[^\S\n]{0,20}[-*_=>]{0,80}[^\S\n]{0,20}(?:this is a copy of|below this line is a copy|enclosed is a copy|the header of the original|original message(?: headers)?\b|unsent message follows|message headers? follow|below is a copy of|begin(?:ning)? of (?:the )?original|(?:returned|undelivered) message follows|urspr.ngliche nachricht|en-t.tes? (?:de|du) message d'origine|message d'origine|encabezados de mensajes? originales|intestazioni (?:originali|del messaggio)|oorspronkelijke berichtkop)/im;
const HEADER = /^(?:received|return-path|dkim-signature|x-received|arc-seal|message-id|mime-version)[^\S\n]?:/im;

/** The text above the returned message and what follows it, when the copy is part of the text. */
export function splitAtCopy(whole: string): { body: string; copy: string } {
  const text = whole.slice(0, MAX_TEXT);
  const at = [COPY, HEADER].map((mark) => text.search(mark)).filter((index) => index > 0);
  const cut = at.length === 0 ? text.length : Math.min(...at);
  return { body: text.slice(0, Math.min(cut, MAX_BODY)), copy: text.slice(cut) };
}

/**
 * The recipient blocks of a delivery status (RFC 3464), also where it is only printed in a text. Fields are unfolded;
 * a block begins at an empty line, or where a second Final-Recipient shows that the empty line was lost. At most 100 blocks.
 */
export function statusBlocks(whole: string): Named[] {
  const status = whole.slice(0, MAX_TEXT);
  const named: Named[] = [];
  let fields = new Map<string, string>();
  const close = () => {
    if (["final-recipient", "original-recipient", "action"].some((name) => fields.has(name)) && fields.size > 1)
      named.push(blockOf(fields));
    fields = new Map();
  };
  for (const line of status.replace(/\n[ \t]+(?=\S)/g, " ").split("\n")) {
    const [, name = "", value = ""] = /^([A-Za-z][\w-]{2,40}):\s*(.*)$/.exec(line) ?? [];
    if (named.length >= MAX_RECIPIENTS) return named;
    if (line.trim() === "" || (name.toLowerCase() === "final-recipient" && fields.has("final-recipient"))) close();
    if (name !== "") fields.set(name.toLowerCase(), value.trim());
  }
  close();
  return named;
}

/** The failed addresses a text names, each with its own lines, in the order of the text. `own` never fails. */
export function namedInText(message: Inbound, body: string, own: readonly string[]): Named[] {
  const failed = (message.headers.get("x-failed-recipients") ?? []).flatMap((value) => addressesIn(value));
  const lines = body.split("\n");
  const sections = sectionsOf(lines, (line) => openedBy(line, failed, own));
  if (sections.size === 0) {
    for (const address of failed.length > 0
      ? failed
      : addressesIn(body)
          .filter((a) => !own.includes(a))
          .slice(0, 1))
      sections.set(address, body);
  }
  return [...sections].slice(0, MAX_RECIPIENTS).map(([address, section]) => ({
    address,
    originalRecipient: originalIn(section),
    action: null,
    status: null,
    diagnostic: section,
  }));
}

/** The SMTP stage that the words of a refusal betray. `transcript` is the session, if the body holds one. */
export function stageOf(section: string, transcript: string, address: string | null): Stage | undefined {
  const text = section.replace(/\s+/g, " ");
  if (/rcpt[ _]to|\brcpt command|does not like recipient/i.test(text)) return "RCPT";
  if (
    /\(in reply to (?:end of )?data|after (?:end of )?(?:data|pipelined data)|\bfinal data|end of data|after i sent the message/i.test(text)
  )
    return "DATA";
  if (/(?:in reply to|after|our) mail from/i.test(text)) return "MAIL";
  if (/refused to talk to me|(?:after|during) initial connection|initial greeting/i.test(text)) return "CONNECT";
  return stageInTranscript(transcript, address);
}

function stageInTranscript(transcript: string, address: string | null): Stage | undefined {
  let command: Stage | undefined;
  if (!transcript.includes(">>>")) return undefined;
  for (const line of transcript.split("\n")) {
    const spoken = /^\s*>>>\s*(MAIL|RCPT|DATA|EHLO|HELO)/i.exec(line)?.[1]?.toUpperCase();
    if (spoken !== undefined) command = spoken === "MAIL" || spoken === "RCPT" || spoken === "DATA" ? spoken : "EHLO";
    const answered = /^\s*<<<\s*[45]\d\d/.test(line);
    if (answered && command !== undefined && (address === null || line.toLowerCase().includes(address))) return command;
  }
  return undefined;
}

function blockOf(fields: ReadonlyMap<string, string>): Named {
  const recipient = (name: string) => {
    const value = fields.get(name);
    return value === undefined ? null : (found(value.replace(/^[\w-]+\s*;/, "").replace(/^\s*<?@[^:]*:/, ""))[0] ?? null);
  };
  const original = recipient("original-recipient");
  const status = fields.get("status") ?? "";
  const comment = /\(([^()]{1,300})\)/.exec(status)?.[1] ?? "";
  return {
    address: recipient("final-recipient") ?? original,
    originalRecipient: original,
    action:
      fields
        .get("action")
        ?.toLowerCase()
        .split(/[\s(;]/)[0] ?? null,
    status: /^[245]\.\d{1,3}\.\d{1,3}/.exec(status)?.[0] ?? null,
    diagnostic: [(fields.get("diagnostic-code") ?? "").replace(/^[\w-]+\s*;\s*/, ""), comment].join(" ").trim(),
  };
}

function sectionsOf(lines: readonly string[], opened: (line: string) => string | null): Map<string, string> {
  const sections = new Map<string, string>();
  let current: string | null = null;
  for (const line of lines) {
    current = opened(line) ?? current;
    if (current !== null) sections.set(current, `${sections.get(current) ?? ""}${line}\n`);
  }
  return sections;
}

const OPENS = [
  new RegExp(String.raw`^[\s>*"'-]{0,20}<?(?:mailto:)?(${ADDRESS})>?`, "i"),
  new RegExp(
    String.raw`(?:recipient(?: address)?|original address|failed address|address|to the following recipients?)\s*:\s*<?(${ADDRESS})>?`,
    "i",
  ),
  new RegExp(String.raw`(?:mail|message|e-?mail|letter) (?:\w+ ){0,4}to:? "?<?(${ADDRESS})>?`, "i"),
  new RegExp(String.raw`^\s*[45]\d\d[ -](?:[45]\.\d{1,3}\.\d{1,3} )?<(${ADDRESS})>`, "i"),
  new RegExp(String.raw`(?:size|for|user|mailbox)\s?:? <?(${ADDRESS})>?\s*$`, "i"),
];

function openedBy(line: string, failed: readonly string[], own: readonly string[]): string | null {
  for (const opens of OPENS) {
    const opened = opens.exec(line.slice(0, 1_000))?.[1];
    const address = opened === undefined ? undefined : cleaned(opened);
    if (address === undefined || isService(address)) continue;
    if (failed.length > 0 ? failed.includes(address) : !own.includes(address)) return address;
  }
  return null;
}

function originalIn(section: string): string | null {
  const original = new RegExp(String.raw`\((?:ultimately generated|expanded|generated) from:?\s+<?(${ADDRESS})>?\)`, "i").exec(
    section,
  )?.[1];
  return original === undefined ? null : cleaned(original);
}

function addressesIn(text: string): string[] {
  return found(text).filter((address) => !isService(address));
}

function found(text: string): string[] {
  return [...new Set((text.slice(0, MAX_BODY).match(new RegExp(ADDRESS, "g")) ?? []).map(cleaned))];
}

function isService(address: string): boolean {
  return /^(?:mailer-daemon|postmaster|mail-daemon|abuse|support|helpdesk|noreply|no-reply)@/.test(address);
}

function cleaned(address: string): string {
  return address
    .replace(/^mailto:/i, "")
    .replace(/[.*?!]+$/, "")
    .toLowerCase();
}
