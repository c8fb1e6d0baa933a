import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { SCHEDULED_STATUSES } from "../../domain/states.ts";
import type { ScheduledReply } from "../../models/inbox/scheduled-reply.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../../store/outbox.ts";
import { describedIds } from "../described-ids.ts";
import { commaSeparated, pageFrom, pageOf, paging } from "../fields.ts";
import { operation } from "../operation.ts";
import { sorting } from "../sorting.ts";
import { Scheduled } from "./scheduled-record.ts";

const { scheduledId } = describedIds;

const mailboxIds = z
  .string()
  .max(10_000)
  .transform((text) => text.split(",").map((id) => id.trim()))
  .optional()
  .describe("Only replies from these mailboxes, separated by commas");

const BY = sorting({ sendAt: "sendAt" }, "sendAt");

export const list = operation({
  summary: "List the scheduled replies, the next to be sent first",
  scope: "inbox:read",
  input: z.strictObject({
    ...paging,
    sort: BY.sort,
    status: commaSeparated(SCHEDULED_STATUSES).optional().describe("Only replies with one of these statuses"),
    mailboxIds,
  }),
  output: pageOf(Scheduled),
  async run({ workspaceId }, { page, pageSize, sort, status, mailboxIds }) {
    const filter = {
      ...(status !== undefined && { status: trusted({ $in: status }) }),
      ...(mailboxIds !== undefined && { mailboxId: trusted({ $in: mailboxIds }) }),
    };
    return pageFrom(scoped(workspaceId).ScheduledReply, filter, { page, pageSize }, { sort: BY.orderOf(sort) });
  },
});

export const cancel = operation({
  summary: "Cancel a scheduled reply whose sending has not started",
  scope: "inbox:write",
  errors: ["INVALID_STATE_TRANSITION", "SCHEDULED_REPLY_NOT_FOUND"],
  input: z.strictObject({ scheduledId }),
  output: Scheduled,
  async run({ workspaceId }, { scheduledId }) {
    const reply =
      (await cancelled(workspaceId, scheduledId)) ?? (await scoped(workspaceId).ScheduledReply.get(scheduledId));
    if (reply === null) throw new AppError("SCHEDULED_REPLY_NOT_FOUND", "No scheduled reply has this id");
    const { status } = reply;
    if (status === "CANCELLED") return reply;
    throw new AppError("INVALID_STATE_TRANSITION", `A scheduled reply that is ${status} cannot be cancelled`, {
      from: status,
      action: "cancel",
    });
  },
});

/**
 * Cancels a reply whose sending has not started. The cancellation and the start of sending both write this record: the
 * first to write wins, and the other one sees the new status.
 */
function cancelled(workspaceId: string, scheduledId: string): Promise<ScheduledReply | null> {
  return inTransaction(async () => {
    const end = { status: "CANCELLED", cancelledAt: new Date() } as const;
    const reply = await scoped(workspaceId).ScheduledReply.findOneAndUpdate(
      { _id: scheduledId, status: "PENDING" },
      { $set: end },
    );
    if (reply !== null) await nudge(workspaceId, "SCHEDULED_REPLY", { scheduledId, signal: "cancel" });
    return reply;
  });
}
