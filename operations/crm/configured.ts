import { CRM_TRAITS, type CrmProviderName } from "../../domain/crm/provider.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import type { OAuthClient } from "../../domain/mailboxes/provider.ts";
import type { Context } from "../context.ts";

/** @throws AppError PROVIDER_NOT_CONFIGURED naming the setting that is missing */
export function crmClientOf({ services }: Pick<Context, "services">, provider: CrmProviderName): OAuthClient {
  const { oauth } = services.settings.crm[provider];
  if (oauth !== null) return oauth;
  const setting = `${provider}_CLIENT_ID`;
  const orToken = CRM_TRAITS[provider].takesToken ? "; you can also connect it with a token" : "";
  throw new AppError(
    "PROVIDER_NOT_CONFIGURED",
    `${CRM_TRAITS[provider].name} is not configured: ${setting} is not set${orToken}`,
    {
      setting,
    },
  );
}

/**
 * A connection made by consent needs the CRM's OAuth client; a connection made by token does not. @throws AppError
 * PROVIDER_NOT_CONFIGURED
 */
export function assertUsable(
  ctx: Pick<Context, "services">,
  { provider, sealedApiToken }: { provider: CrmProviderName; sealedApiToken: unknown },
): void {
  if (sealedApiToken === null) crmClientOf(ctx, provider);
}

/**
 * @throws AppError VALIDATION_FAILED if the CRM does not support tokens, PROVIDER_NOT_CONFIGURED if its URL is not
 * configured
 */
export function assertTakesToken({ services }: Pick<Context, "services">, provider: CrmProviderName): void {
  const { name, takesToken } = CRM_TRAITS[provider];
  if (!takesToken) throw invalid("provider", `${name} has no tokens: start a consent instead`, "NO_TOKENS");
  if (services.settings.crm[provider].apiUrl !== null) return;
  const setting = provider === "PIPEDRIVE" ? "PIPEDRIVE_API_URL" : `${provider}_URL`;
  throw new AppError("PROVIDER_NOT_CONFIGURED", `${name} is not configured: ${setting} is not set`, { setting });
}
