import { LRUCache } from "lru-cache";
import type { MailServer } from "../../domain/mailboxes/server.ts";
import { DAY_MS } from "../../domain/time/durations.ts";

/** The most servers that are remembered, and for how long: a limit may be raised, and one 421 finds it again. */
const MOST = 5_000;
const KEPT_MS = DAY_MS;

/** How many emails a server accepts over one connection, if that is known (rules/sending 5.8). */
export interface MailsPerConnection {
  /** Infinity where no limit is known. */
  limitOf(server: MailServer): number;
  /** A server ended a connection after so many emails. */
  learn(server: MailServer, carried: number): void;
}

export function createMailsPerConnection(): MailsPerConnection {
  const limits = new LRUCache<string, number>({ max: MOST, ttl: KEPT_MS });
  const serverKeyOf = ({ host, port }: MailServer) => `${host.toLowerCase()}:${port}`;
  const limitOf = (server: MailServer) => limits.get(serverKeyOf(server)) ?? Number.POSITIVE_INFINITY;
  return {
    limitOf,
    learn(server, carried) {
      if (carried > 0 && carried < limitOf(server)) limits.set(serverKeyOf(server), carried);
    },
  };
}
