import type { Inbound } from "./inbound.ts";

const ADDRESS =
  /^(?:mailer-?daemon|mail-?daemon|post[-_]?master|mdaemon|maildaemon|mail[._-]delivery[._-](?:system|subsystem)|administrator|bounces?)(?:@|$)/;
const NAME =
  /mailer.daemon|mail delivery (?:system|subsystem|service)|delivery (?:system|subsystem|agent)|postmaster|system administrator|mail (?:administrator|router|system|server)$|internet mail delivery|zustellsystem|syst.me de (?:remise|distribution)|sistema de (?:entrega|correo)|sistema di (?:recapito|posta)|почтовая система|系统管理员|邮件系统|メール配信/i;

/** Did a mail system write it: null return path, a name that only systems have, or a header that only Exim and Gmail set (mail.md 8.1). */
export function isAutomaticSender(message: Inbound): boolean {
  if (message.returnPath === "" || message.headers.has("x-failed-recipients")) return true;
  if (ADDRESS.test(message.from?.address ?? "") || NAME.test(message.from?.name ?? "")) return true;
  return /^<?(?:mailer-daemon|postmaster)\b/i.test(message.headers.get("return-path")?.[0] ?? "");
}

/** Whether a From line, name and address in one text, is that of a mail system. */
export function isDaemon(from: string): boolean {
  return NAME.test(from) || /(?:^|[<\s"])(?:mailer-?daemon|post[-_]?master|mdaemon)(?:@|>|\s|$)/i.test(from);
}
