import { z } from "zod";
import type { Lead } from "../../models/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { describedIds } from "../described-ids.ts";
import { findOpenPromises } from "../inbox/open-promises.ts";
import { operation } from "../operation.ts";
import { LeadInFull, loadLead } from "./record.ts";

const { leadId } = describedIds;

export const get = operation({
  summary: "Read one lead with its lists, campaigns, open promises and number of notes",
  scope: "leads:read",
  errors: ["LEAD_NOT_FOUND"],
  input: z.strictObject({ leadId }),
  output: LeadInFull,
  async run({ workspaceId, scopes }, { leadId }) {
    const lead = await loadLead(workspaceId, leadId);
    const notes = scoped(workspaceId).Note.count({ leadId });
    const promises = scopes.has("inbox:read") ? findOpenPromises(workspaceId, { leadId }) : null;
    const [lists, campaigns, promised, noteCount] = await Promise.all([
      listsOf(lead),
      campaignsOf(workspaceId, leadId),
      promises,
      notes,
    ]);
    return { ...lead, lists, campaigns, promises: promised, noteCount };
  },
});

async function listsOf({ workspaceId, listIds }: Lead) {
  const lists = await scoped(workspaceId).LeadList.find(
    { _id: trusted({ $in: listIds }) },
    { select: { name: 1 }, sort: { _id: -1 } },
  );
  return lists.map(({ _id, name }) => ({ id: _id, name }));
}

/** The campaigns of a lead. A recipient that was removed before any email is omitted (rules/states 3.2). */
async function campaignsOf(workspaceId: string, leadId: string) {
  const { Campaign, Recipient } = scoped(workspaceId);
  const all = await Recipient.find({ leadId }, { sort: { _id: -1 } });
  const recipients = all.filter(({ stopReason, sentCount }) => stopReason !== "REMOVED" || sentCount > 0);
  const campaignIds = recipients.map(({ campaignId }) => campaignId);
  const campaigns = await Campaign.find({ _id: trusted({ $in: campaignIds }) }, { select: { name: 1 } });
  const names = new Map(campaigns.map(({ _id, name }) => [_id, name]));
  return recipients.flatMap(({ _id, campaignId, status, sentCount, lastSentAt, repliedAt }) => {
    const name = names.get(campaignId);
    return name === undefined
      ? []
      : [{ id: campaignId, name, recipientId: _id, status, sentCount, lastSentAt, repliedAt }];
  });
}
