import { settingsOf } from "../../domain/campaigns/settings.ts";
import { MAX_TAGS } from "../../domain/leads/lead.ts";
import { configOf } from "../../domain/sequences/step-config.ts";
import type { HistoryEvent } from "../../domain/states.ts";
import type { RecipientIds, StepOutcome } from "../../domain/workflow-contract.ts";
import { scoped } from "../../models/scoped.ts";
import { emit } from "../../store/outbox.ts";
import { checkDue } from "../../store/recipients/due-step.ts";
import { enrol, skipReasons } from "../../store/recipients/enrol.ts";
import { askApproval, endAt, executeStepOnce, type Turn } from "../../store/recipients/non-mail-step.ts";
import { loadSituation, type Situation } from "../../store/recipients/recipient-state.ts";
import { FairQueue } from "../fair-queue.ts";
import { taskOf } from "./task-text.ts";

export interface ActActivities {
  actStep(ids: RecipientIds): Promise<StepOutcome>;
}

/**
 * The most steps that one activity executes in a row. A sequence has no more steps, so consecutive immediate steps need
 * only one activity.
 */
const MOST_AT_ONCE = 50;
/**
 * These steps write the same gate documents as claims of emails, so no more of them run at the same time (rules/sending
 * 6.2).
 */
const acts = new FairQueue(8);

/** The activities for a recipient's steps that use only MongoDB (rules/campaigns 2.4). */
export function actActivities(): ActActivities {
  return {
    /**
     * Executes every step without email that is due now. Returns when to continue and which activity executes the next
     * step.
     */
    async actStep(ids) {
      for (let left = MOST_AT_ONCE; left > 0; left--) {
        const situation = await loadSituation(ids);
        if (situation === null) return { kind: "stop", reason: "GONE" };
        const due = await checkDue(situation);
        if (due.kind === "due") return { kind: "over", to: "mail" };
        if (due.kind !== "over" || due.to !== "act") return due;
        const end = await acts.add(ids.workspaceId, () => act(situation));
        if (end !== null) return end;
      }
      return { kind: "over", to: "act" };
    },
  };
}

/**
 * Executes one step. Returns null when the caller must load the recipient again: the step is done, or the recipient was
 * changed meanwhile.
 */
async function act(situation: Situation): Promise<StepOutcome | null> {
  const { campaign, sequence, recipient, step } = situation;
  if (step === null) return null;
  const turn = { campaign, sequence, recipient, step };
  switch (step.type) {
    case "TASK":
      await executeStepOnce(turn, () => addTask(situation, turn));
      return null;
    case "ADD_TAG":
      await executeStepOnce(turn, () => addTags(turn));
      return null;
    case "MOVE_TO_CAMPAIGN":
      return (await endAt(turn, () => enrolElsewhere(situation, turn))) ? { kind: "stop", reason: "MOVED" } : null;
    case "APPROVAL": {
      const { note = null } = configOf("APPROVAL", step);
      const answer = await askApproval(turn, () => emitStepEvent(turn, "APPROVAL_REQUESTED", { note }));
      return answer === "ASKED" ? { kind: "stop", reason: "APPROVAL_REQUIRED" } : null;
    }
    case "WAIT":
    case "CONDITION":
      await executeStepOnce(turn, async () => {});
      return null;
    case "EMAIL":
    case "WEBHOOK":
      return null;
  }
}

async function emitStepEvent(
  { recipient, step }: Turn,
  type: HistoryEvent,
  data: Record<string, unknown>,
): Promise<void> {
  const { workspaceId, _id: recipientId, campaignId, leadId } = recipient;
  await emit(workspaceId, { type, leadId, campaignId, recipientId, data: { stepId: step.stepId, ...data } });
}

/** Adds the task as a line of the lead's history, which says who should do what (rules/campaigns 2.4). */
async function addTask(situation: Situation, turn: Turn): Promise<void> {
  await emitStepEvent(turn, "TASK_ADDED", taskOf(situation, configOf("TASK", turn.step)));
}

/** Adds tags to the lead. Tags that it already has, and tags beyond the limit of 50, are left out. */
async function addTags(turn: Turn): Promise<void> {
  const { workspaceId, leadId } = turn.recipient;
  const { Lead } = scoped(workspaceId);
  const lead = await Lead.get(leadId);
  if (lead === null) return;
  const tags = [...new Set([...lead.tags, ...configOf("ADD_TAG", turn.step).tags])].slice(0, MAX_TAGS);
  const added = tags.slice(lead.tags.length);
  if (added.length === 0) return;
  await Lead.updateOne({ _id: leadId }, { $set: { tags } });
  await emitStepEvent(turn, "LEAD_UPDATED", { tagsAdded: added });
}

/** Enrols the lead in the other campaign as if it were added by hand; a refusal is recorded in the lead's history. */
async function enrolElsewhere({ lead, workspace }: Situation, turn: Turn): Promise<void> {
  const { workspaceId, _id: recipientId } = turn.recipient;
  const { Campaign, Recipient } = scoped(workspaceId);
  const { campaignId: toCampaignId } = configOf("MOVE_TO_CAMPAIGN", turn.step);
  const campaign = await Campaign.get(toCampaignId);
  const refusal =
    campaign === null ? "CAMPAIGN_NOT_FOUND" : campaign.status === "ARCHIVED" ? "CAMPAIGN_ARCHIVED" : null;
  const settings = settingsOf(campaign?.settings ?? {});
  const reason =
    campaign === null || refusal !== null
      ? refusal
      : ((await skipReasons(campaign, settings, [lead.email])).get(lead.email) ?? null);
  if (campaign === null || reason !== null) {
    await Recipient.updateOne({ _id: recipientId }, { $set: { stopReason: "SEQUENCE_FINISHED" } });
    await emitStepEvent(turn, "MOVE_REFUSED", { toCampaignId, reason });
    return;
  }
  await enrol({ campaign, settings, leads: [lead], workspaceZone: workspace.timezone, actor: null });
  await emitStepEvent(turn, "MOVED", { toCampaignId });
}
