import { z } from "zod";
import { DNS_VERDICTS, VERIFICATION_STATES } from "../../domain/mailboxes/dns-check.ts";
import { TRACKING_STATES } from "../../domain/mailboxes/tracking-domain.ts";
import { MAILBOX_STATUSES, SECURITIES } from "../../domain/states.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import type { Mailbox, Verification } from "../../models/mailbox.ts";
import type { MailboxDay } from "../../models/mailbox-day.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";

const server = z.object({ host: z.string(), port: z.number().int(), security: z.enum(SECURITIES) });
const dnsCheck = nullable(z.enum(DNS_VERDICTS));
/** Null for a check that has not been made yet. */
export const Checks = z
  .object({ mx: dnsCheck, spf: dnsCheck, dkim: dnsCheck, dmarc: dnsCheck })
  .meta({ id: "DnsChecks", description: "What the DNS records of the mailbox's domain say" });
const BANDS = ["HEALTHY", "WATCH", "THROTTLED", "QUARANTINED", "BLOCKED"] as const;

/** The mailbox of the interface (rules/states 1.5). It names no secret and no user name, so none is returned. */
export const MailboxRecord = record({
  email: z.string(),
  name: nullable(z.string()),
  provider: z.enum(["SMTP", "PROVIDERA", "PROVIDERB"]),
  status: z.enum(MAILBOX_STATUSES),
  statusReason: nullable(z.string()),
  health: z.object({ score: nullable(z.number()), band: z.enum(BANDS), issues: z.array(z.string()) }),
  dailySendLimit: z.number().int(),
  warmupDailyLimit: z.number().int(),
  sentToday: z.object({ total: z.number().int(), warmup: z.number().int(), campaign: z.number().int() }),
  minGapSeconds: nullable(z.number().int()),
  maxGapSeconds: nullable(z.number().int()),
  workday: nullable(z.object({ timezone: z.string(), days: z.array(z.number().int()), from: z.string(), to: z.string() })),
  signatureHtml: nullable(z.string()),
  replyTo: nullable(z.string()),
  saveToSent: z.boolean(),
  tags: z.array(z.string()),
  trackingDomain: z.object({
    domain: nullable(z.string()),
    status: z.enum(TRACKING_STATES),
    expectedCname: nullable(z.string()),
    checkedAt: optionalTime,
    error: nullable(z.string()),
  }),
  verification: z.object({
    status: z.enum(VERIFICATION_STATES),
    checks: Checks,
    checkedAt: optionalTime,
  }),
  smtp: server,
  imap: server,
  warmup: z.object({ status: nullable(z.string()), healthBand: nullable(z.enum(BANDS)) }),
  lastSyncAt: optionalTime,
  lastError: nullable(z.object({ code: z.string(), message: z.string(), at: time })),
}).meta({ id: "Mailbox", description: "A mailbox that sends and receives" });

/** The mailboxes with their computed fields: today's counts by UTC day, health, and placeholders for features to come. */
export async function viewsOf(workspaceId: string, mailboxes: Mailbox[]) {
  const today = utcDay(Date.now());
  const days = await scoped(workspaceId).MailboxDay.find({ _id: trusted({ $in: mailboxes.map(({ _id }) => `${_id}:${today}`) }) });
  const dayOf = new Map(days.map((day) => [day.mailboxId, day]));
  return mailboxes.map((mailbox) => ({
    ...mailbox,
    health: { score: null, band: "HEALTHY" as const, issues: issuesOf(mailbox) },
    sentToday: sentOn(dayOf.get(mailbox._id)),
    trackingDomain: mailbox.trackingDomain ?? NO_DOMAIN,
    verification: verificationOf(mailbox),
    warmup: { status: null, healthBand: null },
  }));
}

/** What a person should look after, as codes; scores and bands need a week of warmup and sending. */
function issuesOf({ status, verification, trackingDomain, lastError }: Mailbox): string[] {
  return [
    ...(status === "CONNECTED" || status === "PAUSED" ? [] : [status]),
    ...(verification?.status === "FAILED" ? ["DNS_FAILED"] : []),
    ...(trackingDomain?.status === "FAILED" ? ["TRACKING_DOMAIN_FAILED"] : []),
    ...(lastError === null ? [] : [lastError.code]),
  ];
}

const NO_DOMAIN = { domain: null, status: "NONE" as const, expectedCname: null, checkedAt: null, error: null };
const NOT_CHECKED: Verification = { status: "PENDING", checks: { mx: null, spf: null, dkim: null, dmarc: null }, checkedAt: null };

export function verificationOf({ verification }: Mailbox): Verification {
  return verification ?? NOT_CHECKED;
}

/** One mailbox as `viewsOf` shows it. */
export async function viewOf(mailbox: Mailbox) {
  const [view] = await viewsOf(mailbox.workspaceId, [mailbox]);
  return view;
}

function sentOn(day: MailboxDay | undefined) {
  if (day === undefined) return { total: 0, warmup: 0, campaign: 0 };
  const counts = Object.entries(day.sentBy).filter(([owner]) => owner !== "none");
  return { total: day.sent, warmup: 0, campaign: counts.reduce((sum, [, count]) => sum + count, 0) };
}
