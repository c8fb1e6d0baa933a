import { expect, test } from "@jest/globals";
import { verdictOfText } from "../../../domain/bounces/verdict.ts";

// In many languages, in both word orders
const GONE =
  "Unbekannter Empfänger|Unbekannter Benutzer|Der Benutzer existiert nicht|Die Adresse ist ungültig|" +
  "Ungültige Empfängeradresse|Empfängeradresse unbekannt|Kein solcher Benutzer|Das Postfach existiert nicht|" +
  "Kein Postfach unter diesem Namen|Diese E-Mail-Adresse gibt es nicht|utilisateur inconnu|" +
  "destinataire inconnu|adresse inexistante|adresse invalide|boîte inexistante|Aucun utilisateur de ce nom|" +
  "Cette adresse n'existe pas|Ce compte n'existe pas|le destinataire n'existe pas|usuario desconocido|" +
  "usuario inexistente|dirección inválida|dirección no válida|destinatario desconocido|no existe el usuario|" +
  "no existe el buzón|la cuenta no existe|buzón inexistente|utente sconosciuto|utente inesistente|" +
  "casella inesistente|destinatario sconosciuto|l'indirizzo non esiste|indirizzo non valido|" +
  "non esiste alcun utente con questo nome|usuário desconhecido|usuário inexistente|conta inexistente|" +
  "destinatário desconhecido|o endereço não existe|endereço inválido|caixa postal inexistente|" +
  "onbekende gebruiker|onbekende ontvanger|gebruiker onbekend|het adres bestaat niet|ongeldig adres|" +
  "geen gebruiker met die naam|nieznany użytkownik|nieznany odbiorca|nie ma takiego użytkownika|" +
  "nie ma takiego konta|adres nie istnieje|nieprawidłowy adres|brak takiego użytkownika|okänd mottagare|" +
  "okänd användare|mottagaren finns inte|adressen finns inte|ogiltig adress|ukendt modtager|ukendt bruger|" +
  "modtageren findes ikke|adressen findes ikke|ukjent mottaker|ukjent bruker|mottakeren finnes ikke|" +
  "tuntematon vastaanottaja|tuntematon käyttäjä|vastaanottajaa ei löydy|osoitetta ei ole|neznámý uživatel|" +
  "neznámý příjemce|uživatel neexistuje|adresa neexistuje|neplatná adresa|ismeretlen felhasználó|" +
  "ismeretlen címzett|a felhasználó nem létezik|érvénytelen cím|utilizator necunoscut|utilizator inexistent|" +
  "destinatar necunoscut|adresa nu există|bilinmeyen kullanıcı|böyle bir kullanıcı yok|geçersiz adres|" +
  "kullanıcı bulunamadı|alıcı bulunamadı|неизвестный пользователь|неизвестный получатель|" +
  "пользователь неизвестен|пользователь не найден|нет такого пользователя|такого пользователя не существует|" +
  "несуществующий адрес|адрес не существует|почтовый ящик не существует|невідомий користувач|" +
  "користувача не знайдено|немає такого користувача|адреса не існує|άγνωστος χρήστης|άγνωστος παραλήπτης|" +
  "ο χρήστης δεν υπάρχει|宛先不明|宛先が見つかりません|存在しないユーザーです|ユーザーが見つかりません|該当するユーザーが存在しません|このアドレスは存在しません|存在しないアドレス|" +
  "アドレスが無効です|用户不存在|收件人不存在|不存在该用户|没有此用户|无此用户|未知用户|无效的收件人|无效用户|地址不存在|收件人地址错误|找不到该用户|使用者不存在|信箱不存在|존재하지 않는 사용자|" +
  "사용자를 찾을 수 없습니다|없는 주소입니다|수신자가 존재하지 않습니다|유효하지 않은 주소|알 수 없는 사용자|משתמש לא קיים|المستخدم غير موجود|" +
  "عنوان غير صالح|người dùng không tồn tại|địa chỉ không tồn tại|pengguna tidak ditemukan|alamat tidak valid|" +
  "ไม่พบผู้ใช้";
const NO_DOMAIN =
  "Die Domain existiert nicht|Unbekannte Domain|Domain nicht gefunden|Host unbekannt|domaine inconnu|" +
  "le domaine n'existe pas|domaine introuvable|dominio desconocido|el dominio no existe|dominio inesistente|" +
  "il dominio non esiste|domínio inexistente|o domínio não existe|domein bestaat niet|onbekend domein|" +
  "domena nie istnieje|nieznana domena|domänen finns inte|domænet findes ikke|doména neexistuje|" +
  "домен не существует|неизвестный домен|домен не найден|ドメインが存在しません|ドメインが見つかりません|域名不存在|找不到域名|도메인이 존재하지 않습니다|" +
  "도메인을 찾을 수 없습니다";
