/**
 * The role of a line in the header block of an older email. `sent` is a date line whose label only mail programs write.
 */
export type HeaderRole = "from" | "to" | "date" | "sent" | "subject" | "other";

// The names that the major mail programs use, without case, spaces and marks
const LABELS: Record<HeaderRole, string> = {
  from: `from von de da van från fra lähettäjä od feladó dela expeditor от откого отправитель від відправник kimden gönderen από αποστολέας
    từ ngườigửi 发件人 發件人 寄件者 寄件人 差出人 送信者 보낸사람 보낸이 발신 발신인 발신자 מאת من المرسل จาก ผู้ส่ง dari pengirim saatja nuo no pošiljatelj
    pošiljalac šalje sender absender expéditeur mittente remitente remetente afzender avsändare afsender avsender nadawca odesílatel odosielateľ`,
  to: `to an à a para pour aan till til vastaanottaja do komu címzett către catre кому до kime alıcı προς παραλήπτης đến tới ngườinhận
    收件人 收件者 宛先 宛て 받는사람 받는이 수신 수신인 수신자 אל إلى الى ถึง ผู้รับ kepada ke za prima kam kellele empfänger destinataire destinatario destinatário
    ontvanger mottagare modtager mottaker adresat příjemce получатель одержувач`,
  date: `date datum data fecha dato päivämäärä päiväys pvm dátum дата tarih ημερομηνία ngày 日期 时间 時間 日時 날짜 일시 תאריך التاريخ วันที่ tanggal
    kuupäev dataora dataeora datahora`,
  sent: `sent senton datesent gesendet gesendetam envoyé envoyéle enviado enviadoel enviadaem enviadoem enviada inviato inviatoil verzonden verzondenop
    skickat sendt lähetetty wysłano wysłane odesláno odoslané elküldve küldve trimis отправлено датаотправки надіслано відправлено gönderildi gönderimtarihi
    gönderilmetarihi στάλθηκε απεστάλη ημερομηνίααποστολής đãgửi gửi gửilúc ngàygửi 发送时间 发送日期 已发送 傳送時間 傳送日期 寄件日期 寄送時間 送信日時 送信日
    보낸날짜 보낸시간 발신일시 발송일 נשלח נשלחב تاريخالإرسال تمالإرسال الإرسال أرسلت مرسل ส่ง ส่งเมื่อ dikirim terkirim poslano išsiųsta nosūtīts saadetud`,
  subject: `subject betreff betr objet asunto oggetto assunto onderwerp betreft emne ämne aihe temat předmět predmet tárgy subiect тема konu θέμα
    chủđề tiêuđề 主题 主題 主旨 标题 標題 件名 題名 제목 נושא הנדון الموضوع เรื่อง หัวเรื่อง subjek perihal teema tema zadeva efni`,
  other: `cc bcc cci cco ccn kopie copie copieà copia kopia kopi kopio copy dw udw másolat másolatotkap копия копія bilgi κοιν κοινοποίηση 抄送 副本 참조 숨은참조
    עותק نسخة สำเนา tembusan đồngkínhgửi replyto inreplyto antwortan répondreà respondera rispondia responderpara antwoordenaan svara svartil importance
    wichtigkeit priority priorität attachments anlagen anhänge piècesjointes organization messageid mailedby signedby security`,
};

const ROLES: ReadonlyMap<string, HeaderRole> = new Map(
  (["from", "to", "date", "sent", "subject", "other"] as const).flatMap((role) =>
    LABELS[role].split(/\s+/).map((label) => [label, role] as const),
  ),
);

