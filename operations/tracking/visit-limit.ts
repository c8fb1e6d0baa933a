import ipaddr from "ipaddr.js";
import { MINUTE_MS } from "../../domain/time/durations.ts";

/** The most hits of one address that are stored per minute (rules/tracking 2.5). */
export const MOST_A_MINUTE = 3_000;
/**
 * The most addresses that are counted at the same time. Beyond that, all counts restart, so that memory stays bounded.
 */
const MOST_ADDRESSES = 50_000;
/** The bytes of an IPv6 address that identify its network, because one host can use many addresses in it. */
const NETWORK_BYTES = 8;

export interface VisitLimit {
  /**
   * Counts a hit of this address at this time, and returns whether to store it. `isFirst`: it is the first one in this
   * minute that is not stored.
   */
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
