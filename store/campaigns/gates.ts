import { GATE_SHARDS } from "../../models/campaigns/gate.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { trusted } from "../../mongo/collection.ts";
import { revokeClaims } from "../sending/revoke.ts";

/** The gate shard that claims for this id write: an FNV-1a hash modulo 16. */
export function shardOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % GATE_SHARDS;
}

export function gateId(ownerId: string, shard: number): string {
  return `${ownerId}:${shard}`;
}

/** Creates the gate shards of an owner: a campaign, or the workspace itself for email without a campaign. */
export async function createGates(workspaceId: string, ownerId: string, isOpen: boolean): Promise<void> {
  const shards = Array.from({ length: GATE_SHARDS }, (_, shard) => ({
    _id: gateId(ownerId, shard),
    ownerId,
    shard,
    isOpen,
    fence: 0,
  }));
  await scoped(workspaceId).Gate.insertMany(shards);
}

/**
 * Closes all gates. Every claim writes its gate last, so a claim that has not committed yet conflicts with this write
 * and fails. Committed claims are revoked.
 */
export async function closeGates(workspaceId: string, ownerId: string): Promise<void> {
  await scoped(workspaceId).Gate.updateMany({ ownerId }, { $set: { isOpen: false }, $inc: { fence: 1 } });
  await revokeClaims(workspaceId, { campaignId: ownerId === workspaceId ? null : ownerId });
}

export async function openGates(workspaceId: string, ownerId: string): Promise<void> {
  await scoped(workspaceId).Gate.updateMany({ ownerId }, { $set: { isOpen: true }, $inc: { fence: 1 } });
}

/** Makes claims fail that were decided before the campaign's conditions changed, and revokes committed ones. */
export async function renewGates(workspaceId: string, campaignId: string): Promise<void> {
  await scoped(workspaceId).Gate.updateMany({ ownerId: campaignId }, { $inc: { fence: 1 } });
  await revokeClaims(workspaceId, { campaignId });
}

/**
 * Makes every running claim read its facts again, without closing any gate. Used when a domain is blocked or a sequence
 * is edited.
 */
export async function touchGates(workspaceId: string, ownerIds: string[]): Promise<void> {
  await scoped(workspaceId).Gate.updateMany({ ownerId: trusted({ $in: ownerIds }) }, { $inc: { claims: 1 } });
}

/**
 * Whether a sequence was edited since it was read. It is called when the sequence has no further step for a recipient.
 * Without this check, the recipient would finish although the edit added a step. An edit writes every gate, so an edit
 * that commits at the same time conflicts with this call. Call it in the transaction that ends the recipient.
 */
export async function isEditedSince(
  { workspaceId, campaignId, version }: Sequence,
  { shard }: Recipient,
): Promise<boolean> {
  const { Gate, Sequence } = scoped(workspaceId);
  await Gate.wrote({ _id: gateId(campaignId, shard) }, { $inc: { claims: 1 } });
  const present = await Sequence.findOne({ campaignId }, { select: { version: 1 } });
  return present !== null && present.version !== version;
}
