/** The words at the start of a subject that mark an automatic notice, whatever follows them. */
const NOTICES = [
  "auto(?:mat(?:ic|ed))?[ -]?(?:reply|response|responder|answer)(?!\\p{L})|auto:|autoreply|out[ -]of[ -](?:the )?office(?!\\p{L})|ooo(?!\\p{L})",
  "your e-?mail requires verification|please confirm (?:that )?your? (?:message|e-?mail)|(?:on )?(?:annual |parental |maternity )?leave:",
  "abwesenheit|automatische? (?:antwort|antwoord|abwesenheit)|autoantwort|nicht im (?:büro|haus)|r.ponse automatique|absent du bureau|message d['’]absence",
  "(?:respuesta|contestaci.n) autom.tica|autorespuesta|fuera de (?:la )?oficina|risposta automatica|autorisposta|fuori (?:sede|ufficio)",
  "resposta autom.tica|fora do escrit.rio|fora de l['’]oficina|ausência|(?:ik ben )?niet op kantoor|afwezigheid(?:sbericht|smelding|sassistent)?(?!\\p{L})",
  "autosvar|automatiskt? svar|frånvaro|fravær|sjálfvirkt svar|automaattinen vastaus|poissaolo(?:viesti|ilmoitus)|automaatne vastus",
  "poza biurem|automatyczna odpowied|odpowied. automatyczna|autoodpowied|odpověď v nepřítomnosti|automatická odpov|samodejni odgovor",
  "automatikus v.lasz|r.spuns automat|automatski odgovor|аутоматски одговор|automatinis atsakymas|automātiskā atbilde|automatyczne potwierdzenie",
  "автоответ|автоматический ответ|автоматична відповідь|автоматичен отговор|αυτόματη απάντηση|εκτός γραφείου|otomatik (?:yan|cevap)",
  "phản hồi tự động|trả lời tự động|thư trả lời tự động|balasan otomatis|di luar kantor|ตอบกลับอัตโนมัติ|ข้อความตอบกลับอัตโนมัติ|پاسخ خودکار",
  "自動応答|自動返信|不在(?:通知|連絡|のお知らせ|にしております)?|自动(?:回复|答复)|自動(?:回覆|回復|答覆)|외근|부재|자동 ?(?:응답|회신|답장)",
  "(?:הודעת |הודעה על )?(?:מענה אוטומטי|תשובה אוטומטית|תגובה אוטומטית|הודעה אוטומטית|היעדרות)|מחוץ למשרד|لست في المكتب|خارج المكتب|رد (?:تلقائي|آلي)",
].join("|");

/**
 * Words that mark an automatic notice but could also begin a person's sentence. They count only if the subject has no
 * other words, or if a punctuation mark follows.
 */
const BARE_NOTICES = [
  "absence|absent|abwesend|im urlaub|afwezig|met verlof|op vakantie|ausente|de vacaciones|assente|in ferie|de férias|en (?:congés?|vacances)|bortrest|på semester|på ferie",
  "fraværende|frånvarande|poissa|lomalla|nieobecn[ya]|na urlopie|nepřítomen|na dovolené|neprítomný|szabadságon|în concediu|в отпуске|отсутствую|у відпустці|izinde(?:yim)?",
  "σε άδεια|nghỉ phép|vắng mặt|sedang cuti|na dopustu|odsut(?:an|na)|בחופשה|休暇(?:中|のお知らせ)?|休假(?:中)?|휴가(?: 중)?|في إجازة",
  "auto(?:matic|mated) (?:message|confirmation|acknowledge?ment|notification|e-?mail)|automatische (?:nachricht|mitteilung|benachrichtigung|bestätigung|bevestiging|ontvangstbevestiging)",
  "(?:automatische )?(?:eingangs|empfangs)bestätigung|ontvangstbevestiging|accusé de réception|acuse de recibo|conferma (?:automatica|di ricezione|di ricevuta)",
  "(?:confirmation|confirmación|confirmação) (?:automatique|automática)|confirmação de recebimento|automatisk (?:bekräftelse|kvittering|bekræftelse|melding)|mottagningsbekräftelse",
  "potwierdzenie (?:otrzymania|odbioru)|potvrzení (?:o )?přijetí|автоматическое (?:уведомление|подтверждение|сообщение)|автоматичне повідомлення|otomatik (?:onay|bilgilendirme)",
].join("|");
const MARKED =
  "(?=\\s*(?:$|[:：!–-]|of receipt|re:|aw:|tot |bis |until |till |jusqu|hasta |fino |até |t\\/m |du bureau|de longue|prolong))";

