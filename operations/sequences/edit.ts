import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../domain/errors.ts";
import { changesBetween } from "../../domain/sequences/changes.ts";
import { sequenceErrors } from "../../domain/sequences/check.ts";
import { changedDelays, leadsElsewhere, withEdit } from "../../domain/sequences/edit.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import { scoped } from "../../models/scoped.ts";
import type { EditAction } from "../../models/sequences/campaign-version.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { User } from "../../models/sign-in/user.ts";
import { sessionOption } from "../../mongo/direct.ts";
import { afterCommit, inTransaction } from "../../mongo/transaction.ts";
import { countFinishedReachable } from "../../store/campaigns/finished-recipients.ts";
import { touchGates } from "../../store/campaigns/gates.ts";
import { loadCampaign, loadSequence } from "../../store/campaigns/load.ts";
import { nudge } from "../../store/outbox.ts";
import { settleEdit } from "../../store/sequences/settle-edit.ts";
import { recordSequenceEdit } from "../../store/sequences/versions.ts";
import { loadEditable } from "../campaigns/find.ts";
import { withVersion } from "../campaigns/full.ts";
import type { Context } from "../context.ts";

export interface SequenceEdit {
  campaignId: string;
  expectedVersion?: number | undefined;
  action: EditAction;
  /** Waiting recipients keep the planned times of their next emails, even if a delay changes. */
  keepBooked?: boolean | undefined;
  revertedTo?: number;
}

type Change = (sequence: Sequence) => Promise<Partial<Pick<Sequence, "mode" | "steps">>>;

/** Campaigns with at most this many recipients are settled before the response; for larger ones a workflow does it. */
const SETTLED_AT_ONCE = 1_000;

/**
 * Edits a sequence, if the campaign still has the expected version, and records the edit. Its consequences for waiting
 * recipients follow page by page: in this call for a small campaign, else in a workflow, which also completes what this
 * call left unfinished.
 */
export async function editSequence(ctx: Context, edit: SequenceEdit, change: Change) {
  const { workspaceId } = ctx;
  const { campaignId } = edit;
  await inTransaction(async () => {
    const campaign = await loadEditable(workspaceId, campaignId, edit.expectedVersion);
    const before = await loadSequence(workspaceId, campaignId);
    const after = { mode: before.mode, steps: before.steps, ...(await change(before)) };
    if (!isDeepStrictEqual(after.steps, before.steps)) refuseUnsendable(campaign, after.steps);
    if (!isDeepStrictEqual(after, { mode: before.mode, steps: before.steps }))
      await write(ctx, edit, campaign, before, after);
  });
  const sequence = await loadSequence(workspaceId, campaignId);
  const finishedReachable = await countFinishedReachable(sequence);
  return { ...withVersion(sequence, await loadCampaign(workspaceId, campaignId)), finishedReachable };
}

async function write(
  ctx: Context,
  edit: SequenceEdit,
  campaign: Campaign,
  before: Sequence,
  after: Pick<Sequence, "mode" | "steps">,
) {
  const { workspaceId, _id: campaignId } = campaign;
  const { Campaign, Sequence } = scoped(workspaceId);
  const version = campaign.version + 1;
  const left = {
    version,
    isMoving: leadsElsewhere(before.steps, after.steps),
    delays: changedDelays(before.steps, after.steps, edit.keepBooked ?? false),
  };
  const hasBegun = campaign.launchedAt !== null && (left.isMoving || left.delays.length > 0);
  const unsettled = hasBegun ? { unsettled: withEdit(campaign.unsettled ?? null, left) } : {};
  await Sequence.updateOne({ _id: before._id }, { $set: { ...after, version } });
  await Campaign.updateOne({ _id: campaignId }, { $set: { version, ...unsettled } });
  const { action, revertedTo } = edit;
  const changes = changesBetween(before, after);
  const recorded = { action, by: await authorOf(ctx), changes, ...(revertedTo !== undefined && { revertedTo }) };
  await recordSequenceEdit(campaign, before, { ...after, version }, recorded);
  if (campaign.status === "ACTIVE") await nudge(workspaceId, "CAMPAIGN", { campaignId });
  // A recipient that is about to finish then checks the sequence again
  await touchGates(workspaceId, [campaignId]);
  if (hasBegun && campaign.recipientCount <= SETTLED_AT_ONCE) afterCommit(() => settleEdit(workspaceId, campaignId));
}

/** The caller as the history of a campaign shows it. */
export async function authorOf({ kind, credentialId, userId, name }: Context) {
  if (kind !== "CONSOLE") return { kind, id: credentialId, name };
  const person = await User.findOne({ _id: userId }, { name: 1 }, sessionOption()).lean<Pick<User, "name">>();
  return { kind, id: userId, name: person?.name ?? name };
}

/** Refuses steps that a running campaign could not send, with the same checks as at launch. */
function refuseUnsendable({ status, type }: Campaign, steps: Step[]): void {
  if (status !== "ACTIVE" && status !== "SCHEDULED") return;
  const errors = sequenceErrors(type, steps);
  if (errors.length === 0) return;
  const validation = { valid: false, errors, warnings: [] };
  throw new AppError("CAMPAIGN_NOT_VALID", "The campaign is running and could not continue with these steps", {
    validation,
  });
}
