import type { Phrases } from "./scenario.ts";

export const GERMAN: Phrases = {
  greeting: "{Guten Tag|Hallo|Schönen guten Tag} [name],",
  greetingWithoutName: "{Guten Tag|Hallo|Schönen guten Tag},",
  greetsBy: "FULL_NAME",
  openers: [
    "{{Ich hoffe|Wir hoffen}, {es geht Ihnen gut|alles ist in Ordnung|Ihre Woche {läuft|verläuft} {gut|nach Plan|ruhig}}.|{Eine kurze|Eine kleine} {Nachricht|Mitteilung} {aus unserem Büro|von unserer Seite|zwischen zwei Terminen|vor Feierabend}.|{Heute|Diesmal} {melde ich mich|schreibe ich Ihnen} {nur kurz|mit einer Kleinigkeit|mit einer Frage}.}",
    "{{Vielen Dank|Danke|Herzlichen Dank} für {Ihre {Nachricht|Mail|Zeilen|Anfrage|E-Mail|Mitteilung}|die {Nachricht|Mail|freundlichen Zeilen|Anfrage}}.|{Schön|Gut}, von {Ihnen|Ihrem Team} zu {hören|lesen}.|{Ihre {Nachricht|Mail}|Die {Nachricht|Mail}} {ist angekommen|liegt vor mir}, {vielen Dank|danke|besten Dank}.}",
    "{{Vielen Dank|Danke|Besten Dank} für {{die|Ihre} {schnelle|rasche|prompte|freundliche|klare|hilfreiche} {Antwort|Rückmeldung|Auskunft}|die {Antwort|Rückmeldung|Auskunft}}.|{Ihre|Die} {Antwort|Auskunft} {hilft|ist hilfreich}, {vielen Dank|danke|besten Dank}.|{Das|Ihre Antwort} {kam|ging} {schnell|wirklich schnell}, {vielen Dank|danke}.}",
    "{{Sehr gut|Gut|Wunderbar|Ausgezeichnet|Prima|Bestens|Schön}, {vielen Dank|danke|besten Dank}{| für {die Auskunft|die Rückmeldung|Ihre Zeilen|die Einzelheiten}}.|{Vielen Dank|Danke|Besten Dank} für {die {Rückmeldung|Einzelheiten|Auskunft}|Ihre {Zeilen|Nachricht|Antwort}}.|Das {klingt {gut|sehr gut|vernünftig}|hört sich {gut|sehr gut} an}.}",
  ],
  closers: [
    "{{Ich freue mich|Wir freuen uns} auf {Ihre {Antwort|Rückmeldung|Nachricht}|eine kurze {Antwort|Rückmeldung|Zeile}}.|{Bitte|Gern} {geben Sie mir|geben Sie uns} {kurz|einfach} Bescheid.|Eine {kurze|knappe} {Antwort|Rückmeldung|Zeile} {genügt|reicht {völlig|vollkommen}}.|{Vielen Dank|Danke|Besten Dank} {im Voraus|für {Ihre Hilfe|Ihre Mühe|Ihre Zeit}}.}",
    "{Falls {etwas|noch etwas} {unklar ist|fehlt}, {fragen|schreiben} Sie {bitte|gern|einfach}.|Bei {Fragen|weiteren Fragen} {schreiben Sie|rufen Sie} {gern|einfach|jederzeit}.|{Ich hoffe|Wir hoffen}, {das|diese Auskunft} {hilft Ihnen|genügt Ihnen|genügt fürs Erste}.|{Ich freue mich|Wir freuen uns} auf {Ihre Antwort|Ihre Nachricht|Ihre Rückmeldung}.}",
    "{{Nochmals|Noch einmal} {vielen|herzlichen|besten} Dank{| für {die Hilfe|Ihre Geduld|Ihre Mühe|die Unterstützung}}.|Die {Abstimmung|Zusammenarbeit} {ist|bleibt} {angenehm|einfach|eine Freude}.|{Das|Ihre Antwort} {hilft|half} {mir|uns|dem Team} {sehr|wirklich} weiter.}",
    "{{Ich wünsche|Wir wünschen} Ihnen {einen {guten|schönen|ruhigen|angenehmen} {Tag|Nachmittag}|eine {gute|schöne|ruhige|angenehme} {Woche|Zeit}}.|{Bis dahin|Bis bald} {und alles Gute|mit Gruß an {Ihr Team|alle}|mit besten Wünschen}.|{Viele|Schöne|Herzliche} Grüße {an {Ihr Team|die Kollegen|alle im Büro}|aus unserem Büro|vom ganzen Team}.}",
  ],
  signOff: "{Mit {freundlichen|besten|herzlichen} Grüßen|{Freundliche|Viele|Beste|Schöne} Grüße|Mit {freundlichem|bestem} Gruß}",
  days: "Montag|Dienstag|Mittwoch|Donnerstag|Freitag",
  times: "9 Uhr|9:30 Uhr|10 Uhr|10:30 Uhr|11 Uhr|11:30 Uhr|13:30 Uhr|14 Uhr|14:30 Uhr|15 Uhr|15:30 Uhr|16 Uhr",
  details: {
    room: "Raum 3|Raum 12|Raum 21|Raum 204|Raum 7|Raum 115|Raum 33",
    month: "Januar|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember",
  },
};