/** The role of a header name in any of the languages; null for other words. */
export function roleOf(label: string): HeaderRole | null {
  return (
    ROLES.get(
      label
        .normalize("NFC")
        .toLowerCase()
        .replace(/[\s.*_'’-]+/g, ""),
    ) ?? null
  );
}

/** The word "wrote" in many languages, as mail programs write it in the line above a quote. */
const WRITTEN = [
  "wrote|writes|schrieb|schreibt|geschrieben|écrit|ecrit|escribió|escribio|scritto|scrive|escreveu|escrito|schreef|geschreven|skrev|skrifaði|kirjoitti",
  "napisa[łlo](?:\\(a\\)|/la|a)?|pisze|napsal(?:\\(a\\)|a)?|napísal(?:\\(a\\)|a)?|wiadomość napisana|írta|írt|a scris|написал(?:\\(а\\)|а)?|пишет|пише",
  "написав(?:\\(ла\\)|ла)?|написала?|написа|написао(?:/ла)?|yazdı|έγραψε|viết|menulis|rašė|rakstīja|kirjutas|va escriure|missatge de|escribiu",
  "כתבה?|כתב/ה|كتبت?|quoting|zitat von|citando a?|citeren van",
].join("|");

export const WROTE = new RegExp(
  `(?<![\\p{L}])(?:${WRITTEN})(?![\\p{L}])|写道|寫道|のメッセージ|のメール|書きました|작성|เขียน|تمت كتابة`,
  "iu",
);

/** Words of a person's own sentence about what someone wrote. No mail program writes them above a quote. */
export const SAYS_WHO =
  /(?<!\p{L})(?:i|we|you|he|she|they|it|who|which|what|my|our|your|this|that|these|please|thanks|ich|wir|sie|ihr|bitte|je|nous|vous|yo|nosotros|io|noi|ik|wij|jag|jeg|я|мы|вы|ми)(?!\p{L})/iu;

/**
 * The words with which mail programs begin the line above a quote, such as "On". They are needed to find that line
 * after a person's own text.
 */
export const LEADS =
  "On|At|Am|Le|El|Il giorno|In data|Em|Op|Den|På|W dniu|Dnia|Dne|Dňa|În data|Στις|Vào|Pada|Missatge|בתאריך|في|在|于";

const ORIGINAL = [
  "original (?:message|e-?mail|appointment)|ori?ginal-?nachricht|ursprüngliche (?:nachricht|e-?mail)|originele? bericht|oorspronkelijk bericht",
  "message (?:d['’]origine|original|initial)|mensaje original|mensagem original|messaggio original[ei]?|messaggio originario",
  "oprindelig (?:besked|meddelelse|mail)|opprinnelig (?:melding|e-post)|original(?:t)? meddelelse|ursprungligt meddelande|originalmeddelande",
  "alkuperäinen viesti|wiadomość oryginalna|oryginalna wiadomość|pierwotna wiadomość|původní (?:zpráva|e-mail)|pôvodná správa|eredeti üzenet",
  "mesajul? original|исходное сообщение|оригинальное сообщение|оригінальне повідомлення|вихідне повідомлення|orijinal (?:mesaj|ileti)|özgün ileti",
  "αρχικό μήνυμα|thư gốc|tin nhắn gốc|原始邮件|原邮件|原始郵件|原始信件|元のメッセージ|オリジナルメッセージ|원본 ?(?:메일|메시지)|원래 메시지|הודעה מקורית",
  "الرسالة الأصلية|ข้อความต้นฉบับ|pesan asli|izvorna poruka|originalna poruka|izvirno sporočilo|eesmaskiri|originalus laiškas",
].join("|");

const FORWARDED = [
  "forwarded (?:message|e-?mail|by)|weitergeleitete (?:nachricht|e-?mail|message)|message (?:transféré|transmis|réexpédié|réacheminé)",
  "mensaje reenviado|mensagem (?:re)?encaminhada|messaggio inoltrato|doorgestuurd bericht|videresendt? (?:besked|melding|meddelelse)",
  "videresendte (?:besked|melding|meddelelse)|vidarebefordrat (?:meddelande|brev)|(?:edelleen ?)?(?:välitetty|lähetetty) viesti",
  "przekazana wiadomość|wiadomość przekazana|přeposlaná zpráva|preposlaná správa|továbbított (?:üzenet|levél)|mesaj redirec[țt]ionat",
  "пересылаемое сообщение|пересланное сообщение|перенаправленное сообщение|переслане повідомлення|iletilen (?:mesaj|ileti)|yönlendirilmiş ileti",
  "προωθημένο μήνυμα|thư đã chuyển tiếp|tin nhắn được chuyển tiếp|转发的?邮件信?息?|轉寄的?郵件|転送(?:された)?メッセージ|전달된 ?(?:메일|메시지)",
  "הודעה שהועברה|رسالة (?:محولة|معاد توجيهها|مُعاد توجيهها)|pesan terusan|proslijeđena poruka|posredovano sporočilo",
].join("|");

const BEGINS = [
  "begin forwarded message|begin forwarded mail|anfang der weitergeleiteten (?:nachricht|e-mail)|début du message (?:réexpédié|transféré)",
  "inizio (?:del )?messaggio inoltrato|(?:inicio|comienzo) del mensaje reenviado|início da mensagem (?:re)?encaminhada|begin doorgestuurd bericht",
  "start på videresendt (?:besked|melding)|(?:vidarebefordrat|videresendt) (?:brev|mail)|(?:välitetty|edelleenlähetetty) viesti alkaa",
  "początek przekazywanej wiadomości|(?:začátek|začiatok) (?:přeposílané|preposielanej) (?:zprávy|správy)|továbbított levél kezdete",
  "начало переадресованного (?:сообщения|письма)|початок (?:пересланого|переадресованого) повідомлення|iletilen ileti başlangıcı",
  "αρχή προωθημένου μηνύματος|bắt đầu thư đã chuyển tiếp|下面是被转发的邮件|开始转发的邮件|開始轉寄郵件|転送されたメッセージ|전달된 메시지 시작",
].join("|");

const DECORATED = new RegExp(`^[\\s*]{0,8}[-–—‐−_=~#+•]{2,80}[\\s*]{0,8}(?:${ORIGINAL}|${FORWARDED})(?!\\p{L})`, "iu");
const ALONE = new RegExp(`^[\\s*_-]{0,8}(?:${BEGINS}|${ORIGINAL})[\\s*_]{0,8}[:：-]?[\\s*_]{0,8}$`, "iu");
const MAX_BANNER = 200;
const MAX_ALONE = 60;

/**
 * Whether a line separates an older email, such as "---- Original message ----" or "Begin forwarded message:". No one
 * writes below such a line.
 */
export function isBanner(line: string): boolean {
  return (
    line.length <= MAX_BANNER &&
    !/[.,;!?]$/.test(line) &&
    (DECORATED.test(line) || (line.length <= MAX_ALONE && ALONE.test(line)))
  );
}
