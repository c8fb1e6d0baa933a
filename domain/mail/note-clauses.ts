import { declaresItself, isFormula, isOfDesk } from "./machine-words.ts";
import { ABSENCE, LEFT } from "./notice-words.ts";
import { isClosing } from "./signature.ts";
import { isOfStandingNotice } from "./standing-notices.ts";

/** The most characters of a note of absence. */
const MAX_TEXT = 2_500;
const MOST_CLAUSES = 60;
const MOST_SCRAPS = 1;
/** The largest share of other clauses in a text that has already been recognised as a notice. */
const MOST_OTHERS = 0.3;
const SCRAP_WORDS = 2;
const SCRAP_SIGNS = 6;

/** Days, hours and the words between them. */
const DAYS =
  /^(?:(?:mon|tue|tues|wed|wednes|thu|thur|thurs|fri|satur|sat|sun)(?:days?)?|(?:mon|diens|donners|frei|sams|sonn)tags?|mittwochs?|lundis?|mardis?|mercredis?|jeudis?|vendredis?|lunes|martes|miércoles|jueves|viernes|(?:lune|marte|mercole|giove|vener)dì|(?:maan|dins|woens|donder|vrij)dag(?:en)?|segunda|terça|quarta|quinta|sexta|(?:-feira)|poniedział\p{L}+|wtor\p{L}+|środ\p{L}+|czwart\p{L}+|piąt\p{L}+|(?:mån|tis|ons|tors|fre)dag(?:ar)?|and|to|till|until|from|between|or|at|only|und|bis|von|oder|nur|et|à|au|du|de|y|a|e|ed|al|dal|en|tot|van|i|do|od|och|från|\d\S{0,5}|uhr|h|am|pm|–|-)$/iu;
const WIDE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/gu;
const DATA = /[^\s,;()]{1,100}@[^\s,;()]{1,100}|(?:https?:\/\/|www\.)\S{1,500}|\+?\d[\d\s./()-]{5,30}/g;
/**
 * Words such as "but" with which a person goes from their absence to the subject of our email, except where notes of
 * absence use them too.
 */
const TURN = new RegExp(
  `\\s(?:${["but|so|yet|however|then", "aber|doch|jedoch|also|dann", "mais|donc", "pero|así que", "ma|però|quindi", "mas|então", "maar|dus", "men|så(?! snart)", "mutta|joten", "ale|więc|takže", "dar|însă", "но|поэтому", "але|тому", "ama|fakat", "αλλά", "nhưng", "tetapi|tapi", "אבל|אז", "لكن|ولكن"].join("|")})\\s`,
  "giu",
);

/**
 * Phrases of notes of absence and receipts: courtesies, dates of return, other contacts, and whether emails are read
 * meanwhile.
 */
