import { expect, test } from "@jest/globals";
import { kindOf } from "../../../domain/inbox/kind.ts";
import { readAutoReply } from "../../../domain/mail/auto-reply.ts";
import { FACTS, reply } from "./mail.ts";

const answer = (text: string) =>
  reply(
    { Subject: "Re: Widgets", "In-Reply-To": "<1@ours.example>", "Content-Type": "text/plain; charset=utf-8" },
    text,
  );
const kind = (text: string) => kindOf(answer(text), { ...FACTS, attributedBy: 2 });

// No header says so, and each has a sentence that an automatic answer uses for everybody
const NOTICES = [
  // A working week with days off
  "I work part-time, Monday to Wednesday. Emails that reach me on other days will be answered when I am back at my desk.",
  "Please note that my working hours are 9 to 3, Monday to Thursday. I will reply on my next working day.",
  "Meine Arbeitszeiten sind Montag bis Mittwoch. Nachrichten an anderen Tagen beantworte ich am nächsten Arbeitstag.",
  "Ich arbeite in Teilzeit von Montag bis Donnerstag. Ihre Nachricht wird an meinem nächsten Arbeitstag bearbeitet.",
  "Bonjour, je travaille à temps partiel et je ne suis pas joignable le mercredi. Je répondrai à votre message dès mon retour.",
  "Mi horario de trabajo es de lunes a jueves. Responderé a su mensaje el siguiente día laborable.",
  "I miei giorni lavorativi sono lunedì, martedì e giovedì. Risponderò alla sua mail appena possibile.",
  "Mijn werkdagen zijn maandag, dinsdag en donderdag. Berichten op andere dagen beantwoord ik op mijn eerstvolgende werkdag.",
  "O meu horário de trabalho é de segunda a quinta. Responderei à sua mensagem no próximo dia útil.",
  "Moje dni pracy to poniedziałek, wtorek i środa. Odpowiem na wiadomość w najbliższym dniu roboczym.",
  "Mina arbetsdagar är måndag till onsdag. Jag svarar på ditt mejl nästa arbetsdag.",
  "勤務日は月曜日から水曜日です。ご連絡へのご返信は翌勤務日となります。",
  // Mail that is read at set hours
  "To stay focused I check my email twice a day, at 10 and at 4. For anything urgent please call me on +44 20 7946 0000.",
  "Ich lese meine E-Mails nur zweimal täglich. In dringenden Fällen erreichen Sie mich telefonisch.",
  "Je consulte mes mails deux fois par jour. En cas d'urgence, merci de m'appeler au 01 23 45 67 89.",
  "Reviso mi correo dos veces al día. Si es urgente, llame al 91 123 45 67.",
  "Controllo la posta due volte al giorno. Per urgenze chiami il 02 1234567.",
  "Ik lees mijn mail twee keer per dag. Voor dringende zaken kunt u bellen met 020 1234567.",
  "Jag läser min mejl två gånger om dagen. Vid brådskande ärenden ring 08-123 45 67.",
  // Filters that want a proof
  "Your message is being held because you are not yet on my list of approved senders. Please confirm once: https://filter.example/x",
  "Before this email is delivered, please verify that you are a real person by clicking the link below. https://filter.example/x",
  "Ihre E-Mail wurde zurückgehalten. Bitte bestätigen Sie einmalig, dass Sie ein Mensch sind: https://filter.example/x",
  "Votre message est mis en attente par notre anti-spam. Merci de confirmer que vous êtes un humain : https://filter.example/x",
  "Su mensaje ha sido retenido por el filtro antispam. Por favor confirme que usted es una persona: https://filter.example/x",
  "Il suo messaggio è in attesa. La preghiamo di confermare di essere una persona: https://filter.example/x",
  "Uw bericht wordt vastgehouden. Bevestig dat u geen robot bent: https://filter.example/x",
  "A sua mensagem foi retida pelo filtro antispam. Confirme que é uma pessoa: https://filter.example/x",
  "Państwa wiadomość została wstrzymana. Proszę potwierdzić, że jest Pan człowiekiem: https://filter.example/x",
  "Ditt meddelande har stoppats av vårt spamfilter. Bekräfta att du är en människa: https://filter.example/x",
  "迷惑メール対策のため、送信者の確認をお願いしております。https://filter.example/x",
  // Help desks
  "Hi there! We've got your message and someone from our team will get back to you shortly.",
  "Thank you for getting in touch. Our team typically replies within one working day. You'll receive an update by email.",
  "Vielen Dank für Ihre Nachricht. Unser Kundenservice meldet sich innerhalb von zwei Werktagen bei Ihnen.",
  "Bonjour, votre demande est bien arrivée. Un conseiller vous répondra dans les meilleurs délais.",
  "Hemos recibido su consulta. Un miembro de nuestro equipo le contactará en breve.",
  "La sua richiesta ci è pervenuta. Un nostro operatore la contatterà il prima possibile.",
  "Uw bericht is goed bij ons aangekomen. Iemand van ons team reageert binnen twee werkdagen.",
  "Recebemos a sua mensagem. Um membro da nossa equipa entrará em contacto em breve.",
  "Otrzymaliśmy Państwa wiadomość. Nasz konsultant skontaktuje się z Państwem jak najszybciej.",
  "Vi har tagit emot ditt ärende. En handläggare återkommer inom två arbetsdagar.",
  "お問い合わせを受け付けました。担当者より2営業日以内にご連絡いたします。",
  // Receipts of ticket systems
  "Hello, your request (48213) has been created. You can add further comments by replying to this email.",
  "Ihre Anfrage wurde unter der Ticketnummer 48213 angelegt. Sie erhalten in Kürze eine Antwort.",
  "Votre ticket n° 48213 a été enregistré. Nous vous répondrons sous 48 h. Numéro de ticket : 48213",
  // The office is closed
  "Our offices are closed for the bank holiday. We will reopen on Tuesday.",
  "Unser Büro ist vom 24.12. bis 2.1. geschlossen. Ab dem 3.1. sind wir wieder für Sie da.",
  "Nos bureaux sont fermés jusqu'au 4 janvier. Nous traiterons votre message à la réouverture.",
  "Nuestras oficinas permanecerán cerradas hasta el 7 de enero. Responderemos a su mensaje a la vuelta.",
  "I nostri uffici sono chiusi fino al 7 gennaio. Risponderemo alla riapertura.",
  "Ons kantoor is gesloten tot en met 2 januari. Daarna beantwoorden wij uw bericht.",
  "O nosso escritório está fechado até 4 de janeiro. Responderemos no regresso.",
  "Nasze biuro jest nieczynne do 2 stycznia. Odpowiemy po powrocie.",
  "Vårt kontor är stängt till och med den 6 januari. Vi svarar när vi är tillbaka.",
];

