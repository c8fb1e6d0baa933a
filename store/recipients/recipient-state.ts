import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { stepOf } from "../../domain/sequences/sequence.ts";
import type { RecipientIds } from "../../domain/workflow-contract.ts";
import { Workspace } from "../../models/access/workspace.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";

/** The current state of everything that one attempt at a step needs for its decisions. */
export interface Situation {
  workspace: Workspace;
  campaign: Campaign;
  settings: Settings;
  sequence: Sequence;
  recipient: Recipient;
  lead: Lead;
  /** Null when the sequence has no further step for this recipient. */
  step: Step | null;
  send: Send | null;
  mailbox: Mailbox | null;
}

interface Found extends Recipient {
  campaigns: Campaign[];
  sequences: Sequence[];
  leads: Lead[];
  sends: Send[];
  mailboxes: Mailbox[];
}

/**
 * Loads the whole situation in one query, because it is read before each email. Null when a part of it no longer
 * exists.
 */
export async function loadSituation({ workspaceId, campaignId, recipientId }: RecipientIds): Promise<Situation | null> {
  const [[found], workspace] = await Promise.all([
    scoped(workspaceId).Recipient.aggregate<Found>(
      { _id: recipientId, campaignId },
      lookupRelated(workspaceId, "campaigns", "campaignId", "_id"),
      lookupRelated(workspaceId, "sequences", "campaignId", "campaignId"),
      lookupRelated(workspaceId, "leads", "leadId", "_id"),
      lookupRelated(workspaceId, "sends", "_id", "recipientId", "nextStepId"),
      { $set: { sender: { $ifNull: [{ $first: "$sends.mailboxId" }, "$mailboxId"] } } },
      lookupRelated(workspaceId, "mailboxes", "sender", "_id"),
    ),
    workspaceOf(workspaceId),
  ]);
  if (found === undefined || workspace === null) return null;
  const { campaigns, sequences, leads, sends, mailboxes, ...recipient } = found;
  const [[campaign], [sequence], [lead]] = [campaigns, sequences, leads];
  if (campaign === undefined || sequence === undefined || lead === undefined) return null;
  const step = stepOf(sequence.steps, recipient.nextStepId);
  const [send = null] = step === null ? [] : sends;
  const settings = settingsOf(campaign.settings);
  return { workspace, campaign, settings, sequence, recipient, lead, step, send, mailbox: mailboxes[0] ?? null };
}

/** The situation of the same recipient as if it waited for another step. */
export async function loadSituationAt(situation: Situation, stepId: string | null): Promise<Situation> {
  const { recipient, sequence, mailbox: currentMailbox } = situation;
  const { Mailbox, Send } = scoped(recipient.workspaceId);
  const step = stepOf(sequence.steps, stepId);
  const send =
    step === null ? null : await Send.findOne({ recipientId: recipient._id, stepId }, { select: { content: 0 } });
  const mailboxId = send?.mailboxId ?? recipient.mailboxId;
  const mailbox =
    mailboxId === null || mailboxId === currentMailbox?._id ? currentMailbox : await Mailbox.get(mailboxId);
  return { ...situation, recipient: { ...recipient, nextStepId: stepId }, step, send, mailbox };
}

/**
 * A `$lookup` of the workspace's documents that a field refers to. With `step`, only the send of that step is included.
 */
function lookupRelated(workspaceId: string, from: string, localField: string, foreignField: string, step?: string) {
  if (step === undefined)
    return { $lookup: { from, localField, foreignField, pipeline: [{ $match: { workspaceId } }], as: from } };
  const isOfStep = { $expr: { $eq: ["$stepId", "$$step"] } };
  const pipeline = [{ $match: { workspaceId, ...isOfStep } }, { $unset: "content" }];
  return { $lookup: { from, localField, foreignField, let: { step: `$${step}` }, pipeline, as: from } };
}

/**
 * For how many milliseconds a workspace is cached, because its name and postal address change rarely and appear in
 * every email.
 */
const REMEMBER_MS = 5_000;
const remembered = new Map<string, { workspace: Workspace; until: number }>();

async function workspaceOf(workspaceId: string): Promise<Workspace | null> {
  const cached = remembered.get(workspaceId);
  if (cached !== undefined && cached.until > Date.now()) return cached.workspace;
  const workspace = await Workspace.findById(workspaceId).lean<Workspace>();
  if (workspace !== null) remembered.set(workspaceId, { workspace, until: Date.now() + REMEMBER_MS });
  return workspace;
}
