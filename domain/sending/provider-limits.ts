import { companyDomain, domainOf } from "../mail/message.ts";
import { minLimit } from "./pacing.ts";

/** The fields of a mailbox that determine the limits of its provider. */
export interface ProvidedMailbox {
  /** SMTP means any other provider. */
  provider: "SMTP" | "PROVIDERA" | "PROVIDERB";
  email: string;
}

/**
 * The limits of one mailbox at each provider (rules/sending 2.4): emails a day from a free address and from a paid one,
 * and emails a minute. Null means no limit.
 */
const LIMITS = {
  SMTP: { freeDay: null, paidDay: null, minute: null },
  PROVIDERA: { freeDay: 500, paidDay: 2_000, minute: null },
  PROVIDERB: { freeDay: 10_000, paidDay: 10_000, minute: 30 },
} as const satisfies Record<ProvidedMailbox["provider"], Record<"freeDay" | "paidDay" | "minute", number | null>>;

/**
 * The emails per UTC day that the provider of a mailbox allows; null when it has no limit. An address of a free-mail
 * provider counts as free, any other as paid.
 */
export function providerDayLimit({ provider, email }: ProvidedMailbox): number | null {
  const { freeDay, paidDay } = LIMITS[provider];
  const isFree = companyDomain(domainOf(email)) === null;
  return isFree ? freeDay : paidDay;
}

/**
 * The emails per UTC day under both the mailbox's own limit and its provider's; null without either. `dailySendLimit` 0
 * means no limit of its own (rules/sending 2.1).
 */
export function dayLimit(mailbox: ProvidedMailbox & { dailySendLimit: number }): number | null {
  return minLimit(mailbox.dailySendLimit, providerDayLimit(mailbox));
}

/** Whether the provider's limit is lower than the mailbox's own. */
export function isProvidersLimit(mailbox: ProvidedMailbox & { dailySendLimit: number }): boolean {
  return dayLimit(mailbox) !== minLimit(mailbox.dailySendLimit);
}

/**
 * The shortest time in seconds between two emails of any kind under the provider's limit per minute; 0 if it has no
 * such limit.
 */
export function paceSeconds({ provider }: Pick<ProvidedMailbox, "provider">): number {
  const { minute } = LIMITS[provider];
  return minute === null ? 0 : 60 / minute;
}

interface Gap {
  minGapSeconds: number;
  maxGapSeconds: number;
}

/**
 * The gap that a mailbox leaves between two emails (rules/sending 2.3): its own, otherwise the campaign's, but never
 * less than the provider's pace.
 */
export function gapOf(
  mailbox: Pick<ProvidedMailbox, "provider"> & { [K in keyof Gap]: number | null },
  { minGapSeconds, maxGapSeconds }: Gap,
): Gap {
  const pace = paceSeconds(mailbox);
  return {
    minGapSeconds: Math.max(pace, mailbox.minGapSeconds ?? minGapSeconds),
    maxGapSeconds: Math.max(pace, mailbox.maxGapSeconds ?? maxGapSeconds),
  };
}
