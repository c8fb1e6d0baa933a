import type { Inbound } from "../mail/inbound.ts";
import { anyOf } from "./any-of.ts";
import { splitReturnedCopy } from "./returned-copy.ts";
import { isAutomaticSender, isSystem } from "./sender.ts";

const SUBJECT = anyOf(
  "i",
  /undeliver|non.?deliver|not (?:be )?deliver|un?able to deliver|deliver\w* (?:has )?fail|failed deliver|fail\w* (?:to deliver|notice)|delivery (?:status|notification|problem|delay|error|incomplete|report|warning)|returned (?:e-?)?mail|returned to sender|return(?:ed|ing) message|return(?:ed|ing) to sender|mail (?:system error|failure|delivery|failed)|(?:mail|message|delivery|processing) error|could not (?:be )?(?:sent|send|deliver)|message delay|delayed|message you sent blocked|bounce|nameserver error/,
  /non (?:remis|d.livr|distribu)|remise (?:impossible|retardée)|.chec de (?:la |l')?(?:remise|distribution|envoi)|message non (?:remis|distribu)|unzustellbar|nicht zugestellt|nicht übermittelt|zustellung nicht möglich|nicht zustellbar|zustellung (?:fehlgeschlagen|gescheitert)|fehlgeschlagene zustellung|zustellfehler|(?:no se|imposible) (?:pudo |ha podido |puede )?entregar|no se ha entregado|no entregad|devuelto|error (?:de|en la) entrega|mancato recapito|mancata consegna|non (?:recapitabile|recapitat|consegnat)|impossibile (?:recapitare|consegnare)|n.o (?:foi )?entreg|n.o (?:é|foi) possível entregar|impossível entregar|falha na entrega|devolvid|onbestelbaar|niet (?:bezorgd|afgeleverd|bestelbaar)|bezorging mislukt|bezorgfout|olevererbar|kan inte levereras|levererades inte|kan ikke leveres|ikke levert|leveransen misslyckades|kunne ikke leveres|kunde inte levereras|niedostarcz(?:on|aln)|nie można dostarczyć|niedoręcz|nie dor.czon|nie dostarczono/,
  /не доставлен|недоставлен|не удалось доставить|возвращ.нн|ошибка доставки|配信(?:できません|不能|エラー|失敗)|(?:送信|送達|配送)(?:できません|できませんでした|エラー|失敗|不能)|お?届け(?:でき|いた)|エラー(?:メール|通知)|メール.{0,12}エラー|退信|无法(?:投递|送达|传递)|未(?:能)?(?:送达|传递)|投遞失敗|傳遞失敗|未傳遞|投递失败|发送失败|未送达|無法傳遞|邮件.{0,4}退回|teslim edilemed|iletilemed|nedoru.iteln|nedoru.en|k.zbes.thet|k.zbes.t.s.{0,20}sikertelen|배달되지|배달할 수 없|배달 실패|전송할 수 없|전송되지|전송 실패|반송|nelivra|nu a putut fi livrat|αδυναμία παράδοσης|μη παραδοτέο|δεν παραδόθηκε|toimittamaton|ei voitu toimittaa|toimitus ep.onnistui|uleverlig|ikke leveret|leveringsfeil|не доставлено|không thể (?:gửi|chuyển)|bị trả lại|tidak terkirim|gagal terkirim|לא ניתן למסירה|לא נמסר|تعذر (?:التسليم|تسليم)|ไม่สามารถส่ง/,
);
const SENTENCE = anyOf(
  "i",
  /(?:message|mail|e-?mail|letter)[^.\n]{0,60}(?:could not|couldn't|cannot|can't|can not|was not|wasn't|has not|not yet)(?: yet)? (?:be |been )?(?:delivered|sent)|(?:could not|couldn't|cannot|can't|unable to|failed to|not able to) (?:be )?deliver\w*(?: \w+){0,3} (?:message|mail|to)|delivery (?:to the following|has failed|failed|of .{0,60} failed)|did not reach the following|(?:did|has) not (?:been )?receive[d]?(?: a copy of)? (?:your|this|the) message|undeliverable (?:mail|message|to)|unable to deliver|wasn't able to deliver|(?:error|trouble|problems?) delivering your (?:mail|message)|was rejected by|had (?:permanent fatal errors|delivery problems|permanent fatal delivery)|permanent error|message was created automatically by mail|(?:returned|returning) to (?:the )?sender|has been returned because|exceeds allowed size|no valid recipients were found|failed recipients?\b|final delivery userid|delivery attempts will continue|has been (?:postponed|delayed) (?:due|because)|an error was detected while processing|encountered (?:delivery problems|an error)|error-for: /,
  /n['’]a pas (?:pu .tre|.t.) (?:remis|distribu|d.livr|envoy|transmis)|impossible de (?:remettre|distribuer|livrer)|(?:konnte(?:n)?|wurde(?:n)?|kann) (?:\S{1,40} ){0,4}nicht (?:\S{1,40} ){0,3}(?:zugestellt|ausgeliefert|versandt|übermittelt)|nicht zugestellt werden|zustellung .{0,60}(?:fehlgeschlagen|nicht m.glich)|no (?:pudo|se pudo|se ha podido|ha podido|se ha|se puede) (?:ser )?entreg|non (?:.|e'|è) stato (?:possibile )?(?:consegn|recapit)|impossibile (?:consegnare|recapitare)|non (?:può|ha potuto) essere (?:consegn|recapit)|n.o p.de ser (?:entregue|enviad)|n.o foi poss.vel entregar|n.o foi (?:entregue|enviad)|n.o pode ser entregue|(?:kon(?:den)?|kan) niet worden (?:bezorgd|afgeleverd)|is niet (?:bezorgd|afgeleverd)|niet (?:bezorgd|afgeleverd) (?:bij|aan)|kunde inte levereras|gick inte att leverera|levererades inte|kunne ikke leveres|ble ikke levert|blev ikke leveret|nie (?:mo.na|uda.o si.|mo.na by.o) dostarczy|nie zosta.{1,2} dostarczon|не (?:может|могло) быть доставлен|не было доставлено|не удалось доставить/,
  /(?:送信|配信|送達|配送|お?届け).{0,12}(?:できません|出来ません|失敗|いたしかね)|届きませんでした|エラー(?:が発生|となりました|により)|无法(?:将.{0,20})?(?:送达|投递|发送|传递)|(?:未|没有)(?:能)?(?:送达|传递)|無法(?:將.{0,20})?(?:傳遞|送達|傳送)|(?:邮件|您的信件).{0,12}(?:退回|退信)|投递失败|전송(?:되지|하지) 못|(?:배달|전송|전달)할 수 없|(?:배달|전달)되지 (?:못|않)|배달하지 못/,
);
const TRANSCRIPT =
  /^[^\S\n]*(?:>>>|<<<|<--) |transcript of session|^[^\S\n]*(?:rcpt to|mail from):\s?<|(?<![\d.])[45]\d\d[ -]#?[45]\.\d{1,3}\.\d{1,3}/im;
/** Signs that someone's email failed: a status code, an SMTP dialogue, or an address where programs print it. */
const PROOF =
  /(?<![\d.])#?[45]\.\d{1,3}\.\d{1,3}(?![\d.])|(?:^|[\s:"'(>-])[45]\d\d[ -]\S|^[^\S\n]*(?:>>>|<<<|<--) |^[\s>*"'([<•·-]{0,20}[^\s<>"'(),:;[\]]{1,64}@[\w.-]{1,200}[>"')\].,:]{0,4}[^\S\n]*$|<[^\s<>"'(),:;[\]]{1,64}@[\w.-]{1,200}>[^\S\n]*(?:$|:)|\bto:?\s{1,3}[<"']{0,2}[^\s<>"'(),:;[\]]{1,64}@[\w.-]{1,200}/im;
const DELAY =
  /not yet been delivered|delivery attempts will continue|(?:will|we'll) (?:continue|keep) (?:to )?try|(?:will|it will) be retried|(?:is|was) (?:being )?(?:still )?retried|will retry for|only a (?:temporary|warning)|warning (?:message )?only|advisory-only|do not need to re-?send|delivery incomplete|message (?:is|was|has been) delayed|delivery (?:has been|is|was) delayed|has been (?:postponed|deferred|delayed)|still trying|(?:next|further) attempts? (?:will|to)|wird weiter versucht|versucht es noch|weitere zustellversuche|verz.gert sich|va (?:continuer|réessayer)|nouvelles tentatives|seguirá intentándolo|nuovi tentativi|n'est pas encore parvenu|n'a pas encore .t. (?:remis|distribu)|再送(?:を試み|します)|попытки .{0,20}продолж/i;
const DELAY_SUBJECT =
  /\bdelay(?:ed)?\b|^warning: (?:message|could not send)|delivery warning|verz.ger|retard.{0,20}(?:remise|distribution)|retras(?:o|ado)|ritardo|vertraagd|遅延/i;
/** Greetings with which people begin an email, and phrases with which they speak about themselves. */
const PERSONAL =
  /^\s*(?:hi|hello|hey|dear|hallo|liebe[rs]?|sehr geehrte|guten (?:tag|morgen)|bonjour|salut|ch[eè]re?|hola|buen(?:os|as)|estimad|ciao|buongiorno|gentile|ol[áa]|caro|prezad|beste|hej|dzień dobry|привет|здравствуйте|уважаем)(?![\w\p{L}])|(?<![\w\p{L}'])(?:i|i'm|i've|i'd|my|me|ich|mir|meine?|je|j'ai|mon|yo|mi|io|eu|ik|jag|я|мне)(?![\w\p{L}])/iu;
const MAX_OPENING = 800;
const MOST = 20_000;

/**
 * Whether the email is a mail server's report about email that was sent. An email in which a person quotes or forwards
 * a bounce is not such a report (8.1).
 */
export function isBounce(message: Inbound): boolean {
  if (
    message.deliveryStatus !== null ||
    (message.contentType === "multipart/report" && message.reportType === "delivery-status")
  )
    return true;
  if (isAutomaticSender(message)) {
    const { body } = splitReturnedCopy(message);
    return SUBJECT.test(message.subject) || TRANSCRIPT.test(body) || SENTENCE.test(body.replace(/\s+/g, " "));
  }
  return isSystem(message) && looksLikeOne(message, message.returned !== null);
}

/**
 * Whether an email is a mail server's report although its sender does not have the name of a system. Some systems send
 * reports under other names. An email that replies to another one never counts.
 */
export function readsAsBounce(message: Inbound): boolean {
  const isAlone = message.inReplyTo === null && message.references.length === 0;
  const isLetter = message.headers.has("list-unsubscribe") || message.headers.has("feedback-id");
  return (
    isAlone &&
    !isLetter &&
    looksLikeOne(message) &&
    !PERSONAL.test(splitReturnedCopy(message).body.slice(0, MAX_OPENING))
  );
}

/**
 * Requires all three signs: a subject or a printed status, a sentence, and proof of a failure or a returned message.
 */
function looksLikeOne(message: Inbound, hasReturned = false): boolean {
  if (!SUBJECT.test(message.subject) && !/^final-recipient[ \t]{0,5}:/im.test(message.text.slice(0, MOST)))
    return false;
  const body = splitReturnedCopy(message).body.slice(0, MOST);
  return SENTENCE.test(body.replace(/\s+/g, " ")) && (hasReturned || PROOF.test(body));
}

/** Whether the report says that nothing has failed permanently yet. */
export function mayStillCome(subject: string, body: string): boolean {
  return DELAY.test(body.replace(/\s+/g, " ")) || DELAY_SUBJECT.test(subject);
}
