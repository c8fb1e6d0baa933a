import ipaddr from "ipaddr.js";

/** Networks of a list. */
export type Networks = readonly Range[];

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/**
 * Reads a list of networks, one CIDR on each line; `#` begins a comment.
 * @throws Error with the number of the first invalid line
 */
export function readNetworks(text: string): Networks {
  return text.split(/\r?\n/).flatMap((line, index) => {
    const written = line.replace(/#.*$/, "").trim();
    if (written === "") return [];
    if (!ipaddr.isValidCIDR(written)) throw new Error(`line ${index + 1} is not a network like 192.0.2.0/24`);
    return [ipaddr.parseCIDR(written)];
  });
}

/** Whether an address, or a network that was made from it, is in one of these networks. */
export function isWithin(networks: Networks, address: string | null): boolean {
  const [written = ""] = (address ?? "").split("/", 1);
  if (networks.length === 0 || !ipaddr.isValid(written)) return false;
  const parsed = ipaddr.process(written);
  return networks.some(([network, bits]) => network.kind() === parsed.kind() && parsed.match([network, bits]));
}
