/**
 * Limits the concurrent requests of this process to one host. The slots are shared by the feeds that post to the host.
 */
export interface HostSlots {
  /**
   * Reserves up to `wanted` slots and returns how many were reserved. While several feeds post to one host, each gets
   * an equal share and at least one slot, so that no feed has to wait until another ends.
   */
  reserve(host: string, feed: string, wanted: number): number;
  /** Gives one slot back. */
  release(host: string, feed: string): void;
  /** Removes a feed that posts no more and has given back all its slots. */
  leave(feed: string): void;
}

export function createHostSlots(limit: number): HostSlots {
  /** The slots in use by host and feed; a feed that waits for a slot is listed with none. */
  const hosts = new Map<string, Map<string, number>>();
  return {
    reserve(host, feed, wanted) {
      const feeds = hosts.get(host) ?? new Map<string, number>();
      hosts.set(host, feeds);
      const own = feeds.get(feed) ?? 0;
      feeds.set(feed, own);
      const used = feeds.values().reduce((sum, count) => sum + count, 0);
      const share = Math.max(1, Math.floor(limit / feeds.size));
      const granted = Math.max(0, Math.min(wanted, limit - used, share - own));
      feeds.set(feed, own + granted);
      return granted;
    },
    release(host, feed) {
      const feeds = hosts.get(host);
      const own = feeds?.get(feed);
      if (own !== undefined) feeds?.set(feed, own - 1);
    },
    leave(feed) {
      for (const [host, feeds] of hosts) {
        feeds.delete(feed);
        if (feeds.size === 0) hosts.delete(host);
      }
    },
  };
}
