import type { Hold } from "../../mongo/lease-holder.ts";
import type { WorkShare } from "../../mongo/leases.ts";

/** The share of a process that does all of the work, whatever other processes do, as those of version 1.1 did. */
export function wholeShare(parts = 1, differently: Partial<Hold> = {}): WorkShare {
  const hold = {
    parts: Array.from({ length: parts }, (_, part) => part),
    isHeld: () => true,
    isWanted: () => true,
    lost: new AbortController().signal,
    ...differently,
  };
  return { use: (work) => work(hold), end: async () => {} };
}
