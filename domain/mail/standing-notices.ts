/**
 * Phrases of automatic answers that do not report an absence until a date, by kind and in ten languages and more:
 * people who do not work every day or read email only at set hours, filters that ask the sender for proof, and help
 * desks that answer everyone. A person may use any of these sentences too, so the rest of the text decides (rules/mail
 * 9.2).
 */

/** Days and hours of someone who does not work all week. */
const WORKING_DAYS = [
  "(?:my|our|her|his) (?:usual |normal |regular |current )?(?:working|work|office) (?:days|hours|week|pattern)(?!\\p{L})|(?:i|she|he)(?: only| just| currently| usually| normally)? (?:work|works|am working|is working)(?: \\S{1,12}){0,3} (?:part[ -]?time|(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri)(?:day)?s?(?!\\p{L}))|(?:i|she|he) (?:do not|don't|does not|doesn't) work (?:on )?(?:mon|tues|wednes|thurs|fri)days?|non-?working days?|part[ -]?time (?:hours|schedule|basis|working)|(?:don't|do not) (?:read|check) (?:\\S{1,10} ){0,2}e-?mails? (?:on|outside|after)",
  "meine (?:regulären |üblichen |festen )?(?:arbeits|büro|präsenz|sprech)(?:tage|zeiten)|(?:ich arbeite|arbeite ich)(?: \\S{1,15}){0,3} (?:in teilzeit|teilzeit|halbtags|(?:montag|dienstag|mittwoch|donnerstag|freitag)s?)(?!\\p{L})|arbeite(?:t)? in teilzeit|teilzeitbeschäftigt|an (?:anderen|den übrigen) tagen",
  "(?:mes|nos) (?:jours|horaires|heures) (?:de )?(?:travail|présence|bureau|ouverture|habituels)|je (?:ne )?travaille(?: \\S{1,12}){0,3} (?:à temps partiel|temps partiel|à mi-temps|(?:lundi|mardi|mercredi|jeudi|vendredi)s?)|à temps partiel|je ne travaille pas (?:le|les) ",
  "(?:mis|nuestros?) (?:días|horarios?|jornada)(?: \\S{1,12}){0,2} (?:laborales|laborables|de trabajo|de oficina|de atención)|mi horario (?:laboral|de trabajo|de atención|es)|trabajo(?: \\S{1,12}){0,3} (?:a tiempo parcial|media jornada|(?:de |los )?(?:lunes|martes|miércoles|jueves|viernes))|no trabajo (?:los|el) ",
  "(?:i miei|i nostri) (?:giorni|orari) (?:lavorativi|di lavoro|di ufficio|di presenza)|il mio orario (?:di lavoro|è)|lavoro(?: \\S{1,12}){0,3} (?:part[ -]?time|a tempo parziale|(?:il |dal |di )?(?:luned|marted|mercoled|gioved|venerd)\\p{L})|non lavoro (?:il|di) ",
  "mijn (?:vaste )?(?:werkdagen|werktijden|werkuren|kantooruren)|ik werk(?: \\S{1,12}){0,4} (?:parttime|deeltijd|(?:maandag|dinsdag|woensdag|donderdag|vrijdag)(?:en|s)?)|(?:werk|ben) ik(?: \\S{1,12}){0,2} niet(?: op)?|niet-werkdagen|op (?:mijn )?(?:andere|overige|vrije) dagen",
  "(?:meus|os meus) (?:dias|horários?) de (?:trabalho|expediente|atendimento)|(?:o )?meu horário (?:de trabalho|é)|trabalho(?: \\S{1,12}){0,3} (?:a tempo parcial|meio período|part-time|(?:à|às|de|da)s? (?:segunda|terça|quarta|quinta|sexta))|não trabalho (?:às|à|na|nas) ",
  "(?:moje|nasze) (?:dni|godziny) pracy|pracuję(?: \\S{1,12}){0,3} (?:na (?:część|pół) etatu|na niepełny etat|w (?:poniedział|wtor|środ|czwart|piąt)\\p{L}{1,4}|od (?:poniedział|wtor|środ|czwart|piąt)\\p{L}{1,4})|nie pracuję w ",
  "mina (?:ordinarie )?arbets(?:dagar|tider)|(?:jag (?:arbetar|jobbar)|arbetar jag)(?: \\S{1,12}){0,3} (?:deltid|halvtid|(?:mån|tis|ons|tors|fre)dag\\p{L}{0,3})|(?:arbetar|jobbar) (?:jag )?inte (?:på )?(?:mån|tis|ons|tors|fre)dag|(?:mine|mit) arbejds(?:dage|tider)|(?:mine) arbeids(?:dager|tider)|(?:arbejder|jobber) (?:\\S{1,10} ){0,2}deltid",
  "(?:勤務|出勤|就業|営業)(?:日|曜日|時間)(?:は|が|以外)|(?:月|火|水|木|金)曜日?(?:のみ|から.{1,6}まで).{0,8}(?:勤務|出社|対応)|時短勤務|工作(?:日|时间)(?:为|是|：)|근무(?:일|시간)은",
].join("|");

