import { anyOf } from "./any-of.ts";
import { SPOKEN } from "./languages.ts";

/** The reason of a refusal. The patterns of `TEXTS` are tried in their order (rules/mail 7.4). */
export type Reason =
  | "CONTENT_REJECTED"
  | "AUTHENTICATION"
  | "BLOCKED"
  | "POLICY"
  | "RATE_LIMITED"
  | "MAILBOX_FULL"
  | "MAILBOX_DISABLED"
  | "MESSAGE_TOO_BIG"
  | "MOVED"
  | "USER_UNKNOWN"
  | "HOST_UNKNOWN"
  | "NOT_ACCEPTING"
  | "ROUTING"
  | "EXPIRED"
  | "NETWORK"
  | "SYSTEM"
  | "UNDEFINED";

export type Fault = "recipient" | "sender" | "content" | "network" | null;

export const FAULT_OF: Readonly<Record<Reason, Fault>> = {
  CONTENT_REJECTED: "content",
  AUTHENTICATION: "sender",
  BLOCKED: "sender",
  POLICY: "sender",
  RATE_LIMITED: "sender",
  MAILBOX_FULL: "recipient",
  MAILBOX_DISABLED: "recipient",
  MESSAGE_TOO_BIG: "content",
  MOVED: "recipient",
  USER_UNKNOWN: "recipient",
  HOST_UNKNOWN: "recipient",
  NOT_ACCEPTING: "recipient",
  ROUTING: "network",
  EXPIRED: "network",
  NETWORK: "network",
  SYSTEM: "network",
  UNDEFINED: null,
};

export const HARD: ReadonlySet<Reason> = new Set<Reason>(["MOVED", "USER_UNKNOWN", "HOST_UNKNOWN", "NOT_ACCEPTING"]);

/** "User unknown" and similar phrases. Content filters also use them after they have received the content. */
export const BARE_UNKNOWN =
  /\b(?:user unknown|unknown user|user is unknown|mailbox unavailable)\b(?! in \S{1,10} \S{1,12} table)/;

/**
 * The sentences for each reason. They expect text in lower case, on one line, without URLs and addresses. Every gap is
 * bounded, so each pattern runs in linear time. In some patterns `.` stands for a letter whose accent may have been
 * lost on the way.
 */
