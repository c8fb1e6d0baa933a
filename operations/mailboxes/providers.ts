import type { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import type { MailProvider, OAuthClient, ProviderName } from "../../domain/mailboxes/provider.ts";
import type { Context } from "../context.ts";
import { type Basic, type Servers, serversOf } from "./credentials.ts";

/**
 * The servers of a provider, as the operator configured them.
 * @throws AppError PROVIDER_NOT_CONFIGURED naming the setting that is missing
 */
export function presetOf({ services }: Pick<Context, "services">, provider: ProviderName): NonNullable<MailProvider["servers"]> {
  const { servers } = services.settings.providers[provider];
  if (servers !== null) return servers;
  const setting = `PROVIDER${provider}_SMTP`;
  throw new AppError("PROVIDER_NOT_CONFIGURED", `This provider is not configured: ${setting} is not set`, { setting });
}

/** The given hosts and ports override the provider's own. */
export function basicServers(
  ctx: Pick<Context, "services">,
  given: Pick<z.output<typeof Basic>, "smtpHost" | "smtpPort" | "imapHost" | "imapPort">,
): Servers {
  const { smtpHost, smtpPort, imapHost, imapPort } = given;
  if ([smtpHost, smtpPort, imapHost, imapPort].every((each) => each === undefined)) return presetOf(ctx, "B");
  const preset = smtpHost === undefined || imapHost === undefined ? presetOf(ctx, "B") : null;
  return serversOf(
    ctx.services.settings,
    {
      smtpHost: smtpHost ?? preset?.smtp.host ?? "",
      smtpPort: smtpPort ?? (smtpHost === undefined ? preset?.smtp.port : undefined),
      imapHost: imapHost ?? preset?.imap.host ?? "",
      imapPort: imapPort ?? (imapHost === undefined ? preset?.imap.port : undefined),
      security: "SSL_TLS",
    },
    "providerB",
  );
}

/** @throws AppError PROVIDER_NOT_CONFIGURED naming the setting that is missing */
export function clientOf({ services }: Pick<Context, "services">, provider: ProviderName): OAuthClient {
  const { oauth } = services.settings.providers[provider];
  if (oauth !== null) return oauth;
  const setting = `PROVIDER${provider}_CLIENT_ID`;
  throw new AppError("PROVIDER_NOT_CONFIGURED", `This provider is not configured: ${setting} is not set`, { setting });
}
