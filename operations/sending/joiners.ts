import { settingsOf } from "../../domain/campaigns/settings.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { CALLER_MS, segmentOfList } from "../../store/leads/segment.ts";
import { skipReasons } from "../../store/recipients/enrol.ts";
import { ENROLS } from "./causes.ts";

/** A person whom a campaign will add automatically, because the lead is in one of its lists. */
export type ListJoiner = Pick<Campaign, "_id"> & { email: string };

/** The leads that a campaign with automatic list members would add. Call it at the end of a call's transaction. */
export async function joinersAmong(workspaceId: string, leadIds: readonly string[]): Promise<ListJoiner[]> {
  if (leadIds.length === 0) return [];
  const campaigns = await scoped(workspaceId).Campaign.find(ENROLS);
  const joiners: ListJoiner[] = [];
  for (const campaign of campaigns) joiners.push(...(await joinersOf(campaign, leadIds)));
  return joiners;
}

async function joinersOf(campaign: Campaign, leadIds: readonly string[]): Promise<ListJoiner[]> {
  const { workspaceId, _id, audienceListIds } = campaign;
  const { Lead, LeadList, Recipient } = scoped(workspaceId);
  const members = new Set<string>();
  for (const list of await LeadList.find({ _id: trusted({ $in: audienceListIds }) })) {
    const { match, stages } = await segmentOfList(list, new Date(), CALLER_MS);
    const ours = { $and: [{ _id: { $in: leadIds } }, match] };
    for (const { email } of await Lead.aggregate<{ email: string }>(ours, ...stages, { $project: { email: 1 } }))
      members.add(email);
  }
  const emails = [...members];
  const present = await Recipient.find({ campaignId: _id, email: trusted({ $in: emails }) }, { select: { email: 1 } });
  const isPresent = new Set(present.map(({ email }) => email));
  const refused = await skipReasons(campaign, settingsOf(campaign.settings), emails);
  return emails.filter((email) => !isPresent.has(email) && !refused.has(email)).map((email) => ({ _id, email }));
}
