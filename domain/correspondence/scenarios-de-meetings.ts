import type { Scenario } from "./scenario.ts";

/** German conversations about calls, meetings and visits. */
export const GERMAN_MEETINGS: readonly Scenario[] = [
  {
    name: "confirm a call",
    details: {
      topic: "die neue Bestellvorlage|die Urlaubsplanung|die Regalaufteilung|die Testlieferung|die Terminplanung|die Lagerfläche",
    },
    subject: "{Unser Telefonat|Telefonat|Unser Gespräch} am [day]{| um [time]|: Uhrzeit}",
    turns: [
      "{Ich möchte|Heute möchte ich} {kurz|noch einmal} {unser Telefonat|unser Gespräch} über [topic] am [day] um [time] {bestätigen|abstimmen}. Passt Ihnen {diese Zeit|der Termin} {weiterhin|nach wie vor}, oder {sollen|sollten} wir {eine andere Uhrzeit|einen anderen Zeitpunkt} {suchen|vereinbaren}?",
      "{Der Termin|Das Telefonat} am [day] um [time] {passt mir gut|steht in meinem Kalender|ist notiert}. {Bis dahin|Vorher} {sehe ich mir|sehen wir uns} [topic] {noch einmal|in Ruhe} an, eine {halbe|knappe halbe} Stunde {sollte|dürfte} {dann|also} {genügen|ausreichen}.",
      "{Eine halbe Stunde|Diese Dauer} {reicht|genügt} {sicher|bestimmt}. {Ich rufe|Unser Büro ruft} Sie am [day] {unter der bekannten Nummer|im Büro|am Arbeitsplatz} an; {jemand aus der Planung|jemand aus meinem Team} hört {vielleicht|möglicherweise} {am Anfang|einige Minuten} zu, {wenn Sie einverstanden sind|falls Ihnen das recht ist}.",
      "{Selbstverständlich|Natürlich|Aber sicher}, Sie {dürfen|können} {gern|jederzeit} {zu zweit|zu mehreren} {teilnehmen|dabei sein}. {Ab [time]|Kurz vor [time]} bin ich am [day] {am Schreibtisch|an meinem Platz}, dann {können|wollen} wir {gleich|sofort|ohne Umwege} über [topic] {sprechen|reden}.",
    ],
  },
  {
    name: "move a meeting",
    details: { reason: "eine Lieferung|eine interne Schulung|eine Prüfung im Lager|eine Inventur|eine Begehung|eine Betriebsversammlung" },
    subject: "{Verschiebung unseres Treffens|Unser Treffen|Neuer Termin}{|: [day2] statt [day]|, [day]}",
    turns: [
      "{Leider|Zu meinem Bedauern} haben wir {hier|im Haus} am [day] {nun doch|kurzfristig} [reason], also {genau|mitten} {in der Zeit unseres Treffens|zu unserer Besprechung|während unseres Termins}. {Könnten|Dürften} wir {auf|stattdessen auf} [day2] um [time] {ausweichen|verschieben}, {am gleichen Ort|im gleichen Kreis|mit denselben Leuten}?",
      "{Das ist kein Problem|Das lässt sich einrichten|Das machen wir gern}. Am [day2] um [time] {sind alle da|haben wir Zeit}, den {Eintrag|Termin} im {gemeinsamen|hiesigen} Kalender {habe ich|haben wir} {schon|bereits} geändert. {Soll|Darf} es bei {einer Stunde|einer vollen Stunde} {bleiben|bleiben wie geplant}?",
      "Ja, eine {volle |}Stunde {ist|wäre} {genau richtig|angemessen|gut}. {Alle Beteiligten|Meine Leute|Die anderen hier} {wissen|wissen schon}, dass wir uns am [day2] statt am [day] {sehen|treffen}, und {die Punkte|unsere Themen} {bleiben|sind} {unverändert|dieselben}.",
      "{Dann ist alles geklärt|Damit ist alles besprochen|So machen wir es}. {Der Raum|Unser Besprechungsraum} ist {ab [time]|für [time]} {gebucht|reserviert}, {Kaffee und Wasser stehen|Getränke stehen} {dann |}bereit. Für {den anderen Termin|das andere Vorhaben} am [day] {wünsche ich|wünschen wir} {gutes Gelingen|einen reibungslosen Ablauf}.",
    ],
  },
  {
    name: "another room",
    details: {
      why: "einer Reparatur der Heizung|neuer Teppiche|eines defekten Beamers|einiger Malerarbeiten|einer größeren Gruppe nebenan|der Arbeiten an den Fenstern",
    },
    subject: "{Anderer Raum|Raumwechsel|Neuer Raum} am [day]",
    turns: [
      "Wegen [why] {müssen|werden} wir am [day] {umziehen|ausweichen}: {unsere Besprechung|das Treffen} {beginnt|ist} um [time] {nun|diesmal} in [room]. {Könnten|Würden} Sie das {bitte |}{Ihren Kollegen|den anderen bei Ihnen} {sagen|weitergeben} und uns {mitteilen|schreiben}, {mit wie vielen Personen|mit welcher Gruppe} Sie kommen?",
      "{Ich habe es weitergegeben|Hier wissen alle Bescheid|Alle sind informiert}: [day], [time], [room]. Wir kommen {voraussichtlich|insgesamt} mit [count] {Personen|Leuten}, {jemand|eine Person} kommt {etwas|ein wenig} später {dazu|nach}. {Ist|Bleibt} der {Eingang|Zugang} {derselbe|gleich} wie {beim letzten Mal|bisher}?",
      "Der {Eingang|Zugang} {hat sich nicht geändert|ist derselbe geblieben}. {Vom Empfang|Vom Eingang} folgen Sie {einfach|am besten} den {Schildern|Pfeilen} bis zu [room], dort {stehen|finden Sie} [count] Stühle und {einige|ein paar} {mehr|zusätzliche} {am Tisch|im Halbkreis}.",
      "{Das ist gut zu wissen|Das hilft|Das klingt einfach}, wir {finden uns|kommen} {sicher|bestimmt} {zurecht|gut zurecht}. Am [day] {wollen|möchten} wir {einige Minuten|etwas} vor [time] {dort|in [room]} sein, damit {alle|wir alle} {in Ruhe|ohne Eile} {Platz nehmen|ankommen}.",
    ],
  },
  {
    name: "agenda",
    details: { item: "die Lieferzeiten|die Urlaubsvertretung|die Testergebnisse|die neuen Formulare|die Lagerfläche|die Meldetermine" },
    subject: "Tagesordnung {für [day]|für unser Treffen am [day]|zum [day]}",
    turns: [
      "Für {unser Treffen|unsere Besprechung} am [day] habe ich {eine kurze|eine erste} Tagesordnung {notiert|entworfen}: {zuerst|zu Beginn} {der Rückblick|ein Rückblick}, {danach|dann} [item], {am Ende|zum Schluss} {offene Fragen|die nächsten Schritte}. Fehlt {Ihnen|aus Ihrer Sicht} {etwas|ein Punkt}, oder {hätten|wünschen} Sie {lieber |}eine andere Reihenfolge?",
      "{Die Tagesordnung|Ihr Entwurf} {gefällt uns|passt so|ist stimmig}. {Lediglich|Nur} für [item] {würde ich|würden wir} {etwas mehr|zehn Minuten mehr} Zeit {einplanen|vorsehen}, weil {einige|mehrere} {hier im Haus|aus dem Team} {Fragen|Anmerkungen} {haben|mitbringen}; der Rückblick {darf|kann} {kürzer|knapper} sein.",
      "{Das mache ich gern|Das ist schnell geändert|Gute Idee}: für [item] sind {nun|jetzt} {zwanzig|fünfundzwanzig|dreißig} Minuten {vorgesehen|eingeplant}, für den Rückblick {fünf|zehn}. Wenn Sie {mir|uns} die {Fragen|Anmerkungen} {bis|noch vor} [day] schicken, {können|werden} wir {die|einige} Antworten {vorbereiten|nachschlagen}.",
      "{Die Fragen|Unsere Anmerkungen} {stelle ich|stellen wir} {heute|bald} zusammen, Sie {erhalten|bekommen} sie {rechtzeitig|am Tag vorher|früh genug}. {Sonst|Ansonsten} {fehlt nichts|ist alles klar}, wir freuen uns auf [day] und {auf|besonders auf} {einen guten Austausch|ein gutes Gespräch}.",
    ],
  },
  {
    name: "arrival of visitors",
    details: { gate: "Tor 1|Tor 2|Tor 3|Tor 4|Tor 5" },
    subject: "{Ihr Besuch|Besuch|Ihre Ankunft} am [day]{|, [time]}",
    turns: [
      "Am [day] {erwarten wir Sie|rechnen wir mit Ihnen} {gegen|um} [time] {hier im Haus|bei uns im Werk}. {Kommen|Reisen} Sie {mit dem Auto|mit dem Wagen} oder {mit der Bahn|mit dem Zug}? {Mit dem Auto|Mit einem Fahrzeug} nehmen Sie {bitte|am besten} [gate], {weil|da} die {anderen|übrigen} Zufahrten {gesperrt|durch Lieferungen belegt} sind.",
      "{Wir kommen|Wir fahren} mit {zwei|drei} {Autos|Wagen}, {insgesamt|zusammen} [count] {Personen|Leute}. [gate] {ist uns bekannt|finden wir leicht|ist kein Problem}. {Brauchen|Benötigen} wir {Ausweise|Besucherausweise|Unterlagen} {für die Schranke|am Empfang|bei der Ankunft}, oder {genügen|reichen} {die Namen|unsere Namen}?",
      "{Ein Personalausweis|Irgendein Ausweis} {genügt|reicht}: {der Empfang|die Pforte} hat {eine Liste|die Liste} mit [count] Namen und bereitet {die Besucherschilder|die Schilder} {vor|gern vor}. {Für die Autos|Zum Parken} sind {Plätze|genug Plätze} {links|rechts} {hinter|neben} [gate] {frei|reserviert}.",
      "{Das klingt einfach|Das ist gut organisiert|Das hört sich unkompliziert an}. {Jeder|Jede Person} hat einen {Ausweis|Personalausweis} {dabei|bei sich}, und falls wir uns am [day] {verspäten|etwas verspäten}, {rufe ich|rufen wir} {rechtzeitig|von unterwegs} {die Pforte|den Empfang} an.",
    ],
  },
  {
    name: "thanks for a visit",
    details: {
      part: "der Rundgang durch die Werkstatt|der Vortrag über Lagerung|der Blick auf den Prüfstand|die Runde durch die Planung|die Stunde im Musterraum",
    },
    subject: "{Ihr Besuch|Dank für Ihren Besuch|Der Besuch} am [day]",
    turns: [
      "{Vielen Dank|Herzlichen Dank} für {Ihren Besuch|Ihr Kommen} am [day]; {besonders|vor allem} [part] hat {uns|unserem Team} {viele Anregungen|gute Ideen|einiges zum Nachdenken} gegeben. {Ich schreibe|Wir schreiben} {gerade|derzeit} {eine kurze|eine knappe} Zusammenfassung: darf ich sie Ihnen {zeigen|schicken}, bevor {die anderen sie bekommen|sie an alle geht}?",
      "{Die Freude war auf unserer Seite|Auch uns hat es gefallen|Der Tag war auch für uns schön}, und [part] ist {auch hier|bei uns} {noch Gesprächsthema|in guter Erinnerung}. {Schicken|Senden} Sie die Zusammenfassung {gern|bitte}; {ich lese|wir lesen} sie {innerhalb von zwei Tagen|bis zum Ende der Woche|zügig} und {ergänzen|notieren}, was {fehlt|noch fehlt}.",
      "{Die Zusammenfassung|Der Text} {ist|wird} {eine Seite|knapp zwei Seiten} lang und {enthält|hat} [count] Punkte. {Wichtig|Am wichtigsten} {sind|wären} {mir|uns} die Zeilen {über den Hauptteil|in der Mitte}, denn [part] {ging schnell vorbei|war sehr dicht}, und {manches|einiges} haben wir am [day] nicht {notiert|mitgeschrieben}.",
      "{Dann|Also} {sehen wir uns|sehe ich mir} {die Mitte|diesen Teil} {besonders|sehr} {genau|sorgfältig} an. {Jemand aus dem Team|Eine Kollegin|Ein Kollege} hat am [day] {gute|ausführliche} Notizen gemacht, {sodass|weshalb} die [count] Punkte {sicher|leicht|bald} {vollständig|komplett} werden.",
    ],
  },
  {
    name: "recommend a venue",
    details: { event: "einen Planungstag|einen Teamtag|einen Schulungstag|einen Kundenabend|einen Workshop", count: "15|20|25|30|35|40" },
    subject: "{Räume|Ein Ort|Ein Haus} für {etwa [count] Personen|[event]}",
    turns: [
      "{Wir planen|Unser Team plant} [event] für {etwa|rund|ungefähr} [count] Personen {in Ihrer Stadt|in Ihrer Nähe|in Ihrer Gegend}. Sie kennen {die Umgebung|die Gegend} {besser als wir|gut}: können Sie {uns |}{ein ruhiges|ein helles|ein freundliches} Haus {empfehlen|nennen}, {möglichst|am liebsten} {nahe am Bahnhof|in Bahnhofsnähe}?",
      "Für {solche Anlässe|so etwas} {nutzen|buchen} wir {oft|meist} {die alte Mühle|das Haus am Fluss|die frühere Bücherei|den Saal am Park}: {helle|ruhige|freundliche} Räume, {fünf|zehn|fünfzehn} Minuten {zu Fuß|mit dem Bus} vom Bahnhof. [count] Personen finden dort {bequem|gut} Platz, {auch|sogar} {in kleinen Gruppen|an runden Tischen}.",
      "{Das klingt|Das hört sich} {sehr passend|genau richtig} an. Gibt es {eine Küche|etwas zu essen} {im Haus|vor Ort}, oder {haben|hatten} Sie {das Mittagessen|das Essen} {von außen|anderswo} bestellt? Für [event] {wäre|ist} {ein einfaches|ein leichtes} {Buffet|Essen} {völlig|sicher} ausreichend.",
      "{Das Haus|Die Küche dort} bietet {selbst |}{ein einfaches|ein gutes} {Mittagessen|Buffet} an; {einige Tage|eine Woche} vorher {sollten Sie sagen|müssen Sie nur mitteilen}, {wie viele der [count] kommen|dass [count] Gäste kommen}. {Nennen|Erwähnen} Sie {am Telefon|bei der Anfrage} {gern|ruhig} unseren Namen, man kennt uns {dort|noch}.",
    ],
  },
  {
    name: "working lunch",
    details: { kind: "etwas Vegetarisches|einen ruhigen Tisch|einen Tisch im Freien|etwas mit Fisch|einen Tisch am Fenster" },
    subject: "{Mittagessen|Gemeinsames Mittagessen} am [day]",
    turns: [
      "Nach {unserer Besprechung|unserem Gespräch} am [day] {bleibt|haben wir} {noch |}Zeit für {ein Mittagessen|ein gemeinsames Essen}. Soll ich {um die Ecke|am Markt|in der Straße hinter uns} einen Tisch {reservieren|bestellen}, und {gibt es|haben Sie} {Wünsche|besondere Wünsche}, {zum Beispiel|etwa} [kind]?",
      "{Ein Essen|Ein Mittagessen} am [day] {ist eine gute Idee|klingt sehr gut|wäre schön}, wir {wären|sind} {insgesamt|dann} [count] Personen. {Wenn möglich|Falls es geht}, {hätten|nähmen} wir gern [kind], {sonst|ansonsten} sind {wir|alle} {unkompliziert|leicht zufriedenzustellen|für alles offen}.",
      "{Ich habe|Wir haben} {ein kleines|ein freundliches|ein gutes} {Restaurant|Lokal} {gefunden|entdeckt}, das für [count] Personen {Platz|genug Platz} hat und uns [kind] {bietet|anbietet}. {Reserviert|Bestellt} ist {für halb eins|für zwölf Uhr|für Viertel vor eins}, {so|damit} {bleibt|bleibt uns} {eine Stunde|genug Zeit} bis zu Ihrer {Abfahrt|Rückfahrt}.",
      "{Das passt|Das fügt sich} {sehr gut|hervorragend}, {eine Stunde|diese Zeit} {genügt|reicht} uns. {Den anderen|Allen hier} habe ich {gesagt|geschrieben}, dass Sie {sogar|eigens} [kind] {gefunden|organisiert} haben, und {alle hier|die anderen} freuen sich auf {das Essen|unser Mittagessen} am [day].",
    ],
  },
  {
    name: "number of participants",
    details: {
      course: "Erste Hilfe im Betrieb|Sicherheit im Lager|klares Schreiben|das neue Bestellsystem|die Bearbeitung von Rückläufen",
    },
    subject: "{Teilnehmerliste|Plätze im Kurs|Anmeldungen}: [course]",
    turns: [
      "{In dieser Woche|Gerade} {zähle ich|zählen wir} die Plätze für {den Kurs|unseren Kurs} „[course]“. {Bisher|Derzeit} stehen aus Ihrem {Haus|Unternehmen} [count] {Personen|Namen} auf der Liste: {stimmt|passt} {das|diese Zahl} {noch|weiterhin}, oder {erwarten Sie|gibt es} {Änderungen|noch Änderungen} bis [day]?",
      "{Die Zahl|[count]} {stimmt|ist richtig}, {nur|lediglich} ein Name {ändert sich|wird ersetzt}: {jemand|eine Person} aus {dem Versand|der Buchhaltung|der Planung} {übernimmt|bekommt} {den Platz|diesen Platz}. {Alle|Die anderen} haben mit „[course]“ {schon|bereits} {etwas|ein wenig} Erfahrung, {falls das hilft|wenn das wichtig ist}.",
      "{Das hilft tatsächlich|Diese Auskunft ist nützlich}: {dann|so} kann „[course]“ {etwas höher|gleich mit dem zweiten Teil|ohne lange Einführung} {beginnen|anfangen}. {Die neue Person|Der neue Name} wird {einfach|dann} {beim Eintreffen|an der Tür} {auf die Liste gesetzt|in die Liste eingetragen}; die {übrigen|anderen} Namen {stehen schon darauf|bleiben unverändert}.",
      "{Das gebe ich|Das geben wir} {gern|heute} {so weiter|an alle weiter}. {Alle [count]|Die [count] Teilnehmenden} {kommen|reisen} {gemeinsam|mit demselben Bus|zusammen} an, {also|daher} {dürfen|können} Sie {von Anfang an|ab der ersten Minute} mit {einem vollen Tisch|einer vollen Reihe} rechnen.",
    ],
  },
  {
    name: "date for a training",
    details: { tool: "dem Etikettendrucker|dem Buchungskalender|dem neuen Scanner|dem Bestandsprogramm|dem Berichtsbogen" },
    subject: "{Schulung|Einführung} am neuen Gerät{: [day] oder [day2]|, ein Termin}",
    turns: [
      "Die {Schulung|Einführung} zu [tool] {könnten wir|könnte unser Trainer} {bei Ihnen|in Ihrem Haus} am [day] oder am [day2] {halten|anbieten}. Welcher {Tag|Termin} wäre Ihrem Team {lieber|angenehmer}, und {wäre|ist} ein Beginn um [time] {in Ordnung|nicht zu früh}?",
      "{Lieber wäre uns|Besser passt uns} [day2], {weil|da} am [day] {die halbe Mannschaft|ein Teil des Teams} {unterwegs|außer Haus} ist. {Der Beginn|Ein Beginn} um [time] {ist kein Problem|geht gut}; wir {sind|wären} {etwa|voraussichtlich} [count] Personen, {die meisten|viele davon} {ohne Übung|noch unerfahren} mit [tool].",
      "{Dann nehmen wir|Also bleibt es bei} [day2], um [time]. Für [count] Personen {bringe ich|bringen wir} {zwei|drei} Sätze {Übungen|mit Übungen} mit; {könnten|würden} Sie {dafür sorgen|darauf achten}, dass {das Gerät|alles} {eingeschaltet|bereit} ist und {jemand|eine Person} {die Zugangsdaten|das Passwort} {kennt|hat}?",
      "{Darum|Um beides} kümmert sich {unser Büro|die Teamleitung|die Spätschicht}: {deutlich|lange} vor [time] {läuft das Gerät|ist alles bereit}. Der {Raum|Schulungsraum} {hat|bietet} Platz für {mehr als|gut} [count] Personen, und {ich hole|wir holen} Sie am [day2] {an der Tür|am Eingang|unten} ab.",
    ],
  },
  {
    name: "meet at a fair",
    details: { hall: "Halle 2|Halle 3|Halle 4|Halle 5|Halle 7|Halle 9" },
    subject: "{Treffen auf der Messe|Auf der Messe|Messe}{| am [day]|, [hall]}",
    turns: [
      "{In diesem Jahr|Diesmal} {haben wir|gibt es von uns} {auf der Messe|bei der Messe} einen {kleinen|bescheidenen} Stand in [hall], und {ich habe gehört|man sagte mir}, dass Sie {auch|ebenfalls} {kommen|dort sind}. {Hätten|Haben} Sie am [day], {etwa|vielleicht} gegen [time], {eine Viertelstunde|einen Moment} Zeit für {einen Kaffee|ein Gespräch}?",
      "Ja, {wir kommen|einige von uns kommen} am [day] {zu zweit|gemeinsam} {zur Messe|auf die Messe}. {Ein Kaffee|Ein Treffen} um [time] {passt gut|wäre ideal}, {weil|da} {unser letztes Gespräch|ein anderer Termin} {davor|vorher} {ohnehin|sowieso} {nahe bei|in der Nähe von} [hall] {endet|ist}.",
      "{Notiert|Vermerkt}: [day], [time]. Sie finden {uns|unseren Stand} {auf der linken Seite|ganz hinten|nahe am Osteingang} von [hall], {unter|neben} einem {grünen|blauen|gelben} {Schild|Banner}; falls ich {beschäftigt|im Gespräch} bin, {fragen|warten} Sie {bitte|einfach} {kurz |}am Tresen.",
      "{Der Stand|Ihr Stand} ist {sicher|bestimmt} {leicht|gut} zu finden. Am [day] {gehen wir|kommen wir} {rechtzeitig|etwas} vor [time] {hinüber|herüber} zu [hall] und bringen {einige|ein paar} {Fragen|Notizen} {aus dem Team|zum Sommer|zu den nächsten Monaten} mit.",
    ],
  },
  {
    name: "minutes of a call",
    details: { point: "das Lieferfenster|den zweiten Test|den Starttermin|die Kontaktliste|den Wochenbericht" },
    subject: "{Protokoll|Notizen} {vom [day]|zu unserem Telefonat}",
    turns: [
      "{Hier kurz|In Kürze} {das Protokoll|meine Notizen} zu unserem Telefonat am [day]: {geklärt|festgelegt} haben wir [point], {alles andere|der Rest} {bleibt|ist} {noch |}offen, und wir {sprechen|telefonieren} {wieder|erneut} am [day2]. {Entspricht das Ihren|Passt das zu Ihren} Notizen, oder {fehlt|vermissen Sie} etwas?",
      "Das {Protokoll|Papier} stimmt mit {meinen|unseren} {Notizen|Aufzeichnungen} überein, {bis auf eine Kleinigkeit|bis auf einen Punkt|abgesehen von einem Punkt}: für [point] wollte {jede Seite|jedes Haus} {eine Person|jemanden} {für Fragen|als Kontakt} nennen. [day2] ist {ebenfalls|auch} {in meinem Kalender|notiert}.",
      "{Sie haben recht|Das stimmt|Richtig}, {das fehlte|das hatte ich vergessen}. Der Satz {über|zu den Fragen rund um} [point] {steht jetzt drin|ist ergänzt}; {bei uns|auf unserer Seite} bin {ich|vorerst ich} {zuständig|die Kontaktperson}, {zumindest|jedenfalls} bis zum {Sommer|Herbst}. Welchen Namen {darf|soll} ich {für Sie|für Ihr Haus} {eintragen|notieren}?",
      "{Tragen|Schreiben} Sie {bitte|gern} {auch|ebenfalls} meinen Namen ein, das hält {die Sache|alles} {einfach|übersichtlich}. {Damit|So} ist das Protokoll vom [day] {für uns|aus unserer Sicht} {vollständig|fertig}, und {beim nächsten Gespräch|beim Telefonat} am [day2] {können|wollen} wir {gleich|sofort} {beginnen|anfangen}.",
    ],
  },
  {
    name: "a guest at a meeting",
    details: {
      subject: "Planen ohne Hektik|gute Übergaben|Pläne gemeinsam lesen|ordentliche Lager|kurze Besprechungen|aus Fehlern lernen",
    },
    subject: "{Ein Vortrag|Vortrag|Ein Gast} am [day]: [subject]",
    turns: [
      "Für {unseren internen Nachmittag|unsere Monatsrunde} am [day] suchen wir {jemanden|einen Gast} aus {einem anderen|einem befreundeten} Unternehmen für {einen kurzen Vortrag|zwanzig Minuten} über „[subject]“. {Hätten Sie|Hätte jemand aus Ihrem Team} {Freude|Lust} daran, {etwa um|gegen} [time]?",
      "{Eine schöne|Das ist eine schöne|Was für eine nette} {Idee|Einladung}. Über „[subject]“ {spreche ich|sprechen wir} {gern|sehr gern}; am [day] um [time] {habe ich Zeit|ist es möglich}. Wer {sitzt|ist} {im Raum|im Publikum}, und sind {Folien|Bilder} {üblich|erwünscht} {bei Ihnen|in dieser Runde}?",
      "{Es kommen|Dabei sind} {etwa|rund} {zwanzig|dreißig|vierzig} {Leute|Kollegen} {aus allen Teams|aus Büro und Lager}, und {die meisten|alle} mögen {Geschichten|Beispiele} {lieber|mehr} als Folien. {Eine Leinwand|Ein Beamer} ist {trotzdem|auf jeden Fall} {vorhanden|da}. Nach „[subject]“ {bleiben|planen wir} {zehn|einige} Minuten für {Fragen|ein Gespräch}.",
      "{Dann|In diesem Fall} {bleiben die Folien weg|kommen wir ohne Folien}, {dafür|stattdessen} gibt es {zwei|drei} {Beispiele|Geschichten} zu „[subject]“ {aus der Praxis|aus unserem Alltag}. Am [day] {bin ich|komme ich} {kurz|etwas} vor [time] {da|zu Ihnen}, um {den Raum|den Saal} {in Ruhe|vorher} {anzusehen|kennenzulernen}.",
    ],
  },
  {
    name: "equipment of a room",
    details: { thing: "einen Beamer|ein Whiteboard|zwei Flipcharts|einen großen Bildschirm|eine Pinnwand|ein Konferenztelefon" },
    subject: "{[room] am [day]|Ausstattung am [day]|Was wir am [day] brauchen}",
    turns: [
      "Vor {unserer Sitzung|unserem Treffen} am [day] {habe ich|haben wir} {eine praktische|eine kleine} Frage: gibt es in [room] [thing], oder {sollen|sollten} wir {etwas Eigenes|unsere Ausrüstung} mitbringen? {Außerdem|Zudem} {brauchen|bräuchten} wir {einige|ein paar} {Steckdosen|Kabel} {am Tisch|für die Laptops}.",
      "Ja, Sie finden [thing] {schon|bereits} in [room], {also|daher} {dürfen|können} Sie {mit leichtem Gepäck kommen|Ihre Sachen zu Hause lassen}. {Steckdosen|Genug Steckdosen} sind {unter dem|am} Tisch; {sollen|dürfen} wir {auch|noch} {Papier|Stifte und Papier} für [count] Personen {hinlegen|bereitlegen}?",
      "{Papier|Etwas Papier} für [count] Personen wäre {sehr nett|eine große Hilfe}. {Da|Wenn} {alles Große|die Technik} {vor Ort|vorhanden} ist, bringen wir {nur|lediglich} {einen Laptop|zwei Laptops} und {einige|ein paar} {Ausdrucke|Handzettel} mit und kommen am [day] {zehn|fünfzehn|zwanzig} Minuten {früher|vor den anderen}, um {alles|die Kabel} zu {testen|prüfen}.",
      "{Früher zu kommen|Eine frühere Ankunft} {ist kein Problem|ist möglich}: [room] {ist|steht} {schon morgens|deutlich vorher} {offen|für Sie offen}. {Unsere Technik|Jemand aus dem Büro|Jemand aus der IT} {erklärt|zeigt} {Ihnen |}{kurz|gern} {alles|die Bedienung} und bleibt {in der Nähe|nebenan}, falls {etwas|einmal etwas} {nicht klappt|hakt}.",
    ],
  },
  {
    name: "hotel near the office",
    details: { wish: "ruhige Zimmer|ein gutes Frühstück|einen Aufzug|einen Parkplatz für den Transporter|einen späten Empfang|Leihräder" },
    subject: "{Hotel|Ein Hotel|Eine Nacht} {in Ihrer Nähe|bei Ihnen}{|, [day]}",
    turns: [
      "Wenn wir am [day] zu Ihnen {kommen|fahren}, bleiben [count] von uns {über Nacht|eine Nacht|bis zum nächsten Tag}. Kennen Sie {ein einfaches|ein ordentliches|ein freundliches} Hotel {in der Nähe|nicht weit von Ihrem Büro}? {Wir brauchen|Wir hätten gern} {vor allem|hauptsächlich} [wish], {alles andere|der Rest} {ist zweitrangig|zählt weniger}.",
      "{Unsere Gäste|Die meisten Besucher} {schlafen|wohnen} {meist|oft} im {kleinen Hotel|Gasthof} {an der Kirche|hinter dem Theater|am Marktplatz|an der alten Brücke}, {fünf|zehn} Minuten {von hier|entfernt}. Dort {bekommen|finden} Sie {gute Betten|nette Gastgeber} und, {wie gewünscht|das war Ihnen wichtig}, [wish]. Für [count] Personen {sollte man|sollten Sie} {bald|einige Tage vorher} {buchen|anrufen}.",
      "{Heute|Morgen|Gleich} {rufe ich|rufen wir} {dort|im Hotel} an, wir {brauchen|benötigen} [count] {Zimmer|Einzelzimmer}. {Dass es dort [wish] gibt|[wish] vor Ort zu haben}, ist {genau richtig|sehr praktisch}. {Kommt|Gelangt} man {morgens|nach dem Frühstück} {gut|bequem} zu Fuß zu {Ihrem Büro|Ihnen}, {auch|sogar} mit Gepäck?",
      "Ja, der Weg ist {kurz|angenehm} und {führt|geht} {fast nur|größtenteils} {durch den Park|am Fluss entlang}, {zehn Minuten|eine Viertelstunde} {mit Gepäck|höchstens}. {Koffer|Taschen} {können|dürfen} Sie am [day] {bei uns|am Empfang} {abstellen|lassen}, {dort ist|wir haben} Platz für {alle [count]|alles}.",
    ],
  },
  {
    name: "way from the station",
    details: { way: "die Straßenbahn 4|die Buslinie 12|die Straßenbahn 7|die Buslinie 31|die Buslinie 8" },
    subject: "{Vom Bahnhof zu Ihnen|Der Weg zu Ihnen|Anreise} am [day]",
    turns: [
      "{Mein Zug|Unser Zug} kommt am [day] {kurz vor|gegen} [time] an. Wie {gelangen|kommen} wir {am besten|am einfachsten} {vom Bahnhof|von dort} zu {Ihnen|Ihrem Büro}: {zu Fuß oder|eher} {mit dem Bus|mit der Bahn}? Wir {sind|wären} [count] {Personen|Leute} und haben {wenig|kaum} {Gepäck|zu tragen}.",
      "{Am einfachsten|Am schnellsten} {nehmen Sie|ist} [way], {direkt|gleich} {vor dem Bahnhof|am Vorplatz} und {alle zehn Minuten|mehrmals in der Stunde}. {Steigen Sie|Bitte steigen Sie} {nach vier Stationen|am Rathaus} aus, {von dort|dann} sind es {zwei Minuten|nur wenige Schritte}. {Wenn Sie möchten,|Auf Wunsch} {hole ich|holen wir} alle [count] {auch |}{mit dem Auto|mit dem Bus} ab.",
      "{Das ist sehr nett|Wie freundlich}, aber {das ist nicht nötig|das braucht es nicht}: [way] {klingt|ist} {einfach|bequem} genug. Falls der Zug am [day] {Verspätung hat|später kommt}, {schreibe ich|schreiben wir} {kurz|eine Zeile}; {sonst|andernfalls} sind wir {eine halbe Stunde|zwanzig Minuten} nach [time] {da|bei Ihnen}.",
      "{Eine halbe Stunde|Diese Zeit} ist {realistisch|gut geschätzt}, {es gibt keinen Grund zur Eile|Sie brauchen nicht zu eilen}. Fahrkarten {gibt es|bekommen Sie} {am Automaten|an der Haltestelle|beim Fahrer}. Am [day] {erwarte ich|erwarten wir} {Sie|Ihre Gruppe} {unten|am Eingang}, {Kaffee|Tee} für {alle [count]|alle} steht {oben|schon} bereit.",
    ],
  },
  {
    name: "handover to a colleague",
    details: { work: "die Monatszahlen|die Bestellplanung|die Mustertests|die Lieferantenliste|die Rückläufe" },
    subject: "{Übergabe|Neuer Kontakt|Wer künftig zuständig ist}{|: [work]}",
    turns: [
      "{Ab nächstem Monat|Bald} kümmert sich {hier|bei uns} {jemand anderes|eine neue Person} {vor allem |}um [work]. {Gern würde ich|Ich möchte} Sie {beide |}{in einem Gespräch|am Telefon} {miteinander bekannt machen|zusammenbringen}: {hätten|haben} Sie am [day] gegen [time] {zwanzig Minuten|eine halbe Stunde} Zeit {zu dritt|dafür}?",
      "{Gut, das früh zu wissen|Es ist gut, das früh zu hören}. [day] um [time] {passt|geht} {gut|bei mir}, und {ich bin|wir sind} {gespannt|neugierig} auf {das neue Gesicht|die neue Person}. {Gibt|Gäbe} es, was [work] {betrifft|angeht}, {etwas|noch etwas}, das wir {vor der Übergabe|vorher} {klären|vorbereiten} sollten?",
      "{Für Sie|Auf Ihrer Seite} ändert sich {nichts|fast nichts}: {alles rund um|die Arbeit an} [work] {läuft|geht} {wie bisher|in gleicher Weise} weiter, nur steht {unter den Mails|im Verzeichnis} ein {anderer|neuer} Name. Am [day] {würden wir gern|möchten wir} hören, was {gut läuft|sich bewährt hat} und was {besser sein könnte|Ihnen fehlt}.",
      "{Dann|Also} {notiere ich|notieren wir} bis [day] {zwei oder drei|einige} {Punkte|Gedanken} {dazu|zu diesem Thema}. {Die Zusammenarbeit|Die Arbeit} mit Ihnen war {stets|immer} {angenehm|gut}, und {für den Start|für die Übergabe} {wünsche ich|wünschen wir} {Ihnen beiden|der neuen Person} {alles Gute|einen leichten Anfang}.",
    ],
  },
  {
    name: "video or phone",
    details: { matter: "die Zeichnungen|die Musterfotos|den Grundriss|die Farbtabelle|den Zeitplan|die Skizze des Standes" },
    subject: "{[day], [time]: Telefon oder Video|Telefon oder Video|Unser Gespräch am [day]}",
    turns: [
      "{Zu|Noch eine Frage zu} unserem Gespräch am [day] um [time]: {bevorzugen|möchten} Sie {das Telefon|ein Telefonat} oder {ein Videogespräch|lieber Video}? {Ich frage|Wir fragen}, weil wir {vielleicht|möglicherweise} [matter] {gemeinsam|zusammen} ansehen {möchten|wollen} und {nicht alle|hier nur wenige} {eine Kamera|einen zweiten Bildschirm} haben.",
      "{Dann|In diesem Fall} ist {Video|ein Videogespräch} {besser|sinnvoller}, {auch|selbst} ohne Kamera: so {sehen|haben} alle [matter] {vor sich|gleichzeitig}. {Ich öffne|Wir öffnen} {die Sitzung|den Raum} am [day] {einige Minuten|kurz} vor [time], {von hier|bei uns} {können|dürfen} [count] Personen {teilnehmen|dabei sein}.",
      "{Einverstanden|Gut}, {also Video|wir nehmen Video}. {Ich schicke|Wir schicken} Ihnen [matter] {am Vorabend|am Tag vorher} {als Datei|noch einmal}, damit {niemand|keiner der [count]} {allein |}von {meinem|unserem} Bildschirm abhängt. {Falls|Wenn} {das Bild|der Ton} {ausfällt|hängt}, {sprechen|reden} wir {einfach|eben} {am Telefon|ohne Bild} weiter.",
      "{Ein guter Plan|Das ist ein guter Plan|So geht es gut}. {Die|Eine} Datei {hilft|nützt} {allen|denen}, die {kleine Bildschirme haben|unterwegs sind}, und {ich drucke|wir drucken} [matter] {zusätzlich|vorsichtshalber} {auf Papier|groß} aus. {Damit|So} {sehen|hören} wir uns am [day] um [time], {auf die eine oder andere Weise|so oder so}.",
    ],
  },
  {
    name: "tour of a site",
    details: { group: "unseren Auszubildenden|unserem Planungsteam|unserem Büroteam|unserer Nachtschicht|unseren Praktikanten" },
    subject: "{Ein Rundgang|Besuch im Lager|Ein Blick in Ihr Lager} am [day]",
    turns: [
      "Mit [group] würden wir {gern|sehr gern} einmal {ein modernes|ein anderes} {Lager|Werk} {von innen |}sehen, und {Ihr Haus|Ihr Standort} {fiel uns zuerst ein|wurde gleich genannt}. Wäre {ein kurzer|ein einstündiger} Rundgang {möglich|denkbar}, {etwa|zum Beispiel} am [day] ab [time], für [count] {Personen|Gäste}?",
      "{Ihre Gruppe|Die Gruppe} ist {hier |}{herzlich|sehr gern} willkommen. Am [day] ist es {eher|recht} {ruhig|still} {in der Halle|bei uns}, {daher|also} {geht|passt} {eine Stunde|ein Rundgang} ab [time]. {Bitte|Nur eines:} denken {Sie|Sie alle} an {feste|geschlossene} Schuhe; {Westen|Helme} für [count] Personen {haben wir|sind da}.",
      "{Feste Schuhe|Geschlossene Schuhe} sind {kein Problem|vorhanden}, {ich erinnere|wir erinnern} {alle|die Gruppe} {noch einmal|vorher} daran. {Darf man|Dürfen wir} {unterwegs|drinnen} {Fotos|einige Fotos} machen, oder {ist das|wäre das} {nicht erwünscht|unpassend}? {Einige|Manche} der [count] {möchten|wollen} {danach|später} {einen Bericht|ein Plakat} {gestalten|schreiben und zeigen}.",
      "{Fotos|Bilder} sind {im ersten Teil|am Eingang und in der Halle} {erlaubt|in Ordnung}, {nur|bloß} nicht an {den Maschinen|den Prüfständen}; {unsere Begleitung|die Leitung des Rundgangs} {sagt|erklärt} {rechtzeitig|jeweils}, wo. {Wir erwarten|Damit erwarten wir} {Sie|alle [count]} am [day], und {das Ergebnis|Ihr Bericht} würde uns {auch|sehr} {interessieren|freuen}.",
    ],
  },
  {
    name: "quarterly review",
    details: { focus: "die Termintreue|die offenen Rückläufe|den gemeinsamen Bestand|die Vorschau|die Qualitätsprüfung|die Testphase" },
    subject: "{Unser Rückblick|Quartalsgespräch|Rückblick} im [month]",
    turns: [
      "Es ist {wieder |}Zeit, {unser Quartalsgespräch|den gemeinsamen Rückblick} zu planen. {Mein Vorschlag|Unser Vorschlag} {wäre|ist} der {zweite|dritte} [day] im [month], ab [time], {erneut|wieder} {in [room]|bei Ihnen im Haus}, mit {besonderem|einem} Blick auf [focus]. {Passt|Fügt sich} das in {Ihren Kalender|Ihre Planung}?",
      "{Der [month]|Ein Termin im [month]} {passt|ist möglich}, auch [day] {ist gut|geht}. {Könnten|Dürften} wir {allerdings |}{erst|lieber} um [time2] statt um [time] {beginnen|anfangen}, {weil|da} {einige|zwei von uns} am selben Tag {anreisen|noch unterwegs sind}? {Der|Ein} Blick auf [focus] ist {diesmal|für uns} {sinnvoll|wichtig}.",
      "[time2] ist {kein Problem|ebenso gut}. {Ich stelle|Wir stellen} die Zahlen {bis dahin|vorher} zusammen, {besonders|vor allem} mit Blick auf [focus]; {die Tabelle|die Übersicht} {bekommen|erhalten} Sie {eine Woche|einige Tage} {früher|vor dem Termin}. Wer {schreibt|führt} {diesmal|im [month]} das Protokoll?",
      "{Diesmal|Im [month]} {sind wir|ist unsere Seite} {mit dem Protokoll|beim Schreiben} an der Reihe. Mit {der Tabelle|den Zahlen} {eine Woche|einige Tage} vorher {können|werden} {alle|wir} {gut vorbereitet|vorbereitet} {sein|kommen}. [day] um [time2] {steht|ist} {hier|nun} {im Kalender|fest}.",
    ],
  },
];
