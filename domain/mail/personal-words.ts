const MAX_TEXT = 2_000;

/** Questions that notes of absence use too, such as "Is it urgent?". */
const ASKED_BY_NOTES =
  /(?:urgent|emergency|(?:need|require|want) (?:\S{1,12} ){0,4}(?:help|assistance|support|answer|response|reply)|(?:have|any|more) (?:\S{1,12} ){0,2}questions|dringend|notfall|(?:haben sie )?(?:noch )?fragen|urgence|besoin d['’]aide|urgente|¿necesita ayuda|urgenza|serve aiuto|precisa de ajuda|spoed|hulp nodig|akut|pilne|срочно|вопросы)\s?[?？]/giu;
const LINK = /(?:https?:\/\/|www\.|mailto:)\S{1,2000}/gi;

/**
 * Words with which a person answers, asks or proposes something. A note of absence does not use them; it thanks for the
 * email and names another contact.
 */
const SAID = [
  // Interest, or lack of it
  "(?<!your )(?<!ihr )(?<!if you are )(?<!if you're )interested|not (?:relevant|for us|a fit|a good fit|at this time|right now|needed)|no,? thank|sounds? (?:good|great|interesting|like)|nein,? danke|nee,? (?:dank|bedankt)|non,? merci|nej,? ta(?:k|ck)|nei,? takk|nie,? dziękuj|ne,? děkuj|нет,? спасибо|ні,? дякую|hayır,? teşekkür|όχι,? ευχαριστ|不用了|結構です|괜찮습니다|tell me more|looks? (?:good|great|interesting|neat|cool|nice|promising|useful|like)|nice (?:timing|one|idea|work|pitch)|\\bi (?:just |have |'ve )?(?:got|saw|seen|read|received) your|count me in|(?:we|i) (?:already|currently|actually) (?:use|have|work|do|got)|(?:we|i) (?:do not|don't) (?:need|use|want|think|see|have (?:a |any )?(?:need|budget|time|interest))|(?:we|i)(?: would|'d) (?:love|prefer|like to (?:see|know|hear|talk|learn|discuss|book|schedule|meet|try|have))|(?:we|i) (?:want|need) to (?:see|know|talk|try|discuss)",
  "interessiert|(?:klingt|hört sich|finde ich|sehr) (?:gut|spannend|interessant)|kein(?:en)? (?:interesse|bedarf)|(?:haben|hätten|habe|hätte) (?:\\S{1,12} )?interesse|wir (?:nutzen|haben|verwenden|arbeiten|brauchen) (?:bereits|schon|das|es|keine)",
  "intéressée?s?|m['’]intéresse|nous intéresse|pas besoin|nous (?:utilisons|avons déjà)|interesad[oa]s?|me interesa|nos interesa|no,? gracias|ya (?:tenemos|usamos)|interessat[oaie]|(?:mi|ci) interessa|no,? grazie|interessad[oa]s?|(?:me|nos) interessa|não,? obrigad|já (?:temos|usamos)",
  "geïnteresseerd|geen interesse|klinkt (?:goed|interessant)|intresserad|låter (?:bra|intressant)|inget intresse|interesse(?:ret|rt)|lyder (?:godt|bra|spændende|interessant)|ingen interesse|kiinnosta|kuulostaa|zainteresowan|brzmi (?:dobrze|ciekawie)|zajímá|zní (?:dobře|zajímavě)|(?:mám|máme) zájem|érdekel|jól hangzik|interesat|sună (?:bine|interesant)",
  "интересно|интересует|заинтересован|звучит|не нужно|цікав(?:о|ить)|зацікавлен|ilgileni|ilgimi|kulağa|ενδιαφέρ(?:ομαι|ει|ον)|quan tâm|tertarik|感兴趣|感興趣|有兴趣|有興趣|不需要|听起来|興味(?:が|は|あり|ございます)|関心(?:が|あり)|관심(?:이|은|있)|필요(?:하지|없)|מעוניי|מעניין|נשמע|لا? ?يهمن[اي]|مهتم|สนใจ",
  // Proposals and wishes
  "let'?s |shall we|how about|what about|why don't (?:we|you)|(?:could|can|may|might|should) (?:we|i|you and i)\\b|(?:we|you and i) (?:can|could|should|might) (?:\\S{1,10} )?(?:talk|speak|meet|chat|discuss|call|have|do|catch|connect)|(?:could|would|can|will) you (?!be |find |reach |contact |also |still )(?:please )?(?:send|share|call|tell|give|let|explain|show|write|ping|remind|follow|come|try|drop|book|schedule|resend|provide)",
  "(?:please|pls|do|kindly|just) (?:send|share|give|tell|explain|show|remind|follow up|try|ping|drop|book|schedule|come|write)|send (?:me|us|over|it|them|the|your|some|more|through|along)|(?:works|suits|is (?:fine|good|ok)|would work|is best|be (?:good|great|fine)) (?:for|with|by)? ?(?:me|us)|(?:happy|glad|love|like|keen|pleased|open) to (?:talk|speak|meet|chat|discuss|have|learn|hear|see|connect|know|explore|take|jump|hop)",
  "look(?:ing)? forward to (?!my return|getting back|your (?:e-?mail|message))|(?:follow up|circle back|reach out|check back|ping me|remind me|try me|call me|talk|speak|meet|chat|catch up|connect|reconnect|touch base) (?:\\S{1,10} ){0,3}(?:then|after|on|next|when|in|again|once|mid|early|later|tomorrow|this|at)\\b(?! (?:urgent|my (?:return|absence)|[+(0]|\\d{3}))",
  "(?:können|könnten|wollen|sollen|dürfen|würden) (?:wir|sie|ich)|(?:lassen|sprechen|telefonieren|melden) (?:sie|wir) (?:uns |sich )?(?:\\S{1,12} ){0,3}(?:danach|dann|ab|am|im|nächste|anschließend|darüber|gern)|(?:schicken|senden|schreiben|rufen|erzählen|nennen|teilen) sie (?:mir|uns|mich)|passt (?:mir|uns|es|gut)|gerne? (?:mehr|am|telefon|sprech|ein)|wie wäre|vorschlag|freue mich (?:auf|über)",
  "(?:pouvons|pourrions|pourriez|pouvez|voulez|auriez)-(?:nous|vous)|(?:envoyez|appelez|rappelez|recontactez|écrivez|dites|parlons|discutons|convenons|tenez)(?:-| )|on peut (?:se|en)|me convient|nous convient|(?:podemos|podríamos|podría|podrían|puede|pueden) (?:usted )?(?:hablar|llamar|enviar|mandar|ver|reunir|agendar|explicar|contar|concretar)|(?:envíe|envía|mánde|mánda|lláme|lláma|cuénte|cuénta|escríba|escríbe|mande|envie)(?:me|nos|n|ns)|(?:me|nos) (?:viene bien|parece|gustaría|encantaría)|hablamos|hablemos|quedamos",
  "(?:possiamo|potremmo|potrebbe|può|riesce a|vuole) (?:\\S{1,10} )?(?:sentir|parlar|inviar|mandar|veder|chiamar|fissar|spiegar)|(?:mi|ci) (?:invii|mandi|chiami|richiami|va bene|piacerebbe|può)|sentiamoci|parliamone|vediamoci|(?:podemos|poderíamos|pode|poderia|podem) (?:\\S{1,10} )?(?:falar|conversar|enviar|mandar|ligar|marcar|explicar|ver)|(?:me|nos) (?:envie|mande|ligue|liga|conte)|vamos (?:falar|conversar|marcar)|gostaria|gostaríamos|adoraria|combina",
  "(?:kunnen|zullen|kunt|kan|wilt|zou|zouden) (?:we|wij|u|je|ik) (?:\\S{1,10} ){0,3}(?:spreken|bellen(?! (?:met|naar|op|via) (?:\\p{L}{1,8} )?[+0])|sturen|afspreken|praten|plannen|mailen|toelichten)|(?:stuur|bel|vertel|mail|laat) (?:me|mij|ons|gerust)|(?:komt|past) (?:me|mij|het|ons|goed)|laten we|(?:kan|ska|skal|skulle|kunne) (?:vi|du|jeg|jag) (?:\\S{1,10} ){0,2}(?:prata|tala|ring|skicka|send|snak|snakk|mød|møt|ses|tage|ta |boka|book)|(?:skicka|ring|berätta|send|fortæl|fortell) (?:mig|meg|oss|os|gärna|gerne)|passar (?:mig|oss|bra)|passer (?:mig|meg|os|oss|fint|bra)|voimmeko|voisimmeko|voitko|voisitko|lähetä|sopii",
  "(?:czy )?(?:możemy|moglibyśmy|mógłby|mogłaby|może) (?:\\S{1,10} )?(?:porozmawiać|zadzwonić|spotkać|wysłać|przesłać|pan|pani|umówić)|(?:proszę|prosze) (?:\\S{1,10} )?(?:przesłać|wysłać|zadzwonić|przysłać|napisać|o (?:ofertę|więcej|przesłanie|informac))|pasuje|(?:můžeme|mohli bychom|můžete|mohl byste) (?:\\S{1,10} ){0,2}(?:zavolat|mluvit|sejít|poslat|promluvit)|pošlete|zavolejte|hodí se|(?:tudnánk|tudna|beszélhet|küldje|hívjon)|(?:putem|am putea|puteți|ați putea) (?:\\S{1,10} ){0,2}(?:vorbi|trimite|suna)|trimiteți|convine",
  "(?:можем|могли бы|можете|сможем|давайте|пришлите|отправьте|позвоните|расскажите|напишите|созвонимся|поговорим|подойд[её]т|удобно)(?!\\p{L})|(?:можемо|могли б|можете|давайте|надішліть|зателефонуйте|розкажіть|зідзвонимось)(?!\\p{L})|(?:konuşabilir|görüşebilir|gönderebilir|arayabilir|gönderin|arayın|görüşelim|konuşalım|uygun(?:dur)?)(?!\\p{L})|(?:μπορούμε|μπορείτε|θα μπορούσα|στείλτε|ας μιλήσουμε)",
  "có thể (?:\\S{1,10} )?(?:nói chuyện|gửi|gọi|trao đổi|gặp)|hãy gửi|bisakah|kirimkan|可以(?:聊|谈|談|打|发|發|约|約|通话)|(?:能否|能不能|请发|請發|请寄|請寄|我们聊|期待)|(?:いただけますか|いただけませんか|お願いできますか|可能でしょうか|いかがでしょうか|送ってください|お送りください|お話し(?:したい|できれば|させて))|(?:가능할까요|가능하신가요|보내 ?주(?:세요|시)|통화(?:할|하)|이야기(?:할|하))|(?:אפשר|נוכל|אשמח|תוכל(?:ו|י)?|שלח(?:ו|י)? לי|בוא(?:ו)?) (?:\\S{1,10} ){0,2}(?:לדבר|לשוחח|לקבל|לשמוע|להיפגש|לשלוח|פרטים|נדבר|נקבע)|(?:هل يمكن|يمكننا|أرسل(?:وا)? لي|دعنا|أود)",
  // Words about our email, or about the past
  "your (?:offer|product|service|proposal|pricing|price|prices|demo|tool|platform|solution|pitch|quote|company|team)\\b|\\b(?:was|were|have been|had been|got back|came back) (?:\\S{1,10} ){0,3}(?:out of|away|on (?:\\S{1,10} )?(?:leave|vacation|holiday))|back from (?:leave|vacation|holiday|my)|sorry (?:for|about) (?:the|my|not)|(?:ihr|ihre|ihrem|ihren) (?:angebot|produkt|lösung|vorschlag|preis)|war (?:\\S{1,12} ){0,3}(?:im urlaub|abwesend|nicht im|außer haus)|votre (?:offre|produit|solution|proposition|tarif)|j['’]étais|su (?:oferta|producto|propuesta|solución)|estuve|estaba|la (?:sua|vostra) (?:offerta|proposta|soluzione)|sua (?:oferta|proposta|solução)|uw (?:aanbod|product|voorstel|aanbieding)",
  // Someone else's absence
  "(?:my|our) (?!office)(?:\\S{1,15} ){1,2}(?:is|are) (?:\\S{1,10} ){0,2}(?:away|out|on )|(?:mein|meine|unser|unsere) (?:\\S{1,15} ){1,2}(?:ist|sind) (?:\\S{1,12} ){0,4}(?:im urlaub|abwesend|nicht)|(?:mon|ma|notre) \\S{1,15} est (?:\\S{1,10} )?(?:absent|en )|(?:mi|nuestro|nuestra) \\S{1,15} está (?:de|fuera|ausente)",
].join("|");
const SAYS = new RegExp(`(?:${SAID})`, "iu");
const YES_OR_NO =
  /^(?:(?:hi|hello|hey|dear|hallo|bonjour|hola|ciao|olá|hej|guten tag)[^\n,]{0,40}[,!\n]\s{0,4})?(?:(?:yes|yep|yeah|sure|okay|can't|cannot)(?!\p{L})|(?:ok|no|nope|perfect|great|ja|nein|oui|non|sí|sì|sim|não|nee|nej|nei|kyllä|tak|nie|ano|ne|igen|nem|da|nu|да|нет|так|ні|evet|hayır|ναι|όχι|好的|はい|いいえ|네|아니요|כן|לא|نعم|لا)(?:[,.!，。、]|\s*$))/imu;

/**
 * Whether a text answers, asks or proposes, as only a person who replies does (rules/mail 9.3). `text` is the email's
 * own text, without quotes and signature.
 */
export function isPersonal(text: string): boolean {
  const plainText = plainOf(text);
  return /[?？؟]/.test(plainText) || answersOrProposes(plainText);
}

/**
 * Whether a text answers or proposes something. A question alone does not count, because help desks ask questions too.
 */
export function answersOrProposes(text: string): boolean {
  const plainText = plainOf(text);
  return YES_OR_NO.test(plainText.trim()) || SAYS.test(plainText);
}

function plainOf(text: string): string {
  return text.slice(0, MAX_TEXT).replace(LINK, " ").replace(/[’‘`]/g, "'").replace(ASKED_BY_NOTES, " ");
}

const GREETING =
  /^\s*(?:hi|hello|hey|dear|hallo|hoi|beste|liebe[r]?|lieber|sehr geehrte[r]? (?:frau|herr)|guten (?:tag|morgen) (?:frau|herr)|bonjour|cher|chère|hola|estimad[oa]|ciao|gentile|olá|prezad[oa]|car[oa]|hej|kære|hei|moi|cześć|dobrý den|szia|kedves|bun[ăa]|здравствуйте|привет|добрый день|вітаю|merhaba|sayın|γεια σ(?:ου|ας)|chào|היי|שלום|مرحبا)[,\s]+(?!(?<=,\s)(?:\p{Lu}\S{0,20}\s){1,3}\p{Ll})(?!(?:sender|sir|madam|all|there|everyone|team|customer|colleagues?|friends?|user|client|reader|absender|damen|kund\p{L}*|kolleg\p{L}*|alle|allen|zusammen|madame|monsieur|tou[st]\p{L}*|todos|todas|cliente\p{L}*|señor\p{L}*|tutti|amig\p{L}*|allemaal|relatie|afzender|alla|kaikki)(?!\p{L}))\p{Lu}\p{Ll}/u;

/** Whether the text greets someone by name, which a machine does not know. */
export function greetsSomebody(text: string): boolean {
  return GREETING.test(text.slice(0, 200).replace(/^\s*\p{L}/u, (first) => first.toLowerCase()));
}