/** Sentences that announce to everyone how often the person reads email. */
const HABITS = [
  "(?:i|we) (?:only |now |currently |usually )?(?:read|check|answer|respond to|look at|process|go through) (?:my |our |all )?(?:e-?mails?|mails?|inbox|messages)(?: only| just)? (?:once|twice|(?:two|three|2|3) times|every|at (?:\\d|set|fixed|certain|noon)|in the (?:morning|afternoon|evening)s?)|(?:this|the same) (?:reply|answer|message|note|e-?mail) (?:goes|is sent) to (?:everybody|everyone|all)|(?:e-?mail|inbox) (?:free|detox|bankruptcy)|(?:to be (?:more|most) )?(?:focus|productive)\\p{L}*,? i (?:only )?(?:check|read)",
  "(?:ich|wir) (?:lese|lesen|rufe|rufen|prüfe|prüfen|beantworte|beantworten|bearbeite|checke) (?:meine |unsere |alle )?(?:e-?mails?|mails?|nachrichten|postfach)(?: \\S{1,12}){0,2} (?:(?:ein|zwei|drei|1|2|3)[ -]?mal|täglich|nur (?:um|am|morgens|abends)|zu festen)|diese antwort (?:geht an|erhalten) alle",
  "je (?:ne )?(?:lis|consulte|relève|traite) (?:que )?(?:mes |ma |les )?(?:e-?mails?|mails?|messages|messagerie|courriels?)(?: \\S{1,10}){0,3} (?:(?:une|deux|trois|1|2|3) fois|à heures? fixes?)|cette réponse (?:est )?(?:envoyée|adressée) à tou",
  "(?:solo )?(?:leo|reviso|consulto|atiendo) (?:mi |el |mis |los )?(?:correos?|e-?mails?|mensajes|bandeja)(?: \\S{1,12}){0,3} (?:(?:una|dos|tres|1|2|3) ve(?:z|ces)|a horas fijas)|esta respuesta (?:se envía|llega) a todos",
  "(?:leggo|controllo|consulto) (?:la |le |i )?(?:mia |mie |miei )?(?:e-?mail|posta|messaggi|casella)(?: \\S{1,12}){0,3} (?:(?:una|due|tre|1|2|3) volt[ae]|a orari fissi)|questa risposta (?:viene inviata|va) a tutti",
  "ik (?:lees|check|bekijk|beantwoord) (?:mijn )?(?:e-?mails?|mails?|berichten|mailbox|inbox)(?: \\S{1,12}){0,3} (?:(?:een|één|twee|drie|1|2|3) ?(?:keer|maal)|op vaste)|dit antwoord gaat naar iedereen",
  "(?:só )?(?:leio|verifico|consulto|vejo) (?:os |as |o |a )?(?:meus |minhas |meu |minha )?(?:e-?mails?|mensagens|correio|caixa)(?: \\S{1,12}){0,3} (?:(?:uma|duas|três|1|2|3) ve(?:z|zes)|a horas fixas|em horários)|esta resposta (?:é enviada|vai) (?:para|a) todos",
  "(?:czytam|sprawdzam|odbieram) (?:moją |swoją )?(?:maile|e-?maile|pocztę|skrzynkę|wiadomości)(?: \\S{1,12}){0,3} (?:raz|(?:dwa|trzy|2|3) razy|o stałych)|ta odpowiedź (?:trafia|jest wysyłana) do wszystkich",
  "jag (?:läser|kollar|öppnar|svarar på) (?:bara |endast )?(?:min |mina )?(?:mejl|mail|e-post|inkorg)(?: \\S{1,12}){0,3} (?:(?:en|två|tre|1|2|3) gång(?:er)?|på fasta)|detta svar går till alla|jeg (?:læser|leser|tjekker|sjekker) (?:kun |bare )?(?:mail|e-post)(?: \\S{1,12}){0,3} (?:gang|ganger|gange)",
  "メールの?(?:確認|チェック)は.{0,12}(?:[1-3１-３一二三]日?回|のみ)|1日[1-3２３]?回.{0,8}(?:確認|チェック)|每天(?:只)?(?:查看|处理)(?:一|两|2|1)次(?:邮件|邮箱)",
].join("|");

