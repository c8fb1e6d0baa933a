import { GATE_SHARDS } from "../../models/gate.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { revokeClaims } from "../sending/revoke.ts";

/** The shard whose gate the claims of this id write: FNV-1a, spread over 16. */
export function shardOf(id: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  return (hash >>> 0) % GATE_SHARDS;
}

export function gateId(ownerId: string, shard: number): string {
  return `${ownerId}:${shard}`;
}

/** `ownerId` is a campaign, or the workspace itself for mail without a campaign. */
export async function createGates(workspaceId: string, ownerId: string, isOpen: boolean): Promise<void> {
  const shards = Array.from({ length: GATE_SHARDS }, (_, shard) => ({ _id: gateId(ownerId, shard), ownerId, shard, isOpen, fence: 0 }));
  await scoped(workspaceId).Gate.insertMany(shards);
}

/** No claim that has not committed yet will: each writes its shard last, and meets this write there. Those that have are revoked. */
export async function closeGates(workspaceId: string, ownerId: string): Promise<void> {
  await scoped(workspaceId).Gate.updateMany({ ownerId }, { $set: { isOpen: false }, $inc: { fence: 1 } });
  await revokeClaims(workspaceId, { campaignId: ownerId === workspaceId ? null : ownerId });
}

export async function openGates(workspaceId: string, ownerId: string): Promise<void> {
  await scoped(workspaceId).Gate.updateMany({ ownerId }, { $set: { isOpen: true }, $inc: { fence: 1 } });
}

/** No claim by what was read before goes on, and none is kept back: what claims ask of the campaign has changed. */
export async function renewGates(workspaceId: string, campaignId: string): Promise<void> {
  await scoped(workspaceId).Gate.updateMany({ ownerId: campaignId }, { $inc: { fence: 1 } });
  await revokeClaims(workspaceId, { campaignId });
}

/** Makes every claim under way re-read what it decided on, without closing anything: for a blocked domain. */
export async function touchGates(workspaceId: string, ownerIds: string[]): Promise<void> {
  await scoped(workspaceId).Gate.updateMany({ ownerId: trusted({ $in: ownerIds }) }, { $inc: { claims: 1 } });
}
