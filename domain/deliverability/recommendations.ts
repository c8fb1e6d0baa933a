import type { AlertThresholds } from "../alert-thresholds.ts";
import type { HealthMeasure, MailboxHealth } from "../mailboxes/band.ts";
import { ACCESS_FAULTS, isAccessFault } from "../mailboxes/connection-error.ts";
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
  /**
   * The tool and the endpoint that solve the problem or check it again; null if it can only be solved outside this
   * service.
   */
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
      const title = `Find out how email from ${domain} is signed`;
      return [{ ...subject(domain, reason), priority: "MEDIUM", title, detail, publish: [], ...CHECK_AGAIN }];
    }
    if (verdict !== "FAIL" && verdict !== "WARN") return [];
    const priority = check === "BIMI" || check === "TLS_RPT" || check === "MTA_STS" ? "LOW" : PRIORITY_OF[verdict];
    const title =
      publish.length > 0 ? `Publish ${publish[0]?.type} at ${publish[0]?.name}` : `Fix ${check} of ${domain}`;
    return [{ ...subject(domain, reason), priority, title, detail, publish, ...CHECK_AGAIN }];
  });
  const listed = listings.flatMap(({ list, subject: on, status }): Recommendation[] =>
    status !== "LISTED"
      ? []
      : [
          {
            ...subject(domain, `LISTED_${list.zone}_${on}`),
            priority: "HIGH",
            title: `Have ${on} removed from ${list.zone}`,
            publish: [],
            detail:
              "Pause its mailboxes first: find out what was sent to addresses that never asked for it, then ask the list for removal. Its website says how.",
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
            title: `${domain} is close to the ${bulkFrom} emails a day of ${host}`,
            publish: [],
            detail: `It sent up to ${mailsADay} a day to personal addresses there. A domain that reaches ${bulkFrom} once stays a bulk sender: spread campaigns over more domains, or meet every rule first.`,
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
    title: `Connect the mailboxes of ${domain} over TLS`,
    publish: [],
    ...CONNECT,
    detail:
      "A mailbox of the domain sends without TLS, so anyone on the network path can read its emails. Google requires TLS.",
  };
}

/** What to do about a domain whose email Gmail users report as spam. */
export function googleAdvice(domain: string, newest: GoogleRate | null, now: number): Recommendation[] {
  return googleConditions(domain, newest, now).flatMap(({ type, state, severity, message }): Recommendation[] => {
    if (state !== "HOLDS") return [];
    const priority = severity === "CRITICAL" ? "HIGH" : "MEDIUM";
    const title = `Reduce spam reports by Google users about ${domain}`;
    const detail = `${message}. Pause its mailboxes, and check whom their campaigns contact and what they promise. Google forgets slowly.`;
    const cure = { relatedTool: "mailboxes_manage", relatedEndpoint: "POST /mailboxes/manage" };
    return [{ ...subject(domain, type), priority, title, detail, publish: [], ...cure }];
  });
}

/**
 * What to do so that Google reports its figures about a domain. The owner of the domain does it on Google's pages.
 */
export function postmasterAdvice(domain: string, error: PostmasterError | null): Recommendation[] {
  if (error !== "NOT_LISTED" && error !== "UNVERIFIED") return [];
  const lack = error === "NOT_LISTED" ? "no account here can see it" : "no one has verified ownership of the domain";
  const detail = `Google reports how its users and servers treat the domain's email, but ${lack}. Add the domain at postmaster.google.com, verify it with the record that is shown there, and let the account of this deployment read it. The next daily reading finds it.`;
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
export function lostAdvice({
  mailboxId,
  email,
  statusReason,
}: {
  mailboxId: string;
  email: string;
  statusReason: string | null;
}): Recommendation {
  const cause = isAccessFault(statusReason) ? `${ACCESS_FAULTS[statusReason].text} ` : "";
  const detail =
    cause +
    "It can no longer log in, so it does not send and is not read. Its campaigns wait, or continue with their other mailboxes.";
  const of = {
    id: idOf("MAILBOX_LOST", mailboxId),
    subjectType: "MAILBOX" as const,
    subjectId: mailboxId,
    publish: [],
  };
  return { ...of, priority: "HIGH", title: `Connect ${email} again`, detail, ...CONNECT };
}

/** What to do about a mailbox that warms up and has no possible warmup partner. */
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
      "Its emails land in Junk: check the records of its domain, and send fewer and more personal emails until warmup finds them in the inbox again.",
    ...CHECK_AGAIN,
  },
  COMPLAINT_RATE: {
    detail:
      "Recipients report it as spam: check whom its campaigns contact and what they promise, and pause unwanted campaigns.",
    relatedTool: "campaign_control",
    relatedEndpoint: "POST /campaigns/{campaignId}/control",
  },
  BOUNCE_RATE: {
    detail: "Its emails bounce: remove addresses of doubtful origin from its campaigns.",
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
    "It recovers by itself, step by step; once the cause is fixed, mailboxes_manage with setHealthy ends it immediately.";
  const of = {
    id: idOf(`BAND_${band}`, mailboxId),
    subjectType: "MAILBOX" as const,
    subjectId: mailboxId,
    publish: [],
  };
  const explanation = `${bandMessage(email, health)}, since ${since.toISOString()}. ${detail} ${back}`;
  return [
    { ...of, priority: BAND_PRIORITY[band], title: `${email} is ${band}: fix the cause`, detail: explanation, ...cure },
  ];
}

/** What to do about a mailbox whose emails bounce, are reported or land in Junk. */
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
      const detail = `${message}. Remove addresses of doubtful origin from its campaigns before more of them bounce.`;
      const cure = { relatedTool: "recipients_manage", relatedEndpoint: "POST /campaigns/{campaignId}/recipients" };
      return [{ ...of, priority, title: `Reduce bounces of ${email}`, detail, ...cure }];
    }
    if (type === "SPAM_PLACEMENT") {
      const detail = `${message}. Let it send less until the share falls. First fix the findings about its domain, and check the content score of its campaigns' texts.`;
      return [{ ...of, priority, title: `Keep emails of ${email} out of Junk`, detail, ...LESS_MAIL }];
    }
    const detail = `${message}. Pause it, and check whom its campaigns contact and what they promise.`;
    const cure = { relatedTool: "mailboxes_manage", relatedEndpoint: "POST /mailboxes/manage" };
    return [{ ...of, priority, title: `Reduce spam reports about ${email}`, detail, ...cure }];
  });
}

/** Sorts advice by priority, HIGH first, and within a priority by subject, so that related advice is together. */
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

/** The id of a recommendation. The same advice always has the same id, so that a client can tell what is new. */
function idOf(reason: string, subjectId: string): string {
  return `rec_${reason}_${subjectId}`.replaceAll(/[^A-Za-z0-9_]/g, "_");
}
