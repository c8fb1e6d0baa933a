import { visibleTextOf } from "./quote-attribution.ts";

const MOST_LINES = 12;
/** A line of at least this many characters may go on in the next one. */
const WRAPPED = 60;
const MAX_LINE = 600;
const RULER = /^[-–—‐−_=*~#•\s]{2,200}$/;

/** A tag alone on its line, such as "[EXTERNAL]" or "EXTERNAL SENDER". */
const TAG =
  /^[[(<{*!\s-]{0,6}(?:external|extern(?:e|al|o|a|y)?|esterno|zewnętrzn[aey]|ext|外部(?:メール|邮件|送信者)?|outside|suspicious|unverified)(?: (?:sender|e-?mail|message|mail|origin|absender|nachricht|expéditeur|remitente|mittente|afzender|remetente|nadawca|avsändare)){0,2}[\])>}*!:\s-]{0,6}$/iu;

/** Sentences of a company's gateway above a mail from outside, in ten languages and more. */
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
/** How such a sentence begins, so that a person's own sentence about mail is none. */
const BEGINS =
  /^(?:[[(<{*!\s-]|⚠|\ufe0f){0,8}(?:caution|warning|attention|achtung|vorsicht|warnung|hinweis|notice|note|important|wichtig|alert|external|extern\p{L}{0,3}|be careful|this (?:e-?mail|message|mail|sender)|the sender|e-?mail from|you don't|some people who|do not|don't|diese[rs]? (?:e-?mail|nachricht|mail|absender)|sie erhalten|öffnen sie|ce (?:message|courriel|mail)|cet (?:e-?mail|expéditeur)|avertissement|prudence|vous (?:n|ne)|ne cliquez|este (?:mensaje|correo|e-?mail)|precaución|advertencia|atención|no (?:suele|haga|abra)|questo messaggio|questa e-?mail|attenzione|avviso|non (?:si|cliccare|aprire)|dit bericht|deze (?:e-?mail|mail)|let op|waarschuwing|pas op|u ontvangt|esta mensagem|este e-?mail|atenção|cuidado|aviso|não|ta wiadomość|ten e-?mail|uwaga|ostrzeżenie|nie |detta (?:meddelande|mejl|e-post)|varning|obs|du får|このメール|本メール|注意|警告|【|外部|社外|此邮件|本邮件|该邮件|此郵件)/iu;

/** A text without the banner that a company's gateway put above it. It stays when nothing else is there. */
export function withoutBanner(text: string): string {
  const lines = text.split("\n");
  let start = 0;
  let before = "";
  for (let at = 0; at < Math.min(lines.length, MOST_LINES); at++) {
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
