import { createHash } from "node:crypto";
import { maySend } from "../../domain/access/suspension.ts";
import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import { AppError } from "../../domain/errors.ts";
import { maySendCampaigns } from "../../domain/mailboxes/band.ts";
import type { Step } from "../../domain/sequences/sequence.ts";
import { OPEN } from "../../domain/states.ts";
import type { Campaign } from "../../models/campaigns/campaign.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { countWritable } from "../../store/campaigns/audience-check.ts";
import { findWouldBeHeldOut } from "../../store/campaigns/hold-out.ts";
import { loadSequence, loadWorkspace } from "../../store/campaigns/load.ts";
import { loadCampaignMailboxes } from "../../store/campaigns/mailboxes-of-campaign.ts";
import { countLackingIn } from "../../store/campaigns/missing.ts";
import { loadCampaignSources, validateCampaign } from "../../store/campaigns/validation.ts";
import type { Context } from "../context.ts";
import type { Intent } from "../sending/permit.ts";
import type { PlannedEffect } from "../sending/plan.ts";
import { scoringOf } from "./content-score.ts";
import { type RenderedFor, renderAsked } from "./rendering.ts";

const SHOWN_PEOPLE = 10;
/** The most recipients for whom a plan renders emails, and the most emails that it renders. */
const SHOWN_READERS = 3;
const SHOWN_MAILS = 60;

type Kind = "LAUNCH" | "RESUME";

/** The effect of launching or resuming a campaign: all open recipients may then be contacted. */
export function launchIntent(ctx: Context, kind: Kind, campaign: Campaign, to: string): Intent {
  return { effect: () => effectOf(ctx, kind, campaign, to), cost: async () => (await countWritable(campaign)).open };
}

/** The effect of a launch or resume when the campaign already has that status. */
export function noIntent(kind: Kind): Intent {
  const nobody = {
    people: 0,
    heldOut: 0,
    mails: 0,
    firstSendAt: null,
    lastSendAt: null,
    mailboxes: [],
    recipients: [],
    texts: [],
  };
  return {
    effect: async () => ({ shown: { kind, isDone: true, ...nobody }, identity: [kind, "done"] }),
    cost: async () => 0,
  };
}

/**
 * The effect of a launch with recipients and texts. A changed recipient, text, setting or mailbox changes the identity
 * of the effect. Times do not, because they move while the caller decides.
 */
async function effectOf(ctx: Context, kind: Kind, campaign: Campaign, to: string): Promise<PlannedEffect> {
  const { workspaceId, _id: campaignId, status } = campaign;
  const settings = settingsOf(campaign.settings);
  const [validation, sequence, workspace, mailboxes, audience] = await Promise.all([
    validateCampaign(campaign, scoringOf(ctx)),
    loadSequence(workspaceId, campaignId),
    loadWorkspace(workspaceId),
    loadCampaignMailboxes(workspaceId, settings),
    readAudience(campaign, settings),
  ]);
  const senders = mailboxes.filter(maySendCampaigns);
  const mailSteps = sequence.steps.filter(({ type }) => type === "EMAIL");
  const texts = await textsOf(ctx, campaignId, mailSteps, audience.first.slice(0, SHOWN_READERS));
  const lacking = await countLackingIn(await loadCampaignSources(campaign));
  return {
    shown: {
      kind,
      people: audience.people,
      heldOut: audience.heldOut,
      lacking,
      mails: Math.max(0, audience.people * mailSteps.length - audience.sent),
      firstSendAt: validation.summary.firstSendAt,
      lastSendAt: validation.summary.expectedFinishAt,
      mailboxes: senders.map(({ _id, email }) => ({ id: _id, email })),
      recipients: audience.first.map(({ email }) => email),
      texts,
      validation,
    },
    identity: [
      ...[kind, status, to, validation.valid, audience.digest, settings, sequence.steps, senders.map(signedBy), texts],
      ...[workspace.postalAddress, !maySend(workspace)],
    ],
  };
}

/** The mailbox fields that appear in its emails. */
function signedBy({ _id, email, name, signatureHtml }: Mailbox): unknown[] {
  return [_id, email, name, signatureHtml];
}

/**
 * The recipients who may still be contacted: how many, how many emails they got, the first ones, and a digest of all
 * their ids. Recipients that will be held out are counted separately.
 */
async function readAudience({ workspaceId, _id: campaignId }: Campaign, settings: Settings) {
  const { Recipient } = scoped(workspaceId);
  const open = { campaignId, status: { $in: [...OPEN] } };
  const heldOut = await findWouldBeHeldOut(workspaceId, campaignId, settings);
  const isHeldOut = ({ _id }: { _id: string }) => heldOut.has(_id);
  const [all, shown, [total]] = await Promise.all([
    // Only ids, read from an index: there may be 100,000 people
    Recipient.read(open, { select: { _id: 1 }, sort: { _id: -1 } }),
    Recipient.find(
      { campaignId, status: trusted(open.status) },
      // At most a fifth of the people are held out, so reading twice as many nearly always yields enough to show
      {
        sort: { _id: 1 },
        limit: heldOut.size === 0 ? SHOWN_PEOPLE : 2 * SHOWN_PEOPLE,
        select: { email: 1, leadId: 1 },
      },
    ),
    Recipient.aggregate<{ sent: number }>(open, { $group: { _id: null, sent: { $sum: "$sentCount" } } }),
  ]);
  const digest = createHash("sha256");
  const everybody = all.filter((person) => !isHeldOut(person));
  for (const { _id } of everybody) digest.update(_id);
  const first = shown.filter((person) => !isHeldOut(person)).slice(0, SHOWN_PEOPLE);
  return {
    people: everybody.length,
    heldOut: heldOut.size,
    sent: total?.sent ?? 0,
    first,
    digest: digest.digest("base64url"),
  };
}

/**
 * Renders every variant of the steps for each of these recipients. A text that cannot be rendered is left out; the
 * validation reports why.
 */
async function textsOf(
  ctx: Context,
  campaignId: string,
  steps: readonly Step[],
  people: readonly Pick<Recipient, "leadId">[],
) {
  const wanted = steps.flatMap(({ stepId, variants }) =>
    variants
      .filter(({ enabled }) => enabled)
      .flatMap(({ variantId }) => people.map(({ leadId }) => ({ stepId, variantId, leadId }))),
  );
  const texts = await Promise.all(
    wanted.slice(0, SHOWN_MAILS).map(async (asked) => {
      try {
        return textOf(await renderAsked(ctx, { campaignId, ...asked }));
      } catch (err) {
        if (err instanceof AppError) return null;
        throw err;
      }
    }),
  );
  return texts.filter((text) => text !== null);
}

/** One email of a campaign as a plan shows it. */
export function textOf({ step, variant, lead, rendered }: RenderedFor, to = lead?.email ?? "") {
  const { subject, text, html } = rendered;
  const fileNames = (variant.attachments ?? []).map(({ fileName }) => fileName);
  return { to, subject, text, html, fileNames, stepId: step.stepId, variantId: variant.variantId };
}
