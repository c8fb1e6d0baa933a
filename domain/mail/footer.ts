import { visibleTextOf } from "./quote-attribution.ts";

/** Lines of a footer. A longer text is something that a person said. */
const MOST_LINES = 40;
const MOST_FOOTERS = 6;
const RULER = /^[-–—‐−_=*~#•\s]{2,200}$/;

/**
 * What gateways, companies and scanners put below everybody's mail, in ten languages and more: results of scans, notices of confidentiality,
 * what became of the mail on its way, and the wish not to print it.
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
/** Words with which a person speaks to the reader. */
const SPEAKS =
  /[?？؟]|(?<!\p{L})(?:i['’]ll|i['’]m|i will|let me|let us|let's|call me|ich (?:melde|rufe|schicke|sende|bin|habe)|je (?:vous|suis)|le llamo|mi chiami|ik bel|me ligue|proszę o|ring mig)(?!\p{L})/iu;

/** A text without the footers at its end. They stay when nothing else is there, because then they are what was sent. */
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
