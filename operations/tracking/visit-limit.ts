import ipaddr from "ipaddr.js";
import { MINUTE_MS } from "../../domain/time/durations.ts";

/** Hits of one address that are stored in a minute (rules/tracking 2.5). */
export const MOST_A_MINUTE = 3_000;
/** Addresses that are counted at once; a flood of more begins anew, so that memory stays bounded. */
const MOST_ADDRESSES = 50_000;
/** Bytes of an IPv6 address that name its network: a host has as many addresses in it as it likes. */
const NETWORK_BYTES = 8;

export interface VisitLimit {
  /** Whether a hit of this address at this instant is stored. `isFirst`: it is the minute's first that is not. */
  take(address: string, at: number): { isStored: boolean; isFirst: boolean };
}

/** Counts the hits of each address in each minute. */
export function createVisitLimit(most: number = MOST_A_MINUTE): VisitLimit {
  const counts = new Map<string, number>();
  let minute = Number.NaN;
  let isTold = false;
  return {
    take(address, at) {
      const current = Math.floor(at / MINUTE_MS);
      if (current !== minute) {
        counts.clear();
        [minute, isTold] = [current, false];
      }
      const key = countedAs(address);
      const count = (counts.get(key) ?? 0) + 1;
      if (count === 1 && counts.size >= MOST_ADDRESSES) counts.clear();
      counts.set(key, count);
      if (count <= most) return { isStored: true, isFirst: false };
      const isFirst = !isTold;
      isTold = true;
      return { isStored: false, isFirst };
    },
  };
}

/** The key under which an address is counted. */
function countedAs(address: string): string {
  if (!address.includes(":") || address.includes(".") || !ipaddr.IPv6.isValid(address)) return address;
  return ipaddr.IPv6.parse(address).toByteArray().slice(0, NETWORK_BYTES).join(".");
}
