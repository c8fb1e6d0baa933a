import type { SendingDomain } from "../../domain/deliverability/sending-domain.ts";
import { domainOf } from "../../domain/mail/message.ts";
import type { MailProviders } from "../../domain/mailboxes/provider.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { judgeAlerts } from "../../store/deliverability/alerts.ts";
import { loadLatestChecks } from "../../store/deliverability/checks.ts";
import { countMails } from "../../store/deliverability/count-mails.ts";
import { loadSendingDomains } from "../../store/deliverability/domains.ts";
import { firstDayOf, loadCountedDays } from "../../store/deliverability/figures.ts";
import { makeDuePlacement } from "../../store/deliverability/placement-schedule.ts";
import type { Leg } from "../mailboxes/daily-round.ts";
import { type AlertMailDeps, tellMembers } from "./alert-mail.ts";
import { type InspectDeps, inspectDomains } from "./inspect.ts";
import { legOverWorkspaces } from "./workspaces.ts";

export type ReviewDeps = InspectDeps & AlertMailDeps & { providers: MailProviders };

/** Days whose mails are counted anew each day, since bounces and opens come later, and those of the first round of a workspace. */
const COUNTED_DAYS = 8;
const FIRST_DAYS = 30;
/** Milliseconds in which a domain is not checked again by a round. */
const RECENT_MS = 20 * HOUR_MS;

export interface DeliverabilityReview {
  /** Counts, checks and judges every workspace, once a day, and begins the placement tests that are due. */
  leg: Leg;
  /** Checks the domain of one mailbox and judges alerts, when somebody asked for that. Members are told with the next round. */
  reviewDomain(workspaceId: string, mailboxEmail: string): Promise<void>;
  /** Judges alerts by what is stored, because something has changed. Members are told with the next round. */
  judgeWorkspace(workspaceId: string): Promise<void>;
}

/** What the daily round does about deliverability (rules/deliverability 1.2). */
export function deliverabilityReview(deps: ReviewDeps): DeliverabilityReview {
  async function reviewWorkspace(workspaceId: string, beat: () => void): Promise<void> {
    try {
      const domains = await loadSendingDomains(workspaceId);
      if (domains.length > 0) {
        const isFirst = (await loadCountedDays(workspaceId, "")).length === 0;
        await countMails(workspaceId, firstDayOf(isFirst ? FIRST_DAYS : COUNTED_DAYS), deps.providers, beat);
        beat();
        await inspectDomains(deps, workspaceId, await notLooked(workspaceId, domains), beat);
      }
      await judgeAlerts(workspaceId);
      await tellMembers(deps, workspaceId);
      await makeDuePlacement(workspaceId, deps.providers, Date.now());
    } catch (err) {
      deps.log.warn({ err, workspaceId }, "the deliverability of a workspace could not be reviewed");
    }
    beat();
  }

  async function reviewDomain(workspaceId: string, mailboxEmail: string): Promise<void> {
    const asked = domainOf(mailboxEmail);
    const domains = (await loadSendingDomains(workspaceId)).filter(({ domain }) => domain === asked);
    await inspectDomains(deps, workspaceId, domains, () => {});
    await judgeAlerts(workspaceId);
  }

  return { leg: legOverWorkspaces(() => reviewWorkspace), reviewDomain, judgeWorkspace: judgeAlerts };
}

/** The domains that were not looked at today, so that a round that is repeated asks nobody twice. */
async function notLooked(workspaceId: string, domains: readonly SendingDomain[]): Promise<SendingDomain[]> {
  const checks = await loadLatestChecks(
    workspaceId,
    domains.map(({ domain }) => domain),
  );
  return domains.filter(({ domain }) => (checks.get(domain)?.checkedAt.getTime() ?? 0) < Date.now() - RECENT_MS);
}
