import { canonicalHost } from "../../domain/access/allowed-hosts.ts";
import { isWithin } from "../../domain/access/networks.ts";
import { isTrackingName } from "../../store/mailboxes/tracking-names.ts";
import { isPortalName } from "../../store/portals.ts";
import type { ServiceSettings } from "../context.ts";
import { hostOf } from "./tracking-domain.ts";

const LONGEST_NAME = 253;

/**
 * Returns true when the proxy may get a certificate for a domain (rules/tracking 4.2): the service's own names, and
 * tracking and portal domains of customers. Otherwise anyone could point domains at the service and use up the
 * certificate authority's rate limit.
 */
export async function isServedName({ publicUrl, trackUrl }: ServiceSettings, text: string): Promise<boolean> {
  const name = text.length > LONGEST_NAME ? undefined : canonicalHost(text);
  if (name === undefined) return false;
  return (
    [publicUrl, trackUrl].some((url) => hostOf(url) === name) || (await isPortalName(name)) || isTrackingName(name)
  );
}

/** Returns true for a connection from the proxy, which alone may ask. */
export function isProxyAddress({ proxyNetworks }: ServiceSettings, address: string): boolean {
  return isWithin(address, proxyNetworks);
}
