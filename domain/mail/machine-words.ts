/** Sentences in which an email says that no person wrote it. */
const DECLARATIONS = [
  "^auto(?:mat(?:ic|ed))?[ -]?(?:response|reply)(?!\\p{L})|this (?:is|was) an? (?:auto(?:mat(?:ic|ed))?|system)[ -]?(?:generated )?(?:message|response|reply|e-?mail|confirmation|notification|acknowledge?ment|receipt)",
  "(?:automatically|system) generated|generated automatically|(?:do not|don't) (?:reply|respond) (?:directly )?to this (?:auto\\S{1,8} )?(?:e-?mail|message|mail|address)",
  "(?:mailbox|inbox|address|account) is (?:not|no longer|un)\\s?(?:actively )?monitored|unmonitored (?:mailbox|inbox|address)|(?:type|write) your reply above this line|automatic confirmation",
  "automatisch (?:generiert|erstellt|erzeugt|versandt|versendet|verschickt)|automatisierte (?:nachricht|antwort|e-?mail)|automatische (?:nachricht|antwort|bestätigung|eingangsbestätigung|empfangsbestätigung|e-?mail|mitteilung)",
  "(?:bitte )?antworten sie (?:bitte )?nicht auf diese|(?:message|courriel|e-?mail|réponse|accusé de réception) (?:est |a été )?(?:automatique|(?:généré|envoyé)e? automatiquement)|(?:ne (?:pas|répondez pas) |ne pas )répondre à ce",
  "(?:mensaje|correo|respuesta|confirmación|acuse de recibo) (?:es )?(?:automátic[oa]|generad[oa] automáticamente)|generado automáticamente|no responda a este|no responder a este",
  "(?:messaggio|risposta|e-?mail|conferma|avviso) (?:è )?(?:automatic[oa]|generat[oa] automaticamente)|generat[oa] automaticamente|non rispond(?:ere|a) a (?:questo|questa)",
  "(?:mensagem|resposta|e-?mail|confirmação) (?:é )?(?:automátic[oa]|gerad[oa] automaticamente)|gerad[oa] automaticamente|não responda (?:a )?(?:est[ae]|ess[ae])",
  "automatisch(?:e)? (?:gegenereerd|verzonden|bericht|antwoord|bevestiging|ontvangstbevestiging|e-?mail|reactie)|niet (?:te )?(?:beantwoorden|reageren) op dit|(?:op )?dit bericht (?:kan|kunt) (?:u )?niet",
  "automat(?:isk|iskt|genererad|isert|iseret)(?:e)? (?:svar|meddelande|melding|besked|mejl|mail|e-post|bekräftelse|bekreftelse|kvittering|utskick|generert|genereret|skickat)|autosvar|autogenerer|svara inte på|ikke svar på denne",
  "automaattinen (?:viesti|vastaus|kuittaus|ilmoitus|vahvistus)|automaattisesti (?:lähetetty|luotu)|älä vastaa tähän|automatycz(?:na odpowiedź|na wiadomość|ne potwierdzenie)|(?:wygenerowan|wysłan)[aey] automatycznie|(?:prosimy|proszę) nie odpowiadać",
  "automatick(?:á|ý|é|y) (?:odpov|zpráv|správ|potvrzen|potvrden|generovan)|automaticky (?:(?:vy)?generov[aá]n|odesl)|neodpovídejte|neodpovedajte|automatikus (?:válasz|üzenet|levél|visszaigazol|értesít)|ne válaszoljon",
  "(?:mesaj|r[ăa]spuns|e-?mail) (?:este )?(?:generat )?automat|nu r[ăa]spunde[țt]i la acest|автоматическ(?:ое|ий|и) (?:сообщение|ответ|уведомление|письмо|сгенерирован|сформирован|отправлен|созданн)|не отвечайте на (?:это|данное)",
  "автоматичн(?:е|а|о|ий) (?:повідомлення|відповідь|лист|згенерован|сформован|створен)|не відповідайте на|otomatik (?:bir )?(?:mesaj|yanıt|ileti|cevap|e-?posta|olarak (?:gönder|oluştur))|yanıtlamayınız",
  "αυτόματ(?:η απάντηση|ο μήνυμα|η ειδοποίηση)|(?:thư|tin nhắn|trả lời|email|phản hồi) (?:được gửi |này được gửi )?tự động|(?:balasan|pesan|email) (?:ini )?(?:dikirim |dibuat )?(?:secara )?otomatis|ข้อความอัตโนมัติ|ตอบกลับอัตโนมัติ|อีเมลอัตโนมัติ",
  "自動(?:送信|返信|応答|配信|的に送信)|自动(?:回复|发送|答复|生成|应答)|系统自动|自動(?:回覆|發送|發出|回信)|請勿(?:直接)?回覆|请勿(?:直接)?回复|자동 ?(?:응답|회신|발송|으로 발송|답장)|발신 ?전용",
  "(?:הודעה|מענה|תשובה|תגובה|מייל) אוטומטי(?:ת)?|(?:נשלח(?:ה)?|נוצר(?:ה)?) (?:באופן )?אוטומטי(?:ת)?|אין להשיב|رسالة (?:آلية|تلقائية)|رد (?:آلي|تلقائي)|(?:تلقائياً|آلياً)|automatski (?:odgovor|generirana|poslan)|samodejn[io]|автоматичен отговор",
].join("|");
const DECLARATION = new RegExp(`(?:${DECLARATIONS})`, "iu");
/** Words of doubt before such a declaration: "I guess that this is an automated message". */
const DOUBTS =
  /(?<!\p{L})(?:if|whether|not|guess|think|assume|suppose|seems?|looks? like|probably|maybe|hope|know|bet|ob|wenn|falls|nicht|vermute|glaube|keine?|pas|no es|non è|não é|geen|niet)(?!\p{L})[^.!\n]{0,30}$/iu;

