import { visibleTextOf } from "./quote-attribution.ts";

/** The most lines of a footer. A longer text was written by a person. */
const MOST_LINES = 40;
const MOST_FOOTERS = 6;
const RULER = /^[-–—‐−_=*~#•\s]{2,200}$/;

/**
 * Texts that gateways, companies and scanners add below every email, in ten languages and more: results of scans,
 * notices of confidentiality, how servers handled the email, and the request not to print it.
 */
const FOOTERS = new RegExp(
  [
    "(?:footer|disclaimer|signature|notice|text) (?:was|is|has been) (?:\\S{1,20} )?(?:added|appended|inserted|generated|attached)|(?:added|appended|inserted|generated) (?:automatically )?by (?:the|our|your) (?:\\S{1,20} ){0,2}(?:gateway|mail server|mail system|filter|firewall|appliance)",
    "(?:scanned|checked|screened|verified|tested|inspected|certified|filtered) (?:\\S{1,20} ){0,6}(?:virus(?:es)?|malware|spam|threats?|anti-?virus)|virus-?free|(?:no|free (?:of|from)) (?:known )?(?:virus(?:es)?|malware)|(?:anti-?virus|antispam) (?:software|scanner|system|gateway|protection)",
    "(?:e-?mail|message|mail|communication|transmission|information|contents?)(?: \\S{1,20}){0,8} (?:is|are|may be|contains?|may contain)(?: \\S{1,20}){0,4} (?:confidential|privileged|proprietary|intended)|(?:not|n't) the (?:intended|named) (?:recipient|addressee)|(?:received|got) this (?:e-?mail|message|mail)(?: \\S{1,12}){0,2} (?:in error|by mistake)|intended (?:only|solely|exclusively) for|confidentiality (?:notice|note|statement)|(?:consider|think of) the environment|(?:before|think) (?:you )?print",
    "(?:e-?mail|mail|nachricht|anhang|anhänge)(?: \\S{1,20}){0,6} (?:auf viren|virenfrei|virengeprüft)|auf viren (?:ge)?(?:prüft|scannt|testet|untersucht)|viren(?:frei|geprüft|scanner|schutz)|(?:e-?mail|nachricht)(?: \\S{1,20}){0,8} (?:vertraulich|ausschließlich für)|vertrauliche (?:und|oder|informationen)|nicht der (?:richtige|beabsichtigte|vorgesehene)|irrtümlich erhalten|(?:denken|schützen) sie (?:\\S{1,12} ){0,3}(?:umwelt|ausdruck)|(?:vom|durch (?:das|unser)) (?:\\S{1,12} )?(?:mail-?gateway|mailserver|mailsystem) (?:\\S{1,15} )?(?:angefügt|hinzugefügt|erzeugt|erstellt|ergänzt)|(?:fußzeile|hinweis|signatur) wurde (?:automatisch )?(?:angefügt|hinzugefügt|erzeugt|erstellt|ergänzt)",
    "(?:analysé|vérifié|contrôlé|scanné)e?s? (?:\\S{1,20} ){0,6}(?:virus|anti-?virus|logiciel)|sans virus|(?:message|courriel|e-?mail|informations?)(?: \\S{1,20}){0,8} (?:confidentiel|destiné|strictement réservé)|pas le (?:bon )?destinataire|(?:reçu|recevez)(?: \\S{1,12}){0,3} par erreur|pensez à l['’]environnement|(?:ajouté|généré|inséré)e? (?:automatiquement )?par (?:la|notre) passerelle",
    "(?:analizado|escaneado|comprobado|verificado|revisado) (?:\\S{1,20} ){0,6}(?:virus|anti-?virus)|(?:libre de|sin) virus|(?:mensaje|correo|información|e-?mail)(?: \\S{1,20}){0,8} (?:confidencial|dirigid[oa] exclusivamente)|no es (?:usted )?el destinatario|recibido(?: \\S{1,12}){0,3} por error|(?:antes de imprimir|medio ?ambiente)|(?:añadido|generado|insertado) (?:automáticamente )?por (?:la|nuestra) (?:pasarela|puerta)",
    "(?:controllat|verificat|analizzat|scansionat)[oa] (?:\\S{1,20} ){0,6}(?:virus|anti-?virus)|privo di virus|(?:messaggio|e-?mail|informazioni|comunicazione)(?: \\S{1,20}){0,8} (?:riservat|confidenzial|destinat)\\p{L}|non (?:è|siete|sei) il destinatario|ricevut[oa](?: \\S{1,12}){0,3} per errore|prima di stampare|(?:aggiunt|generat|inserit)[oa] (?:automaticamente )?dal (?:gateway|server)",
    "(?:gescand|gecontroleerd|onderzocht) (?:\\S{1,20} ){0,4}(?:op virussen|virus)|virusvrij|(?:bericht|e-?mail|informatie)(?: \\S{1,20}){0,8} (?:vertrouwelijk|uitsluitend bestemd)|niet de (?:bedoelde|beoogde) (?:ontvanger|geadresseerde)|(?:abusievelijk|per abuis|per ongeluk|ten onrechte) ontvangen|denk aan het milieu|(?:toegevoegd|gegenereerd) door (?:de|onze) (?:mail)?(?:gateway|server)",
    "(?:verificad|analisad|digitalizad)[oa] (?:\\S{1,20} ){0,6}(?:vírus|anti-?vírus|antivirus)|(?:livre de|sem) vírus|(?:mensagem|e-?mail|informaç\\p{L}{2,3})(?: \\S{1,20}){0,8} (?:confidencia(?:l|is)|destinad[oa] exclusivamente)|não (?:é|for) o destinatário|recebido?(?: \\S{1,12}){0,3} por engano|antes de imprimir|(?:adicionado|gerado|inserido) (?:automaticamente )?pel[oa] (?:gateway|servidor)",
    "(?:sprawdzon|przeskanowan)\\p{L}{1,2} (?:\\S{1,20} ){0,6}(?:wirus|antywirus)\\p{L}*|woln\\p{L}{1,2} od wirusów|(?:wiadomość|e-?mail|informacje)(?: \\S{1,20}){0,8} (?:poufn|przeznaczon)\\p{L}*|nie (?:jest|są)(?: \\S{1,12}){0,3} (?:adresatem|odbiorcą)|(?:otrzyma\\p{L}*)(?: \\S{1,12}){0,3} (?:omyłkow|przez pomyłkę)|zanim wydrukujesz|(?:dodan|wygenerowan)\\p{L}{1,2} (?:automatycznie )?przez (?:bramk|serwer)",
    "(?:skannat|kontrollerat|genomsökt)s? (?:\\S{1,20} ){0,6}(?:virus|antivirus)|virusfri|(?:meddelande|mejl|e-post|information)(?: \\S{1,20}){0,8} (?:konfidentiell|sekretess|endast avsed)\\p{L}*|inte (?:är )?(?:den )?(?:avsedda?|rätt) mottagare|(?:fått|mottagit)(?: \\S{1,12}){0,3} av misstag|tänk på miljön|(?:tillagd|genererad|infogad)(?: automatiskt)? av (?:vår )?(?:e-post)?(?:gateway|server)",
    "ウイルス.{0,12}(?:チェック|スキャン|検査|検出)|(?:本|この)メール.{0,20}(?:機密|秘密)|(?:誤って|間違って).{0,12}(?:受信|受け取|届)|印刷(?:する)?前に|(?:病毒|防毒).{0,8}(?:扫描|检查|掃描)|проверено.{0,30}(?:вирус|антивирус)",
  ].join("|"),
  "iu",
);
/** Words with which a person addresses the reader, such as "you". A footer does not use them. */
const SPEAKS =
  /[?？؟]|(?<!\p{L})(?:i['’]ll|i['’]m|i will|let me|let us|let's|call me|ich (?:melde|rufe|schicke|sende|bin|habe)|je (?:vous|suis)|le llamo|mi chiami|ik bel|me ligue|proszę o|ring mig)(?!\p{L})/iu;

/** A text without the footers at its end. If the text consists only of footers, it is returned unchanged. */
export function withoutFooter(text: string): string {
  const lines = text.split("\n");
  const end = footerStart(lines);
  return end === lines.length ? text : lines.slice(0, end).join("\n").trimEnd();
}

/** The line at which the footers of a text begin; the number of lines when there is none. */
function footerStart(lines: readonly string[]): number {
  let end = lines.length;
  for (let count = 0; count < MOST_FOOTERS; count++) {
    const last = lines.slice(0, end).findLastIndex(isWritten);
    if (last < 0) return lines.length;
    const before = lines.slice(0, last).findLastIndex((line) => !isWritten(line));
    const paragraph = lines.slice(before + 1, last + 1).map(visibleTextOf);
    if (paragraph.length > MOST_LINES || !isFooter(paragraph.join(" "))) break;
    const above = lines.slice(0, before + 1).findLastIndex(isWritten);
    if (above < 0) break;
    end = above + 1;
  }
  return end;
}

function isFooter(paragraph: string): boolean {
  return FOOTERS.test(paragraph.slice(0, 4_000)) && !SPEAKS.test(paragraph.slice(0, 4_000));
}

/** Whether a line is neither empty nor a ruler. */
function isWritten(line: string): boolean {
  const seen = visibleTextOf(line);
  return seen !== "" && !RULER.test(seen);
}

const MOST_BANNER_LINES = 12;
/** A line of at least this many characters may be wrapped and continue in the next line. */
const WRAPPED = 60;
const MAX_LINE = 600;

/** A tag alone on its line, such as "[EXTERNAL]" or "EXTERNAL SENDER". */
const TAG =
  /^[[(<{*!\s-]{0,6}(?:external|extern(?:e|al|o|a|y)?|esterno|zewnętrzn[aey]|ext|外部(?:メール|邮件|送信者)?|outside|suspicious|unverified)(?: (?:sender|e-?mail|message|mail|origin|absender|nachricht|expéditeur|remitente|mittente|afzender|remetente|nadawca|avsändare)){0,2}[\])>}*!:\s-]{0,6}$/iu;

/** Warnings that a company's email gateway puts above an email from outside, in ten languages and more. */
const SENTENCES = new RegExp(
  [
    "(?:e-?mail|message|mail|sender)(?: \\S{1,20}){0,6} (?:from|originat\\w{1,4}|outside|external)(?: \\S{1,20}){0,5} (?:outside|external|organi[sz]ation|company|network|domain|sender|source)|(?:external|outside) (?:e-?mail|sender|message|source)(?!s? (?:team|campaign|list))|(?:do not|don't|never|avoid) (?:click\\w{0,3}|open\\w{0,3}|follow\\w{0,3})(?: \\S{1,15}){0,5} (?:links?|attachments?)|(?:unless|if) you (?:do not |don't )?(?:recogni[sz]e|know|trust|verify)(?: \\S{1,15}){0,4} sender|don't often get e-?mail from|learn why this is important",
    "(?:e-?mail|nachricht|mail|absender)(?: \\S{1,20}){0,6} (?:von (?:extern|außerhalb|außen|einem externen)|außerhalb|externe[nrms]?)|externe (?:e-?mail|nachricht|mail)|externer absender|(?:vorsicht|achtung|seien sie vorsichtig)(?: \\S{1,15}){0,4} (?:links?|anhäng\\p{L}*)|(?:öffnen|klicken) sie (?:\\S{1,15} ){0,4}(?:keine|nicht)|erhalten nicht (?:oft|häufig) e",
    "(?:message|courriel|e-?mail|mail|expéditeur)(?: \\S{1,20}){0,6} (?:externe|extérieur|hors de|en dehors)|(?:ne cliquez|n['’]ouvrez)(?: \\S{1,15}){0,3} pas|n['’]ouvrez (?:pas|aucun)|(?:recevez|obtenez) pas souvent",
    "(?:mensaje|correo|e-?mail|remitente)(?: \\S{1,20}){0,6} (?:extern|fuera de|ajen)\\p{L}*|no (?:haga clic|abra|pulse)(?: \\S{1,15}){0,5} (?:enlaces?|adjuntos?|archivos?)|no suele recibir",
    "(?:messaggio|e-?mail|mail|mittente)(?: \\S{1,20}){0,6} (?:estern|fuori|dall['’]esterno)\\p{L}*|non (?:cliccare|aprire|fare clic)(?: \\S{1,15}){0,5} (?:link|collegament|allegat)\\p{L}*|non si riceve spesso",
    "(?:bericht|e-?mail|mail|afzender)(?: \\S{1,20}){0,6} (?:van buiten|buiten|extern)\\p{L}*|(?:klik|open)(?: \\S{1,15}){0,4} (?:geen|niet)(?: \\S{1,15}){0,4} (?:links?|bijlagen?)|ontvangt niet vaak",
    "(?:mensagem|e-?mail|remetente)(?: \\S{1,20}){0,6} (?:extern|fora d)\\p{L}*|não (?:clique|abra)(?: \\S{1,15}){0,5} (?:links?|ligações|anexos?)|não costuma receber",
    "(?:wiadomość|e-?mail|nadawca)(?: \\S{1,20}){0,6} (?:spoza|zewnętrzn|z zewnątrz)\\p{L}*|nie (?:klikaj|otwieraj)(?: \\S{1,15}){0,5} (?:link|załącznik)\\p{L}*|nie otrzymujesz często",
    "(?:meddelande|mejl|mail|e-post|avsändare)\\p{L}{0,3}(?: \\S{1,20}){0,6} (?:extern|utanför|utifrån)\\p{L}*|(?:klicka|öppna)(?: \\S{1,15}){0,3} inte|får inte ofta e-post",
    "(?:この|本)メールは.{0,12}(?:外部|社外|組織外)|(?:外部|社外)(?:から|の)(?:の)?(?:メール|送信者|メッセージ)|リンクや添付.{0,16}(?:ください|注意)|(?:外部|組織外).{0,8}(?:邮件|郵件)|(?:邮件|郵件).{0,8}(?:外部|组织外|公司外)|請勿|请勿.{0,6}(?:点击|打开)",
  ].join("|"),
  "iu",
);
/** The words with which such a warning begins, so that a person's own sentence about email does not match. */
const BEGINS =
  /^(?:[[(<{*!\s-]|⚠|\ufe0f){0,8}(?:caution|warning|attention|achtung|vorsicht|warnung|hinweis|notice|note|important|wichtig|alert|external|extern\p{L}{0,3}|be careful|this (?:e-?mail|message|mail|sender)|the sender|e-?mail from|you don't|some people who|do not|don't|diese[rs]? (?:e-?mail|nachricht|mail|absender)|sie erhalten|öffnen sie|ce (?:message|courriel|mail)|cet (?:e-?mail|expéditeur)|avertissement|prudence|vous (?:n|ne)|ne cliquez|este (?:mensaje|correo|e-?mail)|precaución|advertencia|atención|no (?:suele|haga|abra)|questo messaggio|questa e-?mail|attenzione|avviso|non (?:si|cliccare|aprire)|dit bericht|deze (?:e-?mail|mail)|let op|waarschuwing|pas op|u ontvangt|esta mensagem|este e-?mail|atenção|cuidado|aviso|não|ta wiadomość|ten e-?mail|uwaga|ostrzeżenie|nie |detta (?:meddelande|mejl|e-post)|varning|obs|du får|このメール|本メール|注意|警告|【|外部|社外|此邮件|本邮件|该邮件|此郵件)/iu;

/**
 * A text without the banner that a company's gateway put above it. A text that consists only of the banner is returned
 * unchanged.
 */
export function withoutBanner(text: string): string {
  const lines = text.split("\n");
  let start = 0;
  let before = "";
  for (let at = 0; at < Math.min(lines.length, MOST_BANNER_LINES); at++) {
    const line = visibleTextOf(lines[at] ?? "");
    if (line === "" || RULER.test(line)) {
      before = "";
      continue;
    }
    if (!isBanner(line, before)) break;
    start = at + 1;
    before = line;
  }
  const rest = lines.slice(start);
  const first = rest.findIndex((line) => visibleTextOf(line) !== "" && !RULER.test(visibleTextOf(line)));
  return start === 0 || first < 0 ? text : rest.slice(first).join("\n").trim();
}

function isBanner(line: string, before: string): boolean {
  if (line.length > MAX_LINE || /[?？]/.test(line)) return false;
  if (TAG.test(line)) return true;
  const goesOn = before.length >= WRAPPED && !/[.!]$/.test(before);
  return SENTENCES.test(line) ? goesOn || before !== "" || BEGINS.test(line) : goesOn && /^\p{Ll}/u.test(line);
}
