import { statementsIn } from "./noise.ts";
import { BARE_UNKNOWN, type Fault, HARD, type Reason } from "./patterns.ts";
import type { StatusBlock } from "./status-blocks.ts";
import { stageInTranscript } from "./transcript.ts";
import { codeOf, reasonOfCode, reasonOfText, type Stage, verdictOfReason } from "./verdict.ts";

/** The texts that surround a recipient's block of a delivery status. */
export interface SurroundingTexts {
  /** The lines of the text that are about this address. */
  section: string;
  /** The whole text when it is about this address alone; otherwise "". */
  whole: string;
  /** When the text is about several addresses: its lines that belong to none of them. */
  common: string;
  /** The text with the SMTP dialogue, whichever recipient it is about. */
  transcript: string;
  /** Our own addresses. What a server says about them is about the sender. */
  own: readonly string[];
}

export interface Cause {
  reason: Reason;
  type: "HARD" | "SOFT";
  fault: Fault;
  /** The most specific enhanced status code. */
  code: string | null;
  /** The words that decided the reason. */
  words: string;
}

const MAX_WHOLE = 30_000;
const CARRIER =
  /@(?:(?:[a-z]\.)?vodafone\.ne\.jp|(?:i\.)?softbank\.(?:ne\.)?jp|(?:docomo|ezweb|disney|wcm|emnet|ymobile1?)\.ne\.jp|(?:[a-z]{2,3}\.)?pdx\.ne\.jp|y-?mobile\.ne\.jp|uqmobile\.jp|mineo\.jp|au\.com|willcom\.com)$/;

/** Phrases that delivery systems print instead of the server's answer, and that name no cause. */
const VAGUE =
  /^\W*(?:[45]\d\d[ -])?(?:[45]\.\d{1,3}\.\d{1,3} )?(?:<?\S{1,64}@\S{1,255}>?\W{1,5})?(?:service (?:is )?(?:currently )?unavailable|transaction failed|remote protocol error|unspecified error|(?:message|mail) (?:was )?(?:rejected|undeliverable)|delivery (?:error|failed|failure))\W*$/i;

/**
 * If another answer gives one of these reasons, "unknown address" does not count as a hard bounce, because a doubtful
 * refusal must not suppress an address.
 */
const DOUBTS: ReadonlySet<Reason> = new Set<Reason>([
  "CONTENT_REJECTED",
  "AUTHENTICATION",
  "BLOCKED",
  "MAILBOX_FULL",
  "MAILBOX_DISABLED",
  "ROUTING",
]);

/**
 * Why the mail to a recipient failed (rules/mail 7.5). The sentence about this recipient decides. The following texts
 * are read in this order until one gives a reason: the recipient's diagnostic, then the servers' answers in the lines
 * about this recipient, then the other lines about the recipient, then the rest of a text that is about this recipient
 * alone. If none does, the status codes decide, and last the standard phrases of the delivery system.
 */
export function causeOf(block: StatusBlock, surrounding: SurroundingTexts): Cause {
  const { address, status } = block;
  const diagnostic = withAddressAsWords(address, block.diagnostic);
  const givenTexts = {
    ...surrounding,
    section: withAddressAsWords(address, surrounding.section),
    whole: withAddressAsWords(address, surrounding.whole),
  };
  const section = statementsIn(givenTexts.section);
  const whole = statementsIn(givenTexts.whole.slice(0, MAX_WHOLE));
  const common = statementsIn(givenTexts.common);
  const stage = stageOf(
    `${diagnostic} ${givenTexts.section}`,
    givenTexts.transcript,
    givenTexts.whole === "" ? address : null,
  );
  const near = [diagnostic, section.answers, section.causes];
  // When several hosts answered, none of their answers applies to every recipient.
  const far = [whole.answers, whole.causes, common.coded.length === 1 ? common.answers : "", common.causes];
  // A report that gives "551 not our customer" the status 5.1.6 is more precise than the rest of the mail. Likewise, a
  // code for one address is more precise than what is said about all of them.
  const isPrecise = diagnostic !== "" && /^5\.[12]\.[1-9]/.test(status ?? "");
  const isCoded = givenTexts.whole === "" && silentReason([diagnostic, section.answers], null, stage) !== null;
  const texts = (isPrecise ? [diagnostic] : isCoded ? near : [...near, ...far]).filter((text) => text.trim() !== "");
  // An answer that only says that something failed is used only if no other text gives a reason
  const decisive = [...texts.filter((text) => !VAGUE.test(text)), ...texts].find(
    (text) => reasonOfText(text, status, stage) !== null,
  );
  const words = decisive ?? texts[0] ?? "";
  const found = decisive === undefined ? silentReason(texts, status, stage) : reasonOfText(decisive, status, stage);
  const firstReason = found ?? framedReason([section, whole, common].map(({ frame }) => frame).join("\n"), stage);
  const doubt = doubtOf(firstReason, [diagnostic, ...section.coded, ...whole.coded], [section.causes, whole.causes]);
  const isOurs =
    isDoubtedPlace(block, words, stage) ||
    [diagnostic, givenTexts.section].some((text) => speaksOf(text, givenTexts.own, address));
  const reason = HARD.has(doubt) && isOurs ? "POLICY" : doubt;
  return { ...verdictOfReason(reason, words, status, stage), code: codeOf(words, status), words };
}

