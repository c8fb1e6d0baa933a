import type { AlertThresholds } from "../alert-thresholds.ts";
import type { HealthMeasure, MailboxHealth } from "../mailboxes/band.ts";
import type { MeasuredPlaces } from "../mailboxes/score.ts";
import {
  bandMessage,
  type DomainState,
  googleConditions,
  placeCondition,
  rateConditions,
  type SubjectType,
} from "./alerts.ts";
import type { Finding, RecordToPublish } from "./finding.ts";
import type { GoogleRate } from "./google-rate.ts";
import type { PostmasterError } from "./postmaster.ts";
import type { MailFigures } from "./score.ts";

export const PRIORITIES = ["HIGH", "MEDIUM", "LOW"] as const;
type Priority = (typeof PRIORITIES)[number];

export interface Recommendation {
  id: string;
  priority: Priority;
  title: string;
  detail: string;
  subjectType: Exclude<SubjectType, "CRM_CONNECTION" | "APPROVAL"> | "WORKSPACE";
  subjectId: string;
  /** The tool, and the endpoint, by which it is cured or checked again; null where it is done elsewhere alone. */
  relatedTool: string | null;
  relatedEndpoint: string | null;
  publish: RecordToPublish[];
}

const CHECK_AGAIN = { relatedTool: "mailboxes_verify_dns", relatedEndpoint: "POST /mailboxes/{mailboxId}/verify-dns" };
const CONNECT = { relatedTool: "mailboxes_connect", relatedEndpoint: "POST /mailboxes/connect" };
const LESS_MAIL = { relatedTool: "mailboxes_manage", relatedEndpoint: "POST /mailboxes/manage" };
const PRIORITY_OF = { FAIL: "HIGH", WARN: "MEDIUM", ABSENT: "LOW" } as const;

/** What to do about a domain's records and block lists. */
export function domainAdvice({ domain, findings, listings, rules }: DomainState): Recommendation[] {
  const records = findings.flatMap((found): Recommendation[] => {
    const { check, verdict, reason, detail, publish } = found;
    if (isProbeWanted(found)) {
      const title = `Find out how mail of ${domain} is signed`;
      return [{ ...subject(domain, reason), priority: "MEDIUM", title, detail, publish: [], ...CHECK_AGAIN }];
    }
    if (verdict !== "FAIL" && verdict !== "WARN") return [];
    const priority = check === "BIMI" || check === "TLS_RPT" || check === "MTA_STS" ? "LOW" : PRIORITY_OF[verdict];
    const title =
      publish.length > 0 ? `Publish ${publish[0]?.type} at ${publish[0]?.name}` : `Mend ${check} of ${domain}`;
    return [{ ...subject(domain, reason), priority, title, detail, publish, ...CHECK_AGAIN }];
  });
  const listed = listings.flatMap(({ list, subject: on, status }): Recommendation[] =>
    status !== "LISTED"
      ? []
      : [
          {
            ...subject(domain, `LISTED_${list.zone}_${on}`),
            priority: "HIGH",
            title: `Have ${on} taken off ${list.zone}`,
            publish: [],
            detail:
              "Pause its mailboxes first: find what was sent to addresses that never asked for it, then ask the list. It says how on its site.",
            relatedTool: "mailboxes_manage",
            relatedEndpoint: "POST /mailboxes/manage",
          },
        ],
  );
  const near = rules.flatMap(({ host, mailsADay, bulkFrom, isBulk }): Recommendation[] =>
    bulkFrom === null || isBulk || mailsADay < 0.8 * bulkFrom
      ? []
      : [
          {
            ...subject(domain, `NEAR_BULK_${host}`),
            priority: "MEDIUM",
            title: `${domain} comes near the ${bulkFrom} mails a day of ${host}`,
            publish: [],
            detail: `It sent up to ${mailsADay} a day to persons' addresses there. Who reached ${bulkFrom} once is a bulk sender from then on: spread campaigns over further domains, or meet every rule first.`,
            relatedTool: "campaign_settings_update",
            relatedEndpoint: "PATCH /campaigns/{campaignId}/settings",
          },
        ],
  );
  const usesTls = !rules.some(({ rules }) => rules.some(({ rule, verdict }) => rule === "TLS" && verdict === "FAIL"));
  return [...records, ...listed, ...near, ...(usesTls ? [] : [tlsAdvice(domain)])];
}

