import { createHash } from "node:crypto";
import { type ContentVerdict, isSpammy, MOST_SCORED, SILENT_FOR_MS } from "../../domain/campaigns/content-score.ts";
import { AppError } from "../../domain/errors.ts";
import { trackingDomainOf, trackUrlOf } from "../../domain/mailboxes/tracking-domain.ts";
import { type CampaignFinding, finding } from "../../domain/sequences/check.ts";
import type { Variant } from "../../domain/sequences/sequence.ts";
import type { Rendered } from "../../domain/templates/template.ts";
import { trackMail } from "../../domain/templates/track.ts";
import { sampleVariables } from "../../domain/templates/variables.ts";
import type { ScorableMail } from "../../models/campaigns/content-score.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import type { RenderSources } from "./missing.ts";
import { type Addressee, openingSubjectOf, previewLinkOf, renderMail } from "./render-mail.ts";

/** The base URL for the links of an email; null when no spam filter is configured, and then no scores are read. */
export type Scoring = { trackUrl: string } | null;

/** An email of a campaign that a spam filter can score. */
export interface ScorableVariant {
  stepId: string;
  variantId: string;
  path: string;
  scoreId: string;
  mail: ScorableMail;
}

/**
 * The email as it would be sent from this rendering, including tracking and the unsubscribe link; null without a
 * mailbox to send it.
 */
export function scorableMail(
  { settings, workspace, mailbox, ...sources }: RenderSources,
  { person, index, variant, rendered }: { person: Addressee; index: number; variant: Variant; rendered: Rendered },
  trackUrl: string,
): ScorableMail | null {
  if (mailbox === null) return null;
  const domain = trackingDomainOf(mailbox, workspace);
  const under = `${trackUrlOf(trackUrl, domain)}/t`;
  const { text, html } = trackMail(rendered, {
    wishes: { ...settings, honeypotLink: workspace.honeypotLink ?? false }, // workspaces of earlier versions have none
    cid: person.recipient?.cid ?? EXAMPLE_CID,
    unsubscribeToken: "/u/preview",
    isTracked: domain !== null,
    before: null,
    pixelUrl: () => `${under}/o/preview`,
    hiddenUrl: () => `${under}/c/preview`,
    linkUrl: (number) => `${under}/c/preview-${number}`,
  });
  const { lead } = person;
  const samples = sampleVariables();
  return {
    mailboxId: mailbox._id,
    from: { address: mailbox.email, name: mailbox.name },
    to: {
      address: lead?.email ?? String(samples["email"]),
      name: lead === null ? String(samples["fullName"]) : lead.fullName,
    },
    replyTo: mailbox.replyTo,
    subject: rendered.subject,
    text,
    html,
    attachments: variant.attachments ?? [],
    unsubscribeUrl: settings.unsubscribeHeader ? previewLinkOf(trackUrlOf(trackUrl, mailbox.trackingDomain)) : null,
    isFollowUp: openingSubjectOf({ settings, workspace, mailbox, ...sources }, person, index) !== null,
  };
}

const EXAMPLE_CID = "Ab3dEf6hIj9kLm";

/** The id of an email's score. The same email of the same workspace always has the same id. */
export function scoreIdOf(workspaceId: string, mail: ScorableMail): string {
  return createHash("sha256")
    .update(JSON.stringify([workspaceId, mail]))
    .digest("base64url");
}

/**
 * The emails of a campaign's enabled variants for an example recipient, at most the first fifty. Those that cannot be
 * rendered are left out.
 */
export function scorableVariants(sources: RenderSources, trackUrl: string): ScorableVariant[] {
  const person = {
    lead: null,
    recipient: null,
    unsubscribeLink: previewLinkOf(trackUrlOf(trackUrl, sources.mailbox?.trackingDomain ?? null)),
  };
  const places = sources.sequence.steps.flatMap(({ type, stepId, variants }, index) =>
    variants.flatMap((variant, at) =>
      type === "EMAIL" && variant.enabled ? [{ stepId, index, variant, path: `steps.${index}.variants.${at}` }] : [],
    ),
  );
  return places.slice(0, MOST_SCORED).flatMap(({ stepId, index, variant, path }) => {
    try {
      const rendered = renderMail(sources, person, index, variant);
      const mail = scorableMail(sources, { person, index, variant, rendered }, trackUrl);
      if (mail === null) return [];
      return [
        { stepId, variantId: variant.variantId, path, scoreId: scoreIdOf(sources.campaign.workspaceId, mail), mail },
      ];
    } catch (err) {
      // The validation reports an email that cannot be rendered
      if (err instanceof AppError) return [];
      throw err;
    }
  });
}

