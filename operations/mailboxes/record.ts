import { z } from "zod";
import { BANDS, bandOf, isGraver } from "../../domain/mailboxes/band.ts";
import { CONDITIONS, conditionOf, failedTriesOf } from "../../domain/mailboxes/condition.ts";
import { DNS_VERDICTS, VERIFICATION_STATES } from "../../domain/mailboxes/dns-check.ts";
import { activePauses, pauseInWords } from "../../domain/mailboxes/refusal-evidence.ts";
import { nextTryOf, restEvidenceOf } from "../../domain/mailboxes/rest-facts.ts";
import { isKindred, TRACKING_STATES } from "../../domain/mailboxes/tracking-domain.ts";
import { TRANSPORTS } from "../../domain/mailboxes/transport.ts";
import { campaignSentOn, WARMUP_OWNER } from "../../domain/sending/day-use.ts";
import { MAILBOX_STATUSES, SECURITIES } from "../../domain/states.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Mailbox, TrackingDomain, Verification } from "../../models/mailboxes/mailbox.ts";
import type { MailboxDay } from "../../models/mailboxes/mailbox-day.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { nullable, optionalTime, record, time } from "../fields.ts";
import { evidenceFields, step } from "./health.ts";

export const server = z.object({
  host: z.string().describe("The name of the server"),
  port: z.number().int().describe("The port"),
  security: z.enum(SECURITIES).describe("How the connection is encrypted"),
});
const dnsCheck = nullable(z.enum(DNS_VERDICTS));
/** DNS checks; null for a check that has not run yet. */
export const Checks = z
  .object({
    mx: dnsCheck.describe("Whether the domain can receive mail"),
    spf: dnsCheck.describe("Whether SPF allows this mailbox to send"),
    dkim: dnsCheck.describe("Whether emails have a valid DKIM signature"),
    dmarc: dnsCheck.describe("Whether the domain has a DMARC policy"),
  })
  .meta({ id: "DnsChecks", description: "The DNS records of the mailbox's domain" });

