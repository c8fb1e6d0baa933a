import { expect, test } from "@jest/globals";
import { kindOf } from "../../../domain/inbox/kind.ts";
import { isDoubtful, readAutoReply } from "../../../domain/mail/auto-reply.ts";
import { FACTS, reply } from "./mail.ts";

const SUPPRESS = { "X-Auto-Response-Suppress": "All" };
const BULK = { Precedence: "bulk", "In-Reply-To": "<1@ours.example>" };
const ANSWER = { "In-Reply-To": "<1@ours.example>" };

/** A reply in any script. It came on Monday, 2 November 2026. */
function answer(text: string, headers: Record<string, string> = {}) {
  const { Subject: subject = "Re: Widgets", ...others } = headers;
  const encoded = `=?utf-8?B?${Buffer.from(subject).toString("base64")}?=`;
  return reply({ ...ANSWER, "Content-Type": "text/plain; charset=utf-8", Subject: encoded, ...others }, text);
}

const kind = (text: string, headers: Record<string, string> = {}) =>
  kindOf(answer(text, headers), { ...FACTS, attributedBy: 2 });

// They reply, ask or propose, although they mention a holiday
const PEOPLE = [
  "I am interested, but on holiday next week. Could we speak on 2 December?",
  "Thanks, I'm out of the office until Monday. Let's talk then.",
  "I'm on vacation but please send me the deck, I'll read it on the plane.",
  "Sounds good. I am travelling this week, the week after works for me.",
  "We already use something like it, and I'm on leave from Friday anyway.",
  "Not interested, and I am on parental leave until June.",
  "No thanks. I'm away until 16 November.",
  "Yes, but I will be on holiday until the 16th.",
  "Your offer looks fine. I am on leave until 16 November, then we decide.",
  "My boss is on vacation until Monday, he decides.",
  "Sorry for the late answer, I was out of the office.",
  "I'm out of office this week. What does it cost?",
  "Please remove me from your list. I am on sick leave.",
  "Out of office this week, follow up with me in December.",
  "I am on holiday until 16 November, can you call me after that?",
  "Ich bin interessiert, aber nächste Woche im Urlaub. Können wir am 2. Dezember sprechen?",
  "Klingt gut, bin aber bis 16.11. im Urlaub.",
  "Kein Interesse, außerdem bin ich bis 16. November nicht im Büro.",
  "Bin im Urlaub. Schicken Sie mir bitte mehr Informationen.",
  "Nein danke. Ich bin in Elternzeit.",
  "Ça m'intéresse, mais je suis en congé jusqu'au 16 novembre. Pouvons-nous parler ensuite ?",
  "Je suis en vacances. Envoyez-moi votre tarif.",
  "Me interesa, pero estoy de vacaciones hasta el 16 de noviembre. ¿Podemos hablar después?",
  "Estoy fuera de la oficina, pero me gustaría saber más.",
  "Sono interessato ma in ferie fino al 16 novembre. Possiamo sentirci dopo?",
  "Tenho interesse, mas estou de férias até 16/11. Podemos falar depois?",
  "Ik ben geïnteresseerd, maar met vakantie tot 16 november. Kunnen we daarna bellen?",
  "Jag är intresserad men på semester till 16 november. Kan vi ringa efter det?",
  "Jeg er interesseret, men på ferie til 16. november. Kan vi tale sammen bagefter?",
  "Kuulostaa hyvältä, mutta olen lomalla 16.11. asti.",
  "Jestem zainteresowany, ale na urlopie do 16.11. Czy możemy porozmawiać później?",
  "Mám zájem, ale do 16.11. mám dovolenou. Můžeme si pak zavolat?",
  "Érdekel, de 16-ig szabadságon vagyok. Tudnánk utána beszélni?",
  "Sunt interesat, dar sunt în concediu până pe 16.11. Putem vorbi după?",
  "Мне интересно, но я в отпуске до 16 ноября. Можем поговорить потом?",
  "Мені цікаво, але я у відпустці до 16 листопада. Можемо поговорити потім?",
  "İlgileniyorum ama 16.11 tarihine kadar izindeyim. Sonra konuşabilir miyiz?",
  "Με ενδιαφέρει, αλλά είμαι σε άδεια έως 16/11. Μπορούμε να μιλήσουμε μετά;",
  "我感兴趣，但11月16日之前在休假。之后可以聊吗？",
  "興味がありますが、11月16日まで休暇です。その後お話しできますか。",
  "관심이 있지만 11월 16일까지 휴가입니다. 그 후에 통화할 수 있을까요?",
  "אני מעוניין, אבל בחופשה עד 16.11. אפשר לדבר אחר כך?",
  "أنا مهتم ولكنني في إجازة حتى 16/11. هل يمكننا التحدث بعد ذلك؟",
] as const;

