import { expect, test } from "@jest/globals";
import { readingOf, type Written } from "./reports.ts";

// Reports whose words alone name the cause
const REPORTS: readonly Written[] = [
  {
    name: "de postfach voll",
    expected: ["SOFT recipient x@k.de"],
    from: "postmaster@relay.com",
    subject: "Unzustellbar: Hallo",
    text: `Ihre Nachricht konnte nicht zugestellt werden:

x@k.de
Das Postfach des Empfängers ist voll und kann zurzeit keine Nachrichten annehmen.
`,
  },
  {
    name: "de spam",
    expected: ["SOFT content x@k.de"],
    from: "postmaster@relay.com",
    subject: "Unzustellbar: Hallo",
    text: `Ihre Nachricht konnte nicht zugestellt werden:

x@k.de
Die Nachricht wurde als Spam eingestuft und abgelehnt.
`,
  },
  {
    name: "de gesperrt",
    expected: ["SOFT sender x@k.de"],
    from: "postmaster@relay.com",
    subject: "Zustellung fehlgeschlagen",
    text: `Die Zustellung an folgende Empfänger ist fehlgeschlagen:

  x@k.de

Grund: Ihre IP-Adresse steht auf einer Sperrliste.
`,
  },
  {
    name: "de unbekannt",
    expected: ["HARD recipient x@k.de"],
    from: "postmaster@relay.com",
    subject: "Fehlgeschlagene Zustellung",
    text: `Die Nachricht an x@k.de konnte nicht zugestellt werden, weil der Empfänger unbekannt ist.
`,
  },
  {
    name: "de domain",
    expected: ["HARD recipient x@k.de"],
    from: "postmaster@relay.com",
    subject: "Mail konnte nicht zugestellt werden",
    text: `Die E-Mail an <x@k.de> konnte nicht zugestellt werden: Die Domain existiert nicht.
`,
  },
  {
    name: "fr inconnu",
    expected: ["HARD recipient x@c.fr"],
    from: "postmaster@relay.com",
    subject: "Échec de remise de votre message",
    text: `Votre message n'a pas pu être remis à : x@c.fr
Destinataire inconnu.
`,
  },
  {
    name: "fr plein",
    expected: ["SOFT recipient x@c.fr"],
    from: "postmaster@relay.com",
    subject: "Non remis : Bonjour",
    text: `Votre message n'a pas pu être distribué :

x@c.fr
La boîte aux lettres est pleine (quota dépassé).
`,
  },
  {
    name: "fr bloque",
    expected: ["SOFT sender x@c.fr"],
    from: "postmaster@relay.com",
    subject: "Échec de la remise",
    text: `Votre message n'a pas pu être remis :

x@c.fr
L'adresse IP de l'expéditeur est bloquée (liste noire).
`,
  },
  {
    name: "es desconocido",
    expected: ["HARD recipient x@c.es"],
    from: "postmaster@relay.com",
    subject: "No se pudo entregar",
    text: `No se pudo entregar el mensaje a x@c.es: usuario desconocido.
`,
  },
  {
    name: "es lleno",
    expected: ["SOFT recipient x@c.es"],
    from: "postmaster@relay.com",
    subject: "Mensaje devuelto",
    text: `El mensaje no ha podido ser entregado a:

x@c.es

El buzón del destinatario está lleno.
`,
  },
  {
    name: "es bloqueado",
    expected: ["SOFT sender x@c.es"],
    from: "postmaster@relay.com",
    subject: "No entregado: Hola",
    text: `No se ha podido entregar a x@c.es porque su servidor está bloqueado por una lista negra.
`,
  },
  {
    name: "it",
    expected: ["HARD recipient x@c.it"],
    from: "postmaster@relay.com",
    subject: "Mancata consegna",
    text: `Non è stato possibile recapitare il messaggio a:

x@c.it

Il destinatario non esiste.
`,
  },
  {
    name: "it piena",
    expected: ["SOFT recipient x@c.it"],
    from: "postmaster@relay.com",
    subject: "Mancato recapito",
    text: `Impossibile consegnare il messaggio a x@c.it
La casella è piena.
`,
  },
  {
    name: "pt",
    expected: ["HARD recipient x@c.br"],
    from: "postmaster@relay.com",
    subject: "Falha na entrega",
    text: `A mensagem não pôde ser entregue a:

x@c.br

Usuário desconhecido.
`,
  },
  {
    name: "pt cheia",
    expected: ["SOFT recipient x@c.br"],
    from: "postmaster@relay.com",
    subject: "Mensagem não entregue",
    text: `Não foi possível entregar a mensagem a x@c.br: caixa postal cheia.
`,
  },
  {
    name: "nl",
    expected: ["HARD recipient x@k.nl"],
    from: "postmaster@relay.com",
    subject: "Onbestelbaar: Hallo",
    text: `Uw bericht kon niet worden bezorgd bij:

x@k.nl
De gebruiker bestaat niet.
`,
  },
  {
    name: "nl vol",
    expected: ["SOFT recipient x@k.nl"],
    from: "postmaster@relay.com",
    subject: "Onbestelbaar: Hallo",
    text: `Uw bericht kon niet worden bezorgd bij:

x@k.nl
Het postvak van de ontvanger is vol.
`,
  },
  {
    name: "sv",
    expected: ["HARD recipient x@k.se"],
    from: "postmaster@relay.com",
    subject: "Kan inte levereras: Hej",
    text: `Det gick inte att leverera meddelandet till:

x@k.se
Mottagaren finns inte.
`,
  },
  {
    name: "da",
    expected: ["HARD recipient x@k.dk"],
    from: "postmaster@relay.com",
    subject: "Kunne ikke leveres: Hej",
    text: `Meddelelsen kunne ikke leveres til:

x@k.dk
Modtageren blev ikke fundet.
`,
  },
  {
    name: "pl",
    expected: ["HARD recipient x@k.pl"],
    from: "postmaster@relay.com",
    subject: "Niedostarczony: Witam",
    text: `Nie można dostarczyć wiadomości do:

x@k.pl
Użytkownik nie istnieje.
`,
  },
  {
    name: "pl pelna",
    expected: ["SOFT recipient x@k.pl"],
    from: "postmaster@relay.com",
    subject: "Niedostarczony: Witam",
    text: `Nie można dostarczyć wiadomości do:

x@k.pl
Skrzynka odbiorcy jest pełna.
`,
  },
  {
    name: "ru",
    expected: ["HARD recipient x@k.ru"],
    from: "postmaster@relay.com",
    subject: "Сообщение не доставлено",
    text: `Не удалось доставить сообщение:

x@k.ru
Пользователь не существует.
`,
  },
  {
    name: "ru spam",
    expected: ["SOFT content x@k.ru"],
    from: "postmaster@relay.com",
    subject: "Сообщение не доставлено",
    text: `Не удалось доставить сообщение:

x@k.ru
Сообщение распознано как спам.
`,
  },
  {
    name: "ja unknown",
    expected: ["HARD recipient x@k.jp"],
    from: "postmaster@relay.com",
    subject: "メール配信エラー",
    text: `以下のメールアドレスへの配信に失敗しました。

x@k.jp

宛先不明です。
`,
  },
  {
    name: "ja full",
    expected: ["SOFT recipient x@k.jp"],
    from: "postmaster@relay.com",
    subject: "メールが送信できませんでした",
    text: `次の宛先へメールをお届けできませんでした。

宛先：x@k.jp

理由：メールボックスの容量を超えています。
`,
  },
  {
    name: "zh unknown",
    expected: ["HARD recipient x@k.cn"],
    from: "postmaster@relay.com",
    subject: "退信通知",
    text: `您的邮件无法送达以下收件人：

x@k.cn

退信原因：收件人不存在。
`,
  },
  {
    name: "zh full",
    expected: ["SOFT recipient x@k.cn"],
    from: "postmaster@relay.com",
    subject: "系统退信",
    text: `邮件无法投递到 x@k.cn
原因：收件人邮箱已满
`,
  },
  {
    name: "zh spam",
    expected: ["SOFT content x@k.cn"],
    from: "postmaster@relay.com",
    subject: "系统退信",
    text: `邮件无法投递到 x@k.cn
原因：邮件被判定为垃圾邮件
`,
  },
  {
    name: "ko",
    expected: ["HARD recipient x@k.kr"],
    from: "postmaster@relay.com",
    subject: "메일 전송 실패",
    text: `다음 수신자에게 메일을 전송하지 못했습니다.

x@k.kr

존재하지 않는 사용자입니다.
`,
  },
  {
    name: "tr",
    expected: ["HARD recipient x@k.tr"],
    from: "postmaster@relay.com",
    subject: "Teslim Edilemedi: Merhaba",
    text: `Mesajınız teslim edilemedi:

x@k.tr
Kullanıcı bulunamadı.
`,
  },
  {
    name: "uk",
    expected: ["HARD recipient x@k.ua"],
    from: "postmaster@relay.com",
    subject: "Повідомлення не доставлено",
    text: `Не вдалося доставити:

x@k.ua
Користувача не знайдено.
`,
  },
];

test.each(REPORTS)("a report in another language is classified correctly: $name", (report) => {
  expect(readingOf(report)).toEqual({ kind: report.kind ?? "BOUNCE", found: report.expected });
});
