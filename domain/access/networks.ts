import ipaddr from "ipaddr.js";

/**
 * Whether an address is one of `places` or is within one of the networks in `places`. An IPv4-mapped address counts as
 * its IPv4 address.
 */
export function isWithin(address: string, places: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsedAddress = ipaddr.process(address);
  return places.some((place) => {
    const [base, bits] = ipaddr.isValidCIDR(place) ? ipaddr.parseCIDR(place) : wholeOf(place);
    return base.kind() === parsedAddress.kind() && parsedAddress.match(base, bits);
  });
}

function wholeOf(address: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const parsed = ipaddr.process(address);
  return [parsed, parsed.kind() === "ipv4" ? 32 : 128];
}
