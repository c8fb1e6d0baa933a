/**
 * The words of refusals in languages other than English: nouns for whom or what a sentence is about, and words for what
 * it says about them, in either order. All patterns are lower-case; accents that may have been lost on the way are
 * written as `.`. Every gap is bounded, so each pattern runs in linear time.
 */
const WHO =
  "\\baddressee\\b|empf.{1,2}nger(?:adresse)?|benutzer|nutzer|postfach|konto|(?<!ip-)(?:e-?mail-?)?adresse|utilisateur|destinataire|bo.te(?: aux lettres)?|compte|usuario|destinatario|buz.n|cuenta|direcci.n|utente|casella|indirizzo|usu.rio|utilizador|destinat.rio|endere.o|caixa (?:postal|de correio)|conta\\b|gebruiker|ontvanger|postbus|postvak|u.ytkownik\\w{0,2}|odbiorc\\w|skrzynk\\w|kont[ao]\\b|mottagare\\w?|anv.ndare\\w?|brevl.da|modtager\\w{0,2}|bruger\\w{0,2}|mottaker\\w{0,2}|bruker\\w{0,2}|(?<!ip-)adress?\\w{0,2}|vastaanottaja\\w{0,2}|k.ytt.j.\\w?|osoite\\w{0,3}|u.ivatel\\w?|p..jemce|felhaszn.l.|c.mzett|c.m\\b|utilizator\\w{0,2}|destinatar\\w{0,2}|kullan.c.|al.c.(?!\\w)|пользовател[а-я]{1,3}|получател[а-я]{1,3}|адрес[а-я]{0,3}|ящик[а-я]{0,2}|користувач[а-яі]{0,2}|одержувач[а-яі]{0,2}|скриньк|χρήστη|παραλήπτη|διεύθυνση|ユーザー?|宛先|(?<!ip)アドレス|受信者|用户|收件人|邮箱|(?<!ip)地址|使用者|收件者|信箱|사용자|수신자|(?<!ip ?)주소|계정|משתמש|נמען|כתובת|مستخدم|مستلم|عنوان|người dùng|người nhận|địa chỉ|tài khoản|pengguna|penerima|alamat|ผู้ใช้|ผู้รับ|ที่อยู่";
const GONE =
  "unbekannt\\w{0,2}|nicht bekannt|existiert nicht|nicht gefunden|ung.ltig\\w{0,2}|nicht vorhanden|gibt es nicht|inconnue?s?\\b|introuvable|invalide|n'existe pas|inexistante?s?\\b|desconocid[oa]|no existe|inv.lid[oa]|no (?:es )?v.lid[oa]|no (?:se )?(?:ha )?(?:sido )?(?:podido )?encontr|in[ae]?[sx]istente|sconosciut[oa]|non esiste|non (?:(?:.|e'|è) stat[oa] )?trovat[oa]|possibile trovare|non (?:.|e'|è )?valid[oa]|desconhecid[oa]|n.o existe|n.o (?:foi |p.de ser )?(?:encontrad|localizad)|onbekende?|bestaat niet|niet (?:is |werd |kon worden |worden )?gevonden|ongeldige?|nieznan[ya]|nie istnieje|nie zosta\\S{0,2} (?:odnale|znale)|nieprawid.ow[ya]|nie znaleziono|ok.nda?\\b|finns inte|hittades inte|kunde inte hittas|inte (?:kunde )?hitta[ts]|ogiltig|ukendt|findes ikke|ikke (?:blev )?(?:fundet|funnet)|ukjent|finnes ikke|ugyldig|tuntematon|ei l.y(?:dy|tynyt)|virheellinen|nezn.m.|nen. zn.m|neexistuje|nebyla? nalezen|nebola n.jden|neplatn.|ismeretlen|nem l.tezik|nem tal.lhat|.rv.nytelen|necunoscut\\w?|inexistent\\w?|nu exist.|nu a fost g.sit|bilinmeyen|bilinmiyor|bulunamad.|ge.ersiz|неизвест[а-я]{1,4}|не найден|не существует|несуществующ|недейств|невідом|не знайден|не існує|недійсн|άγνωστ|δεν (?:βρέθηκε|υπάρχει)|見つかりません|見つけられません|存在しま?せん|存在しない|不存在|未找到|找不到|찾을 수 없|존재하지 않|유효하지 않|알 수 없는|לא (?:נמצא|קיים|ידוע)|غير (?:موجود|صالح|معروف)|không (?:tồn tại|tìm thấy|hợp lệ)|tidak (?:ditemukan|dikenal|valid)|ไม่พบ";
