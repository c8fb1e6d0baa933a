import { anyOf } from "./any-of.ts";
import { namesBlockList } from "./dnsbl.ts";
import type { Reason } from "./patterns.ts";
import { plainOf, withoutHosts } from "./verdict.ts";

/** Whom or what a permanent refusal is about, by its words. `policy`: the words do not say whose policy it is. */
export type Spoken = "recipient" | "organisation" | "sender" | "content" | "policy";

/**
 * Codes and product phrases with which mail systems report that a rule of the recipient, its group or its organisation
 * refused.
 */
const THEIR_MARKS =
  /resolver\.rst\.|transport\.rules\.|rejectmessage|sender ?not ?authenticated ?for|(?<![\d.])5\.7\.(?:2|12|17|18|12[4-9]|13\d|193|507|513)(?!\.?\d)/;
const ORGANISATION_MARKS = /transport\.rules\.|rejectmessage|(?<![\d.])5\.7\.(?:12|513)(?!\.?\d)/;

/** Words about the sender's authentication or a public block list. Such a refusal is never a rule of one recipient. */
const OUR_PROOF =
  /\bspf\b|\bdkim\b|\bdmarc\b|domainkeys|sender policy framework|dnsbl|\brbls?\b|spamhaus|spamcop|\bsorbs\b|surbl|uribl|abusix|senderscore|sender score|invaluement|uceprotect/;
const OUR_PROOF_CODES = /(?<![\d.])5\.7\.(?:2\d|509|515)(?!\.?\d)/;

