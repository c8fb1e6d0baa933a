import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../outbox.ts";
import { resumeRecipient } from "../recipients/resume.ts";

const PAGE = 50;

/**
 * Resumes the recipients that were paused because their mailbox was disconnected (rules/sending 4.3), after it is
 * connected again. Each page has its own transaction. Returns how many.
 */
export async function resumeDisconnected(workspaceId: string, mailboxId: string): Promise<number> {
  const live = { status: trusted({ $nin: ["DRAFT", "COMPLETED", "ARCHIVED"] }) };
  const campaigns = await scoped(workspaceId).Campaign.find(live, { select: { _id: 1 } });
  let resumed = 0;
  for (const { _id: campaignId } of campaigns) {
    for (let page = PAGE; page === PAGE; ) {
      page = await inTransaction(() => resumePage(workspaceId, mailboxId, campaignId));
      resumed += page;
    }
  }
  return resumed;
}

async function resumePage(workspaceId: string, mailboxId: string, campaignId: string): Promise<number> {
  const { Recipient, Sequence } = scoped(workspaceId);
  const lost = { campaignId, status: "PAUSED", pauseReason: "MAILBOX_DISCONNECTED", mailboxId };
  const recipients = await Recipient.find(lost, { limit: PAGE });
  if (recipients.length === 0) return 0;
  const sequence = await Sequence.findOne({ campaignId });
  let revived = 0;
  for (const recipient of recipients)
    if (await resumeRecipient(workspaceId, recipient, sequence?.steps ?? [])) revived++;
  await nudge(workspaceId, "CAMPAIGN", { campaignId });
  return revived;
}