test.each(PEOPLE)("a person's reply is not an auto-reply: %s", (text) => {
  for (const headers of [
    {},
    SUPPRESS,
    BULK,
    { ...SUPPRESS, Subject: "Re: Widgets for your out of office" },
    { ...SUPPRESS, ...BULK },
  ]) {
    expect(kind(text, headers)).toBe("REPLY");
  }
  expect(isDoubtful(answer(text, { ...SUPPRESS, ...BULK }))).toBe(true);
});

test("an email with words above a quote is a person's reply, even with a holiday note and a header hint", () => {
  const note = "I am on holiday until 16 November.";
  const quote = "On Mon, Nov 2, 2026 at 9:05 AM Ann Lee <ann@ours.example> wrote:\n> Do you use widgets?";
  expect(kind(note, SUPPRESS)).toBe("AUTO_REPLY");
  expect(kind(`${note}\n\n${quote}`, SUPPRESS)).toBe("REPLY");
  expect(isDoubtful(answer(`${note}\n\n${quote}`, SUPPRESS))).toBe(true);
});

test("an ambiguous email counts as a doubtful reply, and an ordinary reply from Exchange is not doubtful", () => {
  for (const text of ["I'm on holiday.", "Hi Ann, I am on vacation until 16 November.", "We received your mail."]) {
    expect({ text, kind: kind(text), isDoubtful: isDoubtful(answer(text)) }).toEqual({
      text,
      kind: "REPLY",
      isDoubtful: text !== "We received your mail.",
    });
  }
  expect(isDoubtful(answer("I will think about it.", SUPPRESS))).toBe(false);
  expect(isDoubtful(answer("Let's talk on Tuesday."))).toBe(false);
  expect(isDoubtful(answer("I will think about it.", BULK))).toBe(true);
  expect(isDoubtful(answer("Fine.", { From: "no-reply@customer.example" }))).toBe(true);
});

test("when a header proves an auto-reply, the text does not change the result", () => {
  for (const headers of [
    { "Auto-Submitted": "auto-replied" },
    { Subject: "Automatic reply: Widgets" },
    { "X-Autoreply": "yes" },
  ]) {
    expect(kind("I am interested. Could we speak on 2 December?", headers)).toBe("AUTO_REPLY");
    expect(isDoubtful(answer("Could we speak?", headers))).toBe(false);
  }
});