/** Sentences in which a help desk confirms that it received our email. */
const RECEIVED = [
  "(?:has|have) reached us|(?:ticket|request|message|enquiry|e-?mail) received(?!\\p{L})|(?:case|ticket|request) \\S{0,12}\\d (?:has been|was)|(?:your|the) (?:request|ticket|case|call|issue|feedback|enquiry|inquiry|message|e-?mail|query|submission|question|mail) (?:\\S{1,20} )?(?:has been|was|is|have been) (?:successfully )?(?:received|created|registered|logged|opened|assigned|submitted|forwarded)",
  "(?:we|we've) (?:have |just )?(?:successfully )?(?:received|registered|logged|got) your (?!offer|proposal|quote)|due to (?:the |an? )?(?:high|large|unusual)\\S{0,3} (?:\\S{1,10} )?(?:volume|number)|(?:may|can|could) take (?:up to )?(?:\\S{1,10} ){0,3}(?:days|hours)|(?:ticket|case|request|conversation) (?:\\S{1,12} )?(?:has been|was) (?:created|opened|assigned|received)|acknowledge(?:s|ment)?(?: of)?(?: the)? receipt|confirm(?:s|ation of)?(?: the)? receipt",
  "(?:ihre|deine) (?:anfrage|nachricht|e-?mail|mail|mitteilung) (?:\\S{1,20} )?(?:ist bei uns |wurde |haben wir |ist )(?:\\S{1,15} )?(?:eingegangen|erhalten|empfangen|registriert|weitergeleitet)|wir haben (?:ihre|deine|diese|sie|es) (?:\\S{1,15} ){0,3}(?:erhalten|empfangen|registriert)|den eingang ihrer",
  "(?:votre|la) (?:demande|message|courriel|e-?mail|requête) (?:a|est) (?:bien )?(?:été )?(?:reçue?|prise?|enregistrée?|transmise?|arrivée?)|nous (?:l['’])?avons bien (?:reçu|enregistré)|nous accusons réception",
  "(?:hemos (?:recibido|registrado)|recibimos|se ha recibido) (?:su|tu) (?!oferta|propuesta)|(?:su|tu) (?:solicitud|mensaje|consulta|correo) (?:ha sido|fue) (?:recibid|registrad)|(?:abbiamo ricevuto|è stat[ao] ricevut[ao]) (?:la (?:sua|tua|vostra)|il (?:suo|tuo|vostro))|la (?:sua|tua|vostra) richiesta è stata",
  "recebemos (?:a |o )?(?:sua|seu|tua|teu) |(?:sua|seu) (?:mensagem|solicitação|pedido|chamado|e-?mail) foi (?:recebid|registrad|abert)|(?:wij|we) hebben (?:uw|je) (?:bericht|e-?mail|vraag|aanvraag|verzoek|mail) (?:in goede orde )?ontvangen|(?:uw|je) (?:bericht|e-?mail|vraag|aanvraag|verzoek|mail) is (?:in goede orde )?ontvangen",
  "vi har (?:mottagit|tagit emot|mottatt|modtaget) (?:ditt|din|dit|er|ert|deres)|(?:ditt ärende|din henvendelse|din sag) (?:har|er) (?:\\S{1,10} )?(?:registrer|mottat|modtag|oprett)|(?:olemme|on) vastaanot(?:taneet|ettu)|otrzymaliśmy|(?:zgłoszenie|wiadomość) (?:zostało|została) (?:przyjęt|zarejestrowan|otrzyman)",
  "(?:jsme|sme) (?:přijali|obdrželi|zaregistrovali|prijali|obdržali)|(?:přijali|obdrželi|prijali) (?:jsme|sme)|megkaptuk|(?:üzenet|level|megkeres)\\S{1,6} (?:rögzítettük|iktattuk|megérkezett)|am primit (?:mesajul|solicitarea|e-?mail)|primili smo",
  "(?:ваше|ваш) (?:обращение|сообщение|письмо|запрос|заявка) (?:\\S{1,12} )?(?:было |был |была )?(?:получен|зарегистрирован|принят)|мы получили ваш|ваш[ае]? (?:звернення|запит|заявк\\S?|лист) (?:\\S{1,12} )?(?:отримано|зареєстровано)|ми отримали ваш",
  "(?:talebiniz|mesajınız|e-?postanız|başvurunuz) (?:\\S{1,12} )?(?:alınmıştır|alındı|oluşturul|bize ulaş|kaydedil)|λάβαμε (?:το|την)|(?:chúng tôi )?đã nhận được|(?:kami )?telah (?:kami )?(?:menerima|terima)",
  "受け?付け(?:ました|いたしました|ております)|受領(?:いたし|し)ました|承りました|已(?:经)?收到您|收到您的|我们已收到|(?:邮件|来信|郵件|來信|消息)已?经?收到|접수(?:되었|하였|됐)습니다|수신되었습니다|פני(?:י)?תך (?:התקבלה|נקלטה)|קיבלנו את (?:פני|הוד)|استلمنا|تم استلام|تلقينا",
].join("|");
const NUMBERED =
  /\[[^\]\n]{0,20}#\s?[a-z-]{0,8}\d{2,}\]|(?<![\p{L}\p{N}])#\d{3,}|(?:ticket|case|reference|request|incident)(?: id| number| no\.?| nr\.?| ref)?\s?(?:is|:|#|=)?\s?[#[(]{1,2}?\s?[a-z-]{0,8}\d|(?:ticket|case|reference|request|incident)(?: id| number| no\.?| nr\.?)\b|(?:ticket|case|reference|ref|incident|request)\.?:? ?[a-z]{0,4}-?\d{3,}|(?:ticket|vorgangs|bearbeitungs|referenz|fall)-?nummer|numéro de (?:ticket|dossier|demande|référence)|número de (?:ticket|caso|solicitud|chamado|protocolo|referencia)|numero di (?:ticket|pratica|richiesta)|(?:ticket|referentie|zaak|aanvraag)nummer|ärendenummer|(?:sags|saks)nummer|tikettinumero|numer (?:zgłoszenia|sprawy)|číslo (?:požadavku|tiketu|případu)|ügyszám|număr(?:ul)? (?:de )?(?:tichet|înregistrare)|номер\p{L}{0,3} (?:заявки|обращения|тикета|запроса|звернення)|talep numara|αριθμός αιτήματος|mã (?:yêu cầu|số)|nomor tiket|(?:受付|お問い合わせ)番号|工单(?:编号|号)|접수 ?번호|문의 ?번호|מספר (?:פני+ה|קריאה)|رقم (?:التذكرة|الطلب)/iu;
