/**
 * A pattern of words of one language. Every date, weekday and range of days in that language contains one of them.
 * Searching for these words is faster than running the language's date parser.
 */
function wordPattern(...lines: readonly string[]): RegExp {
  return new RegExp(`(?<!\\p{L})(?:${lines.join("|")})(?!\\p{L})`, "iu");
}

export const DAY_WORDS = {
  en: wordPattern(
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?",
    "mon(?:day)?|tue(?:sday)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?|tomorrow|overmorrow|tmrw?",
    "d|h|hr?s?|w|mon?s?|y|yrs?|qtr|days?|hours?|weeks?|weekends?|months?|quarters?|years?",
  ),
  de: wordPattern(
    "j[aä]n(?:uar|ner)?|feb(?:ruar|er)?|m(?:ä|ae)r(?:z)?|mrz|apr(?:il)?|mai|juni?|juli?|aug(?:ust)?|sept?(?:ember)?|okt(?:ober)?|nov(?:ember)?|dez(?:ember)?",
    "mo(?:ntag)?|di(?:enstag)?|mi(?:ttwoch)?|do(?:nnerstag)?|fr(?:eitag)?|sa(?:mstag)?|so(?:nntag)?|(?:ü|ue)?bermorgen|morgen",
    "h|a|j|jr|std|stunden?|tag(?:en?)?|wochen?|monat(?:en?|s)?|quartal(?:en?|s)?|jahr(?:en?|es)?",
  ),
  fr: wordPattern(
    "janv?(?:ier)?|f[ée]vr?(?:ier)?|mars?|avr(?:il)?|mai|jui?n|juil(?:let)?|jul|ao[uû]t|sept?(?:embre)?|oct(?:obre)?|nov(?:embre)?|d[ée]c(?:embre)?",
    "dim(?:anche)?|lun(?:di)?|mar(?:di)?|mer(?:credi)?|jeu(?:di)?|ven(?:dredi)?|sam(?:edi)?|demain|apr[eè]s-demain",
    "hr?s?|heures?|jours?|semaines?|mois|trimestres?|ans?|ann[ée]es?",
  ),
  es: wordPattern(
    "ene(?:ro)?|feb(?:rero)?|mar(?:zo)?|abr(?:il)?|mayo?|jun(?:io)?|jul(?:io)?|ago(?:sto)?|sep(?:tiembre)?|setiembre|oct(?:ubre)?|nov(?:iembre)?|dic(?:iembre)?",
    "dom(?:ingo)?|lun(?:es)?|mar(?:tes)?|mi[ée](?:rcoles)?|jue(?:ves)?|vie(?:rnes)?|s[áa]b(?:ado)?|mañana",
    "hr?s?|horas?|d[ií]as?|semanas?|mes(?:es)?|cuartos?|a[ñn]os?",
  ),
  it: wordPattern(
    "gen(?:naio)?|feb(?:braio)?|mar(?:zo)?|apr(?:ile)?|mag(?:gio)?|giu(?:gno)?|lug(?:lio)?|ago(?:sto)?|sett?(?:embre)?|ott(?:obre)?|nov(?:embre)?|dic(?:embre)?",
    "dom(?:enica)?|lun(?:ed[iì])?|mar(?:ted[iì])?|mer(?:coled[iì])?|gio(?:ved[iì])?|ven(?:erd[iì])?|sab(?:ato)?|domani|dopodomani",
    "h|or[ae]|gg?|giorn[oi]|settiman[ae]|mes[ei]|trim(?:estr[ei])?|ann[oi]",
  ),
  pt: wordPattern(
    "jan(?:eiro)?|fev(?:ereiro)?|mar(?:ço)?|abr(?:il)?|mai(?:o)?|jun(?:ho)?|jul(?:ho)?|ago(?:sto)?|set(?:embro)?|out(?:ubro)?|nov(?:embro)?|dez(?:embro)?",
    "dom(?:ingo)?|seg(?:unda)?|ter(?:ça)?|qua(?:rta)?|qui(?:nta)?|sex(?:ta)?|s[áa]b(?:ado)?|amanh[ãa]",
  ),
  nl: wordPattern(
    "jan(?:uari)?|feb(?:ruari)?|maart|mar|mrt|apr(?:il)?|mei|juni?|juli?|aug(?:ustus)?|sept?(?:ember)?|okt(?:ober)?|nov(?:ember)?|dec(?:ember)?",
    "zon?(?:dag)?|ma(?:andag)?|din?(?:sdag)?|woe?(?:nsdag)?|dond?(?:erdag)?|do|vr(?:ij)?(?:dag)?|zat?(?:erdag)?|morgen|overmorgen",
    "h|hrs?|u(?:ur|ren)?|dag(?:en)?|we(?:ek|ken)|maand(?:en)?|ja(?:ar|ren)|jr",
  ),
  sv: wordPattern(
    "jan(?:uari)?|feb(?:ruari)?|mars?|apr(?:il)?|maj|juni?|juli?|aug(?:usti)?|sept?(?:ember)?|okt(?:ober)?|nov(?:ember)?|dec(?:ember)?",
    "sön?(?:dag)?|so|må(?:n(?:dag)?)?|ti(?:s(?:dag)?)?|on(?:s(?:dag)?)?|to(?:rs(?:dag)?)?|fre?(?:dag)?|lör?(?:dag)?|imorgon|övermorgon",
    "tim(?:me|mar)?|dag(?:ar)?|veck(?:a|or)|månad(?:er)?|år|kvartal",
  ),
} as const;
export type DayLanguage = keyof typeof DAY_WORDS;

