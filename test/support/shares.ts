import type { WorkShare } from "../../mongo/leases.ts";

/** The share of a process that does all of the work, whatever other processes do, as those of version 1.1 did. */
export function wholeShare(parts = 1): WorkShare {
  const hold = {
    parts: Array.from({ length: parts }, (_, part) => part),
    isHeld: () => true,
    lost: new AbortController().signal,
  };
  return { use: (work) => work(hold), end: async () => {} };
}
