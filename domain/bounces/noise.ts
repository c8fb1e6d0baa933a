import { anyOf } from "./any-of.ts";

/**
 * The statements of a report (rules/mail 7.5). Footers of scanners, companies and mailing lists are ignored. The
 * standard phrases of a delivery system, such as "I've given up", decide only if nothing else does. Every gap is
 * bounded, so each pattern runs in linear time.
 */
export interface Statements {
  /** The servers' answers: each from a reply code or enhanced code to the end of its paragraph. */
  answers: string;
  /** The answers that contain a code themselves, one entry each. */
  coded: readonly string[];
  /** The other sentences that may name a cause. */
  causes: string;
  frame: string;
}

const ANSWER =
  /(?:^|[\s:;("'>#=[-])(?:[45]\d\d(?:[ -]#?[45]\.\d{1,3}\.\d{1,3}\b|[ -](?=\S)|$)|#?[45]\.\d{1,3}\.\d{1,3}\b)|\b(?:said|replied|responded|response|answered)\s?:|^\s*<<<|^\s*<--/m;

const FOOTERS = anyOf(
  "i",
  // Footers of scanners
  /\b(?:scanned|checked|screened|inspected|examined|certified|swept|filtered|verified|tested)\b.{0,80}\b(?:virus|viruses|malware|spam|worms?|threats?|dangerous content|content security)\b|\b(?:virus|viruses|malware)\b.{0,60}\b(?:scanned|checked|screened|free|found to be clean)\b|\bvirus-?free\b|\b(?:found|believed) to be clean\b|\b(?:no|aucun|kein\w{0,2}|ning.n|nessun\w?|geen) (?:known )?(?:virus|viruses|viren|malware)\b|\banti-?virus\b.{0,60}\b(?:database|version|www|http|checked|signature)|(?:auf viren (?:gepr.ft|untersucht)|virenfrei|virenpr.fung|analys. par .{0,40}(?:antivirus|virus)|sin virus|senza virus|livre de v.rus|virusvrij|проверено .{0,40}вирус|ウイルスチェック|ウイルススキャン|病毒(?:扫描|检查))/,
  // Footers of companies
  /\b(?:confidential|privileged|proprietary)\b.{0,200}\b(?:intended|information|recipient|disclos\w{1,6}|attachments?)\b|\bintended (?:solely|only) for\b|\bif you (?:are not|have received|received) (?:the intended|this (?:e-?mail|message|transmission|communication)|it) (?:recipient|in error)|\bunauthori[sz]ed (?:use|disclosure|copying|distribution|review|access|dissemination)\b|\b(?:disclosure|copying|distribution|dissemination|use)\b.{0,80}\b(?:strictly )?prohibited\b|\bopinions expressed\b|(?:diese (?:e-?mail|nachricht).{0,80}vertraulich|ce (?:message|courriel).{0,80}confidentiel|este (?:mensaje|correo|e-?mail).{0,80}confidencial|questo messaggio.{0,80}(?:riservat|confidenzial)|esta mensagem.{0,80}confidencial|dit bericht.{0,80}vertrouwelijk)/,
  // Footers of mailing lists, and what mail programs say about themselves
  /\b(?:listserv|mailman|majordomo|ezmlm)\b|\bunsubscribe\b|\bthis list is in a special format\b|\bsafely ignore the numeric codes\b|\bdepends? on local configura-? ?tion\b|\bdetermined by local configuration\b|\b(?:postmaster|administrator|help ?desk|support)\b.{0,60}\b(?:for (?:further |more )?(?:assistance|help|information)|if you (?:have|need|feel|believe))\b|\bfor (?:further|more) (?:assistance|help|information|details)\b|\bdo not (?:reply|respond|answer) to this\b|\bplease (?:include|forward|retain|save|quote) this\b|\byou can delete your own text\b/,
);

const FRAME = anyOf(
  "i",
  /\b(?:i've|i have|we've|we have|has|have) given up\b|\bgiving up\b(?! on)|\bsorry it didn't work out\b|\bthis is (?:a|an?) (?:permanent|fatal|unrecoverable) (?:error|failure)\b|\b(?:permanent|fatal|unrecoverable) (?:delivery )?errors?\b(?!:)|\bi'm afraid i (?:wasn't|was not) able to\b|\bthis (?:is an automat\w{1,6}|message was (?:created|generated) automatically|report was generated)\b|\b(?:message|mail|e-?mail|delivery)\b.{0,60}\b(?:could not|couldn't|cannot|can't|was not|wasn't|not be|has not been) (?:be )?(?:delivered|sent|completed)(?: to (?:one or more|all|some|any|the following|these|its|your)\b(?: [\w()]{1,20}){0,6})?\s?[:.]?$|\bdelivery (?:to the following (?:[\w()]{1,20} ){0,4})?(?:has )?failed(?: permanently)?\s?[:.]?$|\bthe following (?:address|recipient|user)\S{0,4} (?:failed|had (?:permanent|fatal|delivery))\b|\bdid not reach the following\b|\bfollowing (?:recipient|address)\S{0,4} (?:could not|did not|cannot|can't|weren't)\b|\b(?:check|verify|double-check) the (?:e-?mail )?address\b|\bwill (?:be|not be) (?:re)?tried\b|\bafter one or more unsuccessful delivery attempts\b|\bbeen removed from the (?:mail )?queue\b|\bit is also possible\b|\breturning (?:message|mail) to (?:the )?sender\b|\breturned to (?:the )?sender\b|\b(?:recipient|remote|destination|receiving)(?:'?s)? (?:e-?mail |mail )?(?:server|system|host|domain) rejected (?:the|your|this) (?:message|mail|e-?mail)\b|\brejected by the recipient domain\b|\bdoes not like recipient\.?$/,
  // Lines that sendmail adds after the answer of the other server
  /^(?:554 5\.0\.0 .{0,320}service unavailable|50[13] 5\.\d\.\d (?:need rcpt|data format error).{0,30})$/,
);

const FRAMES = new RegExp(FRAME.source, "gi");

/** A line of at least this many characters may have been wrapped, so that the next line continues it. */
const WRAPPED = 50;

/**
 * The statements of a text by their kind. Wrapped lines form one statement; in prose, each sentence is its own
 * statement.
 */
export function statementsIn(text: string): Statements {
  const found: Record<"answers" | "coded" | "causes" | "frame", string[]> = {
    answers: [],
    coded: [],
    causes: [],
    frame: [],
  };
  const hasTheirs = /^\s{0,20}<<<\s{0,3}[45]\d\d/m.test(text);
  for (const line of joinWrappedLines(text)) {
    let isAnswer = false;
    for (const statement of sentencesOf(line)) {
      const isCoded = ANSWER.test(statement);
      isAnswer ||= isCoded;
      if (!isCoded && isFooter(statement.replace(/\S{1,64}@\S{1,255}/g, " "))) continue;
      // Below the other server's answer, sendmail adds a line that translates the answer into one of its own codes
      const rest = hasTheirs && /^[45]\d\d /.test(statement) ? "" : statement.replace(FRAMES, " ").trim();
      if (rest !== statement) found.frame.push(statement);
      const isScrap = rest !== statement && /^\P{L}*\p{L}{1,6}\P{L}*$/u.test(rest); // the rest of a sentence, such as "Your"
      if (isScrap || !/\p{L}{2}|\d{3}/u.test(rest)) continue;
      found[isAnswer ? "answers" : "causes"].push(rest);
      if (isCoded) found.coded.push(rest);
    }
  }
  const { answers, coded, causes, frame } = found;
  return { answers: answers.join("\n"), coded, causes: causes.join("\n"), frame: frame.join("\n") };
}

/**
 * Whether a line belongs to a scanner, a company or a mailing list. An address in such a line is not the one that
 * failed.
 */
export function isFooter(line: string): boolean {
  return FOOTERS.test(line);
}

/**
 * Joins the lines that a program wrapped, so that each answer or footer is read as a whole. An empty line ends a
 * paragraph.
 */
function joinWrappedLines(text: string): string[] {
  const lines: string[] = [];
  let before = "";
  for (const line of text.split("\n")) {
    const isWrapped = before.length >= WRAPPED || /^\s/.test(line) || /^[\p{Ll}("']/u.test(line);
    if (before.trim() !== "" && line.trim() !== "" && isWrapped) lines.push(`${lines.pop() ?? ""} ${line.trim()}`);
    else lines.push(line.trim());
    before = line;
  }
  return lines.filter((line) => line !== "");
}

/**
 * Splits a line into sentences. A new sentence begins with a capital letter, or after a full stop of a script without
 * capitals; a new answer begins with its code.
 */
function sentencesOf(line: string): string[] {
  return line
    .replace(/[\u2018\u2019\u0060]/g, "'")
    .replace(/\s+/g, " ")
    .split(
      /(?<=[^.][.!?]["')]?) (?=["'(]?\p{Lu})|(?<=[。！？])|(?<!<<<|<--|<-|said:) (?=(?:<<<|<--?)? ?[45]\d\d[ -][<\p{L}#45])/u,
    );
}
