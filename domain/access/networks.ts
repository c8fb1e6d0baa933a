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

/**
 * The network of a household or an office, /24 or /48: the part of an address that is stored permanently
 * (rules/tracking 3.6), and by which sign-ups are counted (rules/access 2.6). Null for text that is not an address.
 */
export function networkOf(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  const bits = parsed.kind() === "ipv4" ? 24 : 48;
  const network =
    parsed instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(`${parsed}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${parsed}/${bits}`);
  return `${network}/${bits}`;
}