/** The stored verdicts on these emails, by score id. */
export async function loadVerdicts(
  workspaceId: string,
  scoreIds: readonly string[],
): Promise<Map<string, ContentVerdict>> {
  const found = await scoped(workspaceId).ContentScore.find(
    { _id: trusted({ $in: [...scoreIds] }) },
    { select: { verdict: 1 } },
  );
  return new Map(found.flatMap(({ _id, verdict }) => (verdict === null ? [] : [[_id, verdict] as const])));
}

/**
 * Stores these emails for the filter, and returns the score ids of those that the filter should score now.
 * `forgetUnscored` removes them again.
 */
export async function keepUnscored(
  workspaceId: string,
  mails: readonly Pick<ScorableVariant, "scoreId" | "mail">[],
): Promise<string[]> {
  const { ContentScore } = scoped(workspaceId);
  const byId = new Map(mails.map(({ scoreId, mail }) => [scoreId, mail]));
  const select = { verdict: 1, silentAt: 1 } as const;
  const scores = await ContentScore.find({ _id: trusted({ $in: [...byId.keys()] }) }, { select });
  const since = new Date(Date.now() - SILENT_FOR_MS);
  for (const { _id, verdict, silentAt } of scores)
    if (verdict !== null || (silentAt !== null && silentAt > since)) byId.delete(_id);
  for (const [_id, mail] of byId)
    await ContentScore.updateOne({ _id, verdict: null }, { $set: { mail } }, { upsert: true }).catch((err) =>
      // Another caller asks about the same email, or its verdict was stored meanwhile
      isDuplicateKey(err) ? 0 : Promise.reject(err),
    );
  return [...byId.keys()];
}

/** Removes emails for which no one waits any more, since they may contain personal data. Stored verdicts are kept. */
export async function forgetUnscored(workspaceId: string, scoreIds: readonly string[]): Promise<void> {
  const unscored = { _id: trusted({ $in: [...scoreIds] }), verdict: null };
  await scoped(workspaceId).ContentScore.updateMany(unscored, { $set: { mail: null } });
}

/** Those of the given emails that wait for a verdict. */
export async function loadUnscored(
  workspaceId: string,
  scoreIds: readonly string[],
): Promise<{ scoreId: string; mail: ScorableMail }[]> {
  const found = await scoped(workspaceId).ContentScore.find({ _id: trusted({ $in: [...scoreIds] }), verdict: null });
  return found.flatMap(({ _id, mail }) => (mail === null ? [] : [{ scoreId: _id, mail }]));
}

/** Stores the filter's verdict and removes the email; null: the filter did not answer. */
export async function noteVerdict(workspaceId: string, scoreId: string, verdict: ContentVerdict | null): Promise<void> {
  const set = verdict === null ? { silentAt: new Date() } : { verdict, mail: null };
  await scoped(workspaceId).ContentScore.updateOne({ _id: scoreId, verdict: null }, { $set: set });
}

/**
 * Warnings about emails that the filter would mark as spam or refuse, for the emails that have a verdict
 * (rules/campaigns 4.6).
 */
export async function spammyContents(sources: RenderSources, scoring: Scoring): Promise<CampaignFinding[]> {
  if (scoring === null) return [];
  const variants = scorableVariants(sources, scoring.trackUrl);
  const verdicts = await loadVerdicts(
    sources.campaign.workspaceId,
    variants.map(({ scoreId }) => scoreId),
  );
  return variants.flatMap(({ stepId, variantId, path, scoreId }) => {
    const verdict = verdicts.get(scoreId);
    if (verdict === undefined || !isSpammy(verdict)) return [];
    const { score, required, reasons } = verdict;
    const message = `A spam filter would treat this email as spam: the email scores ${score}, and ${required} is enough`;
    return [finding("CONTENT_SPAMMY", message, path, { stepId, variantId, score, reasons })];
  });
}
