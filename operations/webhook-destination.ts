import { type Allow, checkWebhookUrl, parseAllow } from "../domain/access/allowed-hosts.ts";
import type { ServiceSettings } from "./context.ts";

/**
 * The URL in its stored form (rules/webhooks 4.1).
 * @throws VALIDATION_FAILED for an invalid URL, HOST_NOT_ALLOWED for its host
 */
export function destination(url: string, { egressAllow, publicUrl, trackUrl }: ServiceSettings): string {
  const allow: Allow[] = parseAllow(egressAllow);
  const ownHosts = [publicUrl, trackUrl].map((own) => new URL(own).hostname);
  return checkWebhookUrl(url, { allow, ownHosts }).href;
}
