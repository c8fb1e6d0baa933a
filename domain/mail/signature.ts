import { visibleTextOf } from "./quote-attribution.ts";

/** The most lines of contact data below a closing. A longer text was written for this email. */
const MAX_LINES = 14;
const MAX_TAGLINE = 400;
const MAX_TAGLINE_WORDS = 14;
/** The most lines of a signature, including the notices of a company. */
const MOST_LINES = 60;
/** The most signatures removed from one text. Some programs add a signature below the person's own. */
const MOST_SIGNATURES = 6;

/** Lines such as "Sent from my iPhone", which mobile and web programs add below an email. */
const SENT = new RegExp(
  `^(?:${[
    "(?:this )?(?:(?:e-?)?mail|message )?(?:was )?(?:sent|written|typed|dictated|composed) (?:from|via|with|using|by|on)|gesendet (?:von|vom|mit|aus|über|via)|(?:diese |this )?(?:nachricht|e-?mail|mail|message)? ?(?:wurde )?(?:von|vom|mit|aus|über) .{1,90}(?:gesendet|versendet|verschickt|geschrieben)[.!]?$",
    "envoyé (?:de|depuis|à partir|avec|par|via)|enviad[oa] (?:desde|con|a través|mediante|do|de|da|a partir|pelo|pela|via|com|através)|inviat[oa] (?:da|dal|dall'|con|tramite|via)",
    "(?:verzonden|verstuurd|verstuur) (?:vanaf|met|via|vanuit|van|door)|sendt (?:fra|med|via)|skickat (?:från|med|via)|lähetetty |wysłan[oey] (?:z|ze|za|przez|w)|odesláno (?:z|ze|pomocí)|odoslané (?:z|zo)",
    "отправлено (?:с|со|из|от|через)|(?:надіслано|відправлено) (?:з|із|зі|від|через)|(?:στάλθηκε|εστάλη|απεστάλη) από|(?:đã )?(?:được )?gửi từ|dikirim dari|trimis (?:de pe|din|de la|cu)|poslano (?:s|z|iz|sa)|saadetud |išsiųsta |nosūtīts ",
    "发自|发送自|來自|来自|從.{1,40}傳送|.{1,40}から送信|.{1,40}에서 (?:보냄|보낸)|נשלח מ|(?:تم ال)?(?:أُرسل|أرسل|إرسال|مرسل)ت? من|.{1,60}(?:dan|den|ile|üzerinden) gönderildi[.!]?$|.{1,60}küldve[.!]?$",
  ].join("|")})`,
  "iu",
);
const DEVICE =
  /(?<!\p{L})(?:iphon\p{L}*|ipad\p{L}*|ipod|android\p{L}*|blackberry|galaxy|samsung|huawei|xiaomi|redmi|htc|nokia|lumia|motorola|oneplus|pixel|xperia|windows|outlook|mail(?:box|bird)?|mobile|mobil\p{L}*|móvil|celular|téléphone|telefon\p{L}*|telefono|teléfono|puhelim\p{L}*|handy|handheld|smartphone\p{L}*|phone|cell|device|tablet|surface|workspace|typeapp|bluemail|airmail|spark|superhuman|newton|missive|front|nine|k-9|gmail|gmx|web\.de|yahoo|proton\p{L}*|tutanota|zoho|aol|acompli|thunderbird|(?:my|mon|mi|mio|meu|mijn|min|moj\p{L}*|meinem|моего|мого) .{1,40}|телефон\p{L}*|смартфон\p{L}*|устройств\p{L}*|почт\p{L}*|пошт\p{L}*|κινητό|điện thoại)(?!\p{L})|手机|手機|我的|スマートフォン|アイフォン|휴대폰|아이폰|邮箱|メール|iphone|ipad|android|ה-?(?:נייד|טלפון)|هاتفي/iu;
const FROM_DEVICE =
  /^(?!(?:call|reach|text|ring|write|contact)\b)(?:\p{Lu}\S{0,30} )?(?:from|von|depuis|desde|da) (?:my |meinem |mon |mi |mio )?(?:iphone|ipad|android|mobile|mobil|phone|smartphone|handy|cell|blackberry)\b.{0,12}$/iu;
const APP =
  /^(?:get|download|hol|télécharge|obten|scarica|obt|hent|hämta|hanki|pobierz|stáhn|загруз|скача|завантаж|获取|下載|下载|نزّل|outlook).{0,40}outlook|^outlook (?:\S{1,5} )?(?:ios|android|iphone|ipad)(?: \S{1,20}){0,2}$/iu;
/** A line "sent from" a program that is not listed above. */
const PRODUCT = /^sent (?:from|with|via) \p{Lu}\S{1,20}(?: \S{1,12}){0,2}$/u;
/** Words that show that a line is a person's own, such as "sent from my team". */
const NO_DEVICE =
  /[?？:]|(?<!\p{L})(?:side|end|team|desk|office|colleagues?|account|boss|assistant|address)(?!\p{L})/iu;
const SCANNED =
  /^(?:virus-?free|virenfrei|sans virus|libre de virus|privo di virus|virusvrij|garanti sans virus|без вирусов|livre de vírus)(?!\p{L}).{0,60}$/iu;