const WHO = "(?:recipient|addressee|user|receiver|(?:mail ?box |account )?owner|end[- ]user)";
const LIST = "(?:block|black|deny|reject|ignore|safe|allow|white|approved|permit)(?:ed)?[ -]?(?:senders?[ -]?)?list";
/** Words about a rule of the recipient, or of the group that the address stands for. */
const RECIPIENT_RULE = anyOf(
  "",
  new RegExp(
    String.raw`(?:rejected|refused|blocked|denied|declined|discarded|filtered|banned) by (?:the |this |that )?${WHO}\b`,
  ),
  new RegExp(
    String.raw`${WHO}\S{0,2} (?:\w+ ){0,2}?(?:${LIST}|filters?\b|rules?\b|settings?\b|preferences?\b|sieve\b)`,
  ),
  new RegExp(
    `(?:${LIST}|rules?|filters?|settings?|preferences) (?:of|set by|made by|created by|defined by) (?:the |this |that )?${WHO}`,
  ),
  new RegExp(
    String.raw`${WHO}\S{0,2} (?:\w+ ){0,2}?(?:has |have )?(?:blocked|refuses|rejects|declines|opted|chosen|asked not|does not (?:want|wish|accept)|doesn't (?:want|wish|accept)|not (?:want|wish))\b`,
  ),
  /\bblocked senders?\b|\bpersonal(?:ly)? (?:\w+ )?(?:block|black|deny|reject|filter|rule)|\bmanually blocked|envelope blocked|\bmy (?:\w+ )?(?:block|black)[ -]?list|\bsieve\b|challenge[- ]response|(?:not|n't) (?:on|in) (?:the |my |this )?(?:\w+'?s? )?(?:contacts?|address book|safe ?list|allow ?list|white ?list)\b/,
  /(?:group|list|alias|forum|team|distribution)\b.{0,80}(?:restricted|only (?:members|subscribers|allows|accepts)|not (?:allowed|permitted|authori[sz]ed)|authenticat|moderat|closed|private|members)|not (?:a |an )?(?:\w+ )?(?:member|subscriber)s? of|(?:members?|subscribers?)[- ]only|only (?:members|subscribers|approved senders|authori[sz]ed senders)/,
  /permissions? to (?:post|write|send|e-?mail|mail)\b(?! (?:as|on behalf|from|through|via|mail from))|(?:not (?:allowed|permitted|authori[sz]ed|able) to|may not|cannot|can't|can not|must not) (?:post|send|write|mail|e-?mail|submit)(?: \w+){0,3}? to (?!(?:external|outside|remote|other|the internet))/,
  /(?:mail ?box|account|address|recipient|user)\b.{0,30}\bis (?:restricted|private|closed to)|delivery to (?:this|that|the) (?:\w+ ){0,3}?(?:is )?restricted|delivery restrictions?|restricted (?:distribution |mailing )?(?:list|group|recipient|address|mail ?box)\b/,
);
/** Words about a rule of the recipient's organisation, or about addresses that accept no email from outside. */
const ORGANISATION_RULE = anyOf(
  "",
  /(?:not (?:allowed|permitted|authori[sz]ed|able|configured|enabled) to (?:receive|accept)|(?:does not|doesn't|do not|don't|cannot|can't|can not|may not|will not|won't) (?:accept|receive|allow|take))(?: \w+){0,5}? (?:from|by) (?:\w+ ){0,3}?(?:outside|external|unknown|internet|other (?:domains|organi)|unauthenticated|anonymous|non-?members?|strangers|people|senders|the public)/,
  /(?:only|just) (?:accepts?|receives?|allows?|takes?)(?: \w+){0,4}? (?:from|by)|(?:accepts?|receives?|allows?)(?: \w+){0,2}? (?:only|just) (?:\w+ )?(?:from|by|internal)|internal (?:\w+ )?(?:senders?|use|mail|e-?mail|users?|recipients?|messages?) only/,
  /(?:outside|external)(?: \w+){0,2}? (?:senders?|sources?|e?-?mails?|mails?|messages?|addresses|domains|parties)\b.{0,60}(?:not\b|n't|block|reject|refus|restrict|prohibit|denied|disabled)|(?:not|n't|block\w*|reject\w*|refus\w*|restrict\w*|prohibit\w*|denied|disabled)\b.{0,60}\b(?:outside|external) (?:\w+ ){0,2}?(?:senders?|sources?|e?-?mails?|mails?|messages?|addresses|parties)|outside (?:of )?(?:the|this|our|its|their|your) (?:organi|company|domain|network|institution)/,
  /organi[sz]ation\S{0,3}\b.{0,40}(?:polic|rule|setting|restrict|administrat)|(?:polic\w+|rules?|settings?|restrictions?) (?:of|set by|from|by|at) (?:the |this |that |their )?(?:recipient'?s? |receiving |destination |remote )?(?:organi[sz]ation|company|tenant|(?:e?-?mail |domain |mail )?admin)/,
  /(?:transport|mail ?flow|company|corporate|customer|tenant|customi[sz]ed|admin\w{0,12}) (?:rules?|block ?list|(?:e?-?mail |mail |security |custom )?polic)|\banti-?spoofing polic/,
  /vom empf.nger|empf.nger (?:hat|lehnt|nimmt|akzeptiert)|nur (?:f.r )?intern|extern\w{0,2} absender|par le destinataire|exp.diteurs? externes?|r.gle de (?:l'organisation|transport)|por el destinatario|remitentes? externos?|regla de transporte|dal destinatario|mittenti esterni|pelo destinat.rio|remetentes externos|door de ontvanger|externe afzenders/,
);
const ORGANISATION_WORDS =
  /organi[sz]ation|company|corporate|tenant|customer|transport|mail ?flow|outside|external|internal|extern/;

/**
 * Words that say that our own account may not send any more. Servers describe a recipient's suspended account
 * differently.
 */
const OUR_ACCOUNT = anyOf(
  "",
  /\b(?:your|sender'?s?|sending) (?:\w+ ){0,2}?(?:account|user|mail ?box|service|subscription|tenant|access|profile)\S{0,2} (?:\w+ ){0,4}?(?:suspend|disabl|block|lock|restrict|deactivat|terminat|frozen|hacked|compromis|abus)/,
  /(?:suspend|disabl|block|restrict|prevent|barr|bann|stopp)\w* (?:from|for) (?:\w+ ){0,2}?(?:sending|outgoing|outbound|submission)|\b(?:sending|outgoing|outbound)(?: \w+){0,4}? (?:is|has been|was|are|have been) (?:\w+ )?(?:suspend|disabl|block|restrict|stopp|deactivat)/,
  /account (?:is |has been |was |temporarily )*suspended\b.{0,60}\b(?:sending|spam|abuse|outgoing|outbound|terms|billing|payment|unusual)|(?:suspicious|unusual) (?:\w+ )?activity (?:on|in|from|by) (?:your|this|the) (?:\w+ )?account/,
  /(?:not|n't) (?:allowed|permitted|enabled) for your (?:account|mail ?box|user)|\b(?:send|sending|write|writing) (?:\w+ ){0,2}?to (?:external|outside|remote|other) (?:domains|recipients|addresses)/,
);
const AN_ACCOUNT =
  /\baccount\b(?: \S{1,60})? (?:is |has been |was |been |temporarily |currently )*(?:suspended|disabled|locked|blocked|deactivated)|(?:suspended|disabled|locked|blocked) account/;
/** Words about our host, domain, EHLO name, envelope or reputation. */
const OUR_PLACE = anyOf(
  "",
  /\b(?:your|sending|sender'?s?|originat\w{2,4}|client|submitting|connecting)\b (?:\w+ ){0,2}?(?:ip|host(?: ?name)?|domain|server|mta|mx|network|provider|isp|mail ?server|reputation|address)\b/,
  /\b(?:helo|ehlo|ptr|rdns)\b|reverse[ -](?:dns|lookup|mapping|hostname|address)|reputation|client host|(?:unknown|unresolvable) client|\bbanned\b|(?:bad|invalid|rejected|denied|unknown|unverified) sender\b|sender verif|call-?back verif|mail from\b.{0,30}(?:reject|refus|denied|unknown|invalid)|\bip(?: address)?\b.{0,40}(?:block|list|reject|refus|denied|not allowed|not permitted)|dynamic (?:ip|address|host)|send(?:ing)? as (?:this|that|the|another)|not a (?:mail )?exchanger/,
  /(?:client|\bip\b|from|sender|sending|your|connection|address|listed|blocked)\W{0,4}(?:\w+\W{1,3}){0,3}?\[?\d{1,3}(?:\.\d{1,3}){3}\b/,
);
const OUR_CODES = /(?<![\d.])(?:5\.1\.[78]|5\.7\.(?:50[1-368]|51[12]|6\d\d|70\d|750|60))(?!\.?\d)/;

const SPAM = /\bspam|unsolicited|\bube\b|\bjunk\b|\bbulk\b|迷惑メール|スパム|垃圾邮件|垃圾郵件|спам/;

/**
 * Whom a permanent refusal is about, unless it is about an unknown address, a full mailbox or a limit (rules/sending
 * 10.1). Words about a rule of the recipient's side are checked before words about us, because such a rule often names
 * the sender that it refuses. `own`: our domains.
 */
export function spokenOf(text: string, reason: Reason, own: readonly string[] = []): Spoken {
  const raw = text.slice(0, MAX_TEXT).toLowerCase();
  const plain = plainOf(text);
  if (THEIR_MARKS.test(raw)) return ORGANISATION_MARKS.test(raw) ? "organisation" : "recipient";
  if (OUR_PROOF.test(plain) || OUR_PROOF_CODES.test(raw) || namesBlockList(withoutHosts(text))) return "sender";
  if (RECIPIENT_RULE.test(plain)) return ORGANISATION_WORDS.test(plain) ? "organisation" : "recipient";
  if (ORGANISATION_RULE.test(plain)) return "organisation";
  if (reason === "AUTHENTICATION" || OUR_CODES.test(raw) || OUR_PLACE.test(plain) || speaksOfDomain(raw, own))
    return "sender";
  return reason === "CONTENT_REJECTED" || SPAM.test(plain) ? "content" : "policy";
}

/** Whether a rule of the recipient or of its organisation refused the email, permanently or temporarily. */
export function isTheirRule(text: string): boolean {
  const subject = spokenOf(text, "UNDEFINED");
  return subject === "recipient" || subject === "organisation";
}

/**
 * Whether a refusal says that our account may not send, although its words may read like a recipient's closed mailbox.
 * `isOurs`: the code or the stage already shows that no recipient's account is meant.
 */
export function isOurAccount(text: string, isOurs: boolean): boolean {
  const plain = plainOf(text);
  return (
    OUR_ACCOUNT.test(plain) ||
    (isOurs && AN_ACCOUNT.test(plain) && !/recipient|addressee|you (?:tried|are trying|write)/.test(plain))
  );
}

/**
 * Whether a text calls the email spam. Such a refusal is about the email's text. It is about the sender only if other
 * texts are refused too.
 */
export function isSpamWord(text: string): boolean {
  return SPAM.test(plainOf(text));
}

const MAX_TEXT = 8_000;

/**
 * Whether one of our domains appears by itself. A domain within an email address does not count, because servers repeat
 * the addresses of the envelope.
 */
function speaksOfDomain(raw: string, own: readonly string[]): boolean {
  return own.some((domain) => {
    const at =
      domain === ""
        ? -1
        : raw.search(new RegExp(String.raw`(?<![@\w.-])${domain.replaceAll(".", String.raw`\.`)}(?![\w-])`));
    return at >= 0;
  });
}
