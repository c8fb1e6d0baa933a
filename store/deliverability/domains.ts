import { deliverabilityOf } from "../../domain/alert-thresholds.ts";
import type { DomainReport, SendingDomain } from "../../domain/deliverability/sending-domain.ts";
import { domainOf, organisationOf } from "../../domain/mail/message.ts";
import { utcDay } from "../../domain/time/schedule.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { DomainCheck } from "../../models/deliverability/domain-check.ts";
import { scoped } from "../../models/scoped.ts";
import { sessionOption } from "../../mongo/direct.ts";

const MOST_SELECTORS = 10;

/**
 * The domains of the workspace's mailboxes that are not disconnected, and the other domains that it monitors, sorted by
 * name.
 */
export async function loadSendingDomains(workspaceId: string): Promise<SendingDomain[]> {
  const select = { email: 1, smtp: 1, dkimSelectors: 1 } as const;
  const mailboxes = await scoped(workspaceId).Mailbox.read({ status: { $ne: "DISCONNECTED" } }, { select });
  const { monitoredDomains } = await loadSettings(workspaceId);
  const groups = Map.groupBy(mailboxes, ({ email }) => domainOf(email));
  const names = [...new Set([...groups.keys(), ...monitoredDomains])].sort();
  return names.map((domain) => {
    const own = groups.get(domain) ?? [];
    return {
      domain,
      organisation: organisationOf(domain),
      servers: [...new Set(own.map(({ smtp }) => smtp.host.toLowerCase()))].sort(),
      selectors: [...new Set(own.flatMap(({ dkimSelectors }) => dkimSelectors))].slice(0, MOST_SELECTORS),
      mailboxIds: own.map(({ _id }) => _id),
      usesTls: own.every(({ smtp }) => smtp.security !== "NONE"),
    };
  });
}

/** The deliverability settings of the workspace, with defaults. */
export async function loadSettings(workspaceId: string): Promise<ReturnType<typeof deliverabilityOf>> {
  const found = await Workspace.findOne({ _id: workspaceId }, { deliverability: 1 }, sessionOption()).lean<Workspace>();
  return deliverabilityOf(found?.deliverability);
}

/** Stores the result of a domain check. It replaces an earlier result of the same day. */
export async function saveCheck(
  workspaceId: string,
  domain: string,
  { findings, listings, isAligned }: DomainReport,
  now: Date,
): Promise<void> {
  const day = utcDay(now.getTime());
  const fields = { domain, day, checkedAt: now, findings, listings, isAligned };
  await scoped(workspaceId).DomainCheck.updateOne(
    { _id: `${workspaceId}:${domain}:${day}` },
    { $set: fields },
    { upsert: true },
  );
}

/** The newest check of each domain that was ever checked, by domain. */
export async function loadLatestChecks(
  workspaceId: string,
  domains: readonly string[],
): Promise<Map<string, DomainCheck>> {
  if (domains.length === 0) return new Map();
  const found = await scoped(workspaceId).DomainCheck.aggregate<{ latest: DomainCheck }>(
    { domain: { $in: [...domains] } },
    { $sort: { workspaceId: 1, domain: 1, day: -1 } },
    { $group: { _id: "$domain", latest: { $first: "$$ROOT" } } },
  );
  return new Map(found.map(({ latest }) => [latest.domain, latest]));
}
