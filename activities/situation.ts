import type { RecipientIds } from "../domain/engine.ts";
import type { Step } from "../domain/sequence.ts";
import { stepOf } from "../domain/sequence.ts";
import { type Settings, settingsOf } from "../domain/settings.ts";
import type { Campaign } from "../models/campaign.ts";
import type { Lead } from "../models/lead.ts";
import type { Mailbox } from "../models/mailbox.ts";
import type { Recipient } from "../models/recipient.ts";
import { scoped } from "../models/scoped.ts";
import type { Send } from "../models/send.ts";
import type { Sequence } from "../models/sequence.ts";
import { Workspace } from "../models/workspace.ts";

/** Everything one try of a step decides on, as it stands now. */
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

/** Null when the recipient, its lead or its campaign is gone. */
export async function situationOf({ workspaceId, campaignId, recipientId }: RecipientIds): Promise<Situation | null> {
  const documents = scoped(workspaceId);
  const [recipient, campaign, [sequence], workspace] = await Promise.all([
    documents.Recipient.get(recipientId),
    documents.Campaign.get(campaignId),
    documents.Sequence.read({ campaignId }),
    workspaceOf(workspaceId),
  ]);
  if (recipient === null || campaign === null || sequence === undefined || workspace === null) return null;
  const step = stepOf(sequence.steps, recipient.nextStepId);
  const [lead, [send = null]] = await Promise.all([
    documents.Lead.get(recipient.leadId),
    step === null ? [] : documents.Send.read({ recipientId, stepId: step.stepId }),
  ]);
  if (lead === null) return null;
  const mailboxId = send?.mailboxId ?? recipient.mailboxId;
  const mailbox = mailboxId === null ? null : await documents.Mailbox.get(mailboxId);
  return { workspace, campaign, settings: settingsOf(campaign.settings), sequence, recipient, lead, step, send, mailbox };
}

/** Name and postal address change rarely and stand in every mail. */
const REMEMBER_MS = 5_000;
const remembered = new Map<string, { workspace: Workspace; until: number }>();

async function workspaceOf(workspaceId: string): Promise<Workspace | null> {
  const known = remembered.get(workspaceId);
  if (known !== undefined && known.until > Date.now()) return known.workspace;
  const workspace = await Workspace.findById(workspaceId).lean<Workspace>();
  if (workspace !== null) remembered.set(workspaceId, { workspace, until: Date.now() + REMEMBER_MS });
  return workspace;
}
