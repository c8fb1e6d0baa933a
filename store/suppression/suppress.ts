import { OPEN, type RecipientStatus, type StopReason, type SuppressionReason } from "../../domain/states.ts";
import type { GuardReason } from "../../models/address-guard.ts";
import type { Approval } from "../../models/campaigns/approval.ts";
import type { Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { afterCommit, inTransaction } from "../../mongo/transaction.ts";
import { touchGates } from "../campaigns/gates.ts";
import { emit, nudge } from "../outbox.ts";
import { endRecipient } from "../recipients/stop.ts";
import { revokeClaims } from "../sending/revoke.ts";
import { erasedAddressOf, erasedRangeOf, guardId, isErasedAddress } from "./guard-id.ts";

interface Effect {
  status: "UNSUBSCRIBED" | "SUPPRESSED" | "BOUNCED";
  stopReason: StopReason;
  /** The statuses from which recipients end. An opt-out also changes recipients that had completed or replied. */
  from: readonly RecipientStatus[];
  event: "UNSUBSCRIBE" | "BOUNCED" | null;
}

const ENDED_WELL: readonly RecipientStatus[] = [...OPEN, "COMPLETED", "REPLIED"];
const EFFECTS: Record<SuppressionReason, Effect> = {
  MANUAL: { status: "SUPPRESSED", stopReason: "SUPPRESSED", from: OPEN, event: null },
  COMPLAINT: { status: "SUPPRESSED", stopReason: "SUPPRESSED", from: OPEN, event: null },
  UNSUBSCRIBED: { status: "UNSUBSCRIBED", stopReason: "UNSUBSCRIBED", from: ENDED_WELL, event: "UNSUBSCRIBE" },
  OPT_OUT_REPLY: { status: "UNSUBSCRIBED", stopReason: "UNSUBSCRIBED", from: ENDED_WELL, event: "UNSUBSCRIBE" },
  HARD_BOUNCE: { status: "BOUNCED", stopReason: "HARD_BOUNCE", from: OPEN, event: null },
};

/**
 * Suppresses an address in the whole workspace (rules/states 4.2): guard, lead and open recipients in one transaction.
 * `named` is the recipient whose link was used; UNSUBSCRIBE is emitted for this recipient even if it had already ended.
 * Returns whether the lead's or the guard's state changed.
 */
export function suppressAddress(
  workspaceId: string,
  address: string,
  reason: SuppressionReason,
  { actor = null, named = null }: { actor?: string | null; named?: string | null } = {},
): Promise<boolean> {
  return inTransaction(async () => {
    const { Lead, Recipient } = scoped(workspaceId);
    const email = await findAddressBehind(workspaceId, address);
    const isNew = await shutAddress(workspaceId, email, reason);
    const lead = await Lead.findOne({ email });
    const changed = lead === null ? isNew : !lead.suppressed;
    if (lead !== null && !lead.suppressed) await markLead(lead, reason, actor);
    // A lead that is being imported at this moment is not visible yet
    if (lead === null) afterCommit(() => markLate(workspaceId, [email]));
    const effect = EFFECTS[reason];
    const candidates = await Recipient.find(
      { email, status: trusted({ $in: [...effect.from] }) },
      { select: { _id: 1 } },
    );
    // After a hard bounce the questions stay open. The person may still have opted out, and the suppression may be
    // lifted later
    if (reason !== "HARD_BOUNCE") await settleQuestions(workspaceId, email, actor);
    const now = new Date();
    for (const { _id: recipientId } of candidates) {
      const set =
        effect.status === "UNSUBSCRIBED"
          ? { unsubscribedAt: now }
          : effect.status === "BOUNCED"
            ? { bouncedAt: now }
            : {};
      const before = await endRecipient(workspaceId, recipientId, { ...effect, set });
      if (before === null || effect.event === null) continue;
      const { campaignId, leadId } = before;
      await emit(workspaceId, {
        type: effect.event,
        leadId,
        campaignId,
        recipientId,
        actor,
        webhook: { recipientId, email },
      });
    }
    const leadId = lead?._id ?? null;
    const isEnded = named !== null && !candidates.some((candidate) => candidate._id === named);
    if (isEnded && (isNew || !(await isTold(workspaceId, leadId, named)))) {
      await emit(workspaceId, {
        type: "UNSUBSCRIBE",
        leadId,
        recipientId: named,
        actor,
        webhook: { recipientId: named, email },
      });
    }
    return changed;
  });
}

/**
 * The address of the lead, if a retention replaced it in the recipient of an old email. A stop must also end what is
 * being sent to it by another campaign.
 */
export async function findAddressBehind(workspaceId: string, address: string): Promise<string> {
  if (!isErasedAddress(address)) return address;
  const { Lead, Recipient } = scoped(workspaceId);
  const emptied = { email: trusted(erasedRangeOf(workspaceId, address)) };
  const recipients = await Recipient.find(emptied, { select: { leadId: 1 } });
  const leads = await Lead.find(
    { _id: trusted({ $in: recipients.map(({ leadId }) => leadId) }) },
    { select: { email: 1 } },
  );
  const erased = erasedAddressOf(workspaceId, address);
  return leads.find(({ email }) => erasedAddressOf(workspaceId, email) === erased)?.email ?? erased;
}

/**
 * Stops all email to an address. The transaction has only two or three commands, so even a slow database commits it
 * before MongoDB's limit of 10 s (rules/mail 5.9). The caller must apply all other effects of a suppression afterwards.
 * Returns whether this reason is new.
 */
export function shutAddress(workspaceId: string, address: string, reason: SuppressionReason): Promise<boolean> {
  return inTransaction(async () => {
    const present = await findAddressBehind(workspaceId, address);
    const filter = { _id: guardId(workspaceId, present) };
    const change = { $addToSet: { reasons: reason }, $inc: { claims: 1 } };
    const before = await scoped(workspaceId).AddressGuard.findBeforeUpdate(filter, change, { upsert: true });
    await revokeClaims(workspaceId, { address: present });
    return before === null || !before.reasons.includes(reason);
  });
}

/** Whether the opt-out of this recipient was already recorded. */
async function isTold(workspaceId: string, leadId: string | null, recipientId: string): Promise<boolean> {
  const filter = { leadId, type: "UNSUBSCRIBE", recipientId } as const;
  return (await scoped(workspaceId).ActivityEvent.findOne(filter, { select: { _id: 1 } })) !== null;
}

/** Closes the open opt-out questions about an address, because it was suppressed. */
async function settleQuestions(workspaceId: string, email: string, actor: string | null): Promise<void> {
  const { Approval } = scoped(workspaceId);
  for (const question of await Approval.find({ kind: "OPT_OUT", status: "PENDING", addresses: email })) {
    const decided = {
      status: "APPROVED",
      decidedBy: actor,
      decidedAt: new Date(),
      note: "The address was suppressed",
    } as const;
    await Approval.updateOne({ _id: question._id, status: "PENDING" }, { $set: decided });
    await releaseAddresses(question);
  }
}

/**
 * Removes one question from its addresses. Other questions about the same person stay open. Call it in a transaction.
 */
export async function releaseAddresses({ workspaceId, _id, addresses = [] }: Approval): Promise<void> {
  const ids = addresses.map((email) => guardId(workspaceId, email));
  const released = { $pull: { heldBy: _id }, $inc: { claims: 1 } };
  await scoped(workspaceId).AddressGuard.updateMany({ _id: trusted({ $in: ids }) }, released);
}

async function markLead(lead: Lead, reason: SuppressionReason, actor: string | null): Promise<void> {
  const { Lead } = scoped(lead.workspaceId);
  const status =
    reason === "HARD_BOUNCE"
      ? "BOUNCED"
      : reason === "UNSUBSCRIBED" || reason === "OPT_OUT_REPLY"
        ? "UNSUBSCRIBED"
        : lead.status;
  const invalid = reason === "HARD_BOUNCE" ? { verificationStatus: "INVALID" as const } : {};
  await Lead.updateOne(
    { _id: lead._id },
    { $set: { suppressed: true, suppressionReason: reason, suppressedAt: new Date(), status, ...invalid } },
  );
  if (reason === "HARD_BOUNCE" && lead.verificationStatus === "VALID")
    await nudge(lead.workspaceId, "VERIFIED_BOUNCE", { leadId: lead._id });
  await emit(lead.workspaceId, { type: "SUPPRESSED", leadId: lead._id, actor, data: { reason } });
}

/** Lifts every suppression of the address, but not its entry in the block list. No recipient is resumed. */
export function unsuppressAddress(workspaceId: string, email: string, actor: string | null): Promise<boolean> {
  return inTransaction(async () => {
    const { AddressGuard, Lead } = scoped(workspaceId);
    const _id = guardId(workspaceId, email);
    const guard = await AddressGuard.get(_id);
    const remainingReasons = (guard?.reasons ?? []).filter((reason) => reason === "BLOCK_LISTED");
    if (guard !== null)
      await AddressGuard.updateOne({ _id }, { $set: { reasons: remainingReasons }, $inc: { claims: 1 } });
    const lead = await Lead.findOne({ email, suppressed: true });
    if (lead === null) return (guard?.reasons.length ?? 0) > remainingReasons.length;
    const wasEnded = lead.status === "UNSUBSCRIBED" || lead.status === "BOUNCED";
    const status = wasEnded ? (lead.lastContactedAt === null ? "ACTIVE" : "CONTACTED") : lead.status;
    await Lead.updateOne(
      { _id: lead._id },
      { $set: { suppressed: false, suppressionReason: null, suppressedAt: null, status } },
    );
    await emit(workspaceId, { type: "UNSUPPRESSED", leadId: lead._id, actor });
    return true;
  });
}

/**
 * Blocks one address in its guard and ends its recipients. The caller writes the block-list entry in the same
 * transaction.
 */
export async function blockAddress(workspaceId: string, email: string): Promise<void> {
  const { AddressGuard, Recipient } = scoped(workspaceId);
  await AddressGuard.updateOne(
    { _id: guardId(workspaceId, email) },
    { $addToSet: { reasons: "BLOCK_LISTED" }, $inc: { claims: 1 } },
    { upsert: true },
  );
  await revokeClaims(workspaceId, { address: email });
  const open = await Recipient.find({ email, status: trusted({ $in: [...OPEN] }) }, { select: { _id: 1 } });
  for (const { _id } of open)
    await endRecipient(workspaceId, _id, { status: "SUPPRESSED", stopReason: "BLOCK_LISTED" });
}

export async function unblockAddress(workspaceId: string, email: string): Promise<void> {
  await scoped(workspaceId).AddressGuard.updateOne(
    { _id: guardId(workspaceId, email) },
    { $pull: { reasons: "BLOCK_LISTED" }, $inc: { claims: 1 } },
  );
}

/**
 * Makes claims respect a new block-list entry for a domain. It writes every gate, so that a running claim reads the
 * entry, and revokes the claims that the entry covers. Each recipient ends at its next claim. The caller writes the
 * entry in the same transaction.
 */
export async function blockDomain(workspaceId: string, domain: string): Promise<void> {
  const active = await scoped(workspaceId).Campaign.find({ status: "ACTIVE" }, { select: { _id: 1 } });
  await touchGates(workspaceId, [workspaceId, ...active.map(({ _id }) => _id)]);
  await revokeClaims(workspaceId, { domain });
}

/**
 * The reasons why a new lead with this address must not receive email. It writes the guard, so that a suppression at
 * the same moment either sees the new lead or is seen here. Call it in the transaction that stores the lead.
 */
export async function lockGuardReasons(workspaceId: string, email: string): Promise<GuardReason[]> {
  const guard = await scoped(workspaceId).AddressGuard.findOneAndUpdate(
    { _id: guardId(workspaceId, email) },
    { $inc: { claims: 1 } },
    { upsert: true },
  );
  return guard?.reasons ?? [];
}

/**
 * Marks leads with these addresses as suppressed if they were stored while a suppression was being written. Neither
 * transaction saw the other, so the later one checks again. The guard has blocked email to them the whole time.
 */
export async function markLate(workspaceId: string, emails: string[]): Promise<void> {
  for (const [email, reasons] of await loadGuardReasons(workspaceId, emails)) {
    const [reason] = reasons.filter((one) => one !== "BLOCK_LISTED");
    if (reason === undefined) continue;
    await inTransaction(async () => {
      const lead = await scoped(workspaceId).Lead.findOne({ email, suppressed: false });
      if (lead !== null) await markLead(lead, reason, null);
    });
  }
}

/**
 * The reasons why each of these addresses must not receive email. Allowed addresses are absent. At most 1,000 at a
 * time.
 */
export async function loadGuardReasons(workspaceId: string, emails: string[]): Promise<Map<string, GuardReason[]>> {
  const byId = new Map(emails.map((email) => [guardId(workspaceId, email), email]));
  const guards = await scoped(workspaceId).AddressGuard.find({ _id: trusted({ $in: [...byId.keys()] }) });
  const found = new Map<string, GuardReason[]>();
  for (const { _id, reasons } of guards) {
    const email = byId.get(_id);
    if (email !== undefined && reasons.length > 0) found.set(email, reasons);
  }
  return found;
}

/** The status and stop reason of a recipient that must not receive email, depending on the reasons. */
export function endingBy(reasons: readonly GuardReason[]): {
  status: "UNSUBSCRIBED" | "SUPPRESSED";
  stopReason: StopReason;
} {
  const isOptOut = reasons.some((reason) => reason === "UNSUBSCRIBED" || reason === "OPT_OUT_REPLY");
  const status = isOptOut ? "UNSUBSCRIBED" : "SUPPRESSED";
  return { status, stopReason: reasons.includes("BLOCK_LISTED") ? "BLOCK_LISTED" : status };
}
