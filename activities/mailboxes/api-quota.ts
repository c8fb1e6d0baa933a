import { setTimeout as sleep } from "node:timers/promises";
import { type CallQuota, QuotaWait } from "../../connectors/bearer-call.ts";
import type { MailApi } from "../../domain/mailboxes/transport.ts";
import { type ApiLimits, type CallPurpose, limitsOf, shareOf } from "../../domain/sending/api-quota.ts";
import { SECOND_MS } from "../../domain/time/durations.ts";
import { blockQuota, endLease, quotaKey, takeQuota } from "../../store/mailboxes/api-quota.ts";

/**
 * Milliseconds that a request waits here; with a longer wait ahead it is not made. A send is held back instead, and
 * while older emails wait, the mailbox is still asked for new ones.
 */
const WAITS_MS: Readonly<Record<CallPurpose, number>> = {
  SEND: 3 * SECOND_MS,
  NEW: 10 * SECOND_MS,
  OLDER: 2 * SECOND_MS,
};
/** Milliseconds after which the lease of a killed process ends: longer than an email or any request takes. */
const LEASE_MS = 150 * SECOND_MS;

interface QuotaOptions {
  /** Ends the waiting. */
  signal?: AbortSignal;
  limits?: ApiLimits;
  leaseMs?: number;
}

/** What a mailbox may ask of its provider's API, counted in the database. `address`: the mailbox's own. */
export function quotaAt(
  api: MailApi,
  address: string,
  purpose: CallPurpose,
  { signal, limits = limitsOf(api), leaseMs = LEASE_MS }: QuotaOptions = {},
): CallQuota {
  const key = quotaKey(api, address);
  const share = shareOf(limits, purpose);
  return {
    async begin(units) {
      const end = performance.now() + WAITS_MS[purpose];
      for (;;) {
        const taken = await takeQuota(key, units, leaseMs, share);
        // A lease that is not ended here ends by itself
        if (taken.isTaken) return () => endLease(key, taken.leaseId, share).catch(() => {});
        if (performance.now() + taken.waitMs > end) throw new QuotaWait(taken.waitMs);
        await sleep(taken.waitMs, undefined, signal === undefined ? {} : { signal });
      }
    },
    // The provider refuses the next request too, and then the mailbox waits
    block: (ms) => blockQuota(key, ms).catch(() => {}),
    as: (other) => quotaAt(api, address, other, { ...(signal && { signal }), limits, leaseMs }),
  };
}

/** For requests whose units were taken before. */
export function prepaid(quota: CallQuota): CallQuota {
  return { ...quota, begin: async () => async () => {} };
}
