import { CRM_TRAITS, type CrmProviderName } from "../../domain/crm/provider.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import type { OAuthClient } from "../../domain/mailboxes/provider.ts";
import type { Context } from "../context.ts";

/** @throws AppError PROVIDER_NOT_CONFIGURED naming the setting that is missing */
export function crmClientOf({ services }: Pick<Context, "services">, provider: CrmProviderName): OAuthClient {
  const { oauth } = services.settings.crm[provider];
  if (oauth !== null) return oauth;
  const setting = `${provider}_CLIENT_ID`;
  const orToken = CRM_TRAITS[provider].takesToken ? "; it can be connected by a token too" : "";
  throw new AppError(
    "PROVIDER_NOT_CONFIGURED",
    `${CRM_TRAITS[provider].name} is not configured: ${setting} is not set${orToken}`,
    {
      setting,
    },
  );
}

/**
 * Connections that were consented to need the client that they were consented to. @throws AppError
 * PROVIDER_NOT_CONFIGURED
 */
export function assertUsable(
  ctx: Pick<Context, "services">,
  { provider, sealedApiToken }: { provider: CrmProviderName; sealedApiToken: unknown },
): void {
  if (sealedApiToken === null) crmClientOf(ctx, provider);
}

/**
 * @throws AppError VALIDATION_FAILED for a CRM without tokens, PROVIDER_NOT_CONFIGURED where its address is not known
 */
export function assertTakesToken({ services }: Pick<Context, "services">, provider: CrmProviderName): void {
  const { name, takesToken } = CRM_TRAITS[provider];
  if (!takesToken) throw invalid("provider", `${name} has no tokens: start a consent instead`, "NO_TOKENS");
  if (services.settings.crm[provider].apiUrl !== null) return;
  const setting = provider === "PIPEDRIVE" ? "PIPEDRIVE_API_URL" : `${provider}_URL`;
  throw new AppError("PROVIDER_NOT_CONFIGURED", `${name} is not configured: ${setting} is not set`, { setting });
}
