import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { OPT_OUT_CATEGORIES } from "../../domain/inbox/category.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { categorise } from "../../store/inbox/categorise.ts";
import { appendAuditEntry } from "../access/audit.ts";
import { describedIds } from "../described-ids.ts";
import { operation } from "../operation.ts";
import { forgetStats } from "../recipients/stats.ts";
import { category } from "./filter.ts";
import { loadMessage } from "./find.ts";
import { forgetInbox } from "./forget.ts";
import { Message, messageView } from "./record.ts";

const { messageId } = describedIds;

export const setCategory = operation({
  summary:
    "Set the category of an inbound message: a known category affects recipient and lead (an opt-out suppresses, a meeting is recorded, an automatic reply no longer counts as a reply); any other text is just a label",
  scope: "inbox:write",
  errors: ["MESSAGE_NOT_FOUND", "NOT_INBOUND"],
  effects: { SENDS: (_ctx, { category }) => category === "OUT_OF_OFFICE" },
  input: z.strictObject({ messageId, category }),
  output: Message,
  async run({ workspaceId, credentialId: actor, kind, ip, traceId }, { messageId, category }) {
    const message = await inTransaction(async () => {
      const before = await loadMessage(workspaceId, messageId);
      if (before.direction !== "INBOUND") throw new AppError("NOT_INBOUND", "Only an inbound message has a category");
      const after = await categorise(before, category, actor);
      // Every suppression has an audit entry, whatever its cause (rules/security 6.1)
      if (before.category !== category && OPT_OUT_CATEGORIES.includes(category)) {
        const deed = {
          workspaceId,
          actor: { kind, id: actor },
          action: "inbox.suppress",
          input: { messageId },
          ip,
          traceId,
        };
        await appendAuditEntry(deed, "DONE", null);
      }
      return after;
    });
    forgetInbox(workspaceId);
    if (message.campaignId !== null) forgetStats(message.campaignId);
    return messageView(message);
  },
});
