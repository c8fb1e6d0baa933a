import { isIP } from "node:net";

/**
 * Returns true for the public host name of the service, and for names that only its own network knows: an IP address,
 * or a name without a dot.
 */
export function isOwnName(hostname: string | undefined, publicUrl: string): boolean {
  const host = (hostname ?? "").replace(/^\[|\]$/g, "").toLowerCase();
  return host === new URL(publicUrl).hostname || isIP(host) !== 0 || !host.includes(".");
}