/** Sentences of filters that hold an email back until its sender proves to be a person. */
const GATES = [
  "e-?mail (?:gatekeeper|firewall|bouncer|challenge)|(?:confirm|verify|prove|show)(?: \\S{1,12}){0,4} (?:you are|you're|that you are) (?:a |an )?(?:human|person|real|not a (?:robot|bot|spammer))|(?:confirm|verify) (?:your|the) (?:e-?mail )?(?:address|identity|sender)|(?:to reach|to be delivered to|to get (?:in)?to|to enter) (?:my|our|his|her|the) (?:inbox|mailbox)|your (?:e-?mail|message|mail) (?:is|was|has been) (?:being )?(?:held|on hold|quarantined|waiting|queued|parked)|(?:approved|safe|allowed|trusted|white-?listed?) senders?|not (?:yet )?(?:on|in) (?:my|our) (?:list of |contact|approved|safe|allow|white)|one[ -]time (?:verification|confirmation)|(?:protected|guarded|screened|filtered) by (?:\\S{1,20} )?(?:anti-?spam|challenge|spam ?arrest|boxbe|mailinblack|cleanfox|sanebox|hey screener)|anti-?spam (?:protection|service|system|solution|filter|verification)",
  "bestätigen sie(?: \\S{1,15}){0,5} (?:mensch|kein roboter|absender|e-?mail-?adresse)|(?:ihre|deine) (?:e-?mail|nachricht) (?:wird|wurde) (?:zurückgehalten|gehalten|in quarantäne|noch nicht zugestellt|erst zugestellt)|spam-?schutz|damit ihre (?:nachricht|e-?mail)(?: \\S{1,15}){0,4} (?:zugestellt|erreicht|ankommt)|freigabe(?: \\S{1,12}){0,3} absender",
  "(?:confirmer|confirmez|vérifier|prouver|attester)(?: \\S{1,12}){0,5} (?:humain|robot|expéditeur|adresse)|(?:anti-?spam|antispam|mailinblack)|votre (?:message|e-?mail|courriel|mail) (?:est|a été|sera) (?:\\S{1,12} )?(?:retenu|bloqué|mis en attente|mis en quarantaine|délivré|remis)|(?:vous authentifier|cliquez(?: \\S{1,12}){0,5} (?:délivr|remis|authentifi))",
  "(?:confirme|confirmar|verifique|verificar|demuestre)(?: \\S{1,12}){0,5} (?:humano|robot|persona|remitente|dirección)|su (?:mensaje|correo) (?:está|ha sido|fue|será) (?:retenid|puesto en|bloquead|entregad)\\p{L}*|(?:filtro|protección|sistema) (?:anti-?spam|contra spam)",
  "(?:confermi|conferma|confermare|verifichi|verificare)(?: \\S{1,12}){0,5} (?:umano|robot|persona|mittente|indirizzo)|(?:il suo|la sua|il tuo|la tua) (?:messaggio|e-?mail) (?:è|sarà|è stat[oa]) (?:trattenut|bloccat|in attesa|mess[oa] in|consegnat|recapitat)\\p{L}*|(?:filtro|protezione|sistema) anti-?spam",
  "(?:bevestig|verifieer|bewijs)(?:t|en)?(?: \\S{1,12}){0,5} (?:mens|robot|afzender|adres)|uw (?:bericht|e-?mail|mail) (?:is|wordt|werd) (?:\\S{1,12} )?(?:tegengehouden|vastgehouden|in quarantaine|pas (?:afgeleverd|bezorgd))|spam-?(?:filter|bescherming|beveiliging)",
  "(?:confirme|confirmar|verifique|comprove)(?: \\S{1,12}){0,5} (?:humano|robô|pessoa|remetente|endereço)|(?:a sua|sua|o seu|seu) (?:mensagem|e-?mail) (?:está|foi|será) (?:retid|bloquead|colocad|entregue)\\p{L}*|(?:filtro|proteção|sistema) anti-?spam",
  "(?:potwierd[zź]|zweryfik|udowodni)\\p{L}*(?: \\S{1,12}){0,5} (?:człowiek|robot|nadawc|adres)\\p{L}*|(?:państwa|twoja|pana|pani) wiadomość (?:została|jest|czeka|zostanie) (?:\\S{1,12} )?(?:zatrzyman|wstrzyman|dostarczon|w kwarantannie)\\p{L}*|(?:filtr|ochrona|system) anty-?spam\\p{L}*",
  "bekräfta(?: \\S{1,12}){0,5} (?:människa|robot|avsändare|adress)|(?:ditt|din) (?:meddelande|mejl|mail|e-post) (?:har|hålls|väntar|levereras) (?:\\S{1,12} )?(?:stoppats|kvar|karantän|först|på)|(?:skräppost|spam)(?:filter|skydd)|bekræft(?: \\S{1,12}){0,5} (?:menneske|robot|afsender)|bekreft(?: \\S{1,12}){0,5} (?:menneske|robot|avsender)",
  "(?:人間|ロボットでない|本人|送信者)(?:である|で(?:は)?ない|の)?.{0,8}(?:確認|認証|証明)|迷惑メール(?:対策|防止)|承認.{0,6}(?:まで|後に).{0,8}(?:保留|配信|届)|(?:验证|確認|确认)您?(?:是|为)?(?:真人|人类|不是机器人)|反垃圾(?:邮件)?",
].join("|");