// What the mail is, and a subject that none of the headers confirms
const SUBJECTS: readonly (readonly [string, string])[] = [
  ["OUT_OF_OFFICE", "Abwesend: Widgets"],
  ["OUT_OF_OFFICE", "Abwesend bis 16.11.: Widgets"],
  ["OUT_OF_OFFICE", "Abwesenheitsmeldung: Widgets"],
  ["OUT_OF_OFFICE", "Afwezig: Widgets"],
  ["OUT_OF_OFFICE", "Afwezig tot 16 november"],
  ["OUT_OF_OFFICE", "Afwezigheidsbericht"],
  ["OUT_OF_OFFICE", "Ausente: Widgets"],
  ["OUT_OF_OFFICE", "Assente: Widgets"],
  ["OUT_OF_OFFICE", "Fora de l'oficina: Widgets"],
  ["OUT_OF_OFFICE", "Absent : Widgets"],
  ["OUT_OF_OFFICE", "Poissa: Widgets"],
  ["OUT_OF_OFFICE", "Poissaoloviesti: Widgets"],
  ["OUT_OF_OFFICE", "Frånvarande: Widgets"],
  ["OUT_OF_OFFICE", "מחוץ למשרד: Widgets"],
  ["OUT_OF_OFFICE", "הודעת היעדרות: Widgets"],
  ["OUT_OF_OFFICE", "\u200fמחוץ למשרד\u200f: Widgets"],
  ["OUT_OF_OFFICE", "خارج المكتب: Widgets"],
  ["OUT_OF_OFFICE", "不在通知: Widgets"],
  ["AUTO_REPLY", "תשובה אוטומטית: Widgets"],
  ["AUTO_REPLY", "מענה אוטומטי: Widgets"],
  ["AUTO_REPLY", "הודעה אוטומטית: Widgets"],
  ["AUTO_REPLY", "رد آلي: Widgets"],
  ["AUTO_REPLY", "پاسخ خودکار: Widgets"],
  ["AUTO_REPLY", "Samodejni odgovor: Widgets"],
  ["AUTO_REPLY", "Automatski odgovor: Widgets"],
  ["AUTO_REPLY", "Automaatne vastus: Widgets"],
  ["AUTO_REPLY", "Automātiskā atbilde: Widgets"],
  ["AUTO_REPLY", "Automatinis atsakymas: Widgets"],
  ["AUTO_REPLY", "Автоматичен отговор: Widgets"],
  ["AUTO_REPLY", "Sjálfvirkt svar: Widgets"],
  ["AUTO_REPLY", "Thư trả lời tự động: Widgets"],
  ["AUTO_REPLY", "ตอบกลับอัตโนมัติ: Widgets"],
  ["AUTO_REPLY", "[EXTERNAL] Automatic reply: Widgets"],
  ["AUTO_REPLY", "Automated message: Widgets"],
  ["AUTO_REPLY", "Automatic confirmation: Widgets"],
  ["AUTO_REPLY", "Automatische Eingangsbestätigung"],
  ["AUTO_REPLY", "Accusé de réception : Widgets"],
  ["AUTO_REPLY", "Automatische ontvangstbevestiging"],
];

test.each(SUBJECTS)("%s is recognised by the subject: %s", (subKind, subject) => {
  expect(readAutoReply(answer("Hello.", { Subject: subject }))).toMatchObject({ subKind, proof: "subject" });
});

