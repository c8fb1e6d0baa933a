import type { Logger } from "pino";
import { checkRecords } from "../../connectors/dns-records.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { domainOf } from "../../domain/mail/message.ts";
import {
  DNS_LIMIT_MS,
  type DnsCheckIds,
  type TrackingCheckIds,
  verificationAfter,
  type WorkspaceDomainIds,
} from "../../domain/mailboxes/dns-check.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { TrackingName } from "../../models/tracking/tracking-name.ts";
import { trusted } from "../../mongo/collection.ts";
import { type Leg, legOf, PAGE, runRound } from "./daily-round.ts";
import { trackingChecks } from "./tracking-checks.ts";

export interface DnsDeps {
  egress: Egress;
  /** The base URL of our tracking host. Tracking domains are CNAME aliases of this host. */
  trackUrl: string;
  /** The base URL of the service. Portal domains are CNAME aliases of its host. */
  publicUrl: string;
  log: Logger;
  /** Further parts of the daily round, which run after the DNS checks. */
  furtherLegs?: readonly Leg[];
  /** Called after the records of a mailbox were checked on request or when it was connected. */
  onChecked?: (mailbox: { workspaceId: string; email: string }) => Promise<void>;
}

export interface DnsActivities {
  checkMailboxDns(ids: DnsCheckIds): Promise<void>;
  lookAtTrackingDomain(ids: TrackingCheckIds | WorkspaceDomainIds): Promise<void>;
  checkAllDns(): Promise<{ checked: number }>;
}

/** Milliseconds: the daily round skips a domain that was checked within this time. */
const RECENT_MS = 20 * HOUR_MS;

/** The activities that check the DNS records of sending and tracking domains, and store the results. */
export function dnsActivities({
  egress,
  trackUrl,
  publicUrl,
  log,
  furtherLegs = [],
  onChecked,
}: DnsDeps): DnsActivities {
  const checks = trackingChecks({ egress, trackUrl, publicUrl, log });

  /** Checks MX, SPF, DKIM and DMARC of a mailbox's domain. A mailbox whose checks are skipped is left alone. */
  async function checkMailboxDns({
    workspaceId,
    mailboxId,
  }: {
    workspaceId: string;
    mailboxId: string;
  }): Promise<void> {
    const email = await checkRecordsOf(workspaceId, mailboxId);
    if (email === null || onChecked === undefined) return;
    await onChecked({ workspaceId, email }).catch((err: unknown) =>
      log.warn({ err, mailboxId }, "post-DNS-check hook failed"),
    );
  }

  /** The address of the mailbox; null when there was nothing to check. */
  async function checkRecordsOf(workspaceId: string, mailboxId: string): Promise<string | null> {
    const collection = scoped(workspaceId).Mailbox;
    const mailbox = await collection.get(mailboxId);
    if (mailbox === null || mailbox.verification?.status === "SKIPPED") return null;
    const domain = domainOf(mailbox.email);
    const checks = await egress.records(DNS_LIMIT_MS, (ask) => checkRecords(ask, domain, mailbox.dkimSelectors));
    log.debug({ mailboxId, checks }, "checked the DNS records of a mailbox");
    const status = verificationAfter(checks, mailbox.verification?.status ?? "PENDING");
    await collection.updateOne(
      { _id: mailboxId, "verification.status": trusted({ $ne: "SKIPPED" }) },
      { $set: { verification: { status, checks, checkedAt: new Date() } } },
    );
    return mailbox.email;
  }

  async function lookAtTrackingDomain(ids: TrackingCheckIds | WorkspaceDomainIds): Promise<void> {
    if ("field" in ids) await checks.checkWorkspaceDomain(ids, "hand");
    else await checks.checkMailboxDomain(ids, "hand");
  }

  /**
   * The daily round. Names that are no longer in use are checked last, because checking the others first records which
   * names are in use.
   */
  function checkAllDns(): Promise<{ checked: number }> {
    return runRound([
      legOf(mailboxesAfter, checkMailbox),
      legOf(workspacesAfter, checkWorkspace),
      legOf(namesAfter, checkName),
      ...furtherLegs,
    ]);
  }

  async function checkMailbox({ workspaceId, _id: mailboxId, verification, trackingDomain }: Mailbox): Promise<void> {
    try {
      if (isOld(verification?.checkedAt)) await checkRecordsOf(workspaceId, mailboxId);
      if (trackingDomain !== null && isOld(trackingDomain.checkedAt))
        await checks.checkMailboxDomain({ workspaceId, mailboxId }, "daily");
    } catch (err) {
      log.warn({ err, mailboxId }, "the DNS records of a mailbox could not be checked");
    }
  }

  async function checkWorkspace(workspace: Workspace): Promise<void> {
    const { _id: workspaceId } = workspace;
    for (const field of ["trackingDomain", "portalDomain"] as const) {
      try {
        const domain = workspace[field];
        if (domain !== null && isOld(domain.checkedAt))
          await checks.checkWorkspaceDomain({ workspaceId, field }, "daily");
      } catch (err) {
        log.warn({ err, workspaceId, field }, "the domain of a workspace could not be checked");
      }
    }
  }

  async function checkName(name: TrackingName): Promise<void> {
    try {
      await checks.checkPastName(name);
    } catch (err) {
      log.warn({ err }, "a former tracking domain could not be checked");
    }
  }

  return { checkMailboxDns, lookAtTrackingDomain, checkAllDns };
}

function isOld(at: Date | null | undefined): boolean {
  return (at?.getTime() ?? 0) < Date.now() - RECENT_MS;
}

function mailboxesAfter(id: string): Promise<Mailbox[]> {
  return Mailbox.find(
    { _id: trusted({ $gt: id }), status: trusted({ $ne: "DISCONNECTED" as const }) },
    { workspaceId: 1, verification: 1, trackingDomain: 1 },
    { acrossWorkspaces: true },
  )
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<Mailbox[]>()
    .exec();
}

function workspacesAfter(id: string): Promise<Workspace[]> {
  return Workspace.find({ _id: trusted({ $gt: id }), deletedAt: null }, { trackingDomain: 1, portalDomain: 1 })
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<Workspace[]>()
    .exec();
}

function namesAfter(id: string): Promise<TrackingName[]> {
  const old = trusted({ $lt: new Date(Date.now() - RECENT_MS) });
  return TrackingName.find({ _id: trusted({ $gt: id }), checkedAt: old })
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<TrackingName[]>()
    .exec();
}
