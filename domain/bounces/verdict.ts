import { ADDRESS } from "./address.ts";
import { anyOf } from "./any-of.ts";
import { namesBlockList } from "./dnsbl.ts";
import { BARE_UNKNOWN, FAULT_OF, type Fault, HARD, type Reason, TEXTS } from "./patterns.ts";

/** The stage of the SMTP dialogue at which the server refused. */
export type Stage = "CONNECT" | "TLS" | "GREETING" | "EHLO" | "AUTH" | "MAIL" | "RCPT" | "DATA";

export interface BounceVerdict {
  reason: Reason;
  type: "HARD" | "SOFT";
  fault: Fault;
}

const MAX_TEXT = 8_000;
const ADDRESSES = new RegExp(ADDRESS, "g");
/** The name server sent an answer that cannot be read, so nothing is known about the domain, whatever the code says. */
const MALFORMED = /malformed or unexpected name server reply/;
const NO_ANSWER =
  /\bservfail\b|(?:name ?servers?|dns)\b.{0,30}\b(?:returned|gave|sent|replied)\b.{0,20}\b(?:bad|garbled|malformed|unexpected|invalid)|unexpected (?:error|reply|answer|response).{0,30}\bname ?server|(?:temporar\w{1,4}|transient)\b.{0,30}\b(?:lookup|resolution|resolver|dns|name server)|(?:name ?servers?|dns|resolver|lookup)\b.{0,30}\b(?:temporar\w{1,4}|timed? ?out|unavailable|unreachable)/;
const NO_NAME = /nxdomain|not found|no such|does not exist|non-?existent/;
const OURS =
  /\b(?:helo|ehlo|return[- ]?path|authenticat\w{1,5}|authentication|log-?in|from:? address|envelope (?:from|sender)|(?:host|server|client) (?:is )?(?:sending|connecting))\b/;
/**
 * Words of a refusal about the sender, the content or permissions. Such a refusal does not prove that the address is
 * wrong, even if its code says so.
 */
const ABOUT_US =
  /\b(?:senders?|sending|originat\w{2,6}|from (?:you|your)|your? (?:ip|host|hostname|domain|server|network|helo|provider|isp|mail ?server|address)|you (?:are|have|must|need|may|were) |client|helo|ehlo|relay\w{0,4}|gateway|forged|headers?|signature|attachments?|authenticat\w{1,5}|authori[sz]\w{1,6}|permission|filters?|filtered|opted|members?|later|polic(?:y|ies)|connections?|ip address)\b/;

/**
 * The verdict about a refusal: its reason, and whether it is hard or soft (rules/mail 7.4). The text decides first,
 * then the enhanced code or the reply code. The first digit of a code alone never decides. `status` is the enhanced
 * code when it is known apart from the text ("5.1.1"); `text` may contain codes of its own.
 */
export function verdictOfText(text: string, status: string | null, stage?: Stage): BounceVerdict {
  return verdictOfReason(reasonOfText(text, status, stage) ?? reasonOfCode(text, status, stage), text, status, stage);
}

/**
 * The reason that a text alone gives; null when it gives none, so that a caller can read a second text before it uses
 * the code.
 */
export function reasonOfText(text: string, status: string | null, stage?: Stage): Reason | null {
  const plain = plainOf(text);
  if (plain === "") return null;
  const code = codeOf(text, status);
  // Exchange Online gives this answer for an address that its directory does not hold, and gateways wrap it into words
  // of their own
  if (
    (code === "5.4.1" || /\b5\.4\.1\b/.test(plain)) &&
    /recipient address(?:es)? rejected ?: access denied/.test(plain)
  )
    return "USER_UNKNOWN";
  if (MALFORMED.test(plain) || (NO_ANSWER.test(plain) && !NO_NAME.test(plain))) return "NETWORK";
  const textReason = TEXTS.find(([, pattern]) => pattern.test(plain))?.[0] ?? null;
  const reason =
    (textReason === null || HARD.has(textReason)) && namesBlockList(withoutHosts(text)) ? "BLOCKED" : textReason;
  // A refusal about the EHLO name, the envelope sender or the login is about the sender
  if (reason !== null && HARD.has(reason) && OURS.test(plain)) return "POLICY";
  // Here the name server did not answer. Text such as "check for typos and try again" does not mean that
  if (
    reason === "HOST_UNKNOWN" &&
    /\btry again/.test(plain) &&
    !/typo|check (?:the|your) (?:domain|spelling|address)/.test(plain)
  )
    return "NETWORK";
  // RFC 5321 4.2.3: code 450 also means that a mailbox is busy
  if (reason === "USER_UNKNOWN" && /^4[25]\d (?!4\.1\.)/.test(plain) && /mailbox unavailable/.test(plain))
    return "MAILBOX_DISABLED";
  if (reason === "USER_UNKNOWN" && code !== null && /^[45]\.1\.[78]$/.test(code)) return "POLICY"; // about the sender's address
  return reason === "USER_UNKNOWN" && BARE_UNKNOWN.test(plain) && isDoubtful(code, stage)
    ? softReasonFor(code)
    : reason;
}