// Out-of-office notices that only the text reveals, with the day they end
const NOTES: readonly (readonly [string, string | null])[] = [
  [
    "Thank you for your email. I am out of the office until 16 November with limited access to email. For urgent matters please contact Eve.",
    "2026-11-16",
  ],
  [
    "I am currently on annual leave and will be back on 16 November. I will reply to your message when I return.",
    "2026-11-16",
  ],
  ["I'm OOO until Monday 16th November.", "2026-11-16"],
  ["Hello,\n\nI am on maternity leave. Please contact my colleague Eve in my absence.\n\nKind regards\nBob", null],
  ["Our office is closed until 16 November. Urgent matters: +49 30 123456.", "2026-11-16"],
  [
    "Vielen Dank für Ihre Nachricht. Ich bin bis zum 16.11.2026 nicht im Büro. In dringenden Fällen wenden Sie sich bitte an meine Kollegin.",
    "2026-11-16",
  ],
  ["Guten Tag,\nich bin vom 2. bis 16. November im Urlaub. Ihre E-Mail wird nicht weitergeleitet.", "2026-11-16"],
  ["Bonjour, je suis en congé jusqu'au 16 novembre. En cas d'urgence, merci de contacter mon collègue.", "2026-11-16"],
  [
    "Gracias por su mensaje. Estoy de vacaciones hasta el 16 de noviembre. Para asuntos urgentes contacte con Eva.",
    "2026-11-16",
  ],
  ["Grazie per la sua mail. Sono in ferie fino al 16 novembre e risponderò al mio rientro.", "2026-11-16"],
  ["Obrigado pelo seu e-mail. Estou de férias até 16/11/2026. Em caso de urgência, contacte a Eva.", "2026-11-16"],
  [
    "Bedankt voor uw bericht. Ik ben afwezig tot 16 november. Voor dringende zaken kunt u contact opnemen met Eva.",
    "2026-11-16",
  ],
  [
    "Tack för ditt mejl. Jag är på semester till och med 16 november. Vid brådskande ärenden kontakta Eva.",
    "2026-11-16",
  ],
  ["Tak for din mail. Jeg er på ferie til og med 16. november 2026. Ved hastende sager kontakt Eva.", "2026-11-16"],
  ["Takk for din e-post. Jeg er på ferie til og med 16. november 2026.", "2026-11-16"],
  ["Kiitos viestistäsi. Olen lomalla 16.11.2026 asti. Kiireellisissä asioissa ota yhteyttä Eevaan.", "2026-11-16"],
  ["Dziękuję za wiadomość. Jestem na urlopie do 16.11.2026. W pilnych sprawach proszę o kontakt z Ewą.", "2026-11-16"],
  ["Děkuji za Vaši zprávu. Do 16.11.2026 čerpám dovolenou. V naléhavých případech kontaktujte Evu.", "2026-11-16"],
  ["Köszönöm levelét. 2026. november 16-ig szabadságon vagyok. Sürgős esetben keresse Évát.", "2026-11-16"],
  ["Vă mulțumesc pentru mesaj. Sunt în concediu până pe 16.11.2026.", "2026-11-16"],
  ["Спасибо за письмо. Я в отпуске до 16 ноября 2026. По срочным вопросам обращайтесь к Еве.", "2026-11-16"],
  ["Дякую за лист. Я у відпустці до 16 листопада 2026. З термінових питань звертайтесь до Єви.", "2026-11-16"],
  [
    "E-postanız için teşekkür ederim. 16.11.2026 tarihine kadar izindeyim. Acil durumlarda Eva ile iletişime geçin.",
    "2026-11-16",
  ],
  ["Ευχαριστώ για το μήνυμά σας. Απουσιάζω έως 16/11/2026. Για επείγοντα επικοινωνήστε με την Εύα.", "2026-11-16"],
  ["Cảm ơn bạn đã gửi email. Tôi đang nghỉ phép đến 16/11/2026. Việc khẩn cấp vui lòng liên hệ Eva.", "2026-11-16"],
  ["Terima kasih atas email Anda. Saya sedang cuti hingga 16/11/2026. Untuk hal mendesak hubungi Eva.", "2026-11-16"],
  ["感谢您的来信。我正在休假，11月16日回来。紧急事宜请联系伊娃。", "2026-11-16"],
  [
    "メールをいただきありがとうございます。11月16日まで休暇をいただいております。お急ぎの方はエバまでご連絡ください。",
    "2026-11-16",
  ],
  ["메일 감사합니다. 11월 16일까지 휴가입니다. 급한 용무는 에바에게 연락 바랍니다.", "2026-11-16"],
  ["תודה על פנייתך. אני בחופשה עד 16.11.2026. בנושאים דחופים ניתן לפנות לחוה.", "2026-11-16"],
  ["שלום, אני לא במשרד עד ה-16/11/2026. בדחוף ניתן לפנות לחוה.", "2026-11-16"],
  ["شكراً على رسالتك. أنا في إجازة حتى 16/11/2026. للأمور العاجلة يرجى التواصل مع إيفا.", "2026-11-16"],
];

test.each(NOTES)("an out-of-office notice is recognised by the text alone: %s", (text, returnDate) => {
  const at = { at: Date.parse("2026-11-02T10:00:00Z"), timeZone: "Europe/Berlin" };
  expect(readAutoReply(answer(text), at)).toMatchObject({ subKind: "OUT_OF_OFFICE", returnDate, contactLeft: false });
  for (const headers of [{}, SUPPRESS, BULK]) expect(kind(text, headers)).toBe("AUTO_REPLY");
});