const NOTES = new RegExp(
  `(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}])(?:${[
    "^(?:hi|hello|hey|dear|good (?:morning|day|afternoon)|greetings|thank(?:s| you)|(?:vielen |herzlichen |besten )?dank(?:e)?|merci|gracias|grazie|obrigad[oa]|bedankt|dank je|tack|tak|takk|kiitos|dzięk|děkuj|ďakuj|köszön|mul[țt]umes|hvala|спасибо|благодар|дяку|teşekkür|ευχαριστ|cảm ơn|terima kasih)(?!\\p{L})|(?:e-?mails?|mails?|messages?) (?:\\S{1,12} ){0,6}(?:will|is|are|being) (?:not )?(?:\\S{1,10} )?(?:monitored|forwarded|read|deleted|checked|answered)|understanding|patience|connectivity|you(?:'ve| have) reached|cover(?:s|ing)? for|(?:can't|cannot|can not) wait|catch up|delayed|(?:don't|do not) work|(?:mon|tues|wednes|thurs|fri)days? (?:to|and|through)|reply to this|working on it|hear from us|(?:for|with) (?:any|all) (?:\\S{1,12} )?(?:questions?|queries|matters?|issues?|requests?)|inconvenience|apologi[sz]e|meantime|meanwhile|(?:be |am |are )?(?:back|return(?:ing|s|ed)?|reopen|resume)(?!\\p{L})|time[- ]sensitive|immediate|pressing|urgent|emergenc|important|assistance|(?:please|you can|feel free to|kindly) (?:\\S{1,10} )?(?:contact|reach|e-?mail|text|call|write to|speak to|get in touch|direct|resend|refer|use|visit|see|note|try|allow|expect|include|quote)",
    "(?:slow|unable|delayed?|later|longer|able) (?:\\S{1,10} )?to (?:respond|reply|answer|read|check)|(?:delays?|slower|delayed) (?:in |repl|respon)|(?:check|read|monitor|see|respond|reply|answer|attend|review|get back)\\S{0,4} (?:\\S{1,12} ){0,4}(?:e-?mails?|mails?|messages?|inbox|mailbox|you|periodically|sporadically|soon|shortly|possible|return)|(?:office|business|working|opening) (?:hours?|days?)|(?:high|large) volume|^(?:\\S{1,20} ){0,3}(?:team|support|service|care|desk|department)$|limited|available|availability|access|phone|mobile|ticket|(?:^|\\s)(?:from|until|till|through|between|starting|on|at) (?:\\S{1,12} ){0,3}\\S{0,12}\\d",
    "^(?:hallo|guten (?:tag|morgen)|sehr geehrte|liebe[rs]?|moin|servus|grüezi)(?!\\p{L})|verständnis|geduld|zwischenzeit|bis dahin|rückkehr|zurück|wieder (?:\\S{1,12} ){0,4}(?:da|erreichbar|im|für)|wieder(?:$|\\s)|dringend|eilig|notf[aä]ll|(?:bitte|sie können|können sie|kontaktieren|wenden|erreichen|schreiben sie an|rufen sie (?:bitte )?(?:unter|die))|(?:e-?mails?|mails?|nachricht(?:en)?|anfragen?) (?:\\S{1,15} ){0,6}(?:beantwort|bearbeit|gelesen|weitergeleitet|gelöscht|abgerufen|lese)|(?:lese|beantworte|bearbeite|antworte|melde mich) |schnellstmöglich|baldmöglich|erreichbar|zugriff|vertret|telefon",
    "^(?:bonjour|bonsoir|cher|chère|madame|monsieur)(?!\\p{L})|compréhension|patience|entre-?temps|retour|reviens|reviendrai|urgen|(?:veuillez|vous pouvez|merci de|n'hésitez pas|pour toute (?:autre )?(?:question|demande|urgence)|adress|prière de|contact)|(?:traiter(?:ai|ons)|répondrai|répondrons|lirai|lue?s?(?!\\p{L})|traité|consulte)|accès|joignable|disponible|absence|téléphone",
    "^(?:hola|buen[oa]s|estimad|querid)|comprensión|paciencia|mientras|regres|vuelv|vuelta|urgen|(?:por favor|puede|pueden|contact|diríjase|póngase|escriba a|llame al)|(?:respond|revis|leer|leeré|atender|contestar)\\p{L}*|acceso|disponib|teléfono",
    "^(?:buongiorno|buonasera|salve|ciao|gentile|spett)|comprensione|pazienza|nel frattempo|rientr|ritorn|urgen|(?:si prega|potete|può|contatt|rivolg|scriva a|chiami il)|(?:risponder|legger|lett[ao]|controll|inoltr)\\p{L}*|accesso|disponib|raggiungibil|telefono|compresi",
    "^(?:olá|oi|bom dia|boa tarde|prezad|car[oa])|compreensão|paciência|entretanto|enquanto|retorn|regress|volt(?:o|arei|aremos)|urg[eê]n|(?:por favor|pode|poderá|contat|contact|fale com|entre em|ligue para)|(?:responder|ler|verificar|atender|enviad|dirigid)\\p{L}*|acesso|disponí|telefone",
    "^(?:hallo|beste|geachte|goede(?:dag|morgen|middag)|dag)(?!\\p{L})|begrip|geduld|tussentijd|terug|weer (?:\\S{1,12} ){0,4}(?:aanwezig|bereikbaar|op|in)|dringend|spoed|urgent|(?:kunt u|kan je|graag|gelieve|contact|neem|wend|bereik|mailen naar|bellen)|waarne|neemt waar|(?:gelezen|beantwoord|doorgestuurd|verwerk|reageer|beantwoorden|lees)|toegang|telefoon",
    "^(?:hej|hei|hallo|god (?:dag|morgen|morgon)|kære|bästa)(?!\\p{L})|förståelse|forståelse|tålamod|tålmodighed|tillbaka|tilbage|tilbake|åter|brådsk|haste|akut|(?:vid|ved) (?:\\S{1,12} )?(?:frågor|spørgsmål|ärenden|behov)|(?:vänligen|kontakta|kontakt|kan du|kan ni|ring|maila|mejla|hør|henvend)|(?:svarar|svarer|igen|läser|læser|leser|besvar)|tillgång|adgang|tilgang|nås|telefon",
    "^(?:hei|moi|hyvä|terve)(?!\\p{L})|palaa|palaan|takaisin|kiireelli|(?:ota(?:han)?|ottaa|ottakaa|yhteyttä|soita)|(?:vastaan|luen|käsittelen)|tavoitettavissa|puhelin",
    "^(?:witam|dzień dobry|cześć|szanown)|korespondencj|przekazywan|zrozumienie|cierpliwość|wracam|wrócę|powr[oó]|z powrotem|piln|(?:proszę|prosimy|kontakt|zwracać)|(?:odpowiem|odpiszę|odpowiemy|przeczyt)|dostęp|telefon",
    "^(?:dobrý|zdravím|vážen|ahoj)|pochopení|trpělivost|vrátím|zpět|späť|návrat|naléhav|urgent|(?:prosím|obraťte|kontakt|volejte)|(?:odpovím|odpoví|přečt|vyříd)|přístup|telefon",
    "^(?:tisztelt|kedves|szia|üdv)|megértés|türelm|visszatér|vissza|ismét|sürgős|(?:kérem|kérjük|keres|fordul|hív)|(?:válaszol|olvas|jelentkez)|elérhető|telefon|^(?:bun[ăa]|stimat)|[iî]n[tț]eleger|revin|[iî]napoi|urgen|(?:v[ăa] rog|contact|adresa)|(?:r[ăa]spund|citi)|disponib",
    "^(?:здравствуйте|добрый|уважаем|привет)|понимание|терпение|верн|возвращ|срочн|по (?:\\S{1,14} )?вопрос|(?:пожалуйста|обращ|свяж|звоните|пишите на|можно)|(?:отвечу|ответим|прочит|свяжемся)|доступ|телефон|^(?:вітаю|добрий|шановн)|розуміння|поверн|термінов|(?:будь ласка|зверта|зв['’]яж|телефон)|(?:відповім|прочит)",
    "^(?:merhaba|sayın|iyi günler)|sonra cevap|anlayış|sabr|dön(?:eceğim|üş|ece)|tekrar|acil|(?:lütfen|iletişim|ulaş|arayın)|(?:yanıt|cevap|oku)|telefon|^(?:γεια|αγαπητ|καλημέρα)|κατανόηση|επιστρ|επείγ|(?:παρακαλ|επικοινων|μπορείτε)|(?:απαντήσ|διαβ)|τηλ",
    "^(?:xin chào|chào|kính gửi)|thông cảm|trở lại|quay lại|khẩn|(?:vui lòng|liên hệ|xin)|(?:trả lời|phản hồi|hồi âm)|điện thoại|^(?:halo|selamat|yth)|kembali|mendesak|(?:mohon|silakan|hubungi)|(?:membalas|menjawab)",
    "^(?:お世話|いつも)|ご了承|ご容赦|ご迷惑|戻り|復帰|再開|以降|緊急|お急ぎ|ご連絡|遅れ|ご返信|返信|返事|対応|確認|お問い合わせ|您好|延迟|延遲|恢复上班|谅解|諒解|回来|返回|恢复|紧急|緊急|急事|联系|聯絡|聯繫|回复|回覆|处理|處理|尽快|盡快|及时|电话|양해|복귀|돌아|긴급|급한|연락|문의|답변|회신|답장|확인|안녕하세요",
    "^(?:שלום|היי|בוקר טוב)|הבנ|סבלנ|אחזור|אשוב|חזר|חוזר|דחו[פף]|(?:ניתן|אנא|נא|לפנות|צרו קשר|פנו)|(?:אענה|אשיב|נחזור|לקרוא|נענה)|גישה|זמי[נן]|טלפון|^(?:مرحب|السلام|عزيزي|تحية)|تفهم|صبر|أعود|سأعود|عودت|عاجل|طارئ|(?:يرجى|الرجاء|يمكنك|تواصل|اتصال)|(?:سأرد|سنرد|الرد|قراءة)|هاتف",
  ].join("|")})`,
  "iu",
);

