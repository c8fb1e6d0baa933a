import { expect, test } from "@jest/globals";
import { readOptOut } from "../../domain/opt-out.ts";

test.each([
  "remove",
  "Remove please",
  "unsubscribe please!",
  "Take me off your mailing list.",
  "Please delete my details from your database",
  "Please cease all communication",
  "STOP!!!",
  "stop sending me emails",
  "Do not email me ever again",
  "Kindly remove my email from your list",
  "I'd like to opt out",
  "Opt-out",
  "opt out please",
  "Bitte löschen Sie meine Daten",
  "Abmelden",
  "Bitte keine Werbung mehr",
  "Bitte senden Sie mir keine E-Mails mehr",
  "Streichen Sie mich von Ihrer Liste",
  "Désabonnement",
  "Veuillez me retirer de votre liste",
  "Merci de ne plus me contacter",
  "Désinscription svp",
  "Por favor, elimíneme de su lista",
  "Dar de baja",
  "Por favor no me escriban más",
  "Cancellatemi dalla lista",
  "Vi prego di non contattarmi più",
  "Me remova da lista",
  "Por favor, remova meu email",
  "Graag verwijderen uit jullie bestand",
  "Stuur mij geen mails meer",
  "Avregistrera mig",
  "Ta bort mig från listan",
  "Fjern meg fra listen",
  "Afmeld mig venligst",
  "Proszę mnie wypisać",
  "Proszę o usunięcie mojego adresu",
  "Odhlásit",
  "Prosím odstraňte mě ze seznamu",
  "Kérem töröljenek a listáról",
  "Leiratkozás",
  "Poistakaa minut listalta",
  "Listeden çıkarın",
  "Beni listenizden çıkarın",
  "Отписаться",
  "Больше не пишите мне",
  "Прошу удалить мой адрес из рассылки",
  "配信を停止してください",
  "今後メールは不要です",
  "请不要再给我发邮件",
  "수신거부",
  "Dezabonare",
  "Κατάργηση εγγραφής",
])("%s: clear", (text) => {
  expect(readOptOut(text)).toBe("CLEAR");
});

test.each([
  "We are not interested at the moment.",
  "Stop by our booth",
  "Can we remove one item from the order?",
  "Let me know what I should delete.",
  "Please send more details",
  "Nein danke",
  "I can't stop thinking about your product",
  "No thanks",
  "Wir nehmen Sie gern in den Verteiler auf",
  "bitte melden Sie sich morgen",
])("%s: nothing", (text) => {
  expect(readOptOut(text)).toBeNull();
});

test("who speaks of other people's opting out is asked about", () => {
  expect(readOptOut("Thanks, we already unsubscribe users with tool X")).toBe("AMBIGUOUS");
});