const PROMISED = [
  "(?:we|our team|someone|somebody|a member of \\S{1,10} ?team|one of our \\S{1,20}|(?:a|an|our) (?:agents?|consultants?|advis[eo]rs?|representatives?|specialists?|colleagues?|experts?))(?: will| aim to|'ll| shall| try to) (?:\\S{1,12} )?(?:respond|reply|get back|be in touch|answer|contact you|review)|(?:within|in) (?:\\S{1,10} )?(?:\\d+|one|two|24|48) (?:business |working )?(?:hours|days)|as soon as possible",
  "(?:schnellstmöglich|so (?:schnell|bald) wie möglich|umgehend|innerhalb von|in kürze|zeitnah)|dans les (?:plus brefs|meilleurs) délais|sous \\d+ ?h|lo antes posible|a la (?:mayor )?brevedad|en breve|il prima possibile|al più presto|assim que possível|o mais breve|em breve|zo (?:snel|spoedig) mogelijk|binnen \\S{1,10} (?:werkdag|uur)",
  "så snart (?:som|vi)|hurtigst muligt|inom \\S{1,10} (?:arbetsdag|timm)|mahdollisimman pian|(?:najszybciej|wkrótce|jak najszybciej)|co nejdříve|čo najskôr|hamarosan|a lehető leg|cât mai curând|в ближайшее время|в течение|найближчим часом|en kısa sürede|το συντομότερο|sớm nhất|trong thời gian|segera",
  "(?:折り返し|追って|順次|後ほど|営業日以内)|尽快|盡快|稍后|빠른 시일|빠르게|곧 (?:답변|연락)|בהקדם|(?:נחזור|יחזור|תחזור|ניצור|נציג)|في أقرب|قريب[اً]",
].join("|");
const THANKED = [
  "dear (?:customer|client|guest|user|applicant)|sehr geehrte[r]? kund|cher client|estimado cliente|gentile cliente|prezado cliente|geachte (?:klant|relatie)|לקוח(?:ה)? יקר|お客様|尊敬的(?:客户|用户)|уважаемый (?:клиент|пользователь)|szanowny kliencie|vážený zákazn|kära kund|kære kunde",
  "thank(?:s| you) for (?:contacting|getting in touch|reaching out|writing to|your (?:enquiry|inquiry|request|e-?mail|mail|message|interest))|(?:vielen|herzlichen|besten)? ?dank,? (?:für|dass) (?:ihre|deine|sie)|merci (?:de|d['’]|pour)|gracias por|grazie per|obrigad[oa] p|bedankt voor|dank (?:u )?voor|tack för|tak for|takk for|kiitos|dziękujemy|děkujeme|ďakujeme|köszönjük|mulțumim|hvala",
  "спасибо|благодарим|дякуємо|teşekkür|ευχαριστ|cảm ơn|terima kasih|ありがとうございます|感谢|感謝|谢谢|감사합니다|תודה|شكر|ขอบคุณ",
].join("|");
const RECEIVED_IT = new RegExp(`(?:${RECEIVED})`, "iu");
const PROMISES = new RegExp(`(?:${PROMISED})`, "iu");
const THANKS = new RegExp(`(?:${THANKED})`, "iu");