/**
 * Whether notes of absence and receipts use every clause of a text (rules/mail 9.2). Any other clause was written by a
 * person for this email. Lines below a closing such as "Kind regards" are ignored, because they are names.
 */
export function isNoteThroughout(text: string): boolean {
  const others = otherClausesIn(text);
  return others !== null && others.length <= MOST_SCRAPS && others.every(isScrap);
}

/** Whether almost all clauses of a text are usual in notes of absence and receipts. */
export function isMostlyNote(text: string): boolean {
  const others = otherClausesIn(text);
  return others !== null && others.filter((clause) => !isScrap(clause)).length <= clausesIn(text).length * MOST_OTHERS;
}

/** Whether any clause of a text is usual in notes of absence and receipts, apart from greetings and courtesies. */
export function hasNoteClause(text: string): boolean {
  return clausesIn(text).some((clause) => isKnown(clause) || isOfStandingNotice(clause));
}

/** The clauses of a text that are not usual in notes of absence; null for a text that is too long to be such a note. */
function otherClausesIn(text: string): string[] | null {
  const clauses = clausesIn(text);
  if (text.length > MAX_TEXT || clauses.length > MOST_CLAUSES) return null;
  return clauses.filter((clause) => !isOfNote(clause));
}

function clausesIn(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trim());
  const end = lines.findIndex((line) => isClosing(line));
  const noteText = lines.slice(0, end < 0 ? lines.length : end).join("\n");
  const plain = noteText
    .replace(DATA, " @ ")
    .replace(/(\d)[.:/](?=\s?\d)/g, "$1")
    .replace(
      /(\d)\.(?=\s(?:bis|till|til|jan|feb|m[aä]r|apr|ma[ijy]|jun|jul|aug|sep|o[kc]t|nov|de[zcs])|\s?[–-])/gi,
      "$1",
    )
    .replace(/(\d|(?<!\p{L})\p{L}{1,4})\.(?=\s\p{Ll}|\s?[,)])/gu, "$1");
  return plain
    .split(/[.!?;\n。！？，]+|,\s|:\s|\s[–—-]\s|[()]/u)
    .flatMap((clause) => clause.replace(TURN, " \n ").split("\n"))
    .map((clause) => clause.replace(/\s+/g, " ").trim())
    .filter((clause) => clause !== "");
}

function isOfNote(clause: string): boolean {
  const isNamed = clause.split(/\s+/).every((word) => !/^\p{Ll}{4,}/u.test(word)) && isScrap(clause);
  const isOfDays = clause.split(/\s+/).every((word) => DAYS.test(word));
  return isNamed || isOfDays || NOTES.test(clause) || isKnown(clause) || isOfStandingNotice(clause);
}

function isKnown(clause: string): boolean {
  return ABSENCE.test(clause) || LEFT.test(clause) || isFormula(clause) || isOfDesk(clause) || declaresItself(clause);
}

/** Whether a clause is too short to say something by itself: a name, a date, the rest of a sentence. */
function isScrap(clause: string): boolean {
  const words = clause.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  return words <= SCRAP_WORDS && (clause.match(WIDE)?.length ?? 0) <= SCRAP_SIGNS;
}
