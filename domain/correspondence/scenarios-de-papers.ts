import type { Scenario } from "./scenario.ts";

/** German conversations about orders, deliveries, documents and questions. */
export const GERMAN_PAPERS: readonly Scenario[] = [
  {
    name: "copy of an invoice",
    details: { office: "die Buchhaltung|das Archiv|die Steuerkanzlei|die Zentrale|die Revision" },
    subject: "{Kopie der Rechnung|Rechnung|Frage zur Rechnung} [ref]",
    turns: [
      "Beim {Sortieren|Ablegen} der Unterlagen vom [month] {ist mir|ist uns} aufgefallen, dass die Rechnung [ref] {fehlt|nicht dabei ist}. {Könnten|Würden} Sie uns {eine Kopie|noch eine Kopie} {schicken|zukommen lassen}, {als Datei|als einfachen Scan}? {Gebraucht wird sie für|Bestimmt ist sie für} [office], es {eilt|drängt} aber {nicht|überhaupt nicht}.",
      "{Selbstverständlich|Sehr gern}, die Rechnung [ref] {war schnell gefunden|liegt uns vor}. Die Kopie {geht|kommt} {heute|am Nachmittag} in einer {eigenen|getrennten} Mail aus {unserem System|der Buchhaltung} {zu Ihnen|an Sie}. {Soll|Sollte} [office] {künftig|in den nächsten Monaten} {auch|direkt} {eine Kopie|ein Exemplar} {bekommen|erhalten}?",
      "{Die Kopie|Nummer [ref]} ist {eben|inzwischen} {angekommen|eingetroffen} und {gut lesbar|vollständig}. {Eine zweite Adresse|Ein weiterer Empfänger} für [office] ist {nicht nötig|nicht erforderlich}, {so|damit} bleibt {alles|die Sache} {übersichtlich|einfach}. {Nun|Damit} {kann|darf} {die Mappe|unser Ordner} für [month] {geschlossen|abgelegt} werden.",
      "{Schön, dass sie da ist|Gut, dass sie ankam}. {An der Adresse|An den Empfängern} ändern wir {also|dann} nichts. Falls {ein weiteres|noch ein} Papier aus dem [month] {fehlt|fehlen sollte}, {genügt|reicht} {eine kurze Zeile|eine Mail} mit {der Nummer|seiner Nummer}, {wie|so wie} {diesmal|bei dieser Rechnung}.",
    ],
  },
  {
    name: "feedback on a draft",
    details: { draft: "der Broschüre|des Projektplans|der Anleitung|des Kurzberichts|des Begrüßungshefts|des Aushangs" },
    subject: "Entwurf [draft]{|: Ihre Meinung|, erste Fassung}",
    turns: [
      "Der {erste|vorläufige} Entwurf [draft] ist {fertig|geschrieben}, {bisher|derzeit} [count] Seiten. {Bevor|Ehe} es {weitergeht|in die Gestaltung geht}, {wäre mir|wäre uns} {Ihr Urteil|ein Blick von außen} {wichtig|viel wert}: liest sich {alles|der Text} {klar|leicht}, und was würden Sie {kürzen|weglassen}? {Einige Zeilen|Ein paar Worte} bis [day] {genügen|reichen}.",
      "{Ich habe|Hier haben wir} den Entwurf [draft] {gern|in Ruhe|zweimal} gelesen. {Er ist|Alles ist} {gut verständlich|klar aufgebaut}, {vor allem|besonders} {der Anfang|die ersten Seiten}. In der Mitte {könnte|dürfte} {eine Seite|ein Absatz} {entfallen|wegfallen}, und {der letzte Teil|das Ende} {braucht|verträgt} {ein Beispiel|noch ein Beispiel} {aus dem Alltag|für Neue}.",
      "{Das sind|Sie geben} {gute|sehr nützliche} Hinweise. {Die Mitte|Der mittlere Teil} {wird gekürzt|wird knapper}, {am Ende|zum Schluss} {kommt|folgt} {ein Beispiel|das Beispiel}. {Könnten|Würden} Sie den Entwurf [draft] {danach|dann} {noch einmal|ein zweites Mal} {ansehen|durchsehen}, {wohl|voraussichtlich} am [day]?",
      "{Ja, gern|Natürlich}, {schicken|senden} Sie {einfach|dann} die {neue|geänderte} Fassung. [day] {passt gut|ist günstig}, da {habe ich|haben wir} {einen ruhigen|einen freien} {Nachmittag|Vormittag}. {Ich bin|Wir sind} {gespannt|neugierig}, wie sich der Entwurf [draft] mit {dem Beispiel|den Änderungen} {liest|anfühlt}.",
    ],
  },
  {
    name: "delivery date",
    details: { goods: "Faltkartons|Schreibtischlampen|Lagerkästen|Kabelrollen|Aktenregale|Papierrollen" },
    subject: "{Bestellung|Lieferung der Bestellung} [ref]{|: [goods]}",
    turns: [
      "{Darf ich fragen|Können Sie mir sagen|Ich wüsste gern}, an welchem Tag {unsere Bestellung|die Bestellung} [ref] {eintrifft|geliefert wird}. Es {geht um|handelt sich um} [goods] für {unsere Filiale|das zweite Stockwerk|das Nordlager}, und {für das Abladen|zum Abladen} {möchten|wollen} wir {jemanden|eine Person} {einplanen|freihalten}.",
      "Die Bestellung [ref] {ist gepackt|steht bereit} und verlässt {am Tag vorher|am Vortag} {das Lager|unser Lager}: [goods] {und Papiere|samt Lieferschein} {sollten|müssten} am [day] {gegen|etwa um} [time] {bei Ihnen|vor Ihrer Tür} sein. {Der Fahrer|Die Spedition} {ruft|meldet sich} {eine halbe Stunde|einige Minuten} vorher {an|telefonisch}.",
      "[day] gegen [time] {passt|ist} {gut|sehr gut}, {jemand aus dem Lager|eine Kollegin|ein Kollege} {wartet|ist} {dann|dort} mit {einem Hubwagen|einem Rollwagen}. {Könnten|Würden} Sie {der Spedition|dem Fahrer} sagen, dass [goods] {besser|bitte} {über den Hof|an Rampe 2|am hinteren Eingang} {abgeladen|entladen} werden, {weil|da} {es vorn zu eng|die Tür vorn zu schmal} ist?",
      "{Das ist|Alles ist} {weitergegeben|schon gesagt}: {hinten|die Rückseite}, nicht {vorn|der Haupteingang}. {Der Lieferschein|Das Papier} zu [ref] {liegt|steckt} {oben auf der Ware|bei der Ware}; {eine Unterschrift|Ihre Unterschrift} am [day] ist alles, was {wir brauchen|zurückkommen muss}.",
    ],
  },
  {
    name: "right contact",
    details: { field: "Rücksendungen|Zollpapiere|Haustechnik|Datenblätter|Lagerfragen|Schulungen" },
    subject: "{Kontakt|Ansprechpartner|Wer ist zuständig} für [field]{|?}",
    turns: [
      "{Ich suche|Wir suchen} in Ihrem {Haus|Unternehmen} {die richtige Person|jemanden} für [field]. {Bisher|Bis jetzt} {schrieben wir|gingen unsere Mails} an {die allgemeine Adresse|den Empfang}, {das dauert|was dauert} {manchmal|meist} {etwas|ein, zwei Tage}. {Wen|Welche Person} {dürfen|sollen} wir {künftig|ab jetzt} {direkt|unmittelbar} fragen?",
      "Bei {Fragen|Anliegen} zum Thema [field] wenden Sie sich {künftig|gern} {direkt|gleich} an mich; {die Arbeit|die Aufgabe} {teile ich mir|ist geteilt} mit {einer Person|jemandem} {im selben Zimmer|nebenan}. Am [day] bin ich {meist|gewöhnlich} {unterwegs|außer Haus}, Mails werden aber {auch dann|am selben Tag} gelesen.",
      "{Das macht|So wird} {vieles|es} {einfacher|leichter}. {Ihr Name|Ihre Adresse} steht {nun|jetzt} in unserer Liste unter [field], {der Einkauf|die Planung|die Nachtschicht} {weiß Bescheid|ist informiert}. {Die erste Frage|Eine erste Frage} {folgt|kommt} {bald|in den nächsten Tagen}: es geht um {ein fehlendes Formular|zwei Etiketten|ein altes Blatt}, {nichts Schwieriges|eine Kleinigkeit}.",
      "{Schicken|Schreiben} Sie {die Frage|sie} {einfach|gern}, {sobald|wenn} es Ihnen passt. Beim Thema [field] {hilft|nützt} {oft|meist} {ein Foto|eine Nummer}, {sofern vorhanden|falls es so etwas gibt}. Das {meiste|Übliche} klärt sich {innerhalb eines Tages|noch am selben Tag|in wenigen Zeilen}.",
    ],
  },
  {
    name: "another entrance",
    details: { place: "der Hof in der Mühlstraße|die Rampe im Parkweg|das Tor in der Bahnstraße|die Einfahrt am Kirchplatz" },
    subject: "{Neue Lieferadresse|Lieferungen ab [month]|Wohin geliefert wird}",
    turns: [
      "Ab [month] {gilt|ist} für {alle Lieferungen|Lieferungen} {zu uns|an unser Haus} {eine neue Stelle|ein neuer Ort}: [place], weil {der alte Eingang|die alte Rampe} {umgebaut|erneuert} wird. Die Postanschrift {bleibt|ist weiterhin} {gleich|dieselbe}. {Könnten|Würden} Sie das {für Ihre Fahrer|im System} {vermerken|ändern} und mir {kurz |}{sagen|schreiben}, wenn es {erledigt|eingetragen} ist?",
      "{Eingetragen|Vermerkt} ist ab [month] {nun|also} [place], {auch|ebenso} für {offene|laufende} Bestellungen. {Unsere Fahrer|Die Fahrer} {fragen|möchten wissen}, ob dort {ein langer|ein großer} {Lastwagen|Wagen} {wenden kann|Platz hat} oder ob {ein kleinerer|ein kurzer} {besser ist|sinnvoller wäre}.",
      "{Ein langer|Ein großer} Wagen {kommt|passt} {gut|ohne Mühe} hinein; {nur|lediglich} vor {neun|halb neun} ist es {eng|voll}, weil {die Schule|die Bäckerei} {nebenan|gegenüber} {den Platz|die Zufahrt} braucht. Wer {gegen|um} [time] {kommt|eintrifft}, findet {alles|die Stelle} {frei|fast leer}.",
      "{Gut zu wissen|Das hilft uns}. {Die Planung|Unsere Planung} hat „{ab|nicht vor} [time]“ {neben die Adresse|daneben} {geschrieben|gesetzt}, {so|damit} {kommen|fahren} {alle|die Wagen} {später|zur ruhigen Zeit}. Für den [month] ist damit {alles|auch sonst alles} {bereit|vorbereitet}.",
    ],
  },
  {
    name: "samples arrived",
    details: { sample: "der graue Stoff|der starke Karton|der helle Filz|der grüne Filz|der matte Bogen" },
    subject: "{Ihre Muster|Muster|Muster angekommen}{| vom [month]|: [sample]}",
    turns: [
      "{Das Paket|Die Kiste} mit den Mustern ist {gut|heil} {angekommen|eingetroffen}, {insgesamt|zusammen} [count] Stück. {Auf den ersten Blick|Bisher} gefällt {uns|dem Team} [sample] {am besten|am meisten}. {Gibt es|Führen Sie} {ihn|dieses Muster} {auch|noch} in {einer zweiten Breite|einer größeren Ausführung}, und {wie lange|wie viele Wochen} {dürfen|können} wir {die anderen|den Rest} {behalten|hierlassen}?",
      "{Schön, dass|Gut, dass} alle [count] {da|heil} sind. [sample] kommt ab [month] in zwei {Größen|Breiten} {ins Programm|heraus}. {Behalten|Vergleichen} Sie die {anderen|übrigen} {ruhig|gern}, solange Sie {möchten|wollen}; sie {fehlen hier niemandem|werden hier nicht gebraucht}.",
      "{Das ist|Wie} {großzügig|freundlich}. {Wir hängen|Wir legen} {alle [count]|alle} {eine Woche|einige Tage} {ans Fenster|nebeneinander}, {weil|da} {Tageslicht|das Licht} {viel|so viel} {verändert|ausmacht}. {Könnten|Würden} Sie {inzwischen|schon einmal} {vormerken|notieren}, dass wir {noch ein|ein weiteres} Stück {in groß|in der größeren Breite} {brauchen|möchten}?",
      "{Vermerkt|Notiert} ist {ein großes|ein weiteres} Stück, dazu {ein Schildchen|ein Zettel}, {damit nichts verwechselt wird|zur Sicherheit}. Es {geht|kommt} {mit dem nächsten Paket|in der nächsten Sendung}, {etwa|voraussichtlich} am [day]. {Nehmen|Lassen} Sie sich {ruhig |}Zeit {für den Vergleich|mit dem Rest}, {Tageslicht|gutes Licht} ist {der beste|der fairste} {Test|Maßstab}.",
    ],
  },
  {
    name: "printed catalogue",
    details: { branch: "den Musterraum|den Empfang|den Schulungsraum|das Baubüro|die Leseecke" },
    subject: "{Gedruckter Katalog|Ihr Katalog|Kataloge} für [branch]",
    turns: [
      "Gibt es Ihren Katalog {noch|auch} {auf Papier|gedruckt}? Am Bildschirm ist er {praktisch|gut}, {aber|doch} {hier|bei uns} blättern {viele|die meisten} {lieber|gern} in {echten|richtigen} Seiten. {Wenn ja|Falls ja}, {würden wir uns|würde ich mich} über [count] {Stück|Exemplare} für [branch] {freuen|sehr freuen}, {gern|auch} {ältere|vom letzten Jahr}.",
      "{Ja, die gedruckte Fassung|Es gibt ihn, er} erscheint {einmal|zweimal} im Jahr, {das nächste Mal|wieder} im [month]. {Ich kann|Wir können} Ihnen [count] Stück {sofort|noch diese Woche} {schicken|senden} oder {warten|sie zurückhalten}, bis {der neue|die neue Ausgabe} {da|gedruckt} ist; was ist Ihnen {lieber|recht}?",
      "{Wir warten|Da warten wir} {lieber|gern}, {dann|so} ist {nach einem Monat|bald} nichts {veraltet|überholt}. {Bitte|Am besten} planen Sie [count] {Stück|Exemplare} für [branch] ein und {schicken|senden} Sie {sie|das Paket} im [month] an {die bekannte|unsere übliche} Adresse.",
      "[count] Stück für [branch] stehen {nun|jetzt} auf {der Liste|meiner Liste}. Sobald {die Druckerei|das Druckhaus} im [month] {liefert|geliefert hat}, geht {Ihr Paket|das Paket} {in derselben Woche|als erstes} hinaus, mit {einem losen|einem eigenen} {Register|Verzeichnis} {zum schnellen|für rasches} Nachschlagen.",
    ],
  },
  {
    name: "a form to fill in",
    details: { form: "das Lieferantenformular|das Kontaktblatt|das Sicherheitsformular|das Standortformular|das Besucherformular" },
    subject: "{Fragen zum Formular|Formular: zwei Fragen|Eine Frage zum Formular}",
    turns: [
      "Sie haben uns {gebeten|aufgefordert}, bis [day] [form] {auszufüllen|zu ergänzen}. {Das meiste|Fast alles} ist {klar|erledigt}, nur {Feld 7|Feld 9|Zeile 4|Zeile 12} {gibt Rätsel auf|ist uns unklar}: ist {damit |}{der Hauptsitz|die Zentrale} gemeint oder {der Standort|die Filiale} {hier vor Ort|in Ihrer Nähe}? {Genügt|Reicht} {auch |}eine {getippte|gedruckte} Fassung?",
      "{Gemeint|In dieser Zeile gemeint} ist {der Standort|die Filiale}, also die {Stelle|Adresse}, {von wo aus|von der aus} Sie {liefern|für uns arbeiten}. {Eine getippte|Eine gedruckte} Fassung {ist in Ordnung|genügt völlig}, {ein Stempel|Tinte} ist nicht {nötig|erforderlich}. [day] ist {nur|lediglich} {ein grobes|ein internes} Datum.",
      "{Das klärt|Damit klärt sich} {die Frage|alles}. {Ich fülle|Wir füllen} [form] {entsprechend|so} aus, {zurück kommt es|Sie bekommen es} {trotzdem|auf jeden Fall} {bis|vor} [day], {dann|damit} ist {die Sache|es} {erledigt|vom Tisch}. {Sind|Wären} zwei Seiten in einer Datei {recht|in Ordnung}?",
      "{Eine einzige|Eine} Datei ist {am besten|ideal}, so {geht|kommt} {keine Seite|nichts} {verloren|abhanden}. Sobald [form] {hier ist|eingegangen ist}, {bestätige ich|bestätigen wir} {das|den Eingang} {mit einer Zeile|kurz}, und {Ihr Haus|Ihr Unternehmen} ist für {zwei Jahre|die nächsten Jahre} {eingetragen|erfasst}.",
    ],
  },
  {
    name: "file format",
    details: { file: "Grundriss|Schnittplan|Bohrplan|Schaltplan|Verlegeplan" },
    subject: "{Dateiformat|Format der Datei|Datei}: [file]",
    turns: [
      "{Beim Öffnen|Beim Einlesen} Ihrer Datei vom [day] zeigt {unser Programm|das Programm hier} {leere Seiten|seltsame Zeichen|nur graue Flächen}; es {geht um|betrifft} {das Blatt|die Datei} „[file]“. {Könnten|Würden} Sie sie {noch einmal|erneut} in {einem einfacheren|einem älteren} Format {speichern|ausgeben}? {Eine schlichte|Eine einfache} {Tabelle|Seite} {genügt|reicht} {uns|völlig}.",
      "Das {liegt an|kommt von} {unserer|einer} {Einstellung|neuen Einstellung}: das {neue|jetzige} Programm {schreibt|speichert} in {einem eigenen|einem sehr neuen} Format. „[file]“ ist {jetzt|nun} {doppelt|zweifach} {gespeichert|abgelegt}, einmal als {schlichte Tabelle|reiner Text} und einmal als {Bild|Druckseite}. {Beides|Alles} geht {in der nächsten Stunde|heute|am Nachmittag} {hinaus|an Sie}.",
      "{Beide|Die zwei} {Fassungen|Dateien} lassen sich {ohne Mühe|sofort} öffnen, und die {erste|Tabelle} ist {genau richtig|genau das, was wir brauchen}. {Eine kleine|Eine} Frage noch zu „[file]“: sind die Zahlen {rechts|am Rand} in {Zentimetern|Metern} {angegeben|gemeint} oder in {anderen|irgendwelchen anderen} Einheiten?",
      "{Es sind|Gemeint sind} Millimeter, {durchgehend|überall}, und die {kleinen|grauen} Zahlen sind {nur|lediglich} {intern|für uns} {wichtig|von Belang}. {Künftig|Ab jetzt} {speichern wir|schicken wir} „[file]“ {gleich|von Anfang an} {im einfachen|im schlichten} Format, das {spart|erspart} {beiden Seiten|allen} {Zeit|einen Umweg}.",
    ],
  },
  {
    name: "wording of a translation",
    details: { text: "das Pflegeetikett|der Sicherheitshinweis|der Packzettel|die Kurzanleitung|das Türschild|der Begrüßungstext" },
    subject: "{Ein Wort zur Übersetzung|Übersetzung|Formulierung}: [text]",
    turns: [
      "Wir haben einen {kurzen|kleinen} Text übersetzen lassen ({Thema|Titel}: [text]), und {zwei|mehrere} {Kollegen|Leute} sind {uneins|verschiedener Meinung}: {der zweite|der letzte} Satz klingt {manchen|einigen} {zu förmlich|zu steif}. Sie kennen {die Leser|die Kundschaft} {dort|in Ihrem Land}: würden Sie {die|alle} [count] Zeilen bis [day] {lesen|ansehen}?",
      "{Wir haben|Ich habe} den Text {laut|im Büro|beim Mittagessen} {gelesen|vorgelesen}, {das hilft|das half}. {Der Satz|Die zweite Hälfte} ist {richtig|korrekt}, klingt {aber|jedoch} {etwas|ein wenig} {steif|schwer}; mit {einem kürzeren|einem einfacheren} Verb wird {alles|der Klang} {freundlicher|natürlicher}. Die {übrigen|anderen} der [count] Zeilen {können|dürfen} {so bleiben|unverändert bleiben}.",
      "Dann {gewinnt|nehmen wir} die {freundliche|kürzere} Fassung. {Wir ändern|Hier ändern wir} das Verb und {drucken|bestellen} {noch vor|bis} [day] {eine kleine|eine erste} {Auflage|Probe}. {Dürfen|Könnten} wir {Sie wieder|uns noch einmal} {fragen|melden}, wenn {der nächste|ein längerer} Text {ansteht|kommt}?",
      "{Aber natürlich|Jederzeit}, [count] Zeilen {zu lesen|durchzusehen} {kostet|braucht} {kaum|wenig} Zeit. {Es war|Das war} {eine Freude|ein Vergnügen} für {das ganze Büro|unser Team}, und {alle|wir} möchten {das Ergebnis|den Text} {nach dem [day]|irgendwann} {gedruckt|auf Papier} sehen.",
    ],
  },
  {
    name: "quantity in an order",
    details: { ware: "Türgriffe|Wandhaken|Tischbeine|Lichtschalter|Kleiderhaken" },
    subject: "{Menge in der Bestellung|Bestellung|Korrektur der Bestellung} [ref]",
    turns: [
      "In {unserer Bestellung|der Bestellung} [ref] steht {leider |}eine {falsche|alte} Menge: {doppelt|zweimal} so viele [ware] wie {nötig|gewünscht}. Richtig {sind|wären} [count] {Kartons|Schachteln}. {Lässt|Ließe} sich das {noch|jetzt noch} {ändern|berichtigen}, oder hat {das Packen|die Arbeit} {schon|bereits} begonnen?",
      "{Ihre Mail|Die Nachricht} kam {rechtzeitig|früh genug}: [ref] {liegt|steht} noch {im Regal|offen hier}. {Nun|Jetzt} sind es [count] Kartons [ware]; {alles andere|der Rest} {ist|bleibt} {unverändert|gleich}, {auch|ebenso} die Lieferung am [day]. {Eine neue|Die korrigierte} Bestätigung {folgt|kommt} {mit der Post|getrennt}.",
      "{Das erleichtert mich|Das ist eine Erleichterung}, {wir schätzen|ich schätze} {die schnelle|die unkomplizierte} Hilfe. Die {alte|erste} Bestätigung zu [ref] {kommt ins Altpapier|streichen wir}, {wir warten auf|nun warten wir auf} die {neue|richtige}. {So viele|[count]} Kartons [ware] {passen|gehen} {genau|gerade} {ins Regal|auf unseren Platz}.",
      "{So etwas|Das} passiert {allen|jedem} einmal, {nichts ist verloren|das ist nicht schlimm}. Das {neue|richtige} Papier zu [ref] ist {heute|eben} {hinausgegangen|abgeschickt worden}; falls die Zeile mit den {Artikeln|Stückzahlen} {noch|immer noch} {seltsam|falsch} aussieht, rufen Sie {kurz|bitte} {vor|noch vor} [day] an.",
    ],
  },
  {
    name: "return of pallets",
    details: { load: "Leerpaletten|Gitterboxen|Klappkisten|Rollbehälter|Transportgestelle" },
    subject: "{Abholung: [count]|[count]} [load]",
    turns: [
      "{Auf dem Hof|Hinter der Halle} {stehen|warten} [count] [load] aus Ihrem {Bestand|Lager}, {gereinigt|gestapelt} und {trocken|fertig zum Abholen}. Wann {könnte|kann} {jemand|ein Fahrer} sie {mitnehmen|abholen}, {vielleicht|am besten} {zusammen mit|bei} {der nächsten|einer} Lieferung? Am [day] ist {der Hof|dort alles} {ab [time]|den ganzen Tag} frei.",
      "[day] {trifft sich|passt} {gut|sehr gut}: {der große|unser zweiter} Wagen {kommt|fährt} {dann|an diesem Tag} {in Ihre Nähe|durch Ihren Ort} und hat Platz für [count] [load]. {Er|Der Fahrer} {ist|kommt} {etwa|ungefähr} um [time] {da|zu Ihnen}. {Ist|Wäre} jemand {zum Helfen|mit einem Stapler} {vor Ort|da}?",
      "{Jemand|Eine Person} aus dem Lager ist {ohnehin|sowieso} {auf dem Hof|dort}, der Stapler {ist geladen|läuft}. Die [load] {stehen|sind} {in zwei Reihen|fest verbunden}, {das Laden|alles} {dauert|braucht} {nur |}{zehn Minuten|eine Viertelstunde}. {Idealerweise|Am besten} hat der Fahrer {einen Beleg|eine Quittung} über [count] Stück dabei.",
      "{Der Beleg|Die Quittung} über [count] Stück liegt {schon|bereits} {im Wagen|beim Fahrer}. In {zwei Reihen|dieser Form} lassen sich die [load] {leicht|schnell} {laden|heben}, das {war|ist} {gut gedacht|sehr aufmerksam}. Ab [month] gibt es {einen festen|einen regelmäßigen} {Tag|Termin} {dafür|für so etwas}.",
    ],
  },
  {
    name: "hours of the warehouse",
    details: { why: "einer Inventur|der jährlichen Prüfung|einer Betriebsversammlung|eines Umbaus der Regale|einer Wartung" },
    subject: "{Öffnungszeiten|Ihre Zeiten|Ihr Lager} am [day]",
    turns: [
      "{Ein Fahrer|Jemand} {erwähnte|sagte}, dass Ihr Lager am [day] wegen [why] {früher|schon mittags} {schließt|zumacht}. {Stimmt das|Ist das so|Ist das richtig}? {Geplant|Vorgesehen} war {eine Abholung|unsere Abholung} {gegen|um} [time]; {sonst|andernfalls} käme {der Wagen|unser Wagen} am [day2], mit {denselben|den gleichen} Papieren.",
      "Ja, das {stimmt|ist richtig}: wegen [why] sind {die Tore|unsere Tore} am [day] ab {Mittag|zwölf Uhr} {geschlossen|zu}. [day2] ist {ein normaler|ein gewöhnlicher} {Tag|Arbeitstag}, der Wagen {kann|darf} {gern|also gern} um [time] kommen. Die Ware {bleibt|steht} {so lange|bis dahin} {an Rampe 3|in der vorderen Reihe}.",
      "{Dann|Also} {kommt|fährt} der Wagen am [day2] um [time]{ zu Ihnen|}. In den Papieren steht {allerdings|leider} {noch|weiterhin} [day]; ist das {am Tor|für die Pforte} ein {Problem|Hindernis}, oder {genügt|reicht} {ein Vermerk|eine Notiz} {mit Bleistift|von Hand}? Das {alles |}klingt nach {viel|reichlich} Arbeit.",
      "{Ein Vermerk|Eine Notiz} {genügt|reicht}, {am Tor|an der Pforte} {weiß man Bescheid|wissen alle Bescheid}. {Es ist|Das ist} {jedes Mal|immer} ein {langer|voller} Tag, doch am [day2] {läuft|ist} {alles|der Betrieb} wieder {wie gewohnt|normal}, und um [time] ist es {meist|sogar} {ruhig|recht still}.",
    ],
  },
  {
    name: "photos of a project",
    details: { use: "die Hauszeitung|den Aushang|einen internen Vortrag|den Jahresrückblick|ein Plakat im Flur|die Schulungsmappe" },
    subject: "{Fotos|Bilder} für [use]",
    turns: [
      "Bei {der Arbeit|unserem Projekt} im [month] hat {jemand von Ihnen|jemand aus Ihrem Team} {sehr schöne|gelungene} Fotos gemacht. {Gern würden wir|Wir möchten} {zwei|drei} davon für [use] {verwenden|nehmen}: {wäre|ist} das {in Ordnung|möglich}, und welcher Name {soll|müsste} {darunter|daneben} stehen?",
      "{Sie dürfen|Natürlich dürfen Sie} die {Fotos|Bilder} {gern|ohne Weiteres} für [use] {verwenden|nehmen}, {das Team freut sich|alle freuen sich} {darüber|sehr}. {Gemacht|Aufgenommen} hat sie {jemand aus der Planung|jemand aus der Werkstatt}; {unter|neben} den Bildern {genügt|reicht} der {Name unseres Hauses|Firmenname}. {Brauchen|Möchten} Sie {größere|hochaufgelöste} Dateien?",
      "{Größere|Hochaufgelöste} Dateien wären {wunderbar|sehr willkommen}, {vor allem|besonders} vom Bild {mit der Leiter|an der offenen Tür|mit den blauen Kisten|mit der ganzen Gruppe}. {Es wird|Dieses wird} {das erste|das größte} {sein, das man sieht|im ganzen Heft|überhaupt}. {Bis|Etwa bis} [day] {genügt|reicht} {das für|es für} [use].",
      "Die {großen|großen neuen} Dateien sind {bis|noch vor} [day] {bei Ihnen|in Ihrem Postfach}. {Alle|Wir alle} haben {sich gefreut|gelächelt}, als {sie hörten|es hieß}, wohin die {Bilder|Fotos} {kommen|sollen}. {Falls|Wenn} ein {Exemplar|Stück} {übrig ist|frei wird}, {hängen wir|hängt die Werkstatt} es {an der Kaffeemaschine|hier} auf.",
    ],
  },
  {
    name: "a short questionnaire",
    details: { topic: "Verpackung|Lieferscheine|Telefonzeiten|Ersatzteile|Datenblätter|Bestellformulare" },
    subject: "{Einige|Ein paar} Fragen zum Thema [topic]",
    turns: [
      "{Einmal|Zweimal} im Jahr fragen wir {einige|ein paar} {Partner|Unternehmen, die wir gut kennen}, was {besser werden kann|sich verbessern lässt}. {Diesmal|Im [month]} geht es um das Thema [topic], {nur|lediglich} [count] {kurze|knappe} Fragen, {ohne|ganz ohne} {Noten|Punkte}. {Darf|Dürfte} ich {Ihnen|Ihrem Team} {den Bogen|die Liste} schicken, und {wäre|ist} eine Antwort bis [day] {möglich|realistisch}?",
      "{Gern|Ja, bitte}, {wir werden|ich werde} {gern|immer gern} gefragt. [count] Fragen zum Thema [topic] {schaffen|beantworten} wir bis [day], {auch|und} {die Leute|alle} {im Lager|beim Auspacken} {haben|hätten} {dazu|sicher} {etwas|einiges} zu sagen. {Sollen|Dürfen} wir {zusammen|gemeinsam auf einem Bogen} antworten oder {jeder einzeln|einzeln}?",
      "{Zusammen|Auf einem Bogen} ist {gut|am besten}, {ganz wie es kommt|so wie Sie mögen}; {kurze|ehrliche} {Worte|Notizen} {helfen|nützen} mehr als {lange|schöne} Sätze. {Die Sicht|Der Blick} {aus dem Lager|vom Lager her} {interessiert|hilft} uns {am meisten|besonders}, denn {dort|im Lager} {sieht|kennt} man {den Alltag|alles} {aus der Nähe|am besten}. {Der|Unser} Bogen {folgt|kommt} {gleich|am Nachmittag}.",
      "{Verstanden|In Ordnung}: {kurze|ehrliche} Notizen, {ein Bogen|gemeinsam}. Er liegt bis [day] {auf dem Tisch|im Pausenraum}, {daneben|dabei} liegt {ein Stift|auch ein Stift}, so {kann|darf} {jeder|jede Person} {eine Zeile|einen Gedanken} zum Thema [topic] {dazuschreiben|ergänzen}. Rechnen Sie {ruhig|gern} mit {einer Zeichnung|einer Skizze} {am Rand|daneben}.",
    ],
  },
  {
    name: "logo for print",
    details: { thing: "die Namensschilder|das Hinweisschild|die Einladungskarten|die Messewand|die gemeinsame Mappe|den Wegweiser" },
    subject: "{Ihr Logo|Logo} für [thing]",
    turns: [
      "Für [thing] {möchten|wollen} wir {Ihr Logo|das Logo Ihres Hauses} neben unserem {drucken|zeigen}. {Die Fassung hier|Unsere Datei} ist {zu klein|zu grob}: {könnten|würden} Sie bis [day] {eine größere|eine schärfere} {schicken|senden}, {möglichst|am liebsten} auch {einfarbig|in Schwarz}? {Natürlich|Selbstverständlich} {bekommen|sehen} Sie {vorher|zuerst} {einen Entwurf|den Probedruck}.",
      "{Aus unserer Grafik|Vom Archiv} {kommen|erhalten Sie} {gleich |}drei {Fassungen|Dateien}: {in Farbe|eine farbige}, {eine schwarze|eine in Schwarz} und {eine weiße|eine für dunklen Grund}. Für [thing] {passt|eignet sich} {die schwarze|die schlichte} {meist|gewöhnlich} {am besten|gut}. {Lassen|Halten} Sie {bitte |}{ringsum|an allen Seiten} {etwas Luft|einen Rand} {frei|in Buchstabenhöhe frei}.",
      "{Alle Dateien|Die Dateien} sind {gestochen scharf|genau richtig}, {schönen Dank|ein Gruß} {an die Grafik|ins Archiv}. Für [thing] {nehmen wir|wählen wir} die {schwarze|schlichte} Fassung, mit {viel|genug} {Luft|Abstand} {ringsum|an allen Seiten}. Der Entwurf {kommt|folgt} am [day] {auf Papier|als Bild}; {würden|könnten} Sie ihn {dann |}{prüfen|ansehen}?",
      "{Ja, gern|Selbstverständlich}, der Entwurf wird am [day] {gleich|sofort} {angesehen|geprüft}; {die Antwort|eine Antwort} {folgt|kommt} {am selben Tag|nach wenigen Stunden}. Die {schwarze|schlichte} Fassung {war|ist} {sicher|gewiss} {die richtige|eine gute} Wahl. Wenn {alles|das Ergebnis} {gedruckt|fertig} ist, {freuen wir uns|freut sich das Team} über {ein Foto|ein Bild} für {das Archiv|die Wand}.",
    ],
  },
  {
    name: "a milestone",
    details: { stage: "der Testlauf|der erste Aufbau|der Datenumzug|der zweite Musterbau|der Probebetrieb" },
    subject: "{Termin|Zeitplan|Stand}: [stage]",
    turns: [
      "Nach {unserem|dem} Zeitplan {endet [stage] am [day]|ist [stage] am [day] {fällig|zu Ende}}, und aus {unserer|meiner} Sicht läuft {alles|es} {gut|nach Plan}. {Können|Könnten} Sie {bestätigen|sagen}, dass Ihr {Teil|Beitrag} bis dahin {fertig|bereit} ist, oder wäre [day2] {der bequemere|ein realistischerer} {Tag|Termin}?",
      "{Unser Teil|Die Arbeit hier} ist {fast|beinahe} {fertig|abgeschlossen}, nur {eine Prüfung|eine letzte Kontrolle} {durch das zweite Team|im Vieraugenprinzip} {steht noch aus|fehlt noch}. [day] {ist|wäre} {möglich|knapp}, {aber|doch} am [day2] {muss|müsste} {niemand|keiner} {hetzen|eilen}, und [stage] {gelingt|verläuft} {ordentlich|in Ruhe}.",
      "{Sorgfalt|Qualität} {geht vor|ist mehr wert als ein Tag}, {nehmen wir|also gilt} [day2]. {Im Plan|Im Zeitplan} {ist das|habe ich das} {schon|bereits} {geändert|verschoben}; die {folgenden|späteren} Schritte {bleiben|halten}, {weil|da} {hier|an dieser Stelle} {ein Puffer|ein Tag Reserve} {eingeplant|vorgesehen} war.",
      "{Das ist|So treffen wir} eine {gute|vernünftige} {Lösung|Entscheidung}. {Die Kontrolle|Die Prüfung} {beginnt|startet} {morgen|sofort}, und am [day2] {bekommen|erhalten} Sie {eine kurze|eine klare} {Notiz|Meldung} {zum Abschluss|zum Stand}: [stage] {steht|ist fertig}. Der Puffer hat sich {wieder einmal|am Ende} {gelohnt|bewährt}.",
    ],
  },
  {
    name: "a spare part",
    details: { machine: "die Etikettenpresse|die Bodenmaschine|die Schneidemaschine|die Kaffeemaschine|die Hebebühne" },
    subject: "{Ein Ersatzteil|Ersatzteil|Ein kleines Teil} für [machine]",
    turns: [
      "Wir {brauchen|suchen} ein {kleines|kleineres} Teil für [machine] aus Ihrem {Haus|Programm}: {ein Knopf|ein Hebel|ein Scharnier|ein Rädchen} {ist gebrochen|hat sich gelöst}. Auf dem Schild steht {Typ|Modell} [ref]. {Können|Könnten} Sie {uns |}sagen, {welches Teil|welche Nummer} {das ist|wir brauchen} und ob wir es {selbst|allein} {tauschen|einbauen} können?",
      "{Mit|Unter} {Typ|Modell} [ref] war die Zeichnung {schnell|sofort} {gefunden|zur Hand}. Das Teil sitzt {außen|an der Vorderseite}, {zwei|vier} Schrauben und {zehn Minuten|etwas Geduld} {genügen|reichen}. Für [machine] {liegt|ist} {eins|ein Stück} {im Regal|auf Lager}; soll es {mit der Post|mit dem nächsten Wagen} {kommen|zu Ihnen gehen}?",
      "{Die Post|Der Postweg} {genügt|reicht} {völlig|vollkommen}, es {läuft|geht} {zum Glück|derzeit} {auch ohne|noch ohne das Teil}. {Unsere Haustechnik|Unser Hausmeister} {tauscht|setzt} {es|das Teil} am [day] {aus|ein}, wenn {niemand|keiner} {den Raum|das Gerät} braucht. {Gibt es|Haben Sie} {eine Skizze|eine Seite der Anleitung}, die {Sie beilegen können|in das Paket passt}?",
      "{Eine Skizze|Die Seite} liegt {schon|bereits} {im Paket|bei den Schrauben}, {zwei|vier} davon sind {neu|Ersatz}. {Es sollte|Die Sendung sollte} {vor|noch vor} [day] {ankommen|da sein}. Falls {etwas|eine Schraube} an {dieser Stelle|Typ [ref]} {zu fest sitzt|klemmt}, hilft {meist|gewöhnlich} {ein Tropfen|ein wenig} Öl.",
    ],
  },
  {
    name: "a manual",
    details: { device: "den Scanner|die Zeiterfassung|die Raumanzeige|die Frankiermaschine|den Luftreiniger|die Waage" },
    subject: "{Anleitung|Handbuch|Eine Anleitung} für [device]",
    turns: [
      "{Nach|Bei} {dem Umzug|einem Umzug} ist die Anleitung für [device] {verschwunden|nicht mehr da}, {wie so oft|wie das so ist}. Haben Sie {noch|vielleicht} ein Exemplar {als Datei|auf Papier}, {am besten|möglichst} {in zwei Sprachen|in einfacher Sprache}? {Vor allem|Hauptsächlich} {suchen|brauchen} wir {die Seite|das Kapitel} {über die Reinigung|zum Einstellen der Uhr|zum Wechsel der Rolle}.",
      "Die Anleitung für [device] gibt es in {vier|fünf} Sprachen; {die ganze|die vollständige} {Datei|Fassung} {kommt|geht} {heute|am Nachmittag} {zu Ihnen|an Sie}. {Die Seite|Das Kapitel}, {die|das} Sie suchen, {hat|trägt} die Nummer [count]. {Außerdem|Daneben} gibt es eine {kurze|einseitige} Übersicht, die {viele|die meisten} {daneben|darüber} hängen: wäre {die|so etwas} {nützlich|etwas für Sie}?",
      "{Die Übersicht|So eine Übersicht} wäre {ideal|genau das Richtige} für {die Wand|die Schicht}, {gern|ja bitte}. {Dank|Mit} {der Nummer|Nummer} [count] hat {das Büro|unser Team} {inzwischen|schon} alles {geschafft|erledigt}, und {niemand|keiner} {musste|hat} {lange|mehr} {suchen|raten müssen}. {Fast|Beinahe} wie neu {läuft|wirkt} {alles|das Gerät} {wieder|nun}.",
      "{Nach|Gerade nach} {der Nummer|Nummer} [count] {fragen|suchen} {fast alle|die meisten}. Die Übersicht ist {unterwegs|in der Post}, auf {starkem|dickem} {Karton|Papier}, {damit|so dass} sie {neben|bei} dem Gerät {lange|einige Jahre} hält. {Ein zweites|Ein weiteres} {Stück|Blatt} {gibt es|bekommen Sie} {jederzeit|auf Wunsch}.",
    ],
  },
  {
    name: "text of labels",
    details: { label: "Vorsicht, zu zweit tragen|Bitte trocken lagern|Diese Seite oben|Links öffnen|Rückläufe hier sortieren" },
    subject: "{Etiketten|Text der Etiketten|Aufschrift}: „[label]“",
    turns: [
      "Die {Etiketten|Schilder} für die {Regale|Kisten} gehen am [day] {in den Druck|in die Druckerei}. {Auf Ihrem|Auf dem für Ihre Ware} steht „[label]“ in {schwarzer|dunkelblauer|dunkelgrüner} Schrift, {etwa|rund} [count] Zentimeter {breit|lang}. Stimmen {Text und Größe|Wortlaut und Breite} {so|für Sie}, oder {soll|sollte} {etwas|ein Wort} {geändert|angepasst} werden?",
      "{Text|Wortlaut} und {Größe|Breite} {sind gut|passen}, [count] Zentimeter {liest|sieht} man {von weitem|quer durch die Halle}. {Nur|Lediglich} die Farbe {dürfte|könnte} {kräftiger|heller} sein: {unser Lager|die Kommissionierung} arbeitet {oft|meist} {im Halbdunkel|bei wenig Licht}, „[label]“ {soll|muss} dort {gleich|sofort} {auffallen|ins Auge springen}.",
      "{Guter Hinweis|Das ist ein guter Hinweis}, {daran|an das Licht} {hatte niemand|hatten wir nicht} gedacht. „[label]“ {kommt|wird} nun in {weißer|heller} Schrift auf {dunklem|dunkelblauem} Grund {aufs Schild|gedruckt}, {wieder|weiterhin} [count] Zentimeter. {Wenn nichts dagegen spricht|Falls Sie nichts anderes sagen}, geht {alles|der Satz} {so|in dieser Form} am [day] {in den Druck|hinaus}.",
      "{Kein Einwand|Nichts dagegen}, {im Gegenteil|ganz im Gegenteil}: {helle|weiße} Schrift {wünscht|erhofft} sich {das Lager|das Team} {seit Langem|schon länger}. „[label]“ {darf|kann} also am [day] in den Druck. {Legen|Heben} Sie {bitte |}{zehn|einige} {Stück|Etiketten} {mehr|zusätzlich} {für uns |}{beiseite|auf}, {sie gehen immer aus|die Schublade ist stets leer}.",
    ],
  },
];
