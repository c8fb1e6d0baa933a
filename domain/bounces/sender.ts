import type { Inbound } from "../mail/inbound.ts";

const ADDRESS =
  /^(?:mailer-?daemon|mail-?daemon|post[-_]?master|mdaemon|maildaemon|mail[._-]delivery[._-](?:system|subsystem)|administrator|bounces?)(?:@|$)/;
const NAME =
  /mailer.daemon|mail delivery (?:system|subsystem|service)|delivery (?:system|subsystem|agent)|post_?master|system administrator|mail (?:administrator|router|system|server)$|internet mail delivery|zustellsystem|syst.me de (?:remise|distribution)|sistema de (?:entrega|correo)|sistema di (?:recapito|posta)|почтовая система|系统管理员|邮件系统|メール配信/i;
/**
 * Names of systems that also send other email. An email from them counts as a report only if its content shows that.
 */
const SYSTEM_ADDRESS =
  /(?:^|[._+-])(?:no[._-]?reply|do[._-]?not[._-]?reply|daemon|mailer|postmaster|post_master|smtp|mta|gateways?|antivirus|ndr|dsn|notif(?:y|ier|ication|ications)|delivery|bounces?|undeliver\w{0,6})(?=$|[._+\d-])/;
const SYSTEM_NAME =
  /\b(?:mail|e-?mail|smtp|message|delivery|anti-?virus)[ _-]?(?:service|gateway|system|server|router|agent|filter|firewall|appliance|scanner|security|administrator|notification)s?\b|no-?reply|system administrator|配信|自動送信/i;

/**
 * Whether a mail server wrote the email: it has a null return path, a name that only systems have, or a header that
 * only Exim and Gmail set (rules/mail 7.1).
 */
export function isAutomaticSender(message: Inbound): boolean {
  if (message.returnPath === "" || message.headers.has("x-failed-recipients")) return true;
  const address = message.from?.address ?? "";
  if (ADDRESS.test(address) || NAME.test(message.from?.name ?? "")) return true;
  return /^<?(?:mailer-daemon|postmaster)\b/i.test(message.headers.get("return-path")?.[0] ?? "");
}

/**
 * Whether the sender's name or address is that of an automatic system that also sends email other than delivery
 * reports.
 */
export function isSystem({ from }: Pick<Inbound, "from">): boolean {
  const local = (from?.address ?? "").split("@")[0] ?? "";
  return SYSTEM_ADDRESS.test(local) || SYSTEM_NAME.test(from?.name ?? "");
}

/** Whether a From line, with name and address in one text, belongs to a mail server. */
export function isDaemon(from: string): boolean {
  return NAME.test(from) || /(?:^|[<\s"])(?:mailer-?daemon|post[-_]?master|mdaemon)(?:@|>|\s|$)/i.test(from);
}
