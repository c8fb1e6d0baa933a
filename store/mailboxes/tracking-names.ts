import { Workspace } from "../../models/access/workspace.ts";
import { Mailbox, type TrackingDomain } from "../../models/mailboxes/mailbox.ts";
import { TrackingName } from "../../models/tracking/tracking-name.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";

const IN_USE = ["PENDING", "VERIFIED"] as const;

/**
 * Whether a certificate is available for a name (rules/tracking 4.2): a mailbox or workspace tracks by the name or
 * wants to, or the name once led here and did so at its last check.
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
 * Notes whether a name led here at a check; null when that is unknown, which changes nothing but the time of the check.
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
 * Writes the result of a check. The same transaction asks whether another workspace has verified the domain, and
 * `write` receives the answer; it may run again. The name's own row is written too: if two checks verify one name at
 * the same time, the second reads what the first wrote.
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
 * Whether another workspace has verified this domain as its own, by a mailbox or as a whole. A domain belongs to the
 * workspace that proved it first: all tracking domains are aliases of one host, so the DNS record alone proves little.
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
