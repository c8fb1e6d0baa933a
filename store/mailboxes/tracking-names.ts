import { Workspace } from "../../models/access/workspace.ts";
import { Mailbox, type TrackingDomain } from "../../models/mailboxes/mailbox.ts";
import { TrackingName } from "../../models/tracking/tracking-name.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";

const IN_USE = ["PENDING", "VERIFIED"] as const;

/**
 * Whether a certificate may be issued for a host name (rules/tracking 4.2). That is the case when a mailbox or
 * workspace uses or is setting up the name for tracking, or when the name pointed to this deployment at its last check.
 */
export async function isTrackingName(domain: string): Promise<boolean> {
  const wanted = { "trackingDomain.domain": domain, "trackingDomain.status": trusted({ $in: IN_USE }) };
  const connected = { status: trusted({ $ne: "DISCONNECTED" as const }) };
  const [mailbox, workspace, name] = await Promise.all([
    Mailbox.findOne({ ...wanted, ...connected }, { _id: 1 }, { acrossWorkspaces: true }).lean(),
    Workspace.findOne({ ...wanted, deletedAt: null }, { _id: 1 }).lean(),
    TrackingName.findOne({ _id: domain, goneAt: null }, { _id: 1 }).lean(),
  ]);
  return mailbox !== null || workspace !== null || name !== null;
}

/**
 * Records whether a name pointed to this deployment at a check. Null means that it is not known; then only the time of
 * the check changes.
 */
export async function recordPointing(
  { domain, expectedCname }: Pick<TrackingDomain, "domain" | "expectedCname">,
  leadsHere: boolean | null,
  checkedAt: Date,
): Promise<void> {
  const changed = { expectedCname, checkedAt, ...(leadsHere === true && { goneAt: null }) };
  await TrackingName.updateOne({ _id: domain }, { $set: changed }, { upsert: leadsHere === true });
  if (leadsHere === false) await TrackingName.updateOne({ _id: domain, goneAt: null }, { $set: { goneAt: checkedAt } });
}

/**
 * Writes the result of a check. The same transaction checks whether another workspace has verified the domain, and
 * passes the answer to `write`, which may run more than once. The name's own document is written too. When two checks
 * verify one name at the same time, the second therefore sees the result of the first.
 */
export function settleCheck<T>(
  workspaceId: string,
  domain: string,
  write: (isHeld: boolean) => Promise<T>,
): Promise<T> {
  return inTransaction(async () => {
    await TrackingName.updateOne({ _id: domain }, { $inc: { settled: 1 } }, sessionOption());
    return write(await isHeldElsewhere(workspaceId, domain));
  });
}

/**
 * Whether another workspace has verified this domain, for a mailbox or for the whole workspace. A domain belongs to the
 * first workspace that verified it, because all tracking domains are aliases of one host, so the DNS record alone does
 * not prove who owns it.
 */
async function isHeldElsewhere(workspaceId: string, domain: string): Promise<boolean> {
  const heldAs = (field: "trackingDomain" | "portalDomain") => ({
    [`${field}.domain`]: domain,
    [`${field}.status`]: "VERIFIED",
  });
  const other = trusted({ $ne: workspaceId });
  const across = { acrossWorkspaces: true, ...sessionOption() };
  const mailbox = await Mailbox.findOne({ ...heldAs("trackingDomain"), workspaceId: other }, { _id: 1 }, across).lean();
  if (mailbox !== null) return true;
  const whole = { _id: other, deletedAt: null, $or: [heldAs("trackingDomain"), heldAs("portalDomain")] };
  return (await Workspace.findOne(whole, { _id: 1 }, sessionOption()).lean()) !== null;
}
