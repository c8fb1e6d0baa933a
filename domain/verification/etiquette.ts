import { createHash } from "node:crypto";
import { isFreeMail } from "../mail/free-mail.ts";
import { organisationOf } from "../mail/message.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/durations.ts";

/** The limits for queries to mail servers (rules/verification 3). */
export const ETIQUETTE = {
  port: 25,
  /** Milliseconds between the end of one query to a host and the start of the next. */
  apartMs: 2_000,
  /** Queries to one host per hour. */
  mostAnHour: 20,
  hourMs: HOUR_MS,
  /** After greylisting, the same query is repeated once, this much later. */
  greylistMs: 15 * MINUTE_MS,
  /** How many milliseconds a host that refuses us gets no queries. */
  stopMs: DAY_MS,
  connectMs: 20_000,
  /** The most milliseconds of the whole SMTP conversation, because a tarpit server answers as slowly as it can. */
  conversationMs: 60_000,
  /**
   * How many milliseconds one query reserves its host and its address. No query lasts that long, so two queries never
   * run at the same time.
   */
  leaseMs: 2 * MINUTE_MS,
} as const;

export type Etiquette = { -readonly [K in keyof typeof ETIQUETTE]: number };

/** Milliseconds for which a result about an address or a domain is stored. No query is repeated in that time. */
export const KEPT_MS = 30 * DAY_MS;

/**
 * The organisation behind a server's name. It counts as one host, because a provider gives each customer a different
 * server name. Otherwise the provider would get the queries for all customers at once.
 */
export function mailHostOf(exchange: string): string {
  return organisationOf(exchange);
}

/**
 * Whether a domain is one of the large free mail services, which get no queries because they block servers that send
 * such queries.
 */
export function isLeftAlone(domain: string): boolean {
  return isFreeMail(domain);
}

/**
 * An invented address at a domain. If the server accepts it, the domain accepts any address. It is always the same for
 * a domain, so that the query after greylisting is the same query.
 */
export function nobodyAt(domain: string): string {
  const local = createHash("sha256").update(`nobody at ${domain}`).digest("hex").slice(0, 20);
  return `n${local}@${domain}`;
}

/**
 * When the next query to a host may start. `questionEnds` are the ends of the last queries, oldest first. All times are
 * in epoch milliseconds.
 */
export function freeAfter(questionEnds: readonly number[], { apartMs, mostAnHour, hourMs }: Etiquette): number {
  const last = questionEnds.at(-1) ?? Number.NEGATIVE_INFINITY;
  const first =
    questionEnds.length < mostAnHour
      ? Number.NEGATIVE_INFINITY
      : (questionEnds.at(-mostAnHour) ?? Number.NEGATIVE_INFINITY);
  return Math.max(last + apartMs, first + hourMs);
}