/** Words that mean "does not exist" only close to the noun, because they are common elsewhere too. */
const GONE_CLOSE = "不明|無効|无效|無效|未知|错误|有误|없는|ei ole|yok(?!\\w)|tidak ada|ไม่มี";
const NONE_SUCH =
  "kein\\w{0,2} (?:solch\\w{0,2} )?(?:benutzer|empf|postfach|konto)|nicht gefunden werden|auc[uo]n (?:utilisateur|destinataire|compte)|geen (?:zodanige )?(?:gebruiker|postbus|account)|(?:nie ma|brak) takiego|ing(?:et|en) s.dan|(?:нет|немає) такого|такого (?:пользовател|адрес|ящик)[а-я]{1,3} не|böyle bir (?:kullan|al.c|adres)|non esiste alcun|no existe (?:el|la|ese|este|dicho)|使(?:わ|用さ)れて(?:おりません|いません)|(?:无此|没有此|查无此|没有该|不存在该?)(?:用户|人|邮箱|收件人|地址)";
const DOMAIN =
  "domaine?\\b|dom.ne\\b|dominio|dom.nio|domein|domen[ay]|dom.ne[nt]\\b|dom.na\\b|домен[а-я]{0,2}|ドメイン|域名|도메인|\\bhost(?:name)?\\b";
const SENDER =
  "absender\\w{0,6}|exp.diteur|remitente|mittente|remetente|afzender|nadawc\\w|avs.ndare\\w?|afsender\\w{0,2}|avsender\\w{0,2}|l.hett.j.\\w?|odes.latel\\w?|felad.|expeditor|g.nderen|отправител[а-я]{1,3}|відправник[а-яі]{0,2}|αποστολέα|送信者|差出人|送信元|发件人|寄件者|寄件人|发送方|보낸 ?사람|발신|المرسل|השולח|(?:adresse|direcci.n|indirizzo|endere.o|adres|adresa|адрес) ip|ip[- ]?(?:adress|adres|адрес|地址|アドレス|주소)";
const OUR_PLACE = `${SENDER}|\\bip\\b|ip-|\\bip(?=\\S?[^\\x00-\\x7f])|server|serveur|servidor|сервер|サーバ|服务器|서버`;
const BARRED =
  "gesperrt\\w{0,2}|blockiert\\w{0,2}|geblockt|bloqu|bloccat|bloquead|geblokkeerd|zablokowan|blockerad|blokeret|blokkert|blokov|letiltv|blocat|engellen|заблок|блокован|αποκλεισ|拒否|ブロック|拦截|拒绝|封锁|차단|거부";
const LISTS =
  "sperrliste|schwarze[rn]? liste|liste noire|lista negra|lista nera|zwarte lijst|czarn\\w{1,3} li.\\w{1,3}|svarta? lista?|ч[её]рн\\S{1,4} спис|黑名单|黑名單|ブラックリスト|블랙리스트|차단 목록";
const ACCESS =
  "zugriff|acc.s|acceso|accesso|acesso|toegang|dost.pu?\\b|.tkomst|adgang|tilgang|доступ|アクセス|访问|접근";
const RELAY =
  "weiterleitung|relais|relay|retransmisi.n|inoltro|retransmiss|doorsturen|przekazyw|пересылк|ретрансляц|中継|转发|중계";
const DENIED =
  "verweigert|nicht erlaubt|nicht zul.ssig|refus|interdit|deneg|negat|negad|non consentit|no permitid|n.o permitid|geweigerd|niet toegestaan|odmow|zabronion|nekad|n.gtet|avvist|nektet|запрещ|заборон|拒否|拒绝|禁止|거부";