/** Sentences that a help desk or a shop sends to everyone who writes to it. */
const DESKS = [
  "(?:a member of|somebody (?:on|from)|someone (?:on|from|in)|one of|the) (?:our |the )?(?:\\S{1,20} )?(?:team|agents?|staff|specialists?|advisors?|advisers?|representatives?)(?: members?)? (?:usually|typically|normally|generally|will|aims?|tries)|(?:we|our team|they) (?:usually|typically|normally|generally|aim to|try to|always) (?:repl|respon|answer|get back)\\p{L}*|(?:typical|average|usual|current) (?:response|reply|waiting|wait) times?|(?:we(?:'ve| have)?|i) (?:have |just |now )?(?:got|have|received) your (?:message|e-?mail|request|enquiry|inquiry|ticket|question)(?! and (?:will discuss|discussed|forward))|(?:quick|short|just a) note to (?:say|confirm|let you know) that (?:we|your)|you(?:'ll| will) (?:get|receive|see|find) (?:the|an|our|your) (?:answer|reply|response|update)s? (?:here|by|in|within|shortly|soon|as)|add(?:ing)? (?:more |further )?(?:comments|information|details)(?: \\S{1,12}){0,4} (?:ticket|request|case|reply)",
  "(?:unser|ein|das) (?:\\S{1,20}[ -])?(?:team|mitarbeiter|kundenservice|kundendienst|support|service)(?: \\S{1,15}){0,3} (?:meldet sich|antwortet|kümmert sich|bearbeitet|wird sich)|(?:ihre|deine) (?:nachricht|anfrage|e-?mail|mail|anliegen)(?: \\S{1,15}){0,2} (?:ist (?:gut )?(?:bei uns )?(?:angekommen|eingegangen|eingetroffen)|liegt uns vor|haben wir (?:erhalten|bekommen))|(?:wir haben|haben wir) (?:ihre|deine) (?:nachricht|anfrage|e-?mail|mail)(?: \\S{1,12}){0,2} (?:erhalten|bekommen|eingang)|(?:übliche|durchschnittliche|aktuelle) (?:antwort|bearbeitungs|reaktions)zeit",
  "(?:un membre de|l['’]un de|une personne de|notre|un) (?:notre |nos )?(?:équipe|conseillers?|conseillère|service|agents?|collaborateurs?)(?: \\S{1,15}){0,3} (?:vous (?:répond|recontact|contacter)|répond|reviendra|prendra|traitera|revient)\\p{L}*|nous avons (?:bien )?(?:reçu )?votre (?:message|demande|courriel|mail|e-?mail)|votre (?:message|demande|courriel|mail|e-?mail)(?: nous)? (?:est|a) (?:bien )?(?:été )?(?:arrivée?|parvenue?|enregistrée?)|délai (?:de réponse|habituel|moyen)",
  "(?:un miembro de|alguien de|uno de|nuestro) (?:nuestro |nuestros )?(?:equipo|agentes?|asesores?|servicio)(?: \\S{1,15}){0,3} (?:responde|contesta|le (?:contact|respond|atend)|se pondrá|te (?:contact|respond))\\p{L}*|(?:tenemos|recibimos|hemos recibido) (?:su|tu) (?:mensaje|correo|consulta|solicitud)|(?:su|tu) (?:mensaje|consulta|solicitud) (?:nos )?(?:ha llegado|llegó|está en)|tiempo (?:medio|habitual) de respuesta",
  "(?:un membro del|qualcuno del|uno dei|il) (?:nostro |nostri )?(?:team|staff|operatori|consulenti|servizio)(?: \\S{1,15}){0,3} (?:risponde|risponderà|la (?:contatt|ricontatt)|ti (?:contatt|ricontatt)|prenderà)\\p{L}*|(?:abbiamo (?:ricevuto )?|è arrivat[oa] )(?:il (?:suo|tuo|vostro)|la (?:sua|tua|vostra)) (?:messaggio|e-?mail|mail|richiesta)|(?:il (?:suo|tuo|vostro) messaggio|la (?:sua|tua|vostra) (?:richiesta|e-?mail)) (?:è|ci è) (?:arrivat|pervenut|stat)\\p{L}*|tempi? (?:medi[oi]?|di) (?:di )?risposta",
  "(?:iemand van|een lid van|een van|ons) (?:ons |onze )?(?:team|medewerkers?|klantenservice|collega's|service)(?: \\S{1,15}){0,3} (?:reageert|antwoordt|neemt|zal|beantwoordt)|(?:we|wij) hebben (?:uw|je|jouw) (?:bericht|e-?mail|mail|vraag|aanvraag|verzoek)(?! (?:besproken|doorgestuurd))|(?:uw|je|jouw) (?:bericht|e-?mail|mail|vraag|aanvraag) is (?:goed )?(?:bij ons )?(?:aangekomen|binnengekomen|ontvangen)|(?:gemiddelde|gebruikelijke) (?:reactie|antwoord)tijd",
  "(?:um membro d[ao]|alguém d[ao]|um d[oa]s|[ao]) (?:nossa |nosso |nossos )?(?:equipa|equipe|time|atendentes?|agentes?|serviço)(?: \\S{1,15}){0,3} (?:responde|responderá|entrará|vai|irá|costuma)|(?:temos|recebemos|já recebemos) (?:a |o )?(?:sua|seu|tua|teu) (?:mensagem|e-?mail|pedido|solicitação|contato|contacto)|(?:sua|a sua|seu|o seu) (?:mensagem|pedido|e-?mail) (?:chegou|foi recebid|já está)\\p{L}*|tempo (?:médio|habitual) de resposta",
  "(?:członek|ktoś z|jeden z|nasz) (?:naszego |naszych )?(?:zespo\\p{L}{1,3}|konsultant\\p{L}{0,3}|pracownik\\p{L}{0,3}|dział\\p{L}{0,2})(?: \\S{1,15}){0,3} (?:odpowi|odpisz|skontaktuje|zajmie)\\p{L}*|(?:mamy|otrzymaliśmy|dostaliśmy) (?:państwa|twoją|twoje|pana|pani) (?:wiadomość|zgłoszenie|zapytanie|e-?mail)|(?:państwa|twoja|twoje) (?:wiadomość|zgłoszenie) (?:do nas )?(?:dotarł|trafił|wpłynęł)\\p{L}*|(?:średni|typowy) czas odpowiedzi",
  "(?:någon (?:i|från|på)|en av|vår|vårt) (?:vårt |vår |våra )?(?:team|kundtjänst|medarbetare|handläggare|support|kundservice)(?: \\S{1,15}){0,3} (?:svarar|återkommer|hör av|kontaktar|brukar)|vi har (?:fått |tagit emot )?(?:ditt|din|er|ert) (?:meddelande|mejl|mail|ärende|fråga|förfrågan)(?: \\S{1,12})?|(?:ditt|din|ert|er) (?:meddelande|mejl|mail|ärende|förfrågan) (?:har|är) (?:kommit|mottag|registrer)\\p{L}*|(?:genomsnittlig|normal|vanlig) svarstid|vi har (?:modtaget|mottatt) (?:din|ditt)|(?:vores|vårt) team (?:svarer|vender)",
  "(?:担当(?:者|部署)?|スタッフ|サポート(?:チーム)?)(?:より|から|が|の者).{0,16}(?:返信|回答|連絡|ご案内|対応)|(?:メッセージ|お問い合わせ|ご連絡|メール)(?:を|は)?.{0,6}(?:受け取りました|受信しました|届きました|受け付けました|拝受)|(?:通常|平均).{0,8}(?:営業日|時間)以内に.{0,8}(?:返信|回答)|我们(?:的)?(?:团队|客服|工作人员).{0,10}(?:回复|联系)|(?:상담원|담당자|팀).{0,10}(?:답변|연락)",
].join("|");

const BEFORE = "(?<![\\p{Script=Latin}\\p{Script=Cyrillic}])";
const OF_PERSON = new RegExp(`${BEFORE}(?:${WORKING_DAYS}|${HABITS})`, "iu");
const OF_GATE = new RegExp(`${BEFORE}(?:${GATES})`, "iu");
const OF_DESK = new RegExp(`${BEFORE}(?:${DESKS})`, "iu");

/** Characters at the start of a text in which a notice says what it is. */
const OPENING = 400;

export type StandingNotice = "PERSON" | "GATE" | "DESK";

/** The kind of notice that a text begins with; null when it begins with none. */
export function standingNoticeIn(text: string): StandingNotice | null {
  const opening = text.slice(0, OPENING);
  if (OF_GATE.test(opening)) return "GATE";
  if (OF_PERSON.test(opening)) return "PERSON";
  return OF_DESK.test(opening) ? "DESK" : null;
}

/** Whether a clause is usual in such an automatic answer. */
export function isOfStandingNotice(clause: string): boolean {
  return OF_PERSON.test(clause) || OF_GATE.test(clause) || OF_DESK.test(clause);
}
