import { createHash } from "node:crypto";
import { isFreeMail } from "../mail/free-mail.ts";
import { organisationOf } from "../mail/message.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../time/durations.ts";

/** How politely mail servers are asked (rules/verification 3). */
export const ETIQUETTE = {
  port: 25,
  /** Milliseconds between the end of one question to a host and the beginning of the next. */
  apartMs: 2_000,
  /** Questions to one host in an hour. */
  mostAnHour: 20,
  hourMs: HOUR_MS,
  /** After a greylisting answer the same question is asked once more, this much later. */
  greylistMs: 15 * MINUTE_MS,
  /** How long a host that refuses us is left alone. */
  stopMs: DAY_MS,
  connectMs: 20_000,
  /** The limit of the whole conversation, which ends a tarpit. */
  conversationMs: 60_000,
  /**
   * How long one question holds its host and its address: longer than it can last, so that no one else asks meanwhile.
   */
  leaseMs: 2 * MINUTE_MS,
} as const;

export type Etiquette = { -readonly [K in keyof typeof ETIQUETTE]: number };

/** Milliseconds for which an answer about an address or a domain is kept: nothing is asked twice in that time. */
export const KEPT_MS = 30 * DAY_MS;

/**
 * The organisation behind a server's name. It counts as one host, because a provider gives each customer a different
 * server name, and would otherwise be asked for all of them at once.
 */
export function mailHostOf(exchange: string): string {
  return organisationOf(exchange);
}

/**
 * Whether a domain is one of the large free mail services, which answer such questions by blocking the server that
 * asks.
 */
export function isLeftAlone(domain: string): boolean {
  return isFreeMail(domain);
}

/**
 * The address that no one has. A domain that accepts it accepts any. It is the same each time, so that a second
 * question after greylisting is the same question.
 */
export function nobodyAt(domain: string): string {
  const local = createHash("sha256").update(`nobody at ${domain}`).digest("hex").slice(0, 20);
  return `n${local}@${domain}`;
}

/**
 * What is known about the questions to a host: when each of the last ones ended, oldest first, in epoch milliseconds.
 */
export function freeAfter(questionEnds: readonly number[], { apartMs, mostAnHour, hourMs }: Etiquette): number {
  const last = questionEnds.at(-1) ?? Number.NEGATIVE_INFINITY;
  const first =
    questionEnds.length < mostAnHour
      ? Number.NEGATIVE_INFINITY
      : (questionEnds.at(-mostAnHour) ?? Number.NEGATIVE_INFINITY);
  return Math.max(last + apartMs, first + hourMs);
}
