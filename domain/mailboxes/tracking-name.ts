import { isAddress, isLocalName } from "../access/allowed-hosts.ts";
import type { TrackingFinding } from "./tracking-domain.ts";

/** Whether the name led here when it was checked (rules/tracking 4.1); null when nobody could tell. */
export function pointsHere(finding: TrackingFinding): boolean | null {
  if (finding === "NOT_ANSWERED") return null;
  return finding !== "NO_CNAME" && finding !== "OTHER_CNAME";
}

/** Whether a host is one of a development machine: an address, or a name that only a local network or a test knows. */
export function isDevelopmentHost(host: string): boolean {
  return isAddress(host) || !host.includes(".") || isLocalName(host) || host.endsWith(".test");
}
