import type { DomainState } from "../../domain/deliverability/alerts.ts";
import { type GoogleRate, recentRate } from "../../domain/deliverability/google-rate.ts";
import { senderRules } from "../../domain/deliverability/sender-rules.ts";
import type { SendingDomain } from "../../domain/deliverability/sending-domain.ts";
import { organisationOf } from "../../domain/mail/message.ts";
import { scoreOf } from "../../domain/mailboxes/score.ts";
import { loadLatestChecks } from "./domains.ts";
import { firstDayOf, loadDays, loadSums, type MailSums, noFigures } from "./figures.ts";
import { loadGoogleRates, namesOfSenders } from "./postmaster.ts";

/** The number of days over which scores, rules and alerts are measured. */
export const MEASURED_DAYS = 7;

/** A sending domain with the results of its last checks. */
export interface MeasuredDomain extends DomainState {
  of: SendingDomain;
  /** Null before the first check. */
  checkedAt: Date | null;
  isAligned: boolean | null;
  /** Over seven days. */
  figures: MailSums;
  score: number | null;
  /** The last spam rate that Google reported; null without one. */
  google: GoogleRate | null;
}

/**
 * The state of these domains: the newest check and seven days of email. `all` are all domains of the workspace, because
 * limits of receiving hosts apply to the sum of related domains.
 */
export async function measureDomains(
  workspaceId: string,
  some: readonly SendingDomain[],
  all: readonly SendingDomain[],
): Promise<MeasuredDomain[]> {
  const names = some.map(({ domain }) => domain);
  const organisations = new Set(some.map(({ organisation }) => organisation));
  const kin = all.filter(({ organisation }) => organisations.has(organisation)).map(({ domain }) => domain);
  const since = firstDayOf(MEASURED_DAYS);
  const now = Date.now();
  const [checks, sums, days, rates] = await Promise.all([
    loadLatestChecks(workspaceId, names),
    loadSums(workspaceId, "DOMAIN", since, names),
    loadDays(workspaceId, "DOMAIN", since, kin),
    loadGoogleRates(workspaceId, namesOfSenders(some), now),
  ]);
  const busiest = busiestDays(days);
  return some.map((of) => {
    const check = checks.get(of.domain);
    const [findings, listings, isAligned] = [check?.findings ?? [], check?.listings ?? [], check?.isAligned ?? null];
    const figures = sums.get(of.domain) ?? noFigures();
    const { sent, complained } = figures;
    const daily = busiest.get(of.organisation) ?? { GOOGLE: 0, YAHOO: 0, MICROSOFT: 0 };
    const google = rates.get(of.domain) ?? null;
    const facts = {
      findings,
      isAligned,
      usesTls: of.usesTls,
      sent,
      complained,
      google: recentRate(google, now),
      daily,
    };
    const rules = senderRules(facts);
    const { domain } = of;
    const score = scoreOf(figures, figures);
    return {
      of,
      domain,
      checkedAt: check?.checkedAt ?? null,
      findings,
      listings,
      isAligned,
      rules,
      figures,
      score,
      google,
    };
  });
}

type Daily = Record<"GOOGLE" | "YAHOO" | "MICROSOFT", number>;

/**
 * The largest number of emails on one day to each host, by registrable domain. Hosts add up what all domains below a
 * registrable domain send.
 */
function busiestDays(days: Awaited<ReturnType<typeof loadDays>>): Map<string, Daily> {
  const sums = new Map<string, Daily & { organisation: string }>();
  for (const { subjectId, day, toGoogle, toYahoo, toMicrosoft } of days) {
    const organisation = organisationOf(subjectId);
    const key = `${organisation} ${day}`;
    const sum = sums.get(key) ?? { organisation, GOOGLE: 0, YAHOO: 0, MICROSOFT: 0 };
    sum.GOOGLE += toGoogle;
    sum.YAHOO += toYahoo;
    sum.MICROSOFT += toMicrosoft;
    sums.set(key, sum);
  }
  const busiest = new Map<string, Daily>();
  for (const { organisation, ...sum } of sums.values()) {
    const known = busiest.get(organisation) ?? { GOOGLE: 0, YAHOO: 0, MICROSOFT: 0 };
    busiest.set(organisation, {
      GOOGLE: Math.max(known.GOOGLE, sum.GOOGLE),
      YAHOO: Math.max(known.YAHOO, sum.YAHOO),
      MICROSOFT: Math.max(known.MICROSOFT, sum.MICROSOFT),
    });
  }
  return busiest;
}