function tlsAdvice(domain: string): Recommendation {
  return {
    ...subject(domain, "WITHOUT_TLS"),
    priority: "HIGH",
    title: `Connect the mailboxes of ${domain} by TLS`,
    publish: [],
    ...CONNECT,
    detail:
      "A mailbox of the domain hands its mail over without TLS, which anybody on the way can read. Google asks for TLS.",
  };
}

/** What to do about a domain whose mail people at Google report. */
export function googleAdvice(domain: string, newest: GoogleRate | null, now: number): Recommendation[] {
  return googleConditions(domain, newest, now).flatMap(({ type, state, severity, message }): Recommendation[] => {
    if (state !== "HOLDS") return [];
    const priority = severity === "CRITICAL" ? "HIGH" : "MEDIUM";
    const title = `Fewer people at Google may report ${domain}`;
    const detail = `${message}. Pause its mailboxes, and look at whom their campaigns write to and what they promise. Google forgets slowly.`;
    const cure = { relatedTool: "mailboxes_manage", relatedEndpoint: "POST /mailboxes/manage" };
    return [{ ...subject(domain, type), priority, title, detail, publish: [], ...cure }];
  });
}

/**
 * What to do so that Google tells its figures of a domain. It is done in Google's own pages, by whoever has the domain.
 */
export function postmasterAdvice(domain: string, error: PostmasterError | null): Recommendation[] {
  if (error !== "NOT_LISTED" && error !== "UNVERIFIED") return [];
  const lack =
    error === "NOT_LISTED" ? "Google shows it to no one here" : "it is there, and no one has proven to have it";
  const detail = `Google tells how its users and servers take the domain's mail, but ${lack}. Add it at postmaster.google.com, prove that it is yours by the record that is shown there, and let the account of this installation read it. The next daily reading finds it.`;
  const title = `Verify ${domain} in Google's Postmaster Tools`;
  return [
    {
      ...subject(domain, `POSTMASTER_${error}`),
      priority: "LOW",
      title,
      detail,
      publish: [],
      relatedTool: null,
      relatedEndpoint: null,
    },
  ];
}

/** What to do about a mailbox that cannot log in any more. */
export function lostAdvice({ mailboxId, email }: { mailboxId: string; email: string }): Recommendation {
  const detail =
    "It cannot log in any more, so it neither sends nor is read. Its campaigns wait, or go on with their other mailboxes.";
  const of = {
    id: idOf("MAILBOX_LOST", mailboxId),
    subjectType: "MAILBOX" as const,
    subjectId: mailboxId,
    publish: [],
  };
  return { ...of, priority: "HIGH", title: `Connect ${email} again`, detail, ...CONNECT };
}

/** What to do about a mailbox that warms up and has no one to write to. */
export function partnerAdvice({ mailboxId, email }: { mailboxId: string; email: string }): Recommendation {
  const of = {
    id: idOf("NO_WARMUP_PARTNER", mailboxId),
    subjectType: "MAILBOX" as const,
    subjectId: mailboxId,
    publish: [],
  };
  const detail = `No mailbox of another domain takes part in the pools of ${email}: start the warmup of some, or give it a share of another pool.`;
  const cure = { relatedTool: "warmup_manage", relatedEndpoint: "POST /warmup/manage" };
  return { ...of, priority: "MEDIUM", title: `Find partners for the warmup of ${email}`, detail, ...cure };
}

const BAND_PRIORITY = {
  HEALTHY: "LOW",
  WATCH: "LOW",
  THROTTLED: "MEDIUM",
  QUARANTINED: "HIGH",
  BLOCKED: "HIGH",
} as const;
const BAND_CURES: Record<HealthMeasure, { detail: string; relatedTool: string; relatedEndpoint: string }> = {
  SPAM_RATE: {
    detail:
      "Its mail lands in Junk: check the records of its domain, and send less and more personal mail until warmup finds it in the inbox again.",
    ...CHECK_AGAIN,
  },
  COMPLAINT_RATE: {
    detail:
      "Readers report it as spam: look at whom its campaigns write to and what they promise, and pause what no one asked for.",
    relatedTool: "campaign_control",
    relatedEndpoint: "POST /campaigns/{campaignId}/control",
  },
  BOUNCE_RATE: {
    detail: "Its mail bounces: take addresses of doubtful origin out of its campaigns.",
    relatedTool: "recipients_manage",
    relatedEndpoint: "POST /campaigns/{campaignId}/recipients",
  },
};