const fields = {
  email: z.string().describe("Its address"),
  name: nullable(z.string()).describe("The sender name"),
  provider: z.enum(["SMTP", "PROVIDERA", "PROVIDERB"]).describe("The mail provider"),
  transport: z
    .enum(TRANSPORTS)
    .describe("How it sends and reads: SMTP_IMAP, or by its provider's API. Warmup and placement tests need SMTP_IMAP"),
  status: z.enum(MAILBOX_STATUSES).describe("Whether it can send"),
  statusReason: nullable(z.string()).describe("Why it cannot send"),
  condition: z
    .enum(CONDITIONS)
    .describe(
      "Whether its servers respond: FAILING after a failed try, DOWN after three in a row, OFF when disconnected",
    ),
  failedTries: z
    .number()
    .int()
    .describe("Tries in a row in which a server did not respond or refused the login; 0 after a success"),
  health: z
    .object({
      score: nullable(z.number()).describe("0 to 100; null without enough emails to judge"),
      band: z.enum(BANDS).describe("The health band, which limits the volume"),
      issues: z.array(z.string()).describe("The problems that were found"),
      since: optionalTime.describe("When the band began; null before the first review"),
      until: optionalTime.describe(
        "The earliest time at which it sends normally or is tried again: the end of its band, cool-down or a person's decision; null if none ends by itself",
      ),
      evidence: nullable(z.string()).describe(
        "The refusals that caused the cool-down, as a sentence; null without a cool-down",
      ),
      pausedProviders: z
        .array(
          z.object({
            provider: z.string().describe("The registrable domain of the provider's MX"),
            until: time.describe("When the provider is tried again"),
            evidence: z.string().describe("The refusals that led to it, as a sentence"),
          }),
        )
        .describe("Providers that refused this mailbox, so it sends nothing to their customers for now"),
      overridden: nullable(
        z.object({
          at: time.describe("When a person resumed the mailbox"),
          until: optionalTime.describe("When the mailbox would have been tried again"),
          evidence: nullable(z.string()).describe("The evidence that the person overrode, as a sentence"),
        }),
      ).describe("What a person overrode to end the last cool-down; null if no one did"),
      step,
      ...evidenceFields,
      nextReviewAt: optionalTime.describe("The next review of the band; new results may cause an earlier one"),
    })
    .describe("The deliverability of its emails"),
  dailySendLimit: z
    .number()
    .int()
    .describe("Most emails a day from this mailbox in all campaigns and warmup; 0: no limit"),
  warmupDailyLimit: z.number().int().describe("The most warmup emails a day"),
  sentToday: z
    .object({
      total: z.number().int().describe("All emails, including those written by hand"),
      warmup: z.number().int().describe("Of these, warmup emails"),
      campaign: z.number().int().describe("Of these, campaign emails"),
    })
    .describe("Emails sent today, UTC"),
  minGapSeconds: nullable(z.number().int()).describe(
    "Shortest gap in seconds between two emails; null: the campaign's gap",
  ),
  maxGapSeconds: nullable(z.number().int()).describe(
    "Longest gap in seconds between two emails; null: the campaign's gap",
  ),
  workday: nullable(
    z.object({
      timezone: z.string().describe("The IANA time zone"),
      days: z.array(z.number().int()).describe("ISO weekdays, 1 is Monday"),
      from: z.string().describe("Local time `HH:mm` when sending starts"),
      to: z.string().describe("Local time `HH:mm` when sending ends"),
    }),
  ).describe(
    "Hours for campaign and warmup emails; campaigns send only when their own hours are open too. Null: only the campaign's hours",
  ),
  signatureHtml: nullable(z.string()).describe("The signature of its emails, as HTML"),
  replyTo: nullable(z.string()).describe("The address for replies; null: its own address"),
  saveToSent: z.boolean().describe("Whether a copy goes to its Sent folder"),
  sentFolder: nullable(z.string()).describe(
    "Its Sent folder; null before the first read, or if the server has none (`NO_SENT_FOLDER`)",
  ),
  tags: z.array(z.string()).describe("Its tags"),
  trackingDomain: z
    .object({
      domain: nullable(z.string()).describe("The domain"),
      status: z.enum(TRACKING_STATES).describe("The state of the domain"),
      expectedCname: nullable(z.string()).describe("The value that its CNAME record must have"),
      checkedAt: optionalTime.describe("When it was last checked"),
      error: nullable(z.string()).describe("Why the check failed"),
    })
    .describe("The domain of links and pixels in its emails"),
  verification: z
    .object({
      status: z.enum(VERIFICATION_STATES).describe("The state of the DNS check"),
      checks: Checks.describe("The result for each record"),
      checkedAt: optionalTime.describe("When it was last checked"),
    })
    .describe("Whether its DNS records are in order"),
  smtp: server.describe("The server for sending"),
  imap: server.describe("The server for reading"),
  username: nullable(z.string()).describe("The user name for both servers; null: the address"),
  smtpUsername: nullable(z.string()).describe("The user name for SMTP only; null: the same as for IMAP"),
  headerSurvival: nullable(
    z.object({
      at: time.describe("When the probe email arrived"),
      messageId: z.boolean().describe("Whether its Message-ID arrives as it was written"),
      from: z.boolean().describe("Whether the From header arrives unchanged"),
      date: z.boolean().describe("Whether the Date header arrives unchanged"),
      listUnsubscribe: z.boolean().describe("Whether List-Unsubscribe arrives unchanged"),
      listUnsubscribePost: z
        .boolean()
        .describe("Whether List-Unsubscribe-Post arrives unchanged: without it there is no one-click unsubscribe"),
      ownHeaders: z.boolean().describe("Whether headers whose names begin with X- arrive unchanged"),
      text: z.boolean().describe("Whether the plain text arrives unchanged; some providers make it anew from the HTML"),
    }),
  ).describe(
    "Which headers of its emails arrive unchanged, measured with a probe email to itself; null until the probe arrives",
  ),
  warmup: z
    .object({
      status: nullable(z.string()).describe("The state of the warmup"),
      healthBand: nullable(z.enum(BANDS)).describe("The health of the warmup"),
    })
    .describe("The warmup of the mailbox"),
  lastSyncAt: optionalTime.describe("When the mailbox was last read"),
  lastError: nullable(
    z.object({
      code: z.string().describe("The error code"),
      message: z.string().describe("The error as a sentence"),
      at: time.describe("When it happened"),
    }),
  ).describe("The last error"),
};

/** The mailbox as the API shows it (rules/states 1.5). It has no field for secrets or user names. */
export const MailboxRecord = record(fields).meta({ id: "Mailbox", description: "A mailbox that sends and receives" });

/** A mailbox in a list. A request can omit the fields that have to be counted. */
export const ListedMailbox = record({
  ...fields,
  sentToday: fields.sentToday.optional(),
  warmup: fields.warmup.optional(),
}).meta({ id: "ListedMailbox", description: "A mailbox in a list; `figures: false` leaves out its counts" });

/** The mailboxes with their computed fields: today's counts by UTC day, health and warmup. */
export async function viewsOf(workspaceId: string, mailboxes: Mailbox[]) {
  const [figuresOf, shared] = [await loadFigures(workspaceId, mailboxes), await sharedDomainOf(workspaceId)];
  return mailboxes.map((mailbox) => ({ ...plainViewOf(mailbox, shared), ...figuresOf(mailbox) }));
}

/** The mailboxes with only those computed fields that need no further reads about each mailbox. */
export async function plainViewsOf(workspaceId: string, mailboxes: Mailbox[]) {
  const shared = await sharedDomainOf(workspaceId);
  return mailboxes.map((mailbox) => plainViewOf(mailbox, shared));
}