/** A date of digits only, which the parser of every language reads. "5.7.26" and an IP address do not count. */
const NUMBERS =
  /(?<!\d[./]?)\d{1,2}(?:\/\d{1,2}|[./-]\d{1,2}[./-](?:\d{4}|\d\d))(?!\.?\d)|(?<!\d)\d{4}[-./ ]\d{1,2}[-./ ]\d{1,2}(?!\d)/;

/**
 * Whether a text may name a day in this language. If this returns false, the language's date parser finds no day
 * either.
 */
export function mayNameDay(text: string, language: DayLanguage): boolean {
  return NUMBERS.test(text) || DAY_WORDS[language].test(text);
}

const DAY = "\\d{1,2}(?:st|nd|rd|th|er|de|ste|e|[º°ª.])?";
const WORDS = "(?:\\p{L}{1,12}[.,]?\\s){0,3}";
const BETWEEN = [
  "\\s?[-–]\\s?",
  "\\s(?:to|until|through|till|bis(?: am| zum)?|au?|à|ao?|al|jusqu['’]au?|fino al?|desde|de|tot|t\\/m)\\s",
  "(?<=\\.)\\s", // "10. 20. November"
].join("|");
const TODAY = "tomorrow|morgen|demain|mañana|domani|amanh[ãa]|imorgon";

/**
 * A range of two days with a word or a dash between them: "July 10-31", "10 de julio - 31 de julio", "tomorrow -
 * Friday".
 */
const SPAN = new RegExp(
  [
    `(?<![\\d.:/@-])${DAY}(?:\\s(?:\\p{L}{1,3}\\s)?\\p{L}{3,10}\\.?)?(?:,?\\s(?:\\p{L}{1,3}\\s)?20\\d\\d)?(?:${BETWEEN})${WORDS}\\d{1,2}(?![\\d:])`,
    `[./-]\\d{1,4}\\.?(?:\\s[-–]\\s?|–|(?<=\\d{4}|\\.)-|\\s(?:to|until|through|till|bis(?: am| zum)?|au?|à|ao?|al|fino al?|desde|de|tot|t\\/m)\\s)${WORDS}(?:\\d{1,2}|20\\d\\d)(?!\\d)`,
    `(?<!\\p{L})(?:${TODAY})(?:${BETWEEN})`,
  ].join("|"),
  "iu",
);

/** Whether a text may name a range of days without a word such as "from" or "until" before it. */
export function mayNameSpan(text: string): boolean {
  return SPAN.test(text);
}
