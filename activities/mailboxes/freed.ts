import { getClient } from "@temporalio/activity";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import type { MailboxIds } from "../../domain/mailboxes/sync.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { resumeDisconnected } from "../../store/mailboxes/reconnect.ts";
import { bringForwardMailbox } from "../../store/recipients/bring-forward.ts";
import { mailboxBar } from "../../store/recipients/eligibility.ts";
import { type Wake, wakeHeld } from "../../store/recipients/waking.ts";
import { nudgeCampaign, wakeRecipient } from "../../temporal/starts.ts";
import { withHeartbeat } from "../beat.ts";

export interface FreedActivities {
  wakeWaiting(ids: MailboxIds): Promise<number>;
}

export function freedActivities(): FreedActivities {
  return { wakeWaiting: (ids) => withHeartbeat(() => wakeWaiting(ids)) };
}

/**
 * Wakes the recipients that waited for a mailbox, and only then the feeders of the campaigns that send from it
 * (rules/sending 2.5). Returns how many were woken.
 */
async function wakeWaiting({ workspaceId, mailboxId }: MailboxIds): Promise<number> {
  const woken = await wakeFirst(workspaceId, mailboxId);
  const mailbox = await scoped(workspaceId).Mailbox.get(mailboxId);
  if (mailbox === null || mailboxBar(mailbox, Date.now()) !== null) return woken;
  for (const campaignId of await campaignsOf(mailbox))
    await nudgeCampaign(getClient(), { v: 1, workspaceId, campaignId });
  return woken;
}

/**
 * Wakes the recipients that precede new leads once a mailbox can send again or send more: those that wait for the
 * mailbox, those that were paused because it was disconnected, then those whose emails a limit had delayed. Returns how
 * many were woken.
 */
export async function wakeFirst(workspaceId: string, mailboxId: string): Promise<number> {
  const { Mailbox } = scoped(workspaceId);
  const freedAt = (await Mailbox.get(mailboxId))?.freedAt ?? null;
  const wokenCount = await wakeHeld(workspaceId, mailboxId, createWake());
  if (mailboxBar(await Mailbox.get(mailboxId), Date.now()) !== null) return wokenCount;
  const resumed = await resumeDisconnected(workspaceId, mailboxId);
  const moved = await bringForwardMailbox(workspaceId, mailboxId, createWake());
  // If `freedAt` was set again meanwhile, it stays, and that change is handled by its own call
  if (freedAt !== null) await Mailbox.updateOne({ _id: mailboxId, freedAt }, { $set: { freedAt: null } });
  return resumed + wokenCount + moved;
}

/** Returns a function that wakes recipients by signalling their workflows. */
export function createWake(): Wake {
  const client = getClient();
  return (ids, signal, epoch) => wakeRecipient(client, ids, signal, epoch);
}

/** The active campaigns that use the mailbox as a sender, by its id or one of its tags. */
async function campaignsOf({ workspaceId, _id, tags }: Mailbox): Promise<string[]> {
  const active = await scoped(workspaceId).Campaign.find({ status: "ACTIVE" }, { select: { settings: 1 } });
  return active.flatMap(({ _id: campaignId, settings }) => {
    const { mailboxIds, mailboxTags } = settingsOf(settings);
    return mailboxIds.includes(_id) || mailboxTags.some((tag) => tags.includes(tag)) ? [campaignId] : [];
  });
}