test.each(NOTICES)(
  "a standing notice without auto-reply headers counts as an auto-reply by the text alone: %s",
  (text) => {
    expect(kind(text)).toBe("AUTO_REPLY");
  },
);

// Someone else is named, because the person has left
const DEPARTURES = [
  "Sarah Example has left Firm Ltd. Please direct your message to office@firm.example",
  "Thank you for your email. Tom no longer works here. Please contact office@firm.example instead.",
  "Guten Tag, Frau Beispiel hat unser Unternehmen verlassen. Bitte wenden Sie sich an info@firm.example.",
  "Bonjour, M. Exemple ne travaille plus dans notre société. Merci de contacter accueil@firm.example.",
  "La Sra. Ejemplo ya no trabaja en esta empresa. Por favor, diríjase a info@firm.example.",
  "Il signor Esempio non lavora più in azienda. Si prega di contattare info@firm.example.",
  "De heer Voorbeeld is niet meer werkzaam bij ons. Neemt u contact op met info@firm.example.",
  "A Sra. Exemplo já não trabalha na empresa. Por favor contacte info@firm.example.",
  "Pani Przykład już nie pracuje w naszej firmie. Proszę o kontakt: info@firm.example.",
  "Anna Exempel har slutat hos oss. Vänligen kontakta info@firm.example.",
  "担当の田中は退職いたしました。今後は info@firm.example までご連絡ください。",
];

test.each(DEPARTURES)(
  "a notice that a colleague has left the company counts as an auto-reply and reports the departure: %s",
  (text) => {
    expect(kind(text)).toBe("AUTO_REPLY");
    expect(readAutoReply(answer(text))).toMatchObject({ contactLeft: true });
  },
);

