import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { APPROVAL_STATUSES } from "../../domain/states.ts";
import type { Approval as ApprovalDocument } from "../../models/campaigns/approval.ts";
import { scoped } from "../../models/scoped.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, pageFrom, pageOf, paging, record } from "../fields.ts";
import { Thread } from "../inbox/record.ts";
import { operation } from "../operation.ts";
import { BY_CREATION } from "../sorting.ts";
import { Approval, approvalFields, shownApproval } from "./approval-record.ts";

const { approvalId, campaignId } = describedIds;

const ApprovalInFull = record({
  ...approvalFields,
  thread: nullable(Thread).describe("The conversation of the request"),
}).meta({
  id: "ApprovalInFull",
  description: "An approval with its conversation",
});

export const list = operation({
  summary: "List the requests for approval in one state, newest first",
  scope: "inbox:read",
  input: z.strictObject({
    ...paging,
    sort: BY_CREATION.sort,
    status: z.enum(APPROVAL_STATUSES).default("PENDING").describe("Only requests in this state. Default PENDING"),
    campaignId: campaignId.optional().describe("Only requests about this campaign"),
  }),
  output: pageOf(Approval),
  async run(ctx, { page, pageSize, sort, status, campaignId }) {
    const filter = { status, ...(campaignId !== undefined && { campaignId }) };
    const found = await pageFrom(
      scoped(ctx.workspaceId).Approval,
      filter,
      { page, pageSize },
      { sort: BY_CREATION.orderOf(sort) },
    );
    return { ...found, items: found.items.map((one) => shownApproval(ctx, one)) };
  },
});

export const get = operation({
  summary: "Read one approval: what would be sent, who requested it, the decision",
  scope: "inbox:read",
  errors: ["APPROVAL_NOT_FOUND"],
  input: z.strictObject({ approvalId }),
  output: ApprovalInFull,
  async run(ctx, { approvalId }) {
    const approval = await loadApproval(ctx.workspaceId, approvalId);
    const thread = approval.threadId === null ? null : await scoped(ctx.workspaceId).Thread.get(approval.threadId);
    return { ...shownApproval(ctx, approval), thread };
  },
});

/** @throws AppError APPROVAL_NOT_FOUND */
export async function loadApproval(workspaceId: string, approvalId: string): Promise<ApprovalDocument> {
  const approval = await scoped(workspaceId).Approval.get(approvalId);
  if (approval === null) throw new AppError("APPROVAL_NOT_FOUND", "No approval has this id");
  return approval;
}