/** Phrases of notes of absence that a person who replies hardly ever uses. */
const FORMULAS = [
  "thank(?:s| you)(?: very much)? for your (?:e-?mail|mail|message)|(?:for|in|on) (?:any )?urgent|(?:if|is|are) (?:\\S{1,12} ){0,4}urgent|(?:limited|intermittent|no|without) (?:\\S{1,10} )?access to|(?:will|shall|'ll) (?:not be (?:read|forwarded|checked)|\\S{0,12} ?(?:reply|respond|answer|get back|attend|be answered|be read|deal)[^.]{0,60}(?:return|back|as soon as))",
  "(?:on|upon|after) my return|in my absence|during (?:my absence|this (?:time|period))|please contact|(?:vielen|herzlichen|besten)? ?dank für (?:ihre|deine) (?:nachricht|e-?mail|mail|anfrage)|in dringenden|dringende[nr]? (?:fälle|angelegenheit|anliegen)|(?:nach|bei|ab) meiner rückkehr|nicht weitergeleitet|wenden sie sich|während meiner abwesenheit|keinen zugriff",
  "merci (?:de|pour) votre (?:message|courriel|mail|e-?mail)|urgen(?:ce|t|te)|(?:à|dès) mon retour|en mon absence|(?:veuillez|vous pouvez|merci de) contacter|gracias por (?:su|tu) (?:mensaje|correo|e-?mail)|urgenc|urgent|a mi (?:regreso|vuelta)|en mi ausencia|(?:contacte|póngase en contacto|contactar|diríjase)",
  "grazie per (?:la sua|il suo|la vostra|il vostro|la tua|avermi)|urgenz|(?:al|dal) mio (?:rientro|ritorno)|in mia assenza|(?:contattare|rivolgersi)|obrigad[oa] pel[oa]|urgênc|urgente|no meu (?:retorno|regresso)|na minha ausência|(?:contatar|contactar|contacte|entre em contato)",
  "(?:dank|bedankt) (?:u |je )?voor (?:uw|je) (?:e-?mail|bericht|mail)|dringend|spoed|bij (?:mijn )?terugkomst|na (?:mijn )?terugkeer|contact op(?:nemen| te nemen)|neem(?:t u)? contact|tijdens mijn afwezigheid",
  "tack för (?:ditt|er|ert|din)|brådskande|akut|(?:när|så snart) jag (?:är|kommer)|kontakta|tak for (?:din|dit|deres)|takk for|haste(?:r|nde)|kontakt(?:e)? |når jeg (?:er|kommer)|kiitos (?:viestist|sähköpost|yhteydenot)|kiireelli|palattuani|ota(?:han)? yhteyttä",
  "dziękuję za|pilnych|po (?:moim )?powrocie|proszę o kontakt|kontaktować|děkuji za|v naléhav|urgentn|po (?:svém |mém )?návrat|kontaktujte|obraťte|köszönöm|sürgős|visszatér|keress|mulțumesc|la (?:întoarcere|revenire)|contacta|hvala na|hitn|nujn",
  "спасибо за|благодарю за|срочн|(?:после|по) (?:моего )?возвращени|обращайтесь|дякую за|термінов|після повернення|звертайтес|teşekkür|acil|dön(?:düğümde|üşümde)|iletişime|ευχαριστώ|επείγο|επιστροφή μου|επικοινων|cảm ơn|khẩn|khi (?:tôi )?(?:trở lại|quay lại)|liên hệ|terima kasih|mendesak|hubungi",
  "ありがとうございます|以降となります|无法及时|無法及時|お急ぎ|緊急|至急|戻り次第|復帰(?:後|次第)|出社(?:後|次第)|ご連絡|感谢您|谢谢您|紧急|急事|回来后|返回后|请联系|感謝您|緊急|請聯|감사합니다|긴급|급한|복귀|연락|תודה על|דחו[פף]|כשאחזור|עם (?:חזרתי|שובי)|לאחר (?:חזרתי|שובי)|בשובי|ניתן לפנות|אנא (?:פנו|פנה)|שכר|شكر[اً]|عاجل|(?:عند|بعد|فور) عودتي|يرجى (?:الاتصال|التواصل)|ขอบคุณ|ด่วน|ติดต่อ",
].join("|");
const FORMULA = new RegExp(`(?<![\\p{Script=Latin}\\p{Script=Cyrillic}\\p{Script=Greek}])(?:${FORMULAS})`, "iu");