const CLOSING = new RegExp(
  `^(?:${[
    "(?:(?:with |and )?(?:best|kind|kindest|warm|warmest|many|sincere|my) (?:\\p{L}+ )?)?regards|best wishes|all the best|cheers|sincerely(?: yours)?|yours (?:sincerely|faithfully|truly)|respectfully",
    "(?:mit )?(?:freundlichen?|besten?|herzlichen?|lieben?|schönen?|sonnigen?|vielen?) (?:grüßen?|gruß|grüssen?|gruss|empfehlungen)|hochachtungsvoll|mfg|lg|vg|beste grüße aus .{2,30}",
    "(?:bien |très )?cordialement|(?:sincères |meilleures )?salutations(?: distinguées)?|bien (?:à|a) (?:vous|toi)|bonne (?:journée|soirée)|amicalement|belle journée",
    "(?:un )?(?:cordial(?:es)? |atent[oa]s? )?saludos?(?: cordial(?:es)?)?|atentamente|cordialmente|un abrazo",
    "(?:cordiali|distinti|un cordiale|tanti) salut[oi]|(?:un )?saluto|saluti",
    "atenciosamente|cumprimentos|(?:com os )?(?:melhores|meus) cumprimentos|abraços?|att",
    "(?:met )?(?:vriendelijke|hartelijke|beste) groet(?:en)?|groet(?:en|jes)?",
    "(?:med )?(?:venlig|vennlig|vänlig|bästa|beste|hjertelig)(?:e|a)? (?:hilsen|hilsner|hälsning(?:ar)?)|(?:mvh|hilsen|hälsningar)",
    "(?:ystävällisin |parhain )?terveisin|(?:z poważaniem|pozdrawiam(?: serdecznie)?|serdecznie pozdrawiam)",
    "(?:s pozdrav(?:em|om)|s úctou|zdravím)|(?:üdvözlettel|tisztelettel)|cu (?:stimă|respect|drag)|(?:с уважением|с наилучшими пожеланиями|з повагою)",
    "(?:saygılarımla|iyi çalışmalar|selamlar)|(?:με εκτίμηση|φιλικά)|trân trọng|(?:hormat saya|salam)|lep pozdrav|(?:בברכה|בכבוד רב)|(?:مع (?:أطيب )?التحيات?|تحياتي)",
    "此致|敬具|敬上|祝好|드림",
  ].join("|")})[\\s,.!！،，]{0,4}$`,
  "iu",
);

/** The legal notice that a company adds below all its emails. */
const NOTICE =
  /confidential|privileged|intended (?:only|solely|recipient)|disclaimer|vertraulich|confidentiel|confidencial|riservat|vertrouwelijk|fortrolig|konfidentiell|poufn|důvěrn|конфиденциальн|environment before printing|umwelt|imprimer|registered (?:in|office)|sitz der gesellschaft|geschäftsführ|virus/iu;
const NAME = /^\p{Lu}[\p{Ll}.'’-]{1,20}(?: \p{Lu}(?:\.|[\p{L}'’-]{1,20})){1,3}$/u;
const CONTACT = /@|https?:|www\.|(?:\d[\s./()-]{0,3}){6}/i;
const SEPARATOR = /^--$/;
const RULER = /^(?:—|[-–—_=+*~]{2,4}|[_-]{5,80})$/;

/**
 * The lines of one text without the signature at its end: it removes what follows `--`, a closing with contact data,
 * and lines that mobile programs add. A line that addresses the reader is never removed.
 */
export function withoutSignature(lines: readonly string[]): string[] {
  const own = lines.filter((line, index) => index < lines.length - MOST_LINES || !isTagline(line));
  let end = own.length;
  for (let count = 0; count < MOST_SIGNATURES; count++) {
    const from = Math.max(0, end - MOST_LINES);
    const start = own
      .slice(from, end)
      .findIndex((line, index) => startsSignature(line, own.slice(from + index + 1, end)));
    if (start < 0) break;
    end = from + start;
  }
  return own.slice(0, end);
}

/** Whether a line is a closing such as "Kind regards" and nothing else. */
export function isClosing(line: string): boolean {
  return CLOSING.test(line);
}

function startsSignature(written: string, after: readonly string[]): boolean {
  const line = visibleTextOf(written);
  if (line === "" || line.length > 80) return false;
  if (SEPARATOR.test(line)) return true;
  const isRuler = RULER.test(line);
  if (!isRuler && !isClosing(line)) return false;
  const linesBelow = after.map(visibleTextOf).filter((one) => one !== "");
  // A single name at the end was typed by the person, so it is no signature block; a ruler may also divide a text
  const isBlock = linesBelow.length > 1 && (!isRuler || NAME.test(linesBelow[0] ?? ""));
  return (
    (isBlock || (isRuler && (linesBelow.length === 0 || linesBelow.some((one) => CONTACT.test(one))))) &&
    isContact(linesBelow)
  );
}

function isContact(lines: readonly string[]): boolean {
  const data = lines.filter((line) => !NOTICE.test(line));
  return data.length <= MAX_LINES && !data.some(isSentence);
}

function isSentence(line: string): boolean {
  const text = line.replace(/\S{1,200}(?:@|:\/\/|\.\p{L}{2,})\S{0,200}/gu, " ");
  const words = text.split(/\s+/).filter((word) => /\p{L}/u.test(word)).length;
  return /[?？؟]|^p\.? ?s\b/iu.test(text) || (words >= 5 && /[.!…。！]["')\]]?$/u.test(text.trim())) || words > 12;
}

function isTagline(written: string): boolean {
  if (written.length > MAX_TAGLINE) return false;
  const line = visibleTextOf(written)
    .replace(/[<([]{0,2}https?:\/\/\S{0,300}/g, " ")
    .replace(/^[<(*_[\s~-]+|[>)*_\]\s~-]+$/g, "");
  if (line === "" || line.split(/\s+/).length > MAX_TAGLINE_WORDS) return false;
  const isSent = SENT.test(line) && DEVICE.test(line) && !NO_DEVICE.test(line);
  return (
    isSent || PRODUCT.test(line.replace(/^S/, "s")) || FROM_DEVICE.test(line) || APP.test(line) || SCANNED.test(line)
  );
}
