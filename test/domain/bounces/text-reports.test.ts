import { expect, test } from "@jest/globals";
import { readBounce } from "../../../domain/bounces/bounce.ts";
import { kindOf } from "../../../domain/inbox/kind.ts";
import { FACTS, wrote } from "../mail/mail.ts";

const SYSTEM = "<microsoftexchange329e71ec@firm.example>";
const PAT = "pat@firm.example";

/**
 * A report as text alone, from a null return path: the words of large providers for the same cause in each language.
 */
const report = (subject: string, text: string) => wrote(SYSTEM, `${subject}: A question`, text, "");

// Subject; "was not found at"; the mailbox is full; the domain is not there; refused as spam
const LANGUAGES: Record<string, readonly [string, string, string, string, string]> = {
  English: [
    "Undeliverable",
    `Your message to ${PAT} couldn't be delivered.\npat wasn't found at firm.example.`,
    `Your message to ${PAT} couldn't be delivered.\nThe recipient's mailbox is full.`,
    `Your message to ${PAT} couldn't be delivered.\nThe domain firm.example couldn't be found.`,
    `Your message to ${PAT} couldn't be delivered.\nThe message was rejected as spam.`,
  ],
  German: [
    "Unzustellbar",
    `Ihre Nachricht an ${PAT} konnte nicht übermittelt werden.\npat wurde unter firm.example nicht gefunden.`,
    `Ihre Nachricht wurde nicht an ${PAT} zugestellt.\nDas Postfach des Empfängers ist voll.`,
    `Ihre Nachricht wurde nicht an ${PAT} zugestellt, weil die Domain firm.example nicht gefunden wurde.`,
    `Ihre Nachricht an ${PAT} konnte nicht zugestellt werden.\nDie Nachricht wurde als Spam abgelehnt.`,
  ],
  French: [
    "Non remis",
    `Votre message à ${PAT} n'a pas pu être remis.\npat est introuvable sur firm.example.`,
    `Votre message n'a pas été remis à ${PAT}.\nLa boîte aux lettres du destinataire est pleine.`,
    `Votre message n'a pas été remis à ${PAT}, car le domaine firm.example est introuvable.`,
    `Votre message à ${PAT} n'a pas pu être remis.\nLe message a été détecté comme spam.`,
  ],
  Spanish: [
    "No se puede entregar",
    `No se pudo entregar el mensaje a ${PAT}.\nNo se encontró pat en firm.example.`,
    `Tu mensaje no se ha entregado a ${PAT}.\nEl buzón del destinatario está lleno.`,
    `Tu mensaje no se ha entregado a ${PAT} porque no se ha encontrado el dominio firm.example.`,
    `No se pudo entregar el mensaje a ${PAT}.\nEl mensaje fue clasificado como spam.`,
  ],
  Italian: [
    "Non recapitabile",
    `Impossibile recapitare il messaggio a ${PAT}.\npat non è stato trovato in firm.example.`,
    `Il messaggio non è stato recapitato a ${PAT}.\nLa casella del destinatario è piena.`,
    `Il messaggio non è stato recapitato a ${PAT} perché il dominio firm.example non è stato trovato.`,
    `Impossibile recapitare il messaggio a ${PAT}.\nIl messaggio è stato rilevato come spam.`,
  ],
  Dutch: [
    "Onbestelbaar",
    `Uw bericht aan ${PAT} kan niet worden bezorgd.\npat is niet gevonden op firm.example.`,
    `Je bericht is niet bezorgd bij ${PAT}.\nHet postvak van de ontvanger is vol.`,
    `Je bericht is niet bezorgd bij ${PAT} omdat het domein firm.example niet is gevonden.`,
    `Uw bericht aan ${PAT} kan niet worden bezorgd.\nHet bericht is geweigerd: spam gedetecteerd.`,
  ],
  Portuguese: [
    "Não é possível entregar",
    `Não foi possível entregar sua mensagem para ${PAT}.\npat não foi encontrado em firm.example.`,
    `Sua mensagem não foi entregue a ${PAT}.\nA caixa de correio do destinatário está cheia.`,
    `Sua mensagem não foi entregue a ${PAT} porque o domínio firm.example não foi encontrado.`,
    `Não foi possível entregar sua mensagem para ${PAT}.\nA mensagem foi detectada como spam.`,
  ],
  Polish: [
    "Niedostarczalne",
    `Nie można dostarczyć wiadomości do ${PAT}.\nNie znaleziono pat w firm.example.`,
    `Wiadomość nie została dostarczona na adres ${PAT}.\nSkrzynka odbiorcy jest pełna.`,
    `Wiadomość nie została dostarczona na adres ${PAT}, ponieważ nie znaleziono domeny firm.example.`,
    `Nie można dostarczyć wiadomości do ${PAT}.\nWiadomość została odrzucona jako spam.`,
  ],
  Swedish: [
    "Kan inte levereras",
    `Det gick inte att leverera meddelandet till ${PAT}.\npat hittades inte på firm.example.`,
    `Meddelandet levererades inte till ${PAT}.\nMottagarens brevlåda är full.`,
    `Meddelandet levererades inte till ${PAT} eftersom domänen firm.example inte kunde hittas.`,
    `Det gick inte att leverera meddelandet till ${PAT}.\nMeddelandet avvisades som skräppost.`,
  ],
  Japanese: [
    "配信不能",
    `${PAT} へのメッセージを配信できませんでした。\npat が firm.example で見つかりませんでした。`,
    `メッセージは ${PAT} に配信されませんでした。\n受信者のメールボックスがいっぱいです。`,
    `メッセージを ${PAT} に配信できませんでした。ドメイン firm.example が見つかりませんでした。`,
    `${PAT} へのメッセージを配信できませんでした。\n迷惑メールとして拒否されました。`,
  ],
  Chinese: [
    "无法送达",
    `无法将您的邮件传递到 ${PAT}。\n在 firm.example 中找不到 pat。`,
    `您的邮件未能送达 ${PAT}。\n收件人的邮箱已满。`,
    `您的邮件未能送达 ${PAT}，因为找不到域名 firm.example。`,
    `无法将您的邮件传递到 ${PAT}。\n该邮件被识别为垃圾邮件，已被拒绝。`,
  ],
  Korean: [
    "배달되지 않음",
    `${PAT}에게 보낸 메시지를 배달할 수 없습니다.\nfirm.example에서 pat을(를) 찾을 수 없습니다.`,
    `${PAT}에게 메시지가 전송되지 않았습니다.\n수신자의 사서함이 가득 찼습니다.`,
    `${PAT}에게 메시지가 전송되지 않았습니다. 도메인 firm.example을 찾을 수 없습니다.`,
    `${PAT}에게 보낸 메시지를 배달할 수 없습니다.\n스팸으로 차단되었습니다.`,
  ],
};
const CAUSES = [
  ["HARD", ["USER_UNKNOWN"]],
  ["SOFT", ["MAILBOX_FULL"]],
  ["HARD", ["HOST_UNKNOWN"]],
  ["SOFT", ["CONTENT_REJECTED", "BLOCKED"]],
] as const;

test.each(Object.entries(LANGUAGES))(
  "a report without a status part is classified by its sentences in %s",
  (_, [subject, ...texts]) => {
    texts.forEach((text, index) => {
      const message = report(subject, text);
      const [type, reasons] = CAUSES[index] ?? ["SOFT", []];
      const bounce = readBounce(message);
      const [recipient] = bounce?.recipients ?? [];
      expect({ text, kind: kindOf(message, FACTS) }).toEqual({ text, kind: "BOUNCE" });
      expect({ text, address: recipient?.address, type: recipient?.type }).toEqual({ text, address: PAT, type });
      expect(reasons.map(String)).toContain(recipient?.reason);
    });
  },
);

test("a recipient's name counts only together with the domain, and only beside words for 'not found'", () => {
  const type = (text: string) =>
    readBounce(report("Undeliverable", `Your message to ${PAT} couldn't be delivered.\n${text}`))?.recipients[0]?.type;
  expect(type("pat wurde unter firm.example nicht gefunden.")).toBe("HARD");
  expect(type("Die Datei wurde nicht gefunden.")).toBe("SOFT");
  expect(type("pat hat firm.example für externe Absender gesperrt.")).toBe("SOFT");
});