const RIGHTS =
  "nicht (?:berechtigt|autorisiert|erlaubt)|richtlinie|non autoris|politique de|no autorizad|pol.tica de|non autorizzat|n.o autorizad|niet bevoegd|brak uprawnie|ej beh.rig|ikke tillad|ikke tillat|не разреш|нет прав|политик|許可され|权限|권한";
const BOX =
  "postfach|mailbox|mailboks|bo.te|buz.n|casella|cassetta|caixa|postbus|postvak|skrzynk\\w|brevl.da\\w?|postl.da\\w?|inkorg|innboks\\w?|postkasse\\w?|postilaatikko|schr.nk\\w|postafi.k|postal.da|c.su.a|kutusu|ящик[а-я]{0,2}|скриньк\\S{0,2}|γραμματοκιβώτιο|メールボックス|受信箱|邮箱|信箱|收件箱|사서함|메일함|תיבת הדואר|صندوق البريد|hộp thư|kotak (?:surat|masuk)|กล่องจดหมาย";
const FULL =
  "\\bvoll\\b|.berf.llt|pleine?s?\\b|satur|llen[oa]|pien[oa]|chei[oa]|\\bvol\\b|pe.n[aey]\\b|przepe.nion|\\bfull|\\bfuld|t.ynn|pln.(?!\\w)|p.epln.n|megtelt|tele\\b|plin.(?!\\w)|dolu\\b|переполнен|полон|заполнен|переповнен|πλήρες|いっぱい|満杯|オーバー|已?[满滿]|가득|꽉|מלא|ממتلئ|ممتلئ|đầy|penuh|เต็ม";
const QUOTA =
  "quota|quotum|cuota|cota\\b|kota\\b|квот[а-я]{0,2}|limit skrzynki|speicherplatz|espace|spazio|espacio|espa.o|容量|空间|용량";
const EXCEEDED =
  ".berschritten|d.pass|superat|excedid|superad|overschreden|przekrocz|a..ld.|превыш|esaurit|insuffisant|insuficiente|kein\\w{0,2} (?=speicher)|超|オーバー|不足|초과";
const JUNK =
  "迷惑メール|スパム|垃圾邮件|垃圾郵件|является спам|распознан\\S{0,2} как спам|skr.ppost|s.ppelpost|roskaposti|스팸|ウイルス|病毒|вирус|바이러스";

/** One pattern for each reason, used in addition to those of `TEXTS`. */
export const SPOKEN = {
  CONTENT: new RegExp(JUNK),
  LISTED: new RegExp(`${LISTS}|${wordsNear(OUR_PLACE, BARRED, 40).source}`),
  /** "Unknown" and similar words, if they are about the sender. */
  SENDER: wordsNear(SENDER, `${GONE}|${BARRED}`, 25),
  DENIED: new RegExp(`${wordsNear(`${ACCESS}|${RELAY}`, DENIED, 25).source}|${RIGHTS}`),
  FULL: new RegExp(`${wordsNear(BOX, FULL, 40).source}|${wordsNear(QUOTA, EXCEEDED, 25).source}|quota d.pass|cuota`),
  UNKNOWN: new RegExp(`${wordsNear(WHO, GONE, 40).source}|${wordsNear(WHO, GONE_CLOSE, 4).source}|${NONE_SUCH}`),
  NO_DOMAIN: new RegExp(`${wordsNear(DOMAIN, GONE, 40).source}|${wordsNear(DOMAIN, GONE_CLOSE, 4).source}`),
} as const;

/** Matches two words near each other, in either order and within one clause. */
function wordsNear(one: string, other: string, gap: number): RegExp {
  const between = `(?:[^.,;!?、。，；！？]|,(?= (?:is|ist|est)\\b)){0,${gap}}?`;
  return new RegExp(`(?:${one})${between}(?:${other})|(?:${other})${between}(?:${one})`);
}
