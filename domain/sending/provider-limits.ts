import { companyDomain, domainOf } from "../mail/message.ts";
import { minLimit } from "./pacing.ts";

/** By what a provider limits a mailbox. */
export interface ProvidedMailbox {
  /** SMTP stands for every provider that has no name here. */
  provider: "SMTP" | "PROVIDERA" | "PROVIDERB";
  email: string;
}

/** What one mailbox may send (B24): mails of a day at a free address and at a paid one, and mails of a minute; null: no limit. */
const LIMITS = {
  SMTP: { freeDay: null, paidDay: null, minute: null },
  PROVIDERA: { freeDay: 500, paidDay: 2_000, minute: null },
  PROVIDERB: { freeDay: 10_000, paidDay: 10_000, minute: 30 },
} as const satisfies Record<ProvidedMailbox["provider"], Record<"freeDay" | "paidDay" | "minute", number | null>>;

/** Mails of one UTC day that the provider of a mailbox allows, null when it has no limit. Nobody pays for an address of free mail. */
export function providerDayLimit({ provider, email }: ProvidedMailbox): number | null {
  const { freeDay, paidDay } = LIMITS[provider];
  const isFree = companyDomain(domainOf(email)) === null;
  return isFree ? freeDay : paidDay;
}

/** Mails of one UTC day under the mailbox's own limit and its provider's, null without any: `dailySendLimit` 0 is none of its own (B12). */
export function dayLimit(mailbox: ProvidedMailbox & { dailySendLimit: number }): number | null {
  return minLimit(mailbox.dailySendLimit, providerDayLimit(mailbox));
}

/** Whether it is the provider's limit that a mailbox meets first. */
export function isProvidersLimit(mailbox: ProvidedMailbox & { dailySendLimit: number }): boolean {
  return dayLimit(mailbox) !== minLimit(mailbox.dailySendLimit);
}

/** Seconds between two mails of whatever kind that keep the provider's limit of a minute; 0 without one. */
export function paceSeconds({ provider }: Pick<ProvidedMailbox, "provider">): number {
  const { minute } = LIMITS[provider];
  return minute === null ? 0 : 60 / minute;
}

interface Gap {
  minGapSeconds: number;
  maxGapSeconds: number;
}

/** The gap that a mailbox leaves between two mails (B13): its own, else that of their campaign, and its provider's pace at least. */
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
