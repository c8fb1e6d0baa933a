import { Context, getClient } from "@temporalio/activity";
import type { CampaignIds } from "../domain/engine.ts";
import { type Situation, situationOf } from "../ledger/situation.ts";
import { dueOf } from "../ledger/standing.ts";
import { trusted } from "../models/collection.ts";
import { IS_COUNT } from "../models/schema.ts";
import { scoped } from "../models/scoped.ts";
import { rebookAt } from "./due.ts";
import { wakeRecipient } from "./starts.ts";

const PAGE = 200;

/**
 * Wakes those who were refused while the gates were closed: in due order, each booked anew by gap and window first, so that
 * a resume never bursts (B20).
 */
export async function resume({ workspaceId, campaignId }: CampaignIds): Promise<number> {
  const { Campaign, Recipient } = scoped(workspaceId);
  const client = getClient();
  let woken = 0;
  for (;;) {
    const campaign = await Campaign.get(campaignId);
    if (campaign?.status !== "ACTIVE") return woken;
    const parked = { campaignId, parkedEpoch: trusted(IS_COUNT) };
    const page = await Recipient.find(parked, { limit: PAGE, sort: { nextSendAt: 1 }, select: { _id: 1 } });
    if (page.length === 0) return woken;
    for (const { _id: recipientId } of page) {
      const ids = { v: 1, workspaceId, campaignId, recipientId } as const;
      const situation = await situationOf(ids);
      if (situation !== null) await bookAnew(situation);
      await Recipient.updateOne({ _id: recipientId }, { $set: { parkedEpoch: null } });
      await wakeRecipient(client, ids, "resume", campaign.fence);
      woken++;
    }
    Context.current().heartbeat(woken);
  }
}

/** Whoever has a slot still ahead keeps it: it was told to look again meanwhile, and found the campaign closed. */
async function bookAnew(situation: Situation): Promise<void> {
  const { mailbox, send, step } = situation;
  const now = Date.now();
  const isWaiting = send?.state === "RELEASED" || (send?.state === "RESERVED" && (send.slotAt?.getTime() ?? 0) <= now);
  if (mailbox === null || step === null || !isWaiting) return;
  await rebookAt(situation, send, mailbox, Math.max(now, await dueOf(situation, step)), "the slot after the resume");
}