/** "[EXTERNAL]" and similar tags, which a company's gateway puts before the subject of email from outside. */
const GATEWAY = "(?:[\\[(*]{1,3}\\s?(?:ext|spam|suspected spam)\\p{L}{0,8}\\s?[\\])*]{1,3}[:\\s]{0,3}){0,2}";

/** Matches only at the very start, because `Re: Out of office desks` is a person's reply to a campaign. */
export const NOTICE = new RegExp(`^${GATEWAY}\\P{L}{0,3}(?:${NOTICES}|(?:${BARE_NOTICES})${MARKED})`, "iu");

const ABSENCES = [
  "out[ -]of[ -](?:the )?office(?! hours| space| desk)|\\booo\\b|(?:i am|i'm|i will be|i'll be|we are|we're|currently) (?:\\w+ ){0,3}(?:away|on (?:\\w+ )?(?:leave|vacation|holiday|pto)|travel\\w*|unavailable|out\\b)",
  "\\b(?:away from (?:my|the) (?:desk|office|e-?mail|computer)|time off|sabbatical|abroad|out of town|(?:i'm|i am|we're|we are) off (?:until|till|from|on|this|next|for)|(?:limited|no|poor) (?:connectivity|internet|reception)|(?:don't|do not) work on|off (?:work|duty)|out sick|offline|attending (?:a|an|the) \\S|(?:not|n't) (?:be )?(?:checking|reading|monitoring|available|in the office|at my desk)|limited availability|(?:slow|unable) to (?:respond|reply))",
  "\\bon (?:\\w+ )?(?:annual |parental |maternity |paternity |sick )?(?:leave|vacation|holidays?|pto)\\b|(?:limited|intermittent|no) access to (?:my )?e-?mail|(?:offices?|premises|shop|store|practice|business|we) (?:is|are|will be|remains?|will remain) closed",
  "abwesen|nicht im (?:büro|haus|dienst)|(?:im|habe|in|bis|wegen|mein(?:em|en)?) (?:\\S{1,12} )?urlaub|urlaub (?:bis|vom|ab)|in elternzeit|außer haus|ausser haus|nicht erreichbar|mutterschutz|elternzeit|offline|auf (?:(?:dienst|geschäfts)?reisen?|fortbildung|schulung|seminar)|sie erreichen mich (?:wieder )?(?:erst )?ab|krankgeschrieben|erkrankt|(?:büro|geschäft|praxis|kanzlei|betrieb|wir)(?: \\S{1,15}){0,6} geschlossen|betriebs(?:ferien|urlaub)|urlaubsbedingt|nicht am (?:platz|arbeitsplatz)",
  "\\babsente?\\b|en (?:congés?|vacances|déplacement)|hors du bureau|absence du bureau|congé (?:maternité|parental)|(?:bureaux?|agence|cabinet|entreprise|établissement)(?: \\S{1,12}){0,3} fermée?s?|fermeture (?:annuelle|exceptionnelle|estivale)|indisponible|arrêt maladie|en formation",
  "fuera de (?:la )?oficina|de vacaciones|ausente|estaré fuera|(?:oficinas?|despacho|empresa)(?: \\S{1,15}){0,3} cerrad[oa]s?|cerrado por|(?:uffici|ufficio|sede|azienda|studio)(?: \\S{1,12}){0,3} chius[oiae]|chiusura (?:estiva|aziendale|natalizia)|de baja (?:médica|maternal|por)|de permiso|de viaje|no (?:estaré|revisaré|leeré)|in viaggio|in trasferta|in malattia|in permesso|fuori (?:sede|ufficio)|in ferie|assente|in maternità|congedo",
  "fora do escrit[óo]rio|de f[ée]rias|(?:escritórios?|empresa|loja)(?: \\S{1,15}){0,3} (?:fechad|encerrad)[oa]s?|(?:kantoor|bedrijf|praktijk|winkel)(?: \\S{1,12}){0,3} gesloten|estarei fora|ausência|de licença|em viagem|fora de l['’]oficina|afwezig|\\ber (?:even |momenteel )?niet\\b|vrij (?:tot|t/m)|niet (?:op kantoor|aanwezig|bereikbaar)|met (?:vakantie|verlof|zwangerschapsverlof)|op vakantie|op reis|ouderschapsverlof|niet aan het werk",
  "(?:på|har) semester|semesterledig|föräldraledig|är ledig|på (?:kurs(?:us)?|(?:tjänste)?resa|(?:tjeneste)?re[ji]se)(?!\\p{L})|(?:har|holder|tar) (?:fri|ferie)|(?:kontor(?:et)?|butiken|företaget)(?: \\S{1,12}){0,2} (?:stängt|lukket|stengt)|ej på kontoret|inte på kontoret|bortrest|på ferie|ikke på kontoret|fravær|frånvar|på barsel|í fríi|na urlopie|poza biurem|nieobecn|(?:biuro|firma|sklep)(?: \\S{1,15}){0,3} (?:nieczynn[ea]|zamknięt[ea])|na zwolnieniu",
  "lomalla|virkavapaa|poissa|en ole toimistolla|puhkusel|atostog|atvaļinājum|mimo kancel|dovolen|nepř[ií]tomn|nepr[ií]tomn|szabads[aá]g|irod[aá]n k[ií]v|nem vagyok az irod",
  "[iî]n concediu|absent[aă]? din birou|na godišnjem|odsut(?:an|na)|van ureda|izvan ureda|na dopustu|odsot(?:en|na)|na bolovanju|nemocensk|na l4|на годишњем|в отпуск(?:е|а|)(?!\\p{L})|отсутств|вне офиса|в командировк|на больничном|у відрядженні|на лікарняному|у відпустці|відсутн|поза офісом|извън офиса",
  "izinde|izindeyim|tatilde|ofis d[ıi][şs][ıi]nda|απουσι[aάα]ζω|απουσία|εκτός γραφείου|σε άδεια|nghỉ phép|vắng mặt|ngoài văn phòng|đi công tác|sedang cuti|di luar kantor",
  "不在|休.{0,2}假|休暇|休業|留守|お休み|外出|出張|休假|出差|放假|无法及时|無法及時|不在办公室|휴가|부재|출장|자리를 비|מחוץ למשרד|לא (?:אהיה |נמצאת? |אמצא )?במשרד|בחופש(?:ה|ת)?|ללא גישה|נעדר|היעדרות|במילואים|خارج المكتب|لست في المكتب|في إجازة|ลาพักร้อน|ไม่อยู่(?:ที่)?(?:ใน)?สำนักงาน|در مرخصی",
].join("|");

