const MAX_WORDS = 30;

const OPT_OUT =
  /\bunsubscri|\bun-subscrib|\bopt(?:ed|ing)? (?:me |us )?out\b|^opt-?out\b|^(?:please )?remove(?: please)?\W{0,3}$|\b(?:cease|stop) (?:all |any |further )?(?:communications?|correspondence|contact)\b|\b(?:remove|delete|drop|take|erase) (?:me|my|us|our|this (?:e-?mail|address)|mich)\b|\btake (?:me|us|my \S{1,20}) off\b|\b(?:remove|delete) .{0,40}(?:from (?:your|the|this|any) .{0,20}(?:list|database|system|mailing|records|crm))|\b(?:do not|don't|dont|never) (?:ever )?(?:contact|e-?mail|write|mail|message|bother) (?:to )?(?:me|us|this)\b|\b(?:stop|quit|cease) (?:\w+ ){0,2}(?:e-?mailing|contacting|mailing|writing|sending|messaging|spamming|these|this|e-?mails?|mails?|it|now)\b|\bno (?:more|further) (?:e-?mails?|mails?|messages?|contact)\b|\bleave me alone\b/u;

const OPT_OUT_ELSEWHERE =
  /abmelden|abbestell|austragen|(?:keine|nicht) (?:weiteren?|mehr) (?:e-?mails?|mails?|nachrichten|kontaktier|anschreib)|(?:entfernen|löschen|streichen|nehmen) sie (?:mich|meine|uns|unsere)|keine (?:werbung|post)(?: mehr)?\b|(?:senden|schicken|schreiben) sie (?:mir|uns) (?:bitte )?(?:keine|nicht)|aus (?:dem|ihrem|ihrer|eurem|der) .{0,20}(?:verteiler|liste|newsletter)|d[ée]sabonn|d[ée]sinscri|(?:retirez|supprimez|enlevez|effacez)[- ](?:moi|nous|mon|mes|notre)|(?:me|nous|mon adresse|notre adresse|mes coordonnées) (?:retirer|supprimer|enlever|effacer)|ne plus (?:me |nous |être )?(?:contact|écrire|envoyer|sollicit|recevoir)\p{L}*|ne (?:me|nous) (?:contacte[zr]|écrive[zr]|envoye[zr]|sollicite[zr]) plus|\bd(?:oy|[aeé]\p{L}{0,5}) de baja|(?<!\bde )\bbaja\b(?! (?:médica|laboral|maternal|paternal|por (?:enfermedad|maternidad|paternidad)))|desuscri|(?:elim[ií]n|b[óo]rr|quit)\p{L}{0,4} (?:me|mi|mis|nuestr)|(?:elimíneme|bórreme|quíteme)|no (?:me|nos) (?:contact|escrib|env[ií])\p{L}*|disiscri|cancell(?:ami|atemi|i|are) .{0,30}(?:lista|iscrizione|indirizzo)|cancellatemi|cancellami|rimuov(?:imi|etemi|ere)|non (?:contatta|scriv|invia)\p{L}* più|non (?:mi|ci) (?:contatt|scriv|invi)\p{L}*|descadastr|(?:remova|remover|retire|exclua|tire)[- ](?:me|meu|o meu)|\b(?:me|nos) (?:remova|retire|exclua|tire)\p{L}*|não (?:quero|desejo) (?:mais )?receber|no (?:quiero|deseo) (?:más )?recibir|non (?:desidero|voglio) (?:più )?ricevere|cancelar .{0,20}(?:inscri|assinatura)|não (?:me|nos) (?:envie|contat|escrev)\p{L}*|uitschrijv|schrijf (?:mij|me|ons) uit|afmelden|meld (?:mij|me|ons) af|verwijder (?:mij|me|ons|mijn)|(?:graag|gelieve|wilt u) .{0,20}verwijder|geen (?:e-?)?mails? meer|avregistrer|avprenumerer|avsluta prenumeration|ta bort (?:mig|oss|min)|(?:afmeld|frameld|avmeld) (?:mig|meg|os)|fjern (?:mig|meg|os)|wypisz|wypisać|usuń (?:mnie|mój)|proszę o usunięcie|отпи[сш](?!у|ем)|удали(?:те|ть) (?:меня|мой|нас|наш)|прекратите (?:рассылк|писать|присылать)|не хочу (?:больше )?получать|не (?:пишите|присылайте|беспокойте)|配信停止|配信を?停止|購読解除|登録解除|退订|取消订阅|不要再(?:发|联系)|수신 ?거부/u;

const OPT_OUT_FAR =
  /odhl[aá][sš]|odstra[nň]te (?:m[eěň]|mne|můj|moj|moje)|vyřaďte|nepište mi|leiratkoz|töröl\p{L}* .{0,20}(?:list|adatb)|ne írj\p{L}*|poista(?:kaa)? (?:minut|osoitte|meidät)|peruuta tilaus|en halua (?:enää )?(?:viestejä|posti)|liste\p{L}* .{0,10}çıkar|abonelik\p{L}* (?:çık|iptal)|üyelikten çık|mail (?:atmayın|göndermeyin)|відпи[сш](?!у|ем)|видаліть (?:мене|мою|нас)|не пишіть|dezabon|[sș]terge[tț]i-?m|κατάργηση εγγραφής|διαγράψτε|απεγγραφή|(?:メール|配信|連絡).{0,6}(?:不要|停止|お断り|やめ)|不要再.{0,6}(?:发|發|寄|联系|聯絡)|别再发|取消訂閱|退訂|구독 ?(?:취소|해지)|hủy đăng ký|berhenti berlangganan|إلغاء الاشتراك|הסר(?:ו)? אותי/u;

/** "Para" means "for" in Spanish and Portuguese, unless it is the whole text. */
const STOP =
  /(?<![\p{L}-])(?:stop|stopp|arr[êe]tez|arrêter|basta|parad|paren|pare(?= de | con |[.!]*$)|стоп)(?![\p{L}-])|^para(?: ya| por favor)?[.!]*$/u;
const HARMLESS_STOP =
  /\b(?:stop (?:by|in|over|at|for|off|sign|gap)|(?:bus|full|one|non|pit|next|last|door|dead|truck)[ -]stop|stop[ -]gap|non-?stop|can ?not stop|can't stop|won't stop|stop motion)\b/u;
// With a negation, a condition or a question around them, the words are ambiguous, and a person has to decide
const UNSURE =
  /\b(?:(?:don't|do not|didn't|did not|never) (?:\w+ ){0,3}?(?:unsubscrib|remove|opt |delete)|(?:not (?:want|wish|need|asking|going)|no need|instead of|rather than|without|before i) (?:\w+ ){0,3}?(?:unsubscrib|remov|opt|stop|delet))|\b(?:we|they|our|users?|customers?|people) (?:\w+ ){0,3}?(?:unsubscrib|opt)|\b(?:if|unless|otherwise|wenn|falls)\b|\b(?:contact|write|e-?mail|mail|message) (?:to )?(?:me|us) (?:on|until|till|before|this|today|tomorrow|next|at|about|again (?:in|on|after))\b|\bhow (?:do|can) i\b|nicht (?:abmelden|austragen|löschen|entfernen)|ne .{0,15}pas (?:me )?(?:désabonner|désinscrire|retirer)/u;
const ASKED_OF_US =
  /\b(?:can|could|would|will) (?:you|u)\b|\bplease\b|\bbitte\b|\bkönnen sie\b|\bpouvez-vous\b|\bmerci\b|\bpor favor\b|\bpuede\b|\bper favore\b|\bpode\b|\bgraag\b/u;

/**
 * Whether a reply asks us to stop writing (rules/states 5.4). CLEAR suppresses the address; AMBIGUOUS is left to a person. `replyText` is
 * the text
 * without quotes, so a quoted footer never counts. In a text of more than 30 words even clear words are only AMBIGUOUS.
 */
export function readOptOut(replyText: string): "CLEAR" | "AMBIGUOUS" | null {
  const text = replyText.slice(0, 4_000).normalize("NFC").toLowerCase().replace(/[’‘`]/g, "'").replace(/\s+/g, " ").trim();
  const words = text.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
  const asks = OPT_OUT.test(text) || OPT_OUT_ELSEWHERE.test(text) || OPT_OUT_FAR.test(text);
  const stops = STOP.test(text.replace(HARMLESS_STOP, " "));
  const isUnsure = UNSURE.test(text) || (text.includes("?") && !ASKED_OF_US.test(text));
  if (asks) return words <= MAX_WORDS && !isUnsure ? "CLEAR" : "AMBIGUOUS";
  if (!stops || words > MAX_WORDS) return null;
  return words <= 4 && !isUnsure ? "CLEAR" : "AMBIGUOUS";
}
