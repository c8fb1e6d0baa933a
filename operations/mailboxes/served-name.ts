import { canonicalHost } from "../../domain/access/allowed-hosts.ts";
import { isWithin } from "../../domain/access/networks.ts";
import { isTrackingName } from "../../store/mailboxes/tracking-names.ts";
import { isPortalName } from "../../store/portals.ts";
import type { ServiceSettings } from "../context.ts";
import { hostOf } from "./tracking-domain.ts";

const LONGEST_NAME = 253;

/**
 * Whether the proxy in front may have a certificate made for a name (rules/tracking 4.2): the service's own names, and
 * tracking and portal domains of its customers. A stranger who points a name here must not use up what the authority
 * gives us.
 */
export async function isServedName({ publicUrl, trackUrl }: ServiceSettings, text: string): Promise<boolean> {
  const name = text.length > LONGEST_NAME ? undefined : canonicalHost(text);
  if (name === undefined) return false;
  return (
    [publicUrl, trackUrl].some((url) => hostOf(url) === name) || (await isPortalName(name)) || isTrackingName(name)
  );
}

/** Whether a connection from this address is the proxy's, which alone may ask. */
export function isProxyAddress({ proxyNetworks }: ServiceSettings, address: string): boolean {
  return isWithin(address, proxyNetworks);
}
