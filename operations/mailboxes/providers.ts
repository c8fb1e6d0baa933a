import type { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import type { MailProvider, MailProviders, OAuthClient, ProviderName } from "../../domain/mailboxes/provider.ts";
import type { Context } from "../context.ts";
import { type Basic, type Servers, serversOf } from "./credentials.ts";

/**
 * The servers of a provider, as the operator configured them.
 * @throws AppError PROVIDER_NOT_CONFIGURED naming the setting that is missing
 */
export function presetOf(
  { services }: Pick<Context, "services">,
  provider: ProviderName,
): NonNullable<MailProvider["servers"]> {
  const { name, servers } = services.settings.providers[provider];
  if (servers !== null) return servers;
  throw notConfigured(name, settingOf(provider, "SMTP"));
}

/** The provider's servers, overridden by the hosts and ports in the request. */
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
  const { name, oauth } = services.settings.providers[provider];
  if (oauth !== null) return oauth;
  throw notConfigured(name, settingOf(provider, "CLIENT_ID"));
}

/** The setting that is missing before a provider's users can consent; null when nothing is missing. */
export function missingForConsent(providers: MailProviders, provider: ProviderName): string | null {
  const { oauth, servers } = providers[provider];
  if (oauth === null) return settingOf(provider, "CLIENT_ID");
  return servers === null ? settingOf(provider, "SMTP") : null;
}

function settingOf(provider: ProviderName, name: "SMTP" | "CLIENT_ID"): string {
  return `PROVIDER${provider}_${name}`;
}

function notConfigured(name: string, setting: string): AppError {
  return new AppError("PROVIDER_NOT_CONFIGURED", `${name} is not configured: ${setting} is not set`, { setting });
}

/** Replaces the placeholders of the two providers with their real names. The names are escaped, so JSON stays valid. */
export function nameProviders(text: string, providers: MailProviders): string {
  return text.replace(/\b[Pp]rovider ([AB])\b/g, (_, x) =>
    JSON.stringify(providers[x === "A" ? "A" : "B"].name).slice(1, -1),
  );
}