/** The verdict for a reason that was found. A refusal before RCPT is never about the recipient. */
export function verdictOfReason(reason: Reason, text: string, status: string | null, stage?: Stage): BounceVerdict {
  // The exception is 521 in the greeting, which is about the host itself (RFC 7504)
  const isOfHost = reason === "NOT_ACCEPTING" && /(?<![\d.])521\b/.test(text.slice(0, MAX_TEXT));
  if (HARD.has(reason) && !isOfHost && stage !== undefined && stage !== "RCPT" && stage !== "DATA")
    return verdictOf("POLICY", "SOFT");
  return verdictOf(reason, HARD.has(reason) && !isSaidForNow(text, status, stage) ? "HARD" : "SOFT");
}

/**
 * Whether every answer that calls the address wrong is temporary. One permanent answer is enough to make it permanent.
 */
function isSaidForNow(text: string, status: string | null, stage: Stage | undefined): boolean {
  const lines = text.slice(0, MAX_TEXT).split("\n");
  const answers = lines.filter((line) => HARD.has(reasonOfText(line, null, stage) ?? "UNDEFINED"));
  return (answers.length === 0 ? [text] : answers).every((answer) =>
    isForNow(withoutHosts(answer).replace(ADDRESSES, " "), status),
  );
}

/** The reason that the enhanced code implies, otherwise the reply code; UNDEFINED when neither implies one. */
export function reasonOfCode(text: string, status: string | null, stage?: Stage): Reason {
  const implied = reasonOfEnhanced(codeOf(text, status)) ?? reasonOfReply(text, stage) ?? "UNDEFINED";
  return HARD.has(implied) && ABOUT_US.test(plainOf(text)) ? "POLICY" : implied;
}

/** The first enhanced code that is more specific than x.0.0. Codes in the text come before `status`. */
export function codeOf(text: string, status: string | null): string | null {
  const codesInText = text.slice(0, MAX_TEXT).match(/(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?!\.?\d)/g) ?? [];
  const codes = status === null ? codesInText : [...codesInText, status];
  return codes.find((code) => !code.endsWith(".0.0")) ?? codes[0] ?? null;
}

function verdictOf(reason: Reason, type: "HARD" | "SOFT"): BounceVerdict {
  return { reason, type, fault: FAULT_OF[reason] };
}