export const TEXTS: readonly (readonly [Reason, RegExp])[] = [
  [
    "CONTENT_REJECTED",
    anyOf(
      "",
      /\bvirus|malware|\binfected\b|phish|\bube\b|header error|improper use of 8-bit|8-bit data/,
      /attachments?\b.{0,40}(?:not (?:\w+ )?accept|not allowed|rejected|blocked|prohibited|forbidden|removed|guidelines)|(?:banned|prohibited|forbidden|executable) (?:file|attachment|content|url)/,
      /(?:message|mail|e-?mail|it) (?:\w+ ){0,3}(?:identified|detected|classified|considered|marked|flagged|tagged|recogni[sz]ed|rejected|refused|looks|appears|seems) (?:\w+ ){0,3}spam/,
      /spam (?:message|content|mail|detected|scor\w{1,3}|scale|level|threshold|probability|rejection)|(?:mail|message) content (?:denied|rejected)|forbidden words?|(?:considered|detected|identified|classified) (?:to be |as )?(?:spam|bulk|junk)|high probability of spam|bulk[- ]?(?:e-?)?mail|(?:attachment|file) types?\b.{0,40}(?:refused|rejected|not accept|not allowed|blocked)/,
      /content (?:was |is |has been )?(?:rejected|refused|not accepted|filter|restrict|presents|violat|blocked)|(?:due to|because of) (?:its |the )?(?:message )?content|unacceptable content/,
      /(?:suspicious|malicious|blacklisted|blocked|listed|forbidden) (?:url|link|uri|domain in)|contains? (?:a )?(?:url|link)s?\b.{0,30}(?:list|block|reject)/,
      /als spam (?:eingestuft|erkannt|abgelehnt)|d.tect. comme (?:spam|ind.sirable)|courrier ind.sirable|pi.ce jointe.{0,30}(?:interdite|bloqu|refus)|clasificado como spam|correo no deseado|contenido (?:rechazado|prohibido)|(?:rilevato|classificato) come spam|(?:detectado|classificado) como spam/,
      SPOKEN.CONTENT,
    ),
  ],
  [
    "AUTHENTICATION",
    anyOf(
      "",
      /\bspf\b|\bdkim\b|\bdmarc\b|domainkeys|sender ?id\b.{0,30}fail|sender policy framework/,
      /authentication requirements?|(?:dkim|domain|message|mail) ?signatures?\b.{0,40}(?:fail|invalid|missing|not verif)|unauthenticated (?:e?-?mail|sender|message)|(?:email|message|sender|domain|mail) (?:is |was )?(?:not |un)authenticated|authentication (?:checks?|information|results|failed for (?:the )?(?:domain|message))|fails? to pass authentication|required authentication level/,
    ),
  ],
  [
    "BLOCKED",
    anyOf(
      "",
      /(?:block|black|deny|reject|bad|white|grey ?listed by|allow|safe)[ -]?list|dnsbl|\brbls?\b|spamhaus|spamcop|barracuda|\bsorbs\b|surbl|uribl|abusix|senderscore|sender score|invaluement|\buceprotect/,
      /reputation|\bptr\b|reverse[ -](?:dns|lookup|mapping|hostname|address)|\brdns\b|banned\b|spam|unsolicited|\babus|user complaints/,
      /(?<!\b(?:mailbox|account|user|recipient|inbox) (?:is |was |has been )?(?:temporarily |currently )?)\bblock(?:ed|ing)\b|\bblock (?:your|this|the) (?:ip|host|domain|server)/,
      /(?:unknown|unresolvable) client|client host (?:rejected|blocked|unknown)|messages? from .{0,60}(?:weren't|were not|wasn't|was not) (?:sent|delivered|accepted)|\bip=\S{7,45} - |\((?:con|rly|dyn|hvu|rtr):\w{1,3}\)|(?:\bip|host|network|mail server)(?: address)?\b(?:(?!recipient|user|said).){0,40}(?:rejected|refused|not allowed|not permitted|denied|is listed|has been listed)|listed (?:in|at|by|on) \S{1,60}\.\S|invalid ip for sending|unverif[iy]able sending|may not be mail exchanger|dynamic (?:ip|address|host)|mail server .{0,30}(?:rejected|refused) due to/,
      SPOKEN.LISTED,
    ),
  ],
  [
    "POLICY",
    anyOf(
      "",
      /\brcpthosts\b|no relay\b|pop[- ]before[- ]smtp|not a gateway|(?:not|n't) (?:handle|accept|relay|take|process) (?:any )?(?:e-?)?mail for (?:this|that|the) domain|(?:not|n't) (?:handle|accept|relay|take|process) (?:any )?(?:e-?)?mail for \S{1,80}\.[a-z]{2,}|(?:e-?)?mail for \S{0,80} ?is not accepted|domain\b.{0,40}(?:not|isn't) (?:local|hosted|handled|served|accepted|configured)(?!.{0,30}(?:not exist|unknown))|not configured to (?:accept|receive|handle|relay) (?:e-?)?mail for|relay(?:ing)? (?:access |is |was )?(?:denied|not allowed|not permitted|prohibited|not authori[sz]ed|disabled|forbidden)|(?:unable|not allowed|not permitted|refus\w{1,3}|cannot|do not|don't|does not|doesn't|will not|won't) (?:to )?relay|not a (?:mail )?relay|mail relay\b|open relay|relaying/,
      /access (?:is )?denied|not authori[sz]ed|unauthori[sz]ed|permission|not permitted|(?<!(?:mailbox|user|recipient) name )not allowed|\bprohibit|\bpolic(?:y|ies)\b|restricted|administratively|administrative (?:lockout|prohibition|policy)|^(?:[45]\d\d )?denied\b|\baup#|^[\d. -]{0,12}(?:your |this )?(?:message|e-?mail|mail) (?:was |has been |is )?(?:rejected|refused|denied|not accepted)[.! ]*(?:(?:please )?(?:contact|see|visit|call|ask)\b.{0,200})?$|security (?:issue|reason|violation)/,
      /(?:starttls|\btls|\bssl|encryption)\b.{0,40}(?:required|not supported|needed|mandatory|first)|(?:require|must|support|need)s?\b.{0,30}(?:starttls|\btls\b|encryption)|requires? (?:\w+ )?authentication|authentication (?:is )?required|must authenticate|\bauth(?:entication)?\b.{0,30}(?:fail|unsuccessful|rejected|error)|(?:invalid|bad|incorrect|wrong) (?:credentials|login|user ?name or password|password)|\bcertificate\b/,
      /\bsenders?\b.{0,80}(?:rejected|denied|not exist|doesn't exist|not (?:be )?found|unknown|invalid|refused|verif|fail|not accepted|no (?:valid )?(?:mx|dns|a record)|not (?:be )?resolve|unresolvable|not a member)|(?:verify|no (?:valid )?(?:mx|dns)|not (?:be )?(?:find|found|resolve|verif\w{1,5})|cannot (?:find|resolve|verify)|unable to (?:find|resolve|verify))\b.{0,40}\b(?:the )?(?:sender|sending|originating|your (?:host|ip|domain|server|address|mail ?server|mx))|\bmail from\b.{0,20}\b(?:user |address |domain )?(?:unknown|invalid|not exist|doesn't exist|not found)|(?:rejected|denied|unknown|invalid|bad|unverified) sender|(?:from|sender) address|address is not verified|mail from .{0,60}(?:rejected|refused|denied)/,
      // A refusal about our name, our greeting or our headers is not about the recipient
      /\b(?:your|sending|sender'?s?|originat\w{2,4}|client|submitting)\b (?:\w+ ){0,2}?(?:ip|host(?: ?name)?|domain|server|mta|mx|mail ?box)\b.{0,60}(?:not|n't|unknown|invalid|missing|fail|un\w|\bno\b)|cannot resolve your|forged (?:helo|sender|mail|from)|headers? (?:is |are |was )?(?:invalid|missing|bad|malformed)|\b(?:helo|ehlo|message-?id|reply-?to|return[ -]path)\b.{0,40}(?:invalid|missing|bad|not |reject|refus)|(?:invalid|missing|bad|malformed) (?:\w+ ){0,2}?(?:helo|ehlo|header|message-?id|reply-?to|return[ -]path|from\b|date)|(?:not a|un)known sender|sender verif|call-?back verif|(?<!(?:call-?out|recipient) )verification failed for/,
      /not accept\w{0,3} (?:any )?(?:e-?mails?|mails?|messages?) from|recipient\S{0,2} preferences?|preferences of the recipient|(?:recipient|user|mail ?box|owner)\S{0,2} (?:refuses|rejects|blocks|only accepts?|accepts? only|accepts? internal|has (?:refused|rejected|blocked|opted))|(?:refused|rejected|blocked) by (?:the )?(?:mailbox owner|account owner)|\bsieve\b|not a member of|members? only|(?:rejected|refused|blocked|discarded) by (?:the )?(?:recipient|user)(?:'?s (?:\w+ )?(?:filters?|rules?|settings?|wishes))?(?= ?[.,;)]|$)|(?:recipient|user)\S{0,2} (?:has )?(?:chosen|opted|elected|configured)\b.{0,40}(?:not|reject|refus|block)/,
      /protocol violation|(?<!quota )violat(?:es|ion|ing)|in from:? header|not (?:rfc )?compliant|messages with multiple|(?:need|require)s? (?:fully[ -]qualified|fqdn)|(?:helo|ehlo) (?:command |name )?(?:was |is )?(?:rejected|refused)|\b(?:my|our|your) (?:helo |ehlo |host ?)?name (?:was|is|has been) (?:rejected|refused|not accepted)|(?:syntactically )?invalid (?:helo|ehlo) (?:name|argument|hostname)/,
      SPOKEN.SENDER,
      SPOKEN.DENIED,
    ),
  ],
  [
    "RATE_LIMITED",
    anyOf(
      "",
      /too many (?:\w+ ){0,2}(?:messages|mails|e-?mails|connections|recipients|requests|sessions|errors|commands|attempts|invalid|unknown)|too (?:much|fast|quickly|frequent)|\brate[ -]?limit|frequency limit|throttl|limit(?:ed)? rate|(?:at|exceed\w{0,3}) .{0,30}\brate\b|slow(?:ing)? down|gr[ea]ylist/,
      /(?:daily|hourly|sending|messages? per|outgoing|outbound)\b.{0,40}(?:limit|quota)|(?:limit|quota)\b.{0,40}(?:daily|hourly|per day|per hour|for sending)|temporarily (?:deferred|rate)|unexpected volume|unusual (?:rate|volume|amount)|try again later.{0,20}closing|service refused.{0,20}try later/,
      /zu viele|trop de (?:messages|connexions|destinataires)|demasiad[oa]s (?:mensajes|conexiones)|tropp[ie] (?:messaggi|connessioni)|muitas (?:mensagens|conex)|слишком много/,
    ),
  ],
  [
    "MAILBOX_FULL",
    anyOf(
      "",
      /over ?-?quota|quota (?:is |has been |was )?(?:exceed|full|reached|limit|violat)|(?:exceed\w{0,4}|over|beyond|reached) .{0,40}(?:quota|storage|allowed size|mailbox size|disk space)|quotaexceeded|disk ?quota|quota violation|mail ?box (?:size )?(?:limit|quota)|exhausted (?:\w+ ){0,2}storage|mail ?box has reached|hat zuviele mails/,
      /(?:mail ?box|inbox|mail ?drop|mail ?folder|account|maildir)\S{0,3} (?:is |was |has been |for \S{0,60} is )?(?:too |over|almost |currently |at )?(?:full|large|capacity|overloaded)|full (?:mail ?box|inbox)|not enough (?:storage|space|disk)|(?:space|storage|quota) (?:is )?not enough|out of (?:storage|space)|insufficient (?:mailbox|user) storage|mail ?box\S{0,3} (?:has )?exceed|storage (?:space |limit |quota )?(?:exceed|exhausted|is full|full)|has (?:no|insufficient) (?:space|storage|disk)|(?:not|n't) have (?:enough|sufficient) (?:\w+ ){0,2}(?:space|storage|room|disk)|overdrawn .{0,30}quota|no (?:space|room) left in (?:the |this )?(?:mail ?box|account|inbox)/,
      SPOKEN.FULL,
    ),
  ],
  [
    "MAILBOX_DISABLED",
    anyOf(
      "",
      /(?:account|mail ?box|user|recipient|address|e-?mail|inbox)(?:\(s\)|s)?(?: \S{0,60}?)? (?:is |are |has been |have been |was |were |been )?(?:currently |temporar(?:il)?y |permanently |now )?(?:disabled|suspended|inactive|deactivated|locked|frozen|closed|blocked|expired|terminated|discontinued|dormant|not active|not activated|on hold|archived|cancell?ed)\b/,
      /(?:disabled|inactive|suspended|expired|locked|deactivated|closed|frozen|dormant) (?:recipient|account|mail ?box|user|address|e-?mail)|temporar(?:il)?y locked|disabled or discontinued|mailbox disabled|account (?:is )?(?:currently |temporarily )?(?:not available|unavailable)|never logged on|suspend the service|domain (?:is |has been )?(?:currently )?suspended|no longer (?:active|in use|available|accept\w{0,3} (?:mail|message))/,
      /(?:konto|postfach).{0,40}(?:gesperrt|deaktiviert|stillgelegt|inaktiv)|(?:compte|bo.te).{0,40}(?:d.sactiv|suspendu|inactif|ferm)|(?:cuenta|buz.n).{0,40}(?:deshabilitad|desactivad|suspendid|inactiv)|(?:account|casella|utente).{0,40}(?:disabilitat|sospes|disattivat|scadut)|conta.{0,40}(?:desativad|suspens|inativ)|(?:ящик|аккаунт|уч[её]тн|пользовател).{0,40}(?:заблокирован|отключ|неактив)|停用|アカウント.{0,10}無効/,
    ),
  ],
  [
    "MESSAGE_TOO_BIG",
    anyOf(
      "",
      /(?:message|mail|body|content|size|header|line|data)s? (?:\w+ ){0,4}(?:too (?:big|large|long)|exceed)|exceeds? .{0,40}(?:message size|size limit|maximum (?:message|size|allowed))|max(?:imum)? (?:message|mail) size|message size|line (?:limit|length)|too big\b|larger than the/,
      /zu gro(?:ß|ss)|trop (?:grand|gros|volumineux|lourd)|taille maximale|demasiado grande|tama.o m.ximo|troppo grande|dimensione massima|muito grande|tamanho m.ximo|te groot|слишком больш|メールサイズ|邮件过大/,
    ),
  ],
  [
    "MOVED",
    anyOf(
      "",
      /\b(?:has|have|is|been) moved\b|mailbox (?:has )?moved|moved to (?:a )?(?:new|another|different)|no longer at\b|\b551 not our|changed (?:\w+ )?e-?mail address|(?:new|current) (?:e-?mail )?address (?:is|:)|forwarding address (?:is )?(?:known|:)/,
      /neue (?:e-?mail-?)?adresse (?:lautet|ist)|nouvelle adresse (?:est|:)|nueva direcci.n (?:es|:)|nuovo indirizzo (?:.|:)/,
    ),
  ],
  [
    "USER_UNKNOWN",
    anyOf(
      "",
      /(?:no such|unknown|invalid|bad|nonexistent|non-?existing|non-?existent|unrecogni[sz]ed|undefined|incorrect|illegal) (?:(?!domain|host)\w+ ){0,2}?(?:user|users|recipients?|receiver|mail ?box|mail ?boxes|address|addressee|local[- ]?part|alias|account|destination(?! (?:host|system|domain))|e-?mail|person|name|username|user ?id|id)\b/,
      /(?:user|recipients?|receiver|mail ?box|address|addressee|local[- ]?part|alias|account|e-?mail|inbox|person|username)\S{0,3}(?: \S{0,80}?)? (?:is |was |are |does |do |could |can |has |have )?(?:been )?(?:unknown|invalid|not (?:be )?(?:found|known|listed|recogni[sz]ed|valid|exist|present|registered|defined|a valid|local|here|hosted)|couldn't be found|cannot be found|can't be found|doesn't exist|not exist|n't exist|do not exist|non-?existent|nonexistent|undeliverable|rejected: undeliverable|no longer exist)/,
      // Matches "The address you entered couldn't be found", but not "the address, because its domain couldn't be
      // found"
      /(?:user|recipient|receiver|mail ?box|address|account)\S{0,3}(?: (?!because|domain|host|server|sender|your|from)\S{1,80}){0,5} (?:(?:couldn't|could not|cannot|can't|wasn't|was not|isn't|is not|wurde nicht) (?:be )?(?:found|located|recogni[sz]ed|verified|gefunden)|(?:does not|doesn't|no longer) exist)|\b(?:was not|wasn't) found at\b|not our customer|(?:mail ?box|user|account|person) (?:here )?(?:by|with|of) that name|has no (?:mail ?box|account)\b|\bno mail ?box$|\bnot known (?:here|at this)|\badress unknown/,
      /user unknown|unknown user|no mailbox (?:here|by|found|for)|recipnotfound|nosuchuser|does ?n.?o?t have an? (?:\S{1,80} ){0,2}?(?:account|mail ?box)\b|\brcpt\b[^.]{0,20}(?:doesn't|does not|not) exists?\b|\bno ?(?:one|body)\b.{0,20}\bby that name|not a local user|no (?:matching |valid )?(?:recipients?|mail ?box(?:es)?|users?|accounts?) (?:was |were )?found|(?:account|user|mail ?box|address|recipient)\S{0,2} (?:is |was |has |have |been ){0,3}(?:deleted|removed|retired)\b(?! from)|(?:user|recipient|address|mail ?box|account|person) (?:that )?you (?:\w+ ){1,5}(?:is|was) (?:unknown|invalid|not known|not valid)|(?:user|recipient|address|mail ?box|account)\S{0,3} (?:\w+ ){0,3}(?:not (?:present |listed |contained )?in (?:our|the|this|my)\b|no longer valid)|no longer an? (?:valid |known )?(?:user|address|recipient|mail ?box)|dd this user doesn.t have|not a (?:valid|known) (?:user|recipient|mailbox|address|account)|(?:couldn't|could not|can't|cannot|unable to) (?:find|locate|resolve|verify|validate) (?:\w+ ){0,3}(?:user|recipient|mailbox|address|account)|unable to verify (?:destination|recipient)|(?:mailbox|user) name (?:is )?not allowed|bad destination mailbox|mailbox unavailable|not listed in (?:\S{1,30} ){0,4}(?:directory|address book)|no valid recipients for this mm|user.{0,40}not (?:in|on) (?:this|the) (?:system|server|domain)/,
      SPOKEN.UNKNOWN,
    ),
  ],
  [
    "HOST_UNKNOWN",
    anyOf(
      "",
      /nxdomain|(?:host|domain)(?:name)?(?: or domain(?: name)?)? (?:not found|unknown)|(?:unknown|no such|invalid|bad|nonexistent|non-existent|illegal) (?:destination )?(?:host|domain|hostname|host\/domain)|(?:host|domain)\b.{0,60}(?:not found|does not exist|doesn't exist|couldn't be found|could not be found|not resolve|unresolvable|not (?:appear to be )?registered)|unroute?able|recipient domain must exist|no (?:valid )?mx\b|no (?:dns|mx|a|aaaa)(?:(?: or |\/|, ?)(?:mx|a|aaaa))* (?:entry|entries|records?)|unknown (?:mail |destination )host|no mx or a|(?:couldn't|could not|can't|cannot|unable to) (?:find|resolve|locate) (?:\w+ ){0,2}(?:host|domain|hostname)|couldn't find (?:any host|a mail exchanger)|domain (?:name )?(?:is )?not reachable\W{1,3}please check the domain|no mail exchanger|name or service not known|bad destination (?:system|host)/,
      SPOKEN.NO_DOMAIN,
    ),
  ],
  [
    "NOT_ACCEPTING",
    anyOf(
      "",
      /null ?mx|(?:host|domain|server|system|site)\S{0,2} .{0,60}(?:does not|doesn't|do not|never) (?:accept|receive) (?:any )?(?:e-?mail|mail|messages)(?! from)|(?<![\w.@])[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.[a-z]{2,18} (?:does not|doesn't) (?:accept|receive) (?:any )?(?:e-?)?mails?(?! (?:from|for))|(?:server|host|domain|system) accepts no (?:e-?)?mails?(?! from)|host\/domain does not accept|does not accept mail(?! from)|^521\b.{0,60}system not accepting network messages|smtp service (?:is )?not (?:offered|provided)|indicated no smtp service|(?:nimmt|akzeptiert) keine e-?mails? an|n'accepte (?:pas|aucun) (?:de )?(?:courrier|message|e-?mail)|no acepta correo|non accetta (?:posta|e-?mail)/,
    ),
  ],
  [
    "ROUTING",
    anyOf(
      "",
      /\bloop|too many (?:hops|received)|mx record points to local|number of '?received|hop (?:count|limit)|forwarded more than|maximum (?:number of )?(?:hops|forwards)|mis-?configur|configuration (?:error|problem)|routing (?:error|failure)|unable to route|schleife|boucle|bucle/,
    ),
  ],
  [
    "EXPIRED",
    anyOf(
      "",
      /gave up|giv(?:en|ing) up|retry (?:time|timeout|limit|period)|(?:message|envelope|delivery time|time to live|queue time|lifetime|delivery period) (?:has |was )?(?:expired|exceeded)|(?:undeliverable|delivered|deliver|in (?:the )?queue) (?:for|after|within|too long)|too long in (?:the )?queue|aborted after|delivery (?:time|period).{0,20}(?:expired|exceed)|message is too old/,
      /zeit.{0,20}berschritten|d.lai.{0,20}(?:d.pass|expir)|tiempo.{0,20}(?:agotado|excedido|expirado)|tempo.{0,20}(?:scaduto|esgotado|expirado)/,
    ),
  ],
  [
    "NETWORK",
    anyOf(
      "",
      /time[d]? ?-?out|connect(?:ion)? (?:was |is )?(?:refused|reset|closed|lost|dropped|failed|attempt)|lost connection|unreachable|no route to host|(?:could not|couldn't|cannot|unable to|not able to|failed to) (?:be )?connect|requests? to connect|socket error|network|\bdns (?:query|lookup|error|failure)|(?:lookup|resolution|name server|name service) (?:fail|error)|could not find a gateway|server (?:is )?(?:down|not responding|unavailable|busy)/,
    ),
  ],
  [
    "SYSTEM",
    anyOf(
      "",
      /\bdisk\b|can(?:'t|not) create|died with (?:status|signal)|\bldap\b|x-unix|insufficient (?:system )?(?:resources|storage|memory)|internal (?:server )?error|system (?:error|resources|failure|not accepting|problem)|out of memory|local (?:error|problem|configuration)|temporary (?:failure|error|problem|local)|mailer error|server error|resources (?:temporarily )?unavailable|remote protocol error|not implemented|service unavailable|cannot open|i\/o error|command failed/,
    ),
  ],
];