/** The counts that are not stored in the mailboxes themselves. */
async function loadFigures(workspaceId: string, mailboxes: Mailbox[]) {
  const today = utcDay(Date.now());
  const days = await scoped(workspaceId).MailboxDay.find({
    _id: trusted({ $in: mailboxes.map(({ _id }) => `${_id}:${today}`) }),
  });
  const dayOf = new Map(days.map((day) => [day.mailboxId, day]));
  const enrolments = await scoped(workspaceId).WarmupEnrolment.find(
    { _id: trusted({ $in: mailboxes.map(({ _id }) => _id) }) },
    { select: { status: 1 } },
  );
  const enrolled = new Map(enrolments.map(({ _id, status }) => [_id, status]));
  return (mailbox: Mailbox) => ({
    sentToday: sentOn(dayOf.get(mailbox._id)),
    warmup: warmupOf(mailbox, enrolled.get(mailbox._id)),
  });
}

async function sharedDomainOf(workspaceId: string): Promise<TrackingDomain | null> {
  const workspace = await Workspace.findOne(
    { _id: workspaceId },
    { trackingDomain: 1 },
    sessionOption(),
  ).lean<Workspace>();
  return workspace?.trackingDomain ?? null;
}

function plainViewOf(mailbox: Mailbox, shared: TrackingDomain | null) {
  return {
    ...mailbox,
    transport: mailbox.transport ?? ("SMTP_IMAP" as const), // mailboxes of earlier versions have none
    ...faultsOf(mailbox),
    health: { ...(mailbox.health ?? UNJUDGED), ...restOf(mailbox), issues: issuesOf(mailbox, shared) },
    trackingDomain: mailbox.trackingDomain ?? NO_DOMAIN,
    verification: verificationOf(mailbox),
    sentFolder: mailbox.sentFolder?.path ?? null,
    headerSurvival: mailbox.headerSurvival ?? null, // mailboxes of earlier versions have none
    username: mailbox.username === mailbox.email ? null : mailbox.username,
  };
}

function faultsOf(mailbox: Mailbox) {
  const failedTries = failedTriesOf(mailbox);
  return { failedTries, condition: conditionOf({ status: mailbox.status, failedTries }) };
}

/** The health of a mailbox that was never judged. */
const UNJUDGED = { score: null, band: "HEALTHY" as const };

/**
 * When a resting mailbox tries again, with the reasons. If its health band ends later, that time is returned instead.
 */
function restOf(mailbox: Mailbox) {
  const now = Date.now();
  const term = mailbox.health?.until ?? null;
  const again = mailbox.status === "CONNECTED" ? null : nextTryOf(mailbox, now);
  const pausedProviders = activePauses(mailbox, now).map((pause) => ({ ...pause, evidence: pauseInWords(pause) }));
  return {
    until: again !== null && (term === null || term < again) ? again : term,
    evidence: restEvidenceOf(mailbox),
    pausedProviders,
    overridden: mailbox.overridden ?? null,
  };
}

/** Warmup emails are measured like all emails of the mailbox, so the band is the same. */
function warmupOf(mailbox: Mailbox, status: string | undefined) {
  return status === undefined ? { status: null, healthBand: null } : { status, healthBand: bandOf(mailbox) };
}

/** The problems that a person should fix, as codes. */
function issuesOf(mailbox: Mailbox, shared: TrackingDomain | null): string[] {
  const { email, status, verification, trackingDomain, lastError } = mailbox;
  // Without its own tracking domain, a mailbox uses the workspace's if both have the same registrable domain
  const usual = trackingDomain ?? (shared !== null && isKindred(email, shared.domain) ? shared : null);
  return [
    ...(status === "CONNECTED" || status === "PAUSED" ? [] : [status]),
    ...(verification?.status === "FAILED" ? ["DNS_FAILED"] : []),
    ...(usual?.status === "FAILED" ? ["TRACKING_DOMAIN_FAILED"] : []),
    ...(isGraver(bandOf(mailbox), "HEALTHY") ? [bandOf(mailbox)] : []),
    ...(mailbox.saveToSent && mailbox.sentFolder?.path === null ? ["NO_SENT_FOLDER"] : []),
    ...(activePauses(mailbox, Date.now()).length > 0 ? ["PROVIDER_PAUSED"] : []),
    ...(lastError === null ? [] : [lastError.code]),
  ];
}

const NO_DOMAIN = { domain: null, status: "NONE" as const, expectedCname: null, checkedAt: null, error: null };
const NOT_CHECKED: Verification = {
  status: "PENDING",
  checks: { mx: null, spf: null, dkim: null, dmarc: null },
  checkedAt: null,
};

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
  return { total: day.sent, warmup: day.sentBy[WARMUP_OWNER] ?? 0, campaign: campaignSentOn(day) };
}