// Addresses and URLs are dropped, because `blocked@example.com` and `/mail/?p=spam` say nothing about the refusal
export function plainOf(text: string): string {
  return withoutHosts(text)
    .replace(/\bhttps?:\/\/\S+/gi, " ")
    .replace(ADDRESSES, " ")
    .replace(/\bgiving up on \S+/gi, " ") // qmail ends every section with these words
    .replace(/(?<=\s)[45]\d\d[- ][45]\.\d{1,3}\.\d{1,3}\s/g, " ") // the code that is repeated on each line of an answer
    .replace(/[<>"\u2018\u2019\u0060*]+/g, (marks) => (/[\u2018\u2019\u0060]/.test(marks) ? "'" : " "))
    .replace(/\bdo(?:es|s|se)(?:n'?t|'nt)\b/g, "doesn't")
    .replace(/\b(?:unkown|unknow|unknwon|uknown)\b/g, "unknown")
    .replace(/\brec(?:ipiant|ei?pient|ipent)(s?)\b/g, "recipient$1")
    .replace(/\s+/g, " ")
    .trim();
}

/**
 * Removes host names that are followed by their IP address. A host may be named "antispam", for example, which says
 * nothing about the reason of the refusal.
 */
export function withoutHosts(text: string): string {
  return text
    .slice(0, MAX_TEXT)
    .toLowerCase()
    .replace(/[\w-]{1,63}\.[\w.-]{1,190}\s?\[[\da-f.:]{3,45}\]/g, " ");
}

// If a server accepted the recipient and answers "user unknown" only after the content, a filter gave that answer, as
// at Japanese carriers. If the enhanced code is about something else, the answer is doubtful too
function isDoubtful(code: string | null, stage: Stage | undefined): boolean {
  if (stage === "RCPT" || (code !== null && /^\d\.1\./.test(code))) return false;
  return stage === "DATA" || (code !== null && /^\d\.[2367]\./.test(code));
}

function softReasonFor(code: string | null): Reason {
  return code !== null && /^\d\.7\./.test(code) ? "POLICY" : "MAILBOX_DISABLED";
}

function reasonOfEnhanced(code: string | null): Reason | null {
  const [kind = "", subject = "", detail = ""] = code?.split(".") ?? [];
  const pair = `${subject}.${detail}`;
  const isPermanent = kind === "5";
  switch (subject) {
    case "1":
      if (pair === "1.7" || pair === "1.8") return "POLICY"; // both are about the sender's address
      if (!isPermanent) return null;
      if (pair === "1.6") return "MOVED";
      if (pair === "1.2") return "HOST_UNKNOWN";
      if (pair === "1.10") return "NOT_ACCEPTING";
      return ["1.0", "1.1", "1.3"].includes(pair) ? "USER_UNKNOWN" : null;
    case "2":
      return pair === "2.2" || pair === "2.3" ? "MAILBOX_FULL" : pair === "2.1" ? "MAILBOX_DISABLED" : null; // servers give 2.3 for a full mailbox
    case "3":
      return pair === "3.4" ? "MESSAGE_TOO_BIG" : "SYSTEM";
    case "4":
      return pair === "4.6" ? "ROUTING" : pair === "4.7" ? "EXPIRED" : "NETWORK";
    case "6":
      return "CONTENT_REJECTED";
    case "7":
      if (!isPermanent) return "RATE_LIMITED";
      return /^(?:2\d|509|515)$/.test(detail) ? "AUTHENTICATION" : "POLICY";
    default:
      return null;
  }
}

function reasonOfReply(text: string, stage: Stage | undefined): Reason | null {
  const code = /(?<![\d.])[45]\d\d(?=[ :-]|$)/.exec(text.slice(0, MAX_TEXT))?.[0];
  if (code === "421") return "RATE_LIMITED";
  if (code === "551") return "MOVED";
  if (code === "552") return "MESSAGE_TOO_BIG";
  if (code === "556") return "NOT_ACCEPTING";
  return code === "554" && (stage === "CONNECT" || stage === "GREETING") ? "BLOCKED" : null;
}

/** Codes of a temporary refusal: 4.x.x, or a reply code that begins with 4. */
const CODE = /(?<![\d.])4\.[0-7]\.\d{1,3}(?!\.?\d)|(?:^|[:;,>(]\s?|\bsaid:?\s|\bsmtp;\s?)4[25]\d(?=[ -])/m;
const PERMANENT_CODE = /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?!\.?\d)|(?<![\d.])5[05]\d(?=[ :-]|$)/;
const DENIED = /\b(?:not|n't|no|never|rather than) (?:a |an )?(?:temporary|transient)\b/g;

/** Words that say that a refusal is temporary, or that a part of the receiver's system did not work. */
const WORDS = anyOf(
  "",
  /temporar|temporair|temporane|momentane|transient|tempor.r(?!.{0,4}file)|\blater\b|\b(?:currently|presently) (?:unavailable|unreachable|unknown|not)|at (?:this|the) (?:time|moment)|try again in \d/,
  /vor(?:ü|ue)bergehend|zur ?zeit|momentan|sp(?:ä|ae)ter|provisoire|plus tard|ult.rieurement|temporal(?:mente)?\b|m.s tarde|moment.ne[oa]|mais tarde|pi(?:ù|u'?) tardi/,
  /tijdelijk|momenteel|tillf.llig|midlertidig|senere?\b|tymczasow|chwilow|p(?:ó|o)(?:ź|z)niej|do.asn|později|ideiglenes|k.sőbb|ge.ici|daha sonra|väliaikais|tempor(?:ar|ari)\b|mai t.rziu/,
  /временн|позже|позднее|тимчасов|пізніше|προσωριν|αργότερα|一時的|しばらく|暂时|暫時|稍后|稍後|일시적|나중에|ชั่วคราว|زمني|مؤقت|זמנית/,
  /\b(?:is|are|was|being|under) (?:being )?(?:migrat|mov(?:ed|ing) (?:to another|from)|maintenance|relocat)|\bmaintenance\b|\bmigrat(?:ed|ing|ion)\b/,
  /\b(?:because|since|as) (?:it|the (?:account|mailbox)|this (?:account|mailbox)) (?:is|was|has been) (?:currently )?(?:disabled|suspended|locked|inactive|deactivated|frozen|closed)/,
  /\b(?:ldap|directory|database|data ?base|backend|back-end|sql)\b(?: \S{1,20}){0,3} (?:errors?|failed|fails|failure)\b/,
  /\b(?:ldap|directory|database|data ?base|backend|back-end|sql|lookup|look-up|resolver|dns|name ?server|service)\b(?: \S{1,20}){0,3} (?:timed? ?out|timeout|time-out|unavailable|unreachable|down|offline|refused|defer\w{0,4})\b/,
  /\b(?:internal|local|system|server|configuration) error|time(?:d|-)? ?out\b|\btimeout\b|\bloop(?:s|ing)?\b|too many hops|\bmoderat(?:ed|ion|or)\b/,
);
/** Phrases of DNS resolvers for a name that does not exist. */
const UNKNOWN_DOMAIN = /nxdomain|non-?existent (?:host or )?domain/;

/**
 * Whether a refusal is temporary (rules/mail 7.6). A temporary refusal never proves that the address is wrong. `plain`
 * is one answer in lower case. `status` is the code of the report, used if the answer has no code.
 */
function isForNow(plain: string, status: string | null): boolean {
  if (UNKNOWN_DOMAIN.test(plain)) return false;
  if (CODE.test(plain) || WORDS.test(plain.replace(DENIED, " "))) return true;
  return status?.startsWith("4") === true && !PERMANENT_CODE.test(plain);
}
