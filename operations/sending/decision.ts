import type { Approval } from "../../models/campaigns/approval.ts";
import { scoped } from "../../models/scoped.ts";
import { filterUndecided } from "../../store/campaigns/approvals.ts";
import type { Context } from "../context.ts";

/** The note and the changes of the person who approves. */
export interface Decision {
  note: string;
  /** Goes out in place of the proposed text. */
  text?: string;
}

/** Someone else has decided. */
export class IsDecided extends Error {}

/** The approval as it was looked at: neither decided, nor expired, nor changed since. */
export function openFilterOf({ _id, version = 1 }: Approval) {
  return { _id, version, ...filterUndecided() };
}

export function decisionOf({ credentialId }: Context, { note }: Decision) {
  return { status: "APPROVED" as const, decidedBy: credentialId, decidedAt: new Date(), note };
}

export async function isPending({ workspaceId, _id }: Approval): Promise<boolean> {
  return (await scoped(workspaceId).Approval.get(_id))?.status === "PENDING";
}