/**
 * A text in which the parts of the recipient's address are plain words: "ann was not found at firm.example" is then
 * read as a sentence about a person, in any language. The local part is a plain word only in a line that also names the
 * domain.
 */
function withAddressAsWords(address: string | null, text: string): string {
  const at = address?.lastIndexOf("@") ?? -1;
  if (address === null || at < 1) return text;
  const [local, domain] = [wordOf(address.slice(0, at)), wordOf(address.slice(at + 1))];
  return text
    .split("\n")
    .map((line) => (domain.test(line) ? line.replace(local, "addressee").replace(domain, "here") : line))
    .join("\n");
}

/** Matches a text as a separate word that is not part of an address. */
function wordOf(text: string): RegExp {
  const written = text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\w@.+-])${written}(?![\\w@+-]|\\.\\w)`, "i");
}

/** The reason that the codes alone imply; null when they imply none. */
function silentReason(texts: readonly string[], status: string | null, stage: Stage | undefined): Reason | null {
  const implied = reasonOfCode(texts.join("\n"), status, stage);
  return implied === "UNDEFINED" ? null : implied;
}

/**
 * The reason that the standard phrases of the delivery system give. It is never a hard bounce, because these phrases
 * may only paraphrase the server's answer.
 */
function framedReason(frame: string, stage: Stage | undefined): Reason {
  const framed = reasonOfText(frame, null, stage);
  return framed === null || HARD.has(framed) ? "UNDEFINED" : framed;
}

/**
 * Weakens a hard reason if another answer contradicts it: an account that is full or disabled exists, and an answer
 * about our addresses is about the sender.
 */
function doubtOf(reason: Reason, answers: readonly string[], prose: readonly string[]): Reason {
  if (!HARD.has(reason)) return reason;
  const spokenIn = (texts: readonly string[]) => texts.flatMap((text) => reasonOfText(text, null, "RCPT") ?? []);
  const answered = spokenIn(answers).find((other) => DOUBTS.has(other));
  return (
    answered ?? spokenIn(prose).find((other) => other === "MAILBOX_FULL" || other === "MAILBOX_DISABLED") ?? reason
  );
}

/**
 * Whether the receiving server may answer "unknown" although the address exists. Japanese mobile carriers do so when a
 * customer's filter refuses the email, and so do mailing groups that accept no email from outside. A refusal at RCPT or
 * with a 5.1.x code is reliable.
 */
function isDoubtedPlace({ address, status }: StatusBlock, words: string, stage: Stage | undefined): boolean {
  if (/\b5\.1\.\d/.test(`${status} ${words}`) || stage === "RCPT") return false;
  return (
    /@googlegroups\.com$/.test(address ?? "") || (CARRIER.test(address ?? "") && BARE_UNKNOWN.test(words.toLowerCase()))
  );
}

/**
 * Whether a line says that one of our own addresses is unknown and not the recipient's. This happens when the server
 * tries to verify our address by a callback.
 */
function speaksOf(text: string, own: readonly string[], address: string | null): boolean {
  return text.split("\n").some((line) => {
    const plain = line.slice(0, 1_000).toLowerCase();
    if (!own.some((one) => one !== "" && plain.includes(one)) || (address !== null && plain.includes(address)))
      return false;
    return /unknown|no such|not (?:exist|found|valid|verif)|n't exist|invalid|verif\w{0,10} (?:failed|error)|undeliverable/.test(
      plain,
    );
  });
}

/** The SMTP stage that the words of a refusal reveal. `transcript` is the SMTP session when the body holds one. */
function stageOf(section: string, transcript: string, address: string | null): Stage | undefined {
  const text = section.replace(/\s+/g, " ");
  if (/rcpt[ _]to|\brcpt command|does not like recipient/i.test(text)) return "RCPT";
  if (
    /\(in reply to (?:end of )?data|after (?:end of )?(?:data|pipelined data)|\bfinal data|end of data|after i sent the message/i.test(
      text,
    )
  )
    return "DATA";
  if (/(?:in reply to|after|our) mail from|but sender was rejected/i.test(text)) return "MAIL";
  if (/but my name was rejected|(?:in reply to|after|our) (?:helo|ehlo)/i.test(text)) return "EHLO";
  if (/refused to talk to me|(?:after|during) initial connection|initial greeting|but greeting failed/i.test(text))
    return "CONNECT";
  return stageInTranscript(transcript, address);
}
