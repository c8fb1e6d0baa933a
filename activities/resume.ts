import { Context, getClient } from "@temporalio/activity";
import type { CampaignIds } from "../domain/engine.ts";
import { situationOf } from "../ledger/situation.ts";
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
      if (situation?.mailbox && (situation.send?.state === "RESERVED" || situation.send?.state === "RELEASED")) {
        await rebookAt(situation, situation.send, situation.mailbox, Date.now(), "the slot after the resume");
      }
      await Recipient.updateOne({ _id: recipientId }, { $set: { parkedEpoch: null } });
      await wakeRecipient(client, ids, "resume", campaign.fence);
      woken++;
    }
    Context.current().heartbeat(woken);
  }
}
