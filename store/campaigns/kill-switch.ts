import { setTimeout as sleep } from "node:timers/promises";
import { maySend, type Suspension } from "../../domain/access/suspension.ts";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { beginsWithinMs } from "../../domain/sending/last-look.ts";
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
export function suspendSending(workspaceId: string, actor: string | null): Promise<number> {
  return stopSending(workspaceId, { isSuspended: true }, actor);
}

/**
 * Switches the kill switch off and resumes only the campaigns that it paused. While the operator's suspension stands,
 * nothing resumes. Returns how many campaigns it resumed.
 */
export function resumeSending(workspaceId: string, actor: string | null): Promise<number> {
  return letSend(workspaceId, { isSuspended: false }, actor);
}

/**
 * Suspends a workspace (rules/access 7.1): like the kill switch, but the workspace cannot end it. `note` runs in the
 * transaction of the stop. A repeated call replaces the reason and completes a stop whose process died. The service
 * itself replaces no suspension: then nothing changes and `note` does not run.
 */
export async function suspendWorkspace(
  workspaceId: string,
  suspension: Suspension,
  note: () => Promise<void>,
): Promise<number> {
  const paused = await stopSending(workspaceId, { suspension }, null, note);
  // An email of the service itself may have passed its last look just before (activities/system-mail.ts)
  await sleep(beginsWithinMs(null));
  return paused;
}

/** Ends the operator's suspension. If the workspace's own kill switch is on, nothing resumes. */
export function endSuspension(workspaceId: string, note: () => Promise<void>): Promise<number> {
  return letSend(workspaceId, { suspension: null, judgedFrom: new Date() }, null, note);
}

async function stopSending(
  workspaceId: string,
  stop: { isSuspended: true } | { suspension: Suspension },
  actor: string | null,
  note: () => Promise<void> = async () => {},
): Promise<number> {
  const isOfService = "suspension" in stop && stop.suspension.by === "SERVICE";
  await inTransaction(async () => {
    const filter = { _id: workspaceId, ...(isOfService && { suspension: null }) };
    const { matchedCount } = await Workspace.updateOne(filter, { $set: stop }, sessionOption());
    if (isOfService && matchedCount === 0) return;
    await closeGates(workspaceId, workspaceId);
    await note();
  });
  return isOfService
    ? completeSuspension(workspaceId)
    : forEachCampaign(workspaceId, SENDING, ({ _id }) => pause(workspaceId, _id, actor));
}

/** Pauses the campaigns that a suspension has not reached because its process died or a campaign could not be paused. */
export function completeSuspension(workspaceId: string): Promise<number> {
  return forEachCampaign(workspaceId, SENDING, async ({ _id }) => {
    // The write conflicts with the end of the suspension, so that the end sees every campaign that is paused here
    const { matchedCount } = await Workspace.updateOne(
      { _id: workspaceId, suspension: trusted({ $ne: null }) },
      { $inc: { openings: 1 } },
      sessionOption(),
    );
    return matchedCount === 0 ? null : pause(workspaceId, _id, null);
  });
}

const SENDING = { status: trusted({ $in: ["ACTIVE", "SCHEDULED"] }) };

function pause(workspaceId: string, campaignId: string, actor: string | null): Promise<Campaign | null> {
  return moveCampaign(workspaceId, campaignId, {
    from: ["ACTIVE", "SCHEDULED"],
    to: "PAUSED",
    pauseReason: "WORKSPACE_SUSPENDED",
    actor,
  });
}

async function letSend(
  workspaceId: string,
  end: { isSuspended: false } | { suspension: null; judgedFrom: Date },
  actor: string | null,
  note: () => Promise<void> = async () => {},
): Promise<number> {
  const isOpen = await inTransaction(async () => {
    await Workspace.updateOne({ _id: workspaceId }, { $set: end }, sessionOption());
    await note();
    const workspace = await Workspace.findOne({ _id: workspaceId }, null, sessionOption()).lean<Workspace>();
    const mayOpen = workspace !== null && maySend(workspace);
    if (mayOpen) await openGates(workspaceId, workspaceId);
    return mayOpen;
  });
  return isOpen ? completeResume(workspaceId, actor) : 0;
}

/**
 * Continues the campaigns that a resumption has not reached, because its process died or a campaign could not be moved.
 * Call it only while the workspace may send.
 */
export function completeResume(workspaceId: string, actor: string | null = null): Promise<number> {
  const pausedFor = "WORKSPACE_SUSPENDED";
  return forEachCampaign(workspaceId, { status: "PAUSED", pauseReason: pausedFor }, ({ _id, settings }) => {
    const { startAt } = settingsOf(settings);
    const to = startAt !== null && Date.parse(startAt) > Date.now() ? "SCHEDULED" : "ACTIVE";
    // A member may have paused it since this page was read
    return moveCampaign(workspaceId, _id, { from: ["PAUSED"], pausedFor, to, actor });
  });
}

/**
 * Moves each campaign in its own transaction, page by page. The workspace's state is written before, so a campaign that
 * is started meanwhile already sees it. A campaign that fails holds up no other.
 * @throws the first error, after all campaigns
 */
async function forEachCampaign(
  workspaceId: string,
  filter: Record<string, unknown>,
  move: (campaign: Campaign) => Promise<Campaign | null>,
): Promise<number> {
  let moved = 0;
  const errors: unknown[] = [];
  for (let after = ""; ; ) {
    const page = await scoped(workspaceId).Campaign.find(
      { ...filter, _id: trusted({ $gt: after }) },
      { sort: { _id: 1 }, limit: PAGE },
    );
    const last = page.at(-1);
    if (last === undefined) break;
    for (const campaign of page) {
      try {
        if ((await inTransaction(() => move(campaign))) !== null) moved++;
      } catch (error) {
        errors.push(error);
      }
    }
    after = last._id;
  }
  if (errors.length > 0) throw errors[0];
  return moved;
}
