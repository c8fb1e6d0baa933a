import type { Logger } from "pino";
import type { Egress } from "../../connectors/net/egress.ts";
import { type Ask, isAbsent } from "../../connectors/net/records.ts";
import { DNS_LIMIT_MS, type WorkspaceDomainIds } from "../../domain/mailboxes/dns-check.ts";
import {
  isDevelopmentHost,
  MOST_ALIASES,
  pointsHere,
  type TrackingFinding,
  trackingAfter,
} from "../../domain/mailboxes/tracking-domain.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { TrackingDomain } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { TrackingName } from "../../models/tracking/tracking-name.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { recordPointing, settleCheck } from "../../store/mailboxes/tracking-names.ts";

export interface TrackingCheckDeps {
  egress: Egress;
  trackUrl: string;
  /** The host that portal domains are aliases of. */
  publicUrl: string;
  log: Logger;
}

type By = "hand" | "daily";

export interface TrackingChecks {
  checkMailboxDomain(ids: { workspaceId: string; mailboxId: string }, by: By): Promise<void>;
  checkWorkspaceDomain(ids: Pick<WorkspaceDomainIds, "workspaceId" | "field">, by: By): Promise<void>;
  /** Checks whether a name that is no longer in use still points to this service. */
  checkPastName(name: TrackingName): Promise<void>;
}

/**
 * The checks of tracking and portal domains (rules/tracking 4.1). If a domain is changed while its name server is being
 * asked, the result is dropped.
 */
export function trackingChecks({ egress, trackUrl, publicUrl, log }: TrackingCheckDeps): TrackingChecks {
  async function lookAt({ domain, expectedCname }: TrackingDomain, frontUrl: string): Promise<TrackingFinding> {
    const found = await findTracking(egress, frontUrl, domain, expectedCname);
    await recordPointing({ domain, expectedCname }, pointsHere(found), new Date());
    return found;
  }

  async function checkMailboxDomain(
    { workspaceId, mailboxId }: { workspaceId: string; mailboxId: string },
    by: By,
  ): Promise<void> {
    const collection = scoped(workspaceId).Mailbox;
    const before = (await collection.get(mailboxId))?.trackingDomain ?? null;
    if (before === null) return;
    const found = await lookAt(before, trackUrl);
    const after = await settleCheck(workspaceId, before.domain, async (isHeld) => {
      const trackingDomain = domainAfter(before, isHeld ? findingForOther(found) : found, by);
      await collection.updateOne(
        { _id: mailboxId, "trackingDomain.domain": before.domain },
        { $set: { trackingDomain } },
      );
      return trackingDomain;
    });
    logStatusChange(before, after, { workspaceId, mailboxId });
  }

  /** Checks a tracking or portal domain of a workspace; both kinds are served and get certificates in the same way. */
  async function checkWorkspaceDomain(
    { workspaceId, field }: Pick<WorkspaceDomainIds, "workspaceId" | "field">,
    by: By,
  ): Promise<void> {
    const before = (await Workspace.findOne({ _id: workspaceId }).lean<Workspace>())?.[field] ?? null;
    if (before === null) return;
    const { domain } = before;
    const found = await lookAt(before, field === "portalDomain" ? publicUrl : trackUrl);
    const after = await settleCheck(workspaceId, domain, async (isHeld) => {
      const checked = domainAfter(before, isHeld ? findingForOther(found) : found, by);
      await Workspace.updateOne(
        { _id: workspaceId, [`${field}.domain`]: domain },
        { $set: { [field]: checked } },
        sessionOption(),
      );
      return checked;
    });
    logStatusChange(before, after, { workspaceId, field });
  }

  async function checkPastName({ _id: domain, expectedCname }: TrackingName): Promise<void> {
    const found = await findAlias(egress, domain, expectedCname);
    await recordPointing({ domain, expectedCname }, pointsHere(found), new Date());
  }

  /** Logs a domain that failed or recovered. The log contains its owner's id, never the domain. */
  function logStatusChange(before: TrackingDomain, after: TrackingDomain, whose: Record<string, string>): void {
    if (before.status === after.status) return;
    if (after.status === "FAILED")
      log.warn(
        { ...whose, failedChecks: after.failedChecks },
        "a tracking or portal domain failed its checks: it is not used until they pass again",
      );
    else log.info(whose, "a tracking or portal domain is verified");
  }

  return { checkMailboxDomain, checkWorkspaceDomain, checkPastName };
}

/**
 * The finding for a domain that another workspace holds: IN_USE instead of verified; any other fault is reported
 * unchanged.
 */
function findingForOther(found: TrackingFinding): TrackingFinding {
  return found === "HELD" || found === "HELD_WITHOUT_TLS" ? "IN_USE" : found;
}

function domainAfter(before: TrackingDomain, finding: TrackingFinding, by: By): TrackingDomain {
  return { ...before, ...trackingAfter(before, finding, by), checkedAt: new Date() };
}

/**
 * Milliseconds for our tracking front to present a certificate. For a new name the front first requests one from the
 * authority, which takes some seconds.
 */
const TLS_LIMIT_MS = 2_500;

/**
 * Host and port of our tracking front, from TRACK_URL. Plain HTTP, which has no certificates, is accepted only for
 * development machines.
 */
function frontOf(trackUrl: string): { isPlain: boolean; host: string; port: number } {
  const { protocol, hostname, port } = new URL(trackUrl);
  return { isPlain: protocol === "http:", host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || 443 };
}

/**
 * Checks whether a domain is a CNAME alias of our host and whether our front has a certificate for it (rules/states
 * 6.4). It cannot check whether other resolvers return the same records, or whether the front is reachable from
 * outside.
 */
export async function findTracking(
  egress: Egress,
  trackUrl: string,
  domain: string,
  expectedCname: string,
): Promise<TrackingFinding> {
  const alias = await findAlias(egress, domain, expectedCname);
  if (alias !== "HELD") return alias;
  const { isPlain, host, port } = frontOf(trackUrl);
  if (isPlain) return isDevelopmentHost(host) ? "HELD_WITHOUT_TLS" : "PLAIN_HTTP";
  const certified = await egress.certifiedAt({ host, port }, domain, TLS_LIMIT_MS);
  if (certified === "VALID") return "HELD";
  return certified === "INVALID" ? "NO_CERTIFICATE" : "FRONT_UNREACHABLE";
}

/** Checks only the alias. */
function findAlias(egress: Egress, domain: string, expectedCname: string): Promise<TrackingFinding> {
  return egress.records(DNS_LIMIT_MS, (ask) => aliasOf(ask, domain, expectedCname));
}

async function aliasOf(ask: Ask, domain: string, expectedCname: string): Promise<TrackingFinding> {
  let name = domain;
  try {
    for (let hop = 0; hop < MOST_ALIASES; hop++) {
      const [target] = await ask(name, "CNAME");
      if (typeof target !== "string") return hop === 0 ? "NO_CNAME" : "OTHER_CNAME";
      name = target.toLowerCase().replace(/\.$/, "");
      if (name === expectedCname) return "HELD";
    }
    return "OTHER_CNAME";
  } catch (error) {
    if (isAbsent(error)) return name === domain ? "NO_CNAME" : "OTHER_CNAME";
    return "NOT_ANSWERED";
  }
}
