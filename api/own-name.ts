import { isIP } from "node:net";

/**
 * Whether this is the public name of the service, or one that only its own network knows: an address, or a name without
 * a dot.
 */
export function isOwnName(hostname: string | undefined, publicUrl: string): boolean {
  const host = (hostname ?? "").replace(/^\[|\]$/g, "").toLowerCase();
  return host === new URL(publicUrl).hostname || isIP(host) !== 0 || !host.includes(".");
}