/** Whether the text says that a machine wrote it. */
export function declaresItself(text: string): boolean {
  return beforeDeclaration(text) !== null;
}

/** The sentences above the one in which a text says that a machine wrote it; null when it does not say so. */
export function beforeDeclaration(text: string): string | null {
  const found = DECLARATION.exec(text);
  if (found === null) return null;
  const isAsked = /^[^.!\n]{0,100}[?？]/.test(text.slice(found.index + found[0].length));
  const before = text.slice(0, found.index);
  if (isAsked || DOUBTS.test(before.slice(-80))) return null;
  return before.slice(0, before.search(/[^.!?。！？\n]*$/));
}

/**
 * Whether a help desk confirms our email. The text says that the email was received or has a ticket number, and it also
 * thanks or promises an answer. A person may write any one of them alone.
 */
export function isReceipt(subject: string, text: string): boolean {
  const [isReceived, isNumbered] = [RECEIVED_IT.test(text), NUMBERED.test(text) || NUMBERED.test(subject)];
  return (isReceived && isNumbered) || ((isReceived || isNumbered) && (PROMISES.test(text) || THANKS.test(text)));
}

/** Whether the text contains any sentence that help desks use to confirm an email. */
export function isOfDesk(text: string): boolean {
  return [RECEIVED_IT, NUMBERED, PROMISES, THANKS].some((pattern) => pattern.test(text));
}

/** Whether the text contains a phrase that is usual in notes of absence. */
export function isFormula(text: string): boolean {
  return FORMULA.test(text);
}