// A person says the same about themselves, beside an answer
const PEOPLE = [
  "I work part-time, so Tuesday or Wednesday morning would be best for me.",
  "My working days are Monday to Wednesday. Tuesday at ten is fine.",
  "Hi Nora, I only work Tuesdays. Your proposal reached me today and I like it.",
  "I'm in the office Tuesday and Thursday.",
  "Ich arbeite nur vormittags, rufen Sie mich also bitte vor zwölf an.",
  "Ich bin Montag und Dienstag da. Danke.",
  "Hallo Frau Sender, ich arbeite in Teilzeit und habe Ihre Mail erst heute gesehen. Das Angebot passt.",
  "Je travaille à temps partiel, le mardi me convient.",
  "Trabajo de lunes a miércoles, el martes me viene bien.",
  "Lavoro solo il mattino, mi chiami martedì.",
  "Ik werk parttime, dinsdag komt goed uit.",
  "Trabalho só de manhã. Pode ligar na terça?",
  "Pracuję tylko do środy. Proszę o ofertę.",
  "Jag jobbar bara tisdagar. Kan vi ses då?",
  "勤務日は火曜日だけです。火曜日にお話しできますか。",
  "I check my mail twice a day, which is why you hear from me only now. We are interested.",
  "Thanks for the note, we have your message on the table for Thursday's board meeting.",
  "We got your message and forwarded it to Dana, who runs purchasing. She has questions about the price.",
  "I have received your message and talked to our CFO. We have no budget this year.",
  "Ihre Nachricht haben wir erhalten und im Team besprochen. Wir bleiben beim bisherigen Anbieter.",
  "Nous avons bien reçu votre message, merci. Le sujet n'est pas prioritaire pour nous.",
  "Hemos recibido su mensaje, pero no tenemos presupuesto este año.",
  "Abbiamo ricevuto la sua mail, il tema ci interessa.",
  "We hebben uw bericht besproken en kiezen voor een andere leverancier.",
  "Our team replies to tickets within an hour today. How would your tool make that faster?",
  "Please confirm that you are a certified reseller.",
  "Are you a human or a robot?",
  "Can you confirm your address for the invoice?",
  "Hi Nora, Peter has left the company. I run purchasing now and would like to hear more.",
  "Peter left Firm Ltd last year. Not interested.",
  "Hallo Nora, Herr Muster ist ausgeschieden. Ich bin sein Nachfolger, schicken Sie mir die Unterlagen.",
  "Our office is closed on Fridays, Thursday works.",
  "We closed our office in May. Nobody here needs a desk.",
];

test.each(PEOPLE)(
  "an answer from a person that mentions working hours, receipts or departures counts as a reply: %s",
  (text) => {
    expect(kind(text)).toBe("REPLY");
  },
);

// Below a person's sentence, or in what a gateway adds to every email
const FOOTERS = [
  "This is an automatically generated message.",
  "-- \nThis message was generated automatically by the CRM of Firm Ltd.",
  "_____\nThis footer was added automatically by our mail gateway.",
  "This email has been scanned for viruses by our gateway. This message was generated automatically.",
  "Diese Nachricht wurde automatisch erstellt.",
  "Ce message a été généré automatiquement.",
  "Este mensaje ha sido generado automáticamente.",
  "Questo messaggio è generato automaticamente.",
  "Dit bericht is automatisch verzonden.",
  "Esta mensagem é gerada automaticamente.",
  "Wiadomość wygenerowana automatycznie.",
  "Detta är ett automatiskt meddelande.",
  "このメールは自動送信です。",
];
const WORDS = [
  "Yes please",
  "Tuesday at ten then.",
  "Gerne, rufen Sie an.",
  "We have no need for it.",
  "Oui, mardi.",
  "Está bien, hablemos.",
];

test.each(FOOTERS.flatMap((footer) => WORDS.map((words) => [words, footer] as const)))(
  "a person's sentence above an automatic footer counts as a reply: %s / %s",
  (words, footer) => {
    expect(kind(`${words}\n\n${footer}`)).toBe("REPLY");
    expect(kind(`${words}\n\nBest regards\nPat Person\nFirm Ltd\n+44 20 7946 0000\n\n${footer}`)).toBe("REPLY");
  },
);

test.each(FOOTERS.filter((footer) => !/gateway|CRM/.test(footer)))(
  "an automatic footer without a person's sentence counts as an auto-reply: %s",
  (footer) => {
    expect(kind(footer)).toBe("AUTO_REPLY");
    expect(kind(`Thank you for your message. Your request has been received.\n\n${footer}`)).toBe("AUTO_REPLY");
  },
);
