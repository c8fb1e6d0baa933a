import { type Allow, checkWebhookUrl, parseAllow } from "../domain/access/allowed-hosts.ts";
import type { ServiceSettings } from "./context.ts";

/**
 * The URL as it is stored (rules/webhooks 4.1). Throws VALIDATION_FAILED for its form and HOST_NOT_ALLOWED for its
 * host.
 */
export function destination(url: string, { egressAllow, publicUrl, trackUrl }: ServiceSettings): string {
  const allow: Allow[] = parseAllow(egressAllow);
  const ownHosts = [publicUrl, trackUrl].map((own) => new URL(own).hostname);
  return checkWebhookUrl(url, { allow, ownHosts }).href;
}