/** What to do about a mailbox whose band is other than HEALTHY. */
export function bandAdvice(
  { mailboxId, email }: { mailboxId: string; email: string },
  health: MailboxHealth | null,
): Recommendation[] {
  if (health === null || health.band === "HEALTHY" || health.measure === null) return [];
  const { band, measure, since } = health;
  const { detail, ...cure } = BAND_CURES[measure];
  const back =
    "It comes back by itself, step by step; once what led there is mended, mailboxes_manage with setHealthy ends it at once.";
  const of = {
    id: idOf(`BAND_${band}`, mailboxId),
    subjectType: "MAILBOX" as const,
    subjectId: mailboxId,
    publish: [],
  };
  const told = `${bandMessage(email, health)}, since ${since.toISOString()}. ${detail} ${back}`;
  return [
    { ...of, priority: BAND_PRIORITY[band], title: `${email} is ${band}: mend what led there`, detail: told, ...cure },
  ];
}

/** What to do about a mailbox whose mail bounces, is reported or lands in Junk. */
export function mailboxAdvice(
  { mailboxId, email }: { mailboxId: string; email: string },
  figures: MailFigures & MeasuredPlaces,
  thresholds: AlertThresholds,
): Recommendation[] {
  const about = { subjectType: "MAILBOX" as const, subjectId: mailboxId, name: email };
  const conditions = [...rateConditions(about, figures, thresholds), placeCondition(about, figures, thresholds)];
  return conditions.flatMap(({ type, state, severity, message }): Recommendation[] => {
    if (state !== "HOLDS") return [];
    const of = { id: idOf(type, mailboxId), subjectType: "MAILBOX" as const, subjectId: mailboxId, publish: [] };
    const priority = severity === "CRITICAL" ? "HIGH" : "MEDIUM";
    if (type === "BOUNCE_RATE") {
      const detail = `${message}. Take addresses of doubtful origin out of its campaigns before more of them bounce.`;
      const cure = { relatedTool: "recipients_manage", relatedEndpoint: "POST /campaigns/{campaignId}/recipients" };
      return [{ ...of, priority, title: `Fewer mails of ${email} may bounce`, detail, ...cure }];
    }
    if (type === "SPAM_PLACEMENT") {
      const detail = `${message}. Let it send less until they fall, mend what is said of its domain first, and look at what its campaigns' texts score.`;
      return [{ ...of, priority, title: `Bring mail of ${email} out of Junk`, detail, ...LESS_MAIL }];
    }
    const detail = `${message}. Pause it, and look at whom its campaigns write to and what they promise.`;
    const cure = { relatedTool: "mailboxes_manage", relatedEndpoint: "POST /mailboxes/manage" };
    return [{ ...of, priority, title: `Fewer readers may report ${email}`, detail, ...cure }];
  });
}

/** HIGH first; within a priority by subject, so that what belongs together stands together. */
export function sortAdvice(advice: readonly Recommendation[]): Recommendation[] {
  const rank = ({ priority }: Recommendation) => PRIORITIES.indexOf(priority);
  return [...advice].sort(
    (a, b) => rank(a) - rank(b) || (a.subjectId < b.subjectId ? -1 : a.subjectId > b.subjectId ? 1 : 0),
  );
}

function isProbeWanted({ reason }: Finding): boolean {
  return reason === "DKIM_SELECTOR_UNKNOWN" || reason === "DKIM_KEY_PRESENT";
}

function subject(domain: string, reason: string) {
  return { id: idOf(reason, domain), subjectType: "DOMAIN" as const, subjectId: domain };
}

/** The same for the same advice, so that a reader can tell what is new. */
function idOf(reason: string, subjectId: string): string {
  return `rec_${reason}_${subjectId}`.replaceAll(/[^A-Za-z0-9_]/g, "_");
}
