import { settingsOf } from "../../domain/campaigns/settings.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { closeGates, openGates } from "./gates.ts";
import { moveCampaign } from "./status.ts";

const PAGE = 100;

/**
 * The kill switch (rules/states 2.4). Once it has returned, the workspace sends nothing, not even replies and test
 * emails. Its campaigns are PAUSED until `resumeSending`, and none can be started meanwhile. Returns how many campaigns
 * it paused.
 */
export async function suspendSending(workspaceId: string, actor: string | null): Promise<number> {
  await inTransaction(async () => {
    await Workspace.updateOne({ _id: workspaceId }, { $set: { isSuspended: true } }, sessionOption());
    await closeGates(workspaceId, workspaceId);
  });
  const sending = { status: trusted({ $in: ["ACTIVE", "SCHEDULED"] }) };
  return forEachCampaign(workspaceId, sending, ({ _id }) =>
    moveCampaign(workspaceId, _id, {
      from: ["ACTIVE", "SCHEDULED"],
      to: "PAUSED",
      pauseReason: "WORKSPACE_SUSPENDED",
      actor,
    }),
  );
}

/** Allows the workspace to send again and resumes only the campaigns that the kill switch paused. Returns how many. */
export async function resumeSending(workspaceId: string, actor: string | null): Promise<number> {
  await inTransaction(async () => {
    await Workspace.updateOne({ _id: workspaceId }, { $set: { isSuspended: false } }, sessionOption());
    await openGates(workspaceId, workspaceId);
  });
  const suspended = { status: "PAUSED", pauseReason: "WORKSPACE_SUSPENDED" } as const;
  return forEachCampaign(workspaceId, suspended, ({ _id, settings }) => {
    const { startAt } = settingsOf(settings);
    const to = startAt !== null && Date.parse(startAt) > Date.now() ? "SCHEDULED" : "ACTIVE";
    return moveCampaign(workspaceId, _id, { from: ["PAUSED"], to, actor });
  });
}

/**
 * Moves each campaign in its own transaction, page by page. The workspace's state is written before, so a campaign that
 * is started meanwhile already sees it.
 */
async function forEachCampaign(
  workspaceId: string,
  filter: Record<string, unknown>,
  move: (campaign: Campaign) => Promise<Campaign | null>,
): Promise<number> {
  let moved = 0;
  for (let after = ""; ; ) {
    const page = await scoped(workspaceId).Campaign.find(
      { ...filter, _id: trusted({ $gt: after }) },
      { sort: { _id: 1 }, limit: PAGE },
    );
    const last = page.at(-1);
    if (last === undefined) return moved;
    for (const campaign of page) if ((await inTransaction(() => move(campaign))) !== null) moved++;
    after = last._id;
  }
}