// Receipts, and emails that describe themselves as automatic
const RECEIPTS = [
  "Hello,\n\nYour request has been received and given the ticket number 4711. Our team will get back to you as soon as possible.",
  "Thank you for contacting support. We have received your message and will respond within 24 hours.",
  "A new ticket has been created. Ticket ID: 4711. Thank you for your patience.",
  "##- Please type your reply above this line -##\n\nYour request (4711) has been received. Have a question? Visit our help center.",
  "This is an automated message to tell you that your email reached us.",
  "This is an automatic confirmation that we got your mail.",
  "This message was generated automatically. Please do not reply to this email.",
  "This mailbox is not monitored. Visit our web site.",
  "Ihre Anfrage ist bei uns eingegangen und wird unter der Ticketnummer 4711 bearbeitet.",
  "Dies ist eine automatische Nachricht. Wir haben Ihre E-Mail erhalten und melden uns schnellstmöglich.",
  "Diese E-Mail wurde automatisch generiert. Bitte antworten Sie nicht auf diese Nachricht.",
  "Votre demande a bien été reçue. Nous vous répondrons dans les plus brefs délais.",
  "Ceci est un message automatique, merci de ne pas y répondre.",
  "Hemos recibido su mensaje y le responderemos lo antes posible.",
  "Este es un mensaje automático, por favor no responda a este correo.",
  "Abbiamo ricevuto la sua richiesta, le risponderemo al più presto.",
  "Questo messaggio è generato automaticamente.",
  "Recebemos a sua mensagem e responderemos assim que possível.",
  "Wij hebben uw bericht in goede orde ontvangen en reageren zo spoedig mogelijk.",
  "Dit is een automatisch bericht.",
  "Vi har mottagit ditt mejl och svarar så snart vi kan.",
  "Detta är ett automatiskt svar.",
  "Vi har modtaget din henvendelse og svarer hurtigst muligt.",
  "Tämä on automaattinen vastaus. Olemme vastaanottaneet viestisi.",
  "Otrzymaliśmy Twoją wiadomość. Dziękujemy, odpowiemy najszybciej jak to możliwe.",
  "Tato zpráva byla automaticky vygenerována.",
  "Ez egy automatikus válasz, kérjük, ne válaszoljon rá.",
  "Ваше обращение зарегистрировано под номером заявки 4711.",
  "Это автоматическое сообщение, не отвечайте на это письмо.",
  "Це автоматичне повідомлення.",
  "Talebiniz alınmıştır, en kısa sürede dönüş yapılacaktır.",
  "Bu otomatik bir mesajdır, lütfen yanıtlamayınız.",
  "Λάβαμε το μήνυμά σας. Ευχαριστούμε.",
  "お問い合わせを受け付けました。担当者より折り返しご連絡いたします。",
  "このメールは自動送信されています。",
  "我们已收到您的邮件，将尽快回复。",
  "这是系统自动发送的邮件，请勿回复。",
  "문의가 접수되었습니다. 빠른 시일 내에 답변드리겠습니다.",
  "본 메일은 발신전용입니다.",
  "פנייתך התקבלה ותטופל בהקדם. מספר פנייה 4711.",
  "זוהי הודעה אוטומטית, אין להשיב לה.",
  "هذه رسالة آلية. لقد استلمنا رسالتك.",
];

test.each(RECEIPTS)("a receipt is recognised by the text alone: %s", (text) => {
  for (const headers of [{}, BULK, { Subject: "[Ticket #4711] Widgets" }]) {
    expect(kind(text, headers)).toBe("AUTO_REPLY");
    expect(readAutoReply(answer(text, headers))).toMatchObject({ subKind: "AUTO_REPLY", returnDate: null });
  }
});

test.each([
  "Is this an automated message?",
  "I guess this is an automated message, but stop it.",
  "Thanks for reaching out, we are all set.",
  "Thanks for contacting me. I pass.",
  "I have received your email and will read it.",
  "Your message was received with a laugh, what do you want?",
  "We have received your offer, it is too high for us.",
  "Ist das eine automatische Nachricht?",
  "Danke für Ihre Nachricht, wir melden uns.",
  "Merci pour votre message, je transmets.",
  "The ticket price is 20 EUR.",
  "Call me, case closed.",
])("similar words written by a person count as a reply: %s", (text) => {
  for (const headers of [{}, SUPPRESS]) expect(kind(text, headers)).toBe("REPLY");
});

test("a newsletter with auto-reply wording is bulk mail, not a reply", () => {
  const text = "This is an automated message. Please do not reply to this email.";
  const list = { ...FACTS, attributedBy: null };
  expect(kindOf(reply({ "List-Unsubscribe": "<https://x.example/u>" }, text), list)).toBe("BULK");
});

test.each([
  "Absence of widgets",
  "Absent minds",
  "Assente",
  "Vacation rentals for your team",
  "Auto insurance",
  "Automated messages for your shop",
  "Re: Abwesend: Widgets",
  "Away with widgets",
])("a person's subject is not taken for an automatic one: %s", (subject) => {
  expect(readAutoReply(answer("Tell me more.", { Subject: subject }))?.proof ?? null).toBe(
    subject === "Assente" ? "subject" : null,
  );
});