/** A person says that they are absent. */
export const ABSENCE = new RegExp(`(?:${ABSENCES})`, "iu");

/** A person says that they, or a colleague, have left permanently. */
const DEPARTURES = [
  "no longer (?:with|works?|working|employed|at|part of|a member of)(?!\\p{L})|(?<!\\p{L})(?:has|have|had) (?:now |recently |since )?left (?:the|our|my|this)? ?(?:company|organi[sz]ation|firm|business|team|\\p{Lu})|left the (?:company|organi[sz]ation|firm|business)|(?:does|do) not work (?:here|at|for) .{0,30}(?:any ?more|any longer)|doesn't work here any ?more|(?:my|his|her) last (?:working )?day (?:at|with|was)|(?<!\\p{L})(?:i|she|he) (?:have|has) moved on from|(?<!\\p{L})i(?:'ve| have| am|'m) (?:now )?retired(?!\\p{L})|(?:has|have) retired(?!\\p{L})|(?:position|employment) (?:has been |was )?terminated",
  "nicht mehr (?:im unternehmen|bei (?:uns|der)|f.r .{1,40} t.tig|in unserem|t.tig|besch.ftigt|teil (?:unseres|des)|mitarbeiter)|(?:unternehmen|firma|unser haus)(?: \\S{1,15}){0,3} (?:verlassen|ausgeschieden)|ausgeschieden|im ruhestand|in (?:den )?(?:ruhestand|rente) (?:gegangen|getreten)",
  "ne (?:fait|travaille|fais) plus|n['’](?:est|exerce|occupe) plus (?:en poste|parmi nous|salarié|chez|dans|employé|ce poste|au sein)|(?:a|ai) (?:\\S{1,12} )?quitt. (?:la|le|l['’]|notre|nos|ses|cette)|(?:est )?parti(?:e)? (?:à|en) (?:la )?retraite",
  "ya no (?:trabaj|forma|pertenece|labora|presta|se encuentra|está (?:con|en) (?:nosotros|la empresa))\\p{L}*|(?:ha dejado|dejó|abandonó) (?:la empresa|la compañía|la organización|de trabajar|nuestra)|(?:causado|causó) baja en|se ha jubilado",
  "non (?:lavora|fa|collabora|opera|presta|è) più|ha lasciato (?:l['’](?:azienda|organizzazione|incarico)|la (?:societ|nostra)|il (?:suo|gruppo)|.{0,20}(?:azienda|società))|(?:è andat[oa] in|in) pensione",
  "n.o (?:trabalha|trabalho|faz parte|integra|pertence) mais|(?:já|ja) n.o (?:trabalha|faz parte|está (?:na|connosco|conosco)|pertence|integra)|(?:deixou|saiu d)[ae]? ?(?:a |da )?(?:empresa|companhia|organização|nossa)|reformou-se|se aposentou",
  "(?:werkt|werk|is) niet (?:meer|langer) (?:werkzaam|bij|voor|in dienst)|(?:werkt|werk)(?: \\S{1,12}){0,3} niet meer|uit dienst|(?:ons bedrijf|de organisatie|onze organisatie|het bedrijf|ons)(?: \\S{1,12}){0,2} verlaten|met pensioen",
  "(?:arbetar|jobbar|jobber|arbejder) (?:inte|ikke) l(?:ä|e)ng(?:re|er)e?|(?:arbetar|jobbar|jobber|arbejder)(?: \\S{1,12}){0,3} (?:inte|ikke) (?:längre|lenger|længere)|(?<!\\p{L})(?:jag|jeg|han|hon|hun|\\p{Lu}\\p{L}+) har (?:slutat|lämnat|gått i pension|forlatt|forladt)|er ikke l(?:æ|e)ngere ansat|sluttet i|inte längre (?:kvar|anställd|hos)",
  "(?:już )?nie pracuj\\S{1,3} ju|już nie pracuj\\p{L}+|nie jest już (?:pracownikiem|zatrudnion)|(?:odszedł|odeszła|odszedłem|odeszłam) z|(?:zakończył\\p{L}?|zakończyłem|zakończyłam) (?:pracę|współpracę)|na emerytur",
  "больше не работа|больше не работает|уволил|більше не працю|u[žz] nepracuj|m[aá]r nem dolgoz|nu mai lucr|artık .{0,30}çalışmıyor|ei ole enää (?:töissä|palveluksessa)|δεν εργάζ\\S+ πλέον",
  "退職|退社(?:いた|し|とな)|异动|異動(?:いた|し|とな|のため)|离职|離職|퇴사|כבר לא עובד|עזב(?:ה|תי)? את החברה|لم (?:يعد|أعد) (?:يعمل|أعمل)",
].join("|");

export const LEFT = new RegExp(`(?:${DEPARTURES})`, "iu");
