import type { Approval } from "../../models/campaigns/approval.ts";
import { scoped } from "../../models/scoped.ts";
import { filterUndecided } from "../../store/campaigns/approvals.ts";
import type { Context } from "../context.ts";

/** The note of the person who approves, and any changed text. */
export interface Decision {
  note: string;
  /** Replaces the proposed text. */
  text?: string;
}

/** Thrown when another person has decided first. */
export class IsDecided extends Error {}

/** Matches the approval only while it is undecided, has not expired, and has not changed since it was read. */
export function openFilterOf({ _id, version = 1 }: Approval) {
  return { _id, version, ...filterUndecided() };
}

export function decisionOf({ credentialId }: Context, { note }: Decision) {
  return { status: "APPROVED" as const, decidedBy: credentialId, decidedAt: new Date(), note };
}

export async function isPending({ workspaceId, _id }: Approval): Promise<boolean> {
  return (await scoped(workspaceId).Approval.get(_id))?.status === "PENDING";
}
