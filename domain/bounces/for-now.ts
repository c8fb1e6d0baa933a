import { anyOf } from "./any-of.ts";

/** Codes of a refusal that may be lifted: 4.x.x, or a reply that begins with 4. */
const CODE = /(?<![\d.])4\.[0-7]\.\d{1,3}(?!\.?\d)|(?:^|[:;,>(]\s?|\bsaid:?\s|\bsmtp;\s?)4[25]\d(?=[ -])/m;
const PERMANENT_CODE = /(?<![\d.])5\.\d{1,3}\.\d{1,3}(?!\.?\d)|(?<![\d.])5[05]\d(?=[ :-]|$)/;
const DENIED = /\b(?:not|n't|no|never|rather than) (?:a |an )?(?:temporary|transient)\b/g;

/** Words by which a refusal holds for now, or whose cause is a part of the receiver's that did not work. */
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
/** What a resolver says of a name that does not exist. */
const NO_NAME = /nxdomain|non-?existent (?:host or )?domain/;

/**
 * Whether a refusal holds for now (rules/mail 7.6): then the address may be good, whatever else is said. `plain` is one answer in small
 * letters, and `status` the code of its report, which counts where the answer has none.
 */
export function isForNow(plain: string, status: string | null): boolean {
  if (NO_NAME.test(plain)) return false;
  if (CODE.test(plain) || WORDS.test(plain.replace(DENIED, " "))) return true;
  return status?.startsWith("4") === true && !PERMANENT_CODE.test(plain);
}
