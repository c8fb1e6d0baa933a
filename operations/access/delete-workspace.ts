import { z } from "zod";
import { PURGED_AFTER_MS } from "../../domain/access/workspace-limits.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { ApiKey } from "../../models/access/api-key.ts";
import { Membership } from "../../models/access/membership.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { suspendSending } from "../../store/campaigns/kill-switch.ts";
import { time } from "../fields.ts";
import { silenceMailbox } from "../mailboxes/disconnect.ts";
import { operation } from "../operation.ts";
import { revokeKey } from "./api-keys.ts";
import { endCredentialsBeyond } from "./members.ts";

export const deleteWorkspace = operation({
  summary: "Delete the workspace: sending, mailbox reading and webhooks stop, and after 30 days all its data is purged",
  scope: "workspace:write",
  audits: "workspace.delete",
  errors: ["INVALID_STATE_TRANSITION"],
  stepUp: true,
  // Runs outside the transaction of an idempotency key, so that it stops sending first, however much data it then has
  // to end
  sends: true,
  effects: { DESTROYS: true },
  input: z.strictObject({
    confirmName: z
      .string()
      .max(200)
      .describe("The name of the workspace, as protection against deleting the wrong one"),
  }),
  output: z.object({
    id: z.string().describe("The id of the workspace"),
    deleted: z.literal(true).describe("It is deleted for everyone"),
    purgeAt: time.describe("When its documents are purged"),
  }),
  async run({ workspaceId: id, credentialId, userId: by, services }, { confirmName }) {
    const workspace = await Workspace.findOne({ _id: id }).lean<Workspace>();
    if (workspace?.name !== confirmName) throw invalid("confirmName", "must be the exact name of this workspace");
    if (workspace.plan && !workspace.plan.isEnding) {
      const message =
        "The plan of this workspace renews automatically: end it first, on the page of POST /billing/portal";
      throw new AppError("INVALID_STATE_TRANSITION", message, { from: "PLAN", action: "delete" });
    }
    await suspendSending(id, credentialId);
    for (const mailbox of await mailboxesOf(id)) await inTransaction(() => silenceMailbox(mailbox, services));
    const deletedAt = new Date();
    await inTransaction(async () => {
      await scoped(id).WebhookSubscription.updateMany({ deletedAt: null }, { $set: { enabled: false, deletedAt } });
      await Workspace.updateOne({ _id: id }, { $set: { deletedAt } }, sessionOption());
      const members = await Membership.find({ workspaceId: id }, { userId: 1 }, sessionOption()).lean<Membership[]>();
      for (const { userId } of members) await endCredentialsBeyond(id, userId, null, by);
      const keys = await ApiKey.find({ workspaceId: id, revokedAt: null }, { _id: 1 }, sessionOption()).lean<
        ApiKey[]
      >();
      for (const { _id } of keys) await revokeKey(id, _id, deletedAt, by);
    });
    return { id, deleted: true as const, purgeAt: new Date(deletedAt.getTime() + PURGED_AFTER_MS) };
  },
});

function mailboxesOf(workspaceId: string): Promise<Mailbox[]> {
  return scoped(workspaceId).Mailbox.find({ status: trusted({ $ne: "DISCONNECTED" }) });
}
