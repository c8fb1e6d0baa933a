import pLimit from "p-limit";
import type { Logger } from "pino";
import { inspectDomain } from "../../connectors/dns/domain-facts.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import type { BlockList } from "../../domain/deliverability/block-lists.ts";
import type { SendingDomain } from "../../domain/deliverability/sending-domain.ts";
import { domainOf } from "../../domain/mail/message.ts";
import type { MailProviders } from "../../domain/mailboxes/provider.ts";
import type { SystemSmtp } from "../../domain/mailboxes/system-smtp.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { judgeAlerts, loadTellable, loadUntold, markTold, type Untold } from "../../store/deliverability/alerts.ts";
import { countMails } from "../../store/deliverability/count-mails.ts";
import { loadLatestChecks, loadSendingDomains, saveCheck } from "../../store/deliverability/domains.ts";
import { firstDayOf, loadCountedDays } from "../../store/deliverability/figures.ts";
import { makeDuePlacement } from "../../store/deliverability/placement-schedule.ts";
import { findSuspension } from "../../store/workspace-stands.ts";
import type { Leg } from "../mailboxes/daily-round.ts";
import { sendSystemMail } from "../system-mail.ts";
import { legOverWorkspaces } from "./workspaces.ts";

export type ReviewDeps = InspectDeps & AlertMailDeps & { providers: MailProviders };

/**
 * Days that every round counts again, because bounces and opens arrive late; and days that the first round of a
 * workspace counts.
 */
const COUNTED_DAYS = 8;
const FIRST_DAYS = 30;
/** Milliseconds: the daily round skips a domain that was checked within this time. */
const RECENT_MS = 20 * HOUR_MS;

export interface DeliverabilityReview {
  /** Counts, checks and judges every workspace, once a day, and begins the placement tests that are due. */
  leg: Leg;
  /** Checks the domain of one mailbox and evaluates alerts, at a user's request. The next round notifies members. */
  reviewDomain(workspaceId: string, mailboxEmail: string): Promise<void>;
  /** Evaluates alerts from stored data after a change. The next round notifies members. */
  judgeWorkspace(workspaceId: string): Promise<void>;
}

/** The part of the daily round that reviews deliverability (rules/deliverability 1.2). */
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
    const emailDomain = domainOf(mailboxEmail);
    const domains = (await loadSendingDomains(workspaceId)).filter(({ domain }) => domain === emailDomain);
    await inspectDomains(deps, workspaceId, domains, () => {});
    await judgeAlerts(workspaceId);
  }

  return { leg: legOverWorkspaces(() => reviewWorkspace), reviewDomain, judgeWorkspace: judgeAlerts };
}

/**
 * The domains that were not checked within the last 20 hours, so that a repeated round does not query DNS for them
 * again.
 */
async function notLooked(workspaceId: string, domains: readonly SendingDomain[]): Promise<SendingDomain[]> {
  const checks = await loadLatestChecks(
    workspaceId,
    domains.map(({ domain }) => domain),
  );
  return domains.filter(({ domain }) => (checks.get(domain)?.checkedAt.getTime() ?? 0) < Date.now() - RECENT_MS);
}

interface InspectDeps {
  egress: Pick<Egress, "records" | "request">;
  /** The block lists to query. */
  lists: readonly BlockList[];
  log: Pick<Logger, "warn">;
}

const AT_ONCE = 5;

/**
 * Checks these domains and stores the results. If checking one fails, its earlier results stay. `beat` is called after
 * each domain.
 */
async function inspectDomains(
  { egress, lists, log }: InspectDeps,
  workspaceId: string,
  domains: readonly SendingDomain[],
  beat: () => void,
): Promise<void> {
  const slots = pLimit(AT_ONCE);
  const work = domains.map((of) =>
    slots(async () => {
      try {
        await saveCheck(workspaceId, of.domain, await inspectDomain(egress, of, lists), new Date());
      } catch (err) {
        log.warn({ err, workspaceId, domain: of.domain }, "a sending domain could not be checked");
      }
      beat();
    }),
  );
  await Promise.all(work);
}

interface AlertMailDeps {
  egress: Egress;
  /** The server for system emails; null: alerts are not emailed. */
  smtp: SystemSmtp | null;
  log: Logger;
}

/**
 * Emails members the alerts that opened or resolved since the last notice, in one email per member
 * (rules/deliverability 5.3). If sending fails, these alerts are included in the next notice. Without a server for
 * system emails, they count as notified.
 */
async function tellMembers({ egress, smtp, log }: AlertMailDeps, workspaceId: string): Promise<void> {
  const untold = await loadUntold(workspaceId);
  if (untold.length === 0 || (await findSuspension(workspaceId)) !== null) return;
  if (smtp !== null) {
    try {
      const workspace = await Workspace.findOne({ _id: workspaceId }, { name: 1 }).lean<Pick<Workspace, "name">>();
      const mail = alertEmailOf(workspace?.name ?? workspaceId, untold);
      for (const to of await loadTellable(workspaceId))
        await sendSystemMail(egress, smtp, { to, ...mail }, { ofWorkspace: workspaceId, log });
    } catch (err) {
      log.warn({ err, workspaceId }, "failed to email members about alerts");
      return;
    }
  }
  await markTold(workspaceId, untold);
}

/** Subject and text of the email: first the open alerts, the most severe first, then the resolved ones. */
function alertEmailOf(workspace: string, untold: readonly Untold[]): { subject: string; text: string } {
  const opened = untold
    .filter((alert) => alert.untold === "OPENED")
    .map(({ severity, message }) => `${severity}: ${message}`);
  const resolved = untold
    .filter((alert) => alert.untold === "RESOLVED")
    .map(({ message, resolution }) => resolution?.message ?? message);
  const count = `${untold.length} ${untold.length === 1 ? "change" : "changes"}`;
  const parts = [
    `Deliverability alerts of ${workspace} in Outreach: ${count} since the last email.`,
    ...(opened.length > 0 ? [["Open:", ...opened.map((line) => `- ${line}`)].join("\n")] : []),
    ...(resolved.length > 0 ? [["Resolved:", ...resolved.map((line) => `- ${line}`)].join("\n")] : []),
    "To see what to do, open Deliverability in Outreach, or call the tool deliverability_recommendations.",
  ];
  const subject =
    opened.length > 0
      ? `${opened.length} deliverability ${opened.length === 1 ? "alert" : "alerts"} of ${workspace}`
      : `Deliverability alerts of ${workspace} resolved`;
  return { subject, text: `${parts.join("\n\n")}\n` };
}
