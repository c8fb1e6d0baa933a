/** Names of block lists and reputation services, as labels of their host names. */
const SERVICES =
  "spamhaus|spamcop|sorbs|barracudacentral|uceprotect|abuseat|surbl|uribl|invaluement|senderscore|senderbase|backscatterer|spamrats|psbl|abusix|njabl|dsbl|ordb|spews|mail-abuse|mailspike|manitu|nixspam|spamcannibal|five-ten-sg|spfbl|0spam|hostkarma|junkemailfilter|gbudb|ivmsip|wpbl|ahbl|tqmcube|trustedsource|talosintelligence|reputationauthority|rfc-ignorant|rfc-clueless|orbs|orbz|blackholes?|ipremoval|spameatingmonkey|lashback|zapbl|blocklist|blacklist";
/** Labels of the DNS zones in which block lists are queried. */
const ZONES = "dnsbl|dnsrbl|rbl|rhsbl|bl|sbl|xbl|cbl|pbl|blacklists?|blocklists?|denylist|delist|unblock";
const NAMED = new RegExp(
  String.raw`(?:^|[./])(?:(?:${ZONES})\d{0,3}\.(?=[\w-]{1,63}\.)|(?:[\w-]{1,40}\.){0,4}(?:${SERVICES})\.[a-z]{2,12}\b)`,
);
const HOSTS = /(?:https?:\/\/|(?<![\w@.-]))((?:[a-z0-9][\w-]{0,62}\.){1,8}[a-z]{2,18})\b/g;
const REMOVERS =
  /\b(?:remov\w{1,5}|unblock\w{0,3}|delist\w{0,3}|blocked|rbl|dnsbl|abuse|blacklist)[\w.+-]{0,40}@((?:[a-z0-9][\w-]{0,62}\.){1,8}[a-z]{2,18})\b/g;

/**
 * Whether a refusal names a block list by its host, in words or as a link. Then the refusal is about the sender,
 * whatever its code says about the recipient. A person may have an email address at such a host, so an email address
 * counts only when removals are requested there. `text` is lower-case.
 */
export function namesBlockList(text: string): boolean {
  for (const hosts of [HOSTS, REMOVERS]) {
    for (const [, host = ""] of text.matchAll(hosts)) if (NAMED.test(host)) return true;
  }
  return false;
}