const FULL =
  "Das Postfach ist voll|Postfach überfüllt|Speicherplatz überschritten|Quota überschritten|" +
  "Kein Speicherplatz im Postfach|boîte pleine|boîte aux lettres pleine|quota dépassé|" +
  "espace de stockage insuffisant|buzón lleno|el buzón está lleno|cuota excedida|se ha superado la cuota|" +
  "casella piena|la casella di posta è piena|quota superata|spazio esaurito|caixa postal cheia|" +
  "caixa de correio cheia|cota excedida|quota excedida|mailbox vol|het postvak is vol|quotum overschreden|" +
  "skrzynka pełna|skrzynka jest przepełniona|przekroczono limit skrzynki|brevlådan är full|postlådan är full|" +
  "postkassen er fuld|postkassen er full|innboksen er full|postilaatikko on täynnä|schránka je plná|" +
  "schránka je přeplněná|a postafiók megtelt|căsuța este plină|posta kutusu dolu|kota aşıldı|ящик переполнен|" +
  "почтовый ящик полон|превышена квота|скринька переповнена|το γραμματοκιβώτιο είναι πλήρες|メールボックスがいっぱいです|" +
  "メールボックスの容量オーバー|容量超過|邮箱已满|信箱已滿|邮箱空间不足|收件箱已满|사서함이 가득 찼습니다|메일함 용량 초과|תיבת הדואר מלאה|صندوق البريد ممتلئ|" +
  "hộp thư đã đầy|kotak surat penuh|กล่องจดหมายเต็ม";
const BLOCKED =
  "Ihre IP-Adresse steht auf einer Sperrliste|Ihr Server wurde gesperrt|Absender gesperrt|" +
  "votre adresse IP est bloquée|IP sur liste noire|expéditeur bloqué|su IP está en una lista negra|" +
  "remitente bloqueado|il suo IP è in una lista nera|mittente bloccato|IP na lista negra|remetente bloqueado|" +
  "uw IP staat op een zwarte lijst|afzender geblokkeerd|Twój adres IP jest zablokowany|IP na czarnej liście|" +
  "IP-адрес заблокирован|IP в чёрном списке|отправитель заблокирован|送信元IPがブラックリストに登録されています|送信者が拒否されました|" +
  "您的IP在黑名单中|发件人被拒绝|IP被拦截|발신 IP가 차단되었습니다";
const JUNK =
  "Die Nachricht wurde als Spam erkannt|Nachricht enthält einen Virus|Anhang nicht erlaubt|" +
  "message considéré comme spam|message détecté comme indésirable|mensaje clasificado como spam|" +
  "el mensaje contiene un virus|messaggio rilevato come spam|il messaggio contiene un virus|" +
  "mensagem classificada como spam|bericht als spam aangemerkt|bevat een virus|wiadomość uznana za spam|" +
  "meddelandet klassades som skräppost|письмо распознано как спам|сообщение содержит вирус|является спамом|" +
  "迷惑メールと判定されました|ウイルスが検出されました|邮件被判定为垃圾邮件|含有病毒|스팸으로 분류되었습니다|바이러스가 발견";
const DENIED =
  "Zugriff verweigert|Weiterleitung nicht erlaubt|nicht berechtigt|accès refusé|relais refusé|" +
  "non autorisé à envoyer|acceso denegado|no autorizado|retransmisión denegada|accesso negato|" +
  "inoltro non consentito|acesso negado|não autorizado|toegang geweigerd|relay niet toegestaan|" +
  "odmowa dostępu|brak uprawnień|åtkomst nekad|adgang nægtet|доступ запрещён|пересылка запрещена|" +
  "アクセスが拒否されました|中継が拒否されました|拒绝访问|禁止转发|접근이 거부되었습니다";
const NOT_THEIRS = [
  "La dirección IP es desconocida",
  "adresse IP inconnue",
  "Ihre IP-Adresse ist unbekannt",
  "IP-адрес не найден",
  "IP地址不存在",
  "送信元IPアドレスが見つかりません",
  "Absender unbekannt",
  "l'expéditeur n'existe pas",
  "remitente desconocido",
  "mittente inesistente",
  "отправитель не найден",
  "发件人不存在",
  "送信者が存在しません",
  "보낸 사람을 찾을 수 없습니다",
  "您的邮件无法发送到指定的地址，服务器遇到外部错误",
  "原因は不明ですが、ユーザーへの配信に失敗しました",
  "Die Adresse des Absenders ist ungültig",
  "пользователь отклонил ваше письмо, причина неизвестна",
];

const verdicts = (texts: string) => texts.split("|").map((text) => ({ text, ...verdictOfText(text, null) }));
const textsOf = (found: readonly { text: string }[]) => found.map(({ text }) => text);

test("an address or a domain that does not exist is a hard bounce in any language", () => {
  expect(textsOf([GONE, NO_DOMAIN].flatMap(verdicts).filter(({ type }) => type !== "HARD"))).toEqual([]);
});

test("a full mailbox is recognised in any language", () => {
  expect(textsOf(verdicts(FULL).filter(({ reason }) => reason !== "MAILBOX_FULL"))).toEqual([]);
});

test("a refusal about the sender or the content is not blamed on the recipient, in any language and after any address code", () => {
  const ours = [BLOCKED, DENIED, JUNK].flatMap((texts) => texts.split("|"));
  const found = ours.flatMap((text) =>
    [text, `550 5.1.1 ${text}`].map((said) => ({ text: said, ...verdictOfText(said, null) })),
  );
  expect(textsOf(found.filter(({ fault }) => fault !== "sender" && fault !== "content"))).toEqual([]);
});

test("an unknown sender or host address is not classified as an unknown recipient in any language", () => {
  expect(NOT_THEIRS.filter((text) => verdictOfText(text, null).type === "HARD")).toEqual([]);
});
