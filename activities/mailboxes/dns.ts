import { Context } from "@temporalio/activity";
import pLimit from "p-limit";
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
import { type TrackingFinding, trackingAfter } from "../../domain/mailboxes/tracking-domain.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { Mailbox, type TrackingDomain } from "../../models/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { Workspace } from "../../models/workspace.ts";
import { trusted } from "../../mongo/collection.ts";
import { findTracking } from "./tracking-domain.ts";

export interface DnsDeps {
  egress: Egress;
  /** The base URL of our tracking host, of which tracking domains are aliases. */
  trackUrl: string;
  log: Logger;
}

export interface DnsActivities {
  checkMailboxDns(ids: DnsCheckIds): Promise<void>;
  lookAtTrackingDomain(ids: TrackingCheckIds | WorkspaceDomainIds): Promise<void>;
  checkAllDns(): Promise<{ checked: number }>;
}

const PAGE = 200;
/** Milliseconds: the daily round skips what was checked this recently. */
const RECENT_MS = 20 * HOUR_MS;
const AT_ONCE = 10;

/** The activities that check the DNS records of sending and tracking domains, and store the results. */
export function dnsActivities({ egress, trackUrl, log }: DnsDeps): DnsActivities {
  /** Checks MX, SPF, DKIM and DMARC of a mailbox's domain. A mailbox whose checks are skipped is left alone. */
  async function checkMailboxDns({ workspaceId, mailboxId }: { workspaceId: string; mailboxId: string }): Promise<void> {
    const collection = scoped(workspaceId).Mailbox;
    const mailbox = await collection.get(mailboxId);
    if (mailbox === null || mailbox.verification?.status === "SKIPPED") return;
    const domain = domainOf(mailbox.email);
    const checks = await egress.records(DNS_LIMIT_MS, (ask) => checkRecords(ask, domain, mailbox.dkimSelectors));
    log.debug({ mailboxId, checks }, "checked the DNS records of a mailbox");
    const status = verificationAfter(checks, mailbox.verification?.status ?? "PENDING");
    await collection.updateOne(
      { _id: mailboxId, "verification.status": trusted({ $ne: "SKIPPED" }) },
      { $set: { verification: { status, checks, checkedAt: new Date() } } },
    );
  }

  async function lookAtTrackingDomain(ids: TrackingCheckIds | WorkspaceDomainIds): Promise<void> {
    if ("field" in ids) await checkWorkspaceDomain(ids);
    else await checkTracking(ids, "hand");
  }

  /** Of a portal the alias alone is checked: its certificate is that of whatever serves the portal. */
  async function checkWorkspaceDomain({ workspaceId, field }: WorkspaceDomainIds): Promise<void> {
    const workspace = await Workspace.findOne({ _id: workspaceId }).lean<Workspace>();
    const before = workspace?.[field] ?? null;
    if (before === null) return;
    const { domain, expectedCname } = before;
    const front = field === "trackingDomain" ? trackUrl : `http://${expectedCname}`;
    const found = await findTracking(egress, front, domain, expectedCname);
    const finding: TrackingFinding = found === "HELD" && (await isWorkspaceDomain(workspaceId, domain)) ? "IN_USE" : found;
    const after = { ...before, ...trackingAfter(before, finding, "hand"), checkedAt: new Date() };
    await Workspace.updateOne({ _id: workspaceId, [`${field}.domain`]: domain }, { $set: { [field]: after } });
  }

  /** If the domain is changed while its name server is being asked, the result is dropped. */
  async function checkTracking({ workspaceId, mailboxId }: { workspaceId: string; mailboxId: string }, by: "hand" | "daily") {
    const collection = scoped(workspaceId).Mailbox;
    const before = (await collection.get(mailboxId))?.trackingDomain ?? null;
    if (before === null) return;
    const found = await findTracking(egress, trackUrl, before.domain, before.expectedCname);
    const finding: TrackingFinding = found === "HELD" && (await isHeldElsewhere(workspaceId, before.domain)) ? "IN_USE" : found;
    // NONE is only derived from NONE
    const trackingDomain: TrackingDomain = { ...before, ...trackingAfter(before, finding, by), checkedAt: new Date() } as TrackingDomain;
    await collection.updateOne({ _id: mailboxId, "trackingDomain.domain": before.domain }, { $set: { trackingDomain } });
  }

  /** The daily round over every workspace, in pages; a retry continues after the last mailbox that was checked. */
  async function checkAllDns(): Promise<{ checked: number }> {
    const context = Context.current();
    const beat: unknown = context.info.heartbeatDetails;
    let after = typeof beat === "string" ? beat : "";
    let checked = 0;
    const slots = pLimit(AT_ONCE);
    for (;;) {
      const page = await dueAfter(after);
      await Promise.all(page.map((mailbox) => slots(() => checkOne(mailbox))));
      checked += page.length;
      after = page.at(-1)?._id ?? after;
      context.heartbeat(after);
      if (page.length < PAGE) return { checked };
    }
  }

  async function checkOne({ workspaceId, _id: mailboxId, verification, trackingDomain }: Mailbox): Promise<void> {
    const before = Date.now() - RECENT_MS;
    const isOld = (at: Date | null | undefined) => (at?.getTime() ?? 0) < before;
    try {
      if (isOld(verification?.checkedAt)) await checkMailboxDns({ workspaceId, mailboxId });
      if (trackingDomain !== null && isOld(trackingDomain.checkedAt)) await checkTracking({ workspaceId, mailboxId }, "daily");
    } catch (err) {
      log.warn({ err, mailboxId }, "the DNS records of a mailbox could not be checked");
    }
  }

  return { checkMailboxDns, lookAtTrackingDomain, checkAllDns };
}

function dueAfter(id: string): Promise<Mailbox[]> {
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

/** Whether another workspace has verified this domain as one of its own. */
async function isWorkspaceDomain(workspaceId: string, domain: string): Promise<boolean> {
  const verified = { domain, status: "VERIFIED" };
  const held = ["trackingDomain", "portalDomain"].map((field) => ({
    [`${field}.domain`]: verified.domain,
    [`${field}.status`]: verified.status,
  }));
  const other = await Workspace.findOne({ _id: trusted({ $ne: workspaceId }), $or: held }, { _id: 1 }).lean();
  return other !== null;
}

/**
 * Whether another workspace has verified this domain. A domain belongs to the workspace that proved it first: all tracking domains are
 * aliases of one host, so the DNS record alone proves little.
 */
async function isHeldElsewhere(workspaceId: string, domain: string): Promise<boolean> {
  const held = await Mailbox.find({ "trackingDomain.domain": domain }, { workspaceId: 1, trackingDomain: 1 }, { acrossWorkspaces: true })
    .lean<Mailbox[]>()
    .exec();
  return held.some((mailbox) => mailbox.workspaceId !== workspaceId && mailbox.trackingDomain?.status === "VERIFIED");
}
