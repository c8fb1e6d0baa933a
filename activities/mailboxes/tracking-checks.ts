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
  /** Checks whether a name that is no longer checked regularly still leads here. */
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

  /** A portal is served, and has its certificate, as a tracking domain does. */
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

  /** The log names a domain that failed or recovered by its owner's id, never by its name. */
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

/** A domain that another workspace holds is not verified; if there is another fault, that one is reported. */
function findingForOther(found: TrackingFinding): TrackingFinding {
  return found === "HELD" || found === "HELD_WITHOUT_TLS" ? "IN_USE" : found;
}

function domainAfter(before: TrackingDomain, finding: TrackingFinding, by: By): TrackingDomain {
  return { ...before, ...trackingAfter(before, finding, by), checkedAt: new Date() };
}

/**
 * Milliseconds for our front to present a certificate. For a new name it first requests one, which takes an authority
 * some seconds.
 */
const TLS_LIMIT_MS = 2_500;

/**
 * Host and port of our tracking front, from TRACK_URL. Plain HTTP has no certificates, and is enough only on a
 * development machine.
 */
function frontOf(trackUrl: string): { isPlain: boolean; host: string; port: number } {
  const { protocol, hostname, port } = new URL(trackUrl);
  return { isPlain: protocol === "http:", host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) || 443 };
}

/**
 * Checks whether a domain is an alias of our host and our front has a certificate for it (rules/states 6.4). It cannot
 * check that other resolvers see the same, nor that the front serves the domain from outside.
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
