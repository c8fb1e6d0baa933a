import { settingsOf } from "../../domain/campaigns/settings.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
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

/**
 * The most emails that these people get if none of them replies or opts out. A row of a job is counted with the longest
 * sequence that it could join.
 */
export async function countMails(
  workspaceId: string,
  opened: readonly Recipient[],
  joiners: readonly ListJoiner[],
  rows: number,
): Promise<number> {
  const { Campaign, Sequence } = scoped(workspaceId);
  const enrolling = rows === 0 ? [] : (await Campaign.find(ENROLS, { select: { _id: 1 } })).map(({ _id }) => _id);
  const counts = new Map<string, number>();
  for (const campaignId of new Set([
    ...opened.map((one) => one.campaignId),
    ...joiners.map(({ _id }) => _id),
    ...enrolling,
  ])) {
    const steps = (await Sequence.findOne({ campaignId }))?.steps ?? [];
    counts.set(campaignId, steps.filter(({ type }) => type === "EMAIL").length);
  }
  const most = (campaignId: string, sent: number) => Math.max(0, (counts.get(campaignId) ?? 0) - sent);
  return (
    opened.reduce((sum, { campaignId, sentCount }) => sum + most(campaignId, sentCount), 0) +
    joiners.reduce((sum, { _id }) => sum + most(_id, 0), 0) +
    rows * Math.max(0, ...enrolling.map((id) => most(id, 0)))
  );
}
