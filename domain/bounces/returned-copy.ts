import type { Inbound } from "../mail/inbound.ts";

const MAX_BODY = 60_000;
const MAX_TEXT = 256 * 1024;

// How programs announce the copy of the returned message; a header line such as Received also marks its beginning
const COPY =
  /^[^\S\n]{0,20}[-*_=>|]{0,80}[^\S\n]{0,20}(?:this is a copy of|below this line is a copy|below the next line is a copy|enclosed is a copy|included is a copy|(?:here is|following is) a copy of|a copy of (?:the|your) (?:original )?(?:message|mail)|the header of the original|(?:first|top|last) \d{1,4} (?:lines|bytes|characters)|the (?:first|header and top) .{0,30}lines|original (?:mail|message)\b(?! (?:details|information|properties|was|has|had|could))|(?:the )?original message follows|unsent message|message (?:headers?|text|body|contents?) follow|your (?:original )?(?:message|mail) (?:reads|follows)|your message reads|header of the source mail|below is a copy of|begin(?:ning)? of (?:the )?original|(?:returned|undelivered|rejected|failed|bounced) (?:message|mail)\b.{0,20}(?:follows|-{3,}|$)|(?:possibly )?truncated original|old message:|urspr.ngliche nachricht|originalnachricht|en-t.tes? (?:de|du) message d'origine|message (?:d'origine|original)|mensaje original|encabezados de mensajes? originales|messaggio originale|intestazioni (?:originali|del messaggio)|mensagem original|oorspronkelijk bericht|oorspronkelijke berichtkop|исходное (?:сообщение|письмо)|原(?:始)?邮件(?:内容)?(?:如下|附后)|以下.{0,10}(?:送信|元).{0,10}(?:メール|メッセージ))/im;
const HEADER = /^(?:received|return-path|dkim-signature|x-received|arc-seal|message-id|mime-version)[^\S\n]?:/im;

/** The words of a report above the returned message, and the copy that follows them. */
export interface ReportText {
  body: string;
  copy: string;
}

/** Splits the text of a report: the report is each text part up to the returned copy in that part. */
export function splitReturnedCopy({ text, textParts }: Pick<Inbound, "text" | "textParts">): ReportText {
  const parts = (textParts.length === 0 ? [text] : textParts).map(splitAtCopy);
  return {
    body: parts
      .map(({ body }) => body)
      .join("\n\n")
      .slice(0, MAX_BODY),
    copy: parts.map(({ copy }) => copy).join("\n"),
  };
}

function splitAtCopy(whole: string): ReportText {
  const text = whole.slice(0, MAX_TEXT);
  const at = [COPY, HEADER].map((mark) => text.search(mark)).filter((index) => index > 0);
  const cut = at.length === 0 ? text.length : Math.min(...at);
  return { body: text.slice(0, Math.min(cut, MAX_BODY)), copy: text.slice(cut) };
}
