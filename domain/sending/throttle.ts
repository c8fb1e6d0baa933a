import type { Settings } from "../campaigns/settings.ts";
import { companyDomain, domainOf } from "../mail/message.ts";
import { DAY_MS, HOUR_MS } from "../time/durations.ts";

export type ThrottleKind = "COMPANY" | "RECIPIENT_DOMAIN" | "SENDER_DOMAIN";

/** A limit on the emails of one kind to or from one place within a clock hour or a UTC day. */
export interface Throttle {
  kind: ThrottleKind;
  /** `COMPANY:acme.com`: emails with the same scope are counted together. */
  scope: string;
  limit: number;
  periodMs: number;
}

type Limits = Pick<
  Settings,
  "companyDailyLimit" | "companyLimitScope" | "recipientDomainHourlyLimit" | "senderDomainHourlyLimit"
>;

export function isThrottled({
  companyDailyLimit,
  recipientDomainHourlyLimit,
  senderDomainHourlyLimit,
}: Limits): boolean {
  return companyDailyLimit !== null || recipientDomainHourlyLimit !== null || senderDomainHourlyLimit !== null;
}

/**
 * The throttles that apply to one email (rules/sending 2.7). Free mail has no company (rules/states 1.4). Empty when
 * the campaign sets none.
 */
export function throttlesOf(limits: Limits, mail: { campaignId: string; to: string; from: string }): Throttle[] {
  const { companyDailyLimit, companyLimitScope, recipientDomainHourlyLimit, senderDomainHourlyLimit } = limits;
  if (!isThrottled(limits)) return [];
  const domain = domainOf(mail.to).toLowerCase();
  const company = companyDailyLimit === null ? null : companyDomain(domain);
  const prefix = companyLimitScope === "CAMPAIGN" ? `${mail.campaignId}:` : "";
  return [
    ...throttle("COMPANY", company === null ? null : `${prefix}${company}`, companyDailyLimit, DAY_MS),
    ...throttle("RECIPIENT_DOMAIN", domain, recipientDomainHourlyLimit, HOUR_MS),
    ...throttle("SENDER_DOMAIN", domainOf(mail.from).toLowerCase(), senderDomainHourlyLimit, HOUR_MS),
  ];
}

/** The start of the period that contains an instant, and the start of the next period. */
export function periodAt({ periodMs }: Pick<Throttle, "periodMs">, at: number): { start: number; end: number } {
  const start = Math.floor(at / periodMs) * periodMs;
  return { start, end: start + periodMs };
}

function throttle(kind: ThrottleKind, key: string | null, limit: number | null, periodMs: number): Throttle[] {
  return key === null || limit === null ? [] : [{ kind, scope: `${kind}:${key}`, limit, periodMs }];
}
