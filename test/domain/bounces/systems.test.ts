import { expect, test } from "@jest/globals";
import { readBounce } from "../../../domain/bounces/bounce.ts";
import { kindOf } from "../../../domain/inbox/kind.ts";
import { FACTS, wrote } from "../mail/mail.ts";

// The system or language, what the report is, its sender, subject and text. All are about x@ some domain
const REPORTS: readonly (readonly [string, string, string, string, string])[] = [
  [
    "groupwise",
    "BOUNCE USER_UNKNOWN",
    "Mailer-Daemon@gw.a.com",
    "Message status - undeliverable",
    "The attached file had the following undeliverable recipient(s):\n\tx@a.com\n\n Information about your message:\n  Subject: Hello\n  The message that you sent was undeliverable to the following:\n\tx@a.com (user not found)\n\nPossibly truncated original message follows:\n\nReceived: from b",
  ],
  [
    "mailenable",
    "BOUNCE USER_UNKNOWN",
    "Postmaster <postmaster@a.com>",
    "Message Delivery Failure",
    "MailEnable: Message could not be delivered to some recipients.\nThe following recipient(s) could not be reached:\n\n\tRecipient: [SMTP:x@a.com]\n\tReason: 550 5.1.1 No such user\n\n\nMessage headers follow:\nReceived: from a",
  ],
  [
    "hmail",
    "BOUNCE USER_UNKNOWN",
    "mailer-daemon@ours.example",
    "Message undeliverable: Hello",
    "Your message did not reach some or all of the intended recipients.\n\n   Sent: Mon, 2 Nov 2026\n   Subject: Hello\n\nThe following recipient(s) could not be reached:\n\nx@a.com\n   Error Type: SMTP\n   Remote server (192.0.2.1) issued an error.\n   hMailServer sent: RCPT TO:<x@a.com>\n   Remote server replied: 550 no such user\n\n\nhMailServer\n",
  ],
  [
    "hmail-full",
    "BOUNCE MAILBOX_FULL",
    "mailer-daemon@ours.example",
    "Message undeliverable: Hello",
    "Your message did not reach some or all of the intended recipients.\n\nx@a.com\n   Error Type: SMTP\n   Remote server replied: 552 5.2.2 mailbox full\n\nhMailServer\n",
  ],
  [
    "mdaemon",
    "BOUNCE USER_UNKNOWN",
    "MDaemon@a.com",
    "Permanent Delivery Failure",
    "The attached message had PERMANENT fatal delivery errors!\n\nAfter one or more unsuccessful delivery attempts the attached message has\nbeen removed from the mail queue on this server.\n\nFailed address: x@a.com\n\n--- Session Transcript ---\n Mon 2026-11-02: --> RCPT To:<x@a.com>\n Mon 2026-11-02: <-- 550 unknown user <x@a.com>\n--- End Transcript ---\n",
  ],
  [
    "imail",
    "BOUNCE USER_UNKNOWN",
    "Postmaster <postmaster@a.com>",
    "Undeliverable Mail",
    "Unknown user: x@a.com\n\n\nOriginal message follows.\n\nReceived: from x",
  ],
  [
    "james",
    "BOUNCE USER_UNKNOWN",
    "postmaster@james.a.com",
    "[BOUNCE]",
    "Hi. This is the James mail server at a.com.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.  Below\nI include the list of recipients and the reason why I was unable to deliver\nyour message.\n\nFailed recipient(s):\nx@a.com\n\nError message:\n550 5.1.1 User unknown\n",
  ],
  [
    "haraka",
    "BOUNCE USER_UNKNOWN",
    "MAILER-DAEMON <MAILER-DAEMON@mx.a.com>",
    "failure notice",
    "Hi. This is the Haraka Mailer program at mx.a.com.\nI'm afraid I wasn't able to deliver your message to the following addresses.\nThis is a permanent error; I've given up. Sorry it didn't work out.\n\nIntended Recipients: <x@a.com>\nFailure Reason: Error: 550 No such user here\n\n--- Below this line is a copy of the message.\n\nReceived: from x",
  ],
  [
    "qq",
    "BOUNCE USER_UNKNOWN",
    "PostMaster@qq.com",
    "来自qq.com的退信",
    "抱歉，您的邮件被退回来了……\n原邮件信息：\n时间\t2026-11-02 10:00:00\n主题\tHello\n收件人\tx@qq.com\n退信原因：\n收件人邮件地址(x@qq.com)不存在，邮件无法送达。\nhost mx3.qq.com[192.0.2.1] said: 550 Mailbox not found.",
  ],
  [
    "163",
    "BOUNCE USER_UNKNOWN",
    "Postmaster@163.com",
    "系统退信/Systems bounce",
    "抱歉，您的邮件被退回来了……\n收件人：x@163.com\n退信代码：550 User not found: x@163.com\n用户不存在\n",
  ],
  [
    "mimecast",
    "BOUNCE USER_UNKNOWN",
    "Postmaster <postmaster@mimecast.example>",
    "[Postmaster] Email Delivery Failure",
    "This is an automatic message from the mail system.\nYour email could not be delivered to the following recipient(s): x@a.com\nThe following error was received: 550 Invalid Recipient - https://community.mimecast.com/docs/DOC-1369#550",
  ],
  [
    "domino",
    "BOUNCE USER_UNKNOWN",
    "Mail Router <MAILER-DAEMON@domino.a.com>",
    "DELIVERY FAILURE: User x (x@a.com) not listed in Domino Directory",
    "Your message\n\n  Subject: Hello\n\nwas not delivered to:\n\n  x@a.com\n\nbecause:\n\n  User x (x@a.com) not listed in Domino Directory\n",
  ],
  [
    "docomo",
    "BOUNCE USER_UNKNOWN",
    "MAILER-DAEMON@docomo.ne.jp",
    "Mail Delivery Failure",
    "The following message could not be delivered.\n\n>>> RCPT TO:<x@docomo.ne.jp>\n<<< 550 Unknown user x@docomo.ne.jp\n",
  ],
  [
    "yahoo-jp",
    "BOUNCE USER_UNKNOWN",
    "MAILER-DAEMON@yahoo.co.jp",
    "Failure Notice",
    "Sorry, we were unable to deliver your message to the following address.\n\n<x@a.com>:\nRemote host said:\n550 5.1.1 <x@a.com>... User unknown\n [RCPT_TO]\n\n--- Below this line is a copy of the message.\n\nReceived: from",
  ],
  [
    "german-exchange",
    "BOUNCE USER_UNKNOWN",
    "Microsoft Outlook <postmaster@kunde.example>",
    "Unzustellbar: Hallo",
    "Fehler bei der Nachrichtenzustellung an folgende Empfänger oder Verteilerlisten:\n\nx@kunde.example\nDie eingegebene E-Mail-Adresse konnte nicht gefunden werden. Überprüfen Sie die E-Mail-Adresse des Empfängers.\n\nDiagnoseinformationen für Administratoren:\n#550 5.1.1 RESOLVER.ADR.RecipNotFound; not found ##",
  ],
  [
    "french-exchange",
    "BOUNCE MAILBOX_FULL",
    "Microsoft Outlook <postmaster@client.example>",
    "Non remis : Bonjour",
    "Échec de la remise pour ces destinataires ou groupes :\n\nx@client.example\nLa boîte aux lettres du destinataire est pleine et ne peut pas accepter de messages actuellement.\n",
  ],
  [
    "ru-exchange",
    "BOUNCE USER_UNKNOWN",
    "postmaster@klient.example",
    "Недоставлено: Привет",
    "Не удалось доставить сообщение следующим получателям или группам:\n\nx@klient.example\nВведенный вами адрес электронной почты не найден.\n",
  ],
  [
    "jp-exchange",
    "BOUNCE USER_UNKNOWN",
    "postmaster@kyaku.example",
    "配信不能: こんにちは",
    "次の受信者またはグループへの配信に失敗しました:\n\nx@kyaku.example\n入力した電子メール アドレスが見つかりませんでした。\n",
  ],
  [
    "zh-exchange",
    "BOUNCE USER_UNKNOWN",
    "postmaster@kehu.example",
    "未送达: 你好",
    "未能向以下收件人或组传递邮件:\n\nx@kehu.example\n找不到你输入的电子邮件地址。请检查收件人的电子邮件地址\n",
  ],
  [
    "tr-exchange",
    "BOUNCE USER_UNKNOWN",
    "postmaster@musteri.example",
    "Teslim Edilemedi: Merhaba",
    "Şu alıcılara veya gruplara teslim edilemedi:\n\nx@musteri.example\nGirdiğiniz e-posta adresi bulunamadı.\n",
  ],
  [
    "pl-exchange",
    "BOUNCE USER_UNKNOWN",
    "postmaster@klient.example",
    "Niedostarczony: Witam",
    "Dostarczenie do następujących adresatów lub grup nie powiodło się:\n\nx@klient.example\nWprowadzony adres e-mail nie został znaleziony.\n",
  ],
  [
    "cs-exchange",
    "BOUNCE USER_UNKNOWN",
    "postmaster@zakaznik.example",
    "Nedoručitelné: Dobrý den",
    "Doručení těmto příjemcům nebo skupinám se nezdařilo:\n\nx@zakaznik.example\nZadaná e-mailová adresa nebyla nalezena.\n",
  ],
  [
    "hu-exchange",
    "BOUNCE USER_UNKNOWN",
    "postmaster@ugyfel.example",
    "Kézbesíthetetlen: Helló",
    "A kézbesítés a következő címzetteknek nem sikerült:\n\nx@ugyfel.example\nA megadott e-mail cím nem található.\n",
  ],
  [
    "ko-exchange",
    "BOUNCE USER_UNKNOWN",
    "postmaster@gogaek.example",
    "배달되지 않음: 안녕",
    "다음 받는 사람 또는 그룹에게 메시지를 배달하지 못했습니다.\n\nx@gogaek.example\n입력한 전자 메일 주소를 찾을 수 없습니다.\n",
  ],
  [
    "gmail-de",
    "BOUNCE USER_UNKNOWN",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    "Delivery Status Notification (Failure)",
    "** Adresse nicht gefunden **\n\nIhre Nachricht wurde nicht an x@a.com zugestellt, da die Adresse nicht gefunden wurde oder keine E-Mails empfangen kann.\n",
  ],
  [
    "gmail-fr",
    "BOUNCE USER_UNKNOWN",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    "Delivery Status Notification (Failure)",
    "** Adresse introuvable **\n\nVotre message n'est pas parvenu à x@a.com, car l'adresse est introuvable ou ne peut pas recevoir d'e-mails.\n",
  ],
  [
    "gmail-es",
    "BOUNCE USER_UNKNOWN",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    "Delivery Status Notification (Failure)",
    "** No se ha encontrado la dirección **\n\nTu mensaje no se ha entregado a x@a.com porque no se ha encontrado la dirección o esta no puede recibir correo.\n",
  ],
  [
    "gmail-delay",
    "DELAY",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    "Delivery Status Notification (Delay)",
    "** Delivery incomplete **\n\nThere was a temporary problem delivering your message to x@a.com. Gmail will retry for 46 more hours. You'll be notified if the delivery fails permanently.\n",
  ],
  [
    "gmail-delay-de",
    "DELAY",
    "Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
    "Delivery Status Notification (Delay)",
    "** Zustellung unvollständig **\n\nBeim Senden der Nachricht an x@a.com ist ein vorübergehendes Problem aufgetreten. Gmail versucht es noch 46 Stunden lang.\n",
  ],
  [
    "tonline",
    "BOUNCE USER_UNKNOWN",
    "Mail Delivery System <mailer-daemon@t-online.de>",
    "Mail delivery failed: returning message to sender",
    "|------------------------- Message log follows: -------------------------|\n no valid recipients were found for this message\n|------------------------- Failed addresses follow: ---------------------|\n <x@t-online.de> ... unknown user\n|------------------------- Message text follows: ------------------------|\nReceived: from",
  ],
  [
    "smtp32",
    "BOUNCE USER_UNKNOWN",
    "Mail Administrator <Postmaster@a.com>",
    "Undelivered mail",
    "Mail could not be delivered to the following recipients: <x@a.com>\nUser mailbox not found\n",
  ],
  [
    "admin",
    "BOUNCE USER_UNKNOWN",
    "Administrator <administrator@a.com>",
    "Undeliverable: Hello",
    "Your message did not reach some or all of the intended recipients.\n\n      Subject:\tHello\n      Sent:\t11/2/2026\n\nThe following recipient(s) could not be reached:\n\n      x@a.com on 11/2/2026 10:00\n            The e-mail account does not exist at the organization this message was sent to.\n            <a.com #5.1.1>\n",
  ],
];

test.each(REPORTS)("a report from %s is classified as %s", (_system, expected, from, subject, text) => {
  for (const returnPath of ["", null]) {
    const message = wrote(from, subject, text, returnPath);
    const [recipient] = readBounce(message)?.recipients ?? [];
    const kind = kindOf(message, FACTS);
    expect(kind === "BOUNCE" ? `${kind} ${recipient?.reason}` : kind).toBe(expected);
    expect(recipient?.address).toMatch(/^x@/);
  }
});

test.each([
  ["Re: Undeliverable goods", "Hello,\nthe goods were returned to sender as undeliverable. Can we talk?\n"],
  ["Re: Hello", "Hi,\nyour mail to x@a.com bounced:\n\n> 550 5.1.1 user unknown\n\nBob"],
  ["Please confirm (conf#abc)", "Please confirm your message to get delivered"],
])("a person's email with the subject %j is not a report", (subject, text) => {
  expect(kindOf(wrote("bob@a.example", subject, text, "bob@a.example"), FACTS)).toBe("OTHER");
});
