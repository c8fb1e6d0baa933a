import type { Logger } from "pino";
import type { Egress } from "../../connectors/net/egress.ts";
import type { WorkspaceDomainIds } from "../../domain/mailboxes/dns-check.ts";
import { pointsHere, type TrackingFinding, trackingAfter } from "../../domain/mailboxes/tracking-domain.ts";
import type { TrackingDomain } from "../../models/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { TrackingName } from "../../models/tracking-name.ts";
import { Workspace } from "../../models/workspace.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { recordPointing, settleCheck } from "../../store/mailboxes/tracking-names.ts";
import { findAlias, findTracking } from "./tracking-domain.ts";

export interface TrackingCheckDeps {
  egress: Egress;
  trackUrl: string;
  /** Of which portals are aliases. */
  publicUrl: string;
  log: Logger;
}

type By = "hand" | "daily";

export interface TrackingChecks {
  checkMailboxDomain(ids: { workspaceId: string; mailboxId: string }, by: By): Promise<void>;
  checkWorkspaceDomain(ids: Pick<WorkspaceDomainIds, "workspaceId" | "field">, by: By): Promise<void>;
  /** Asks whether a name that nobody checks any more still leads here. */
  checkPastName(name: TrackingName): Promise<void>;
}

/**
 * The checks of tracking and portal domains (rules/tracking 4.1). If a domain is changed while its name server is being asked, the result
 * is dropped.
 */
export function trackingChecks({ egress, trackUrl, publicUrl, log }: TrackingCheckDeps): TrackingChecks {
  async function lookAt({ domain, expectedCname }: TrackingDomain, frontUrl: string): Promise<TrackingFinding> {
    const found = await findTracking(egress, frontUrl, domain, expectedCname);
    await recordPointing({ domain, expectedCname }, pointsHere(found), new Date());
    return found;
  }

  async function checkMailboxDomain({ workspaceId, mailboxId }: { workspaceId: string; mailboxId: string }, by: By): Promise<void> {
    const collection = scoped(workspaceId).Mailbox;
    const before = (await collection.get(mailboxId))?.trackingDomain ?? null;
    if (before === null) return;
    const found = await lookAt(before, trackUrl);
    const after = await settleCheck(workspaceId, before.domain, async (isHeld) => {
      const trackingDomain = domainAfter(before, isHeld ? refuse(found) : found, by);
      await collection.updateOne({ _id: mailboxId, "trackingDomain.domain": before.domain }, { $set: { trackingDomain } });
      return trackingDomain;
    });
    tell(before, after, { workspaceId, mailboxId });
  }

  /** A portal is served, and has its certificate, as a tracking domain does. */
  async function checkWorkspaceDomain({ workspaceId, field }: Pick<WorkspaceDomainIds, "workspaceId" | "field">, by: By): Promise<void> {
    const before = (await Workspace.findOne({ _id: workspaceId }).lean<Workspace>())?.[field] ?? null;
    if (before === null) return;
    const { domain } = before;
    const found = await lookAt(before, field === "portalDomain" ? publicUrl : trackUrl);
    const after = await settleCheck(workspaceId, domain, async (isHeld) => {
      const checked = domainAfter(before, isHeld ? refuse(found) : found, by);
      await Workspace.updateOne({ _id: workspaceId, [`${field}.domain`]: domain }, { $set: { [field]: checked } }, sessionOption());
      return checked;
    });
    tell(before, after, { workspaceId, field });
  }

  async function checkPastName({ _id: domain, expectedCname }: TrackingName): Promise<void> {
    const found = await findAlias(egress, domain, expectedCname);
    await recordPointing({ domain, expectedCname }, pointsHere(found), new Date());
  }

  /** The log says which domain ended or came back by its owner's id, never by its name. */
  function tell(before: TrackingDomain, after: TrackingDomain, whose: Record<string, string>): void {
    if (before.status === after.status) return;
    if (after.status === "FAILED")
      log.warn(
        { ...whose, failedChecks: after.failedChecks },
        "a tracking or portal domain failed: it is not used until it is right again",
      );
    else log.info(whose, "a tracking or portal domain is verified");
  }

  return { checkMailboxDomain, checkWorkspaceDomain, checkPastName };
}

/** A domain that another workspace holds is not verified; another fault is the one to tell. */
function refuse(found: TrackingFinding): TrackingFinding {
  return found === "HELD" || found === "HELD_WITHOUT_TLS" ? "IN_USE" : found;
}

function domainAfter(before: TrackingDomain, finding: TrackingFinding, by: By): TrackingDomain {
  return { ...before, ...trackingAfter(before, finding, by), checkedAt: new Date() };
}
