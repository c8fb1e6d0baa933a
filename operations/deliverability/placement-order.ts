import { signToken } from "../../domain/access/tokens.ts";
import { MOST_PLACEMENT_MAILS } from "../../domain/deliverability/placement.ts";
import { neutralText } from "../../domain/deliverability/placement-text.ts";
import { AppError, invalid } from "../../domain/errors.ts";
import { trackUrlOf } from "../../domain/mailboxes/tracking-domain.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { loadCampaign } from "../../store/campaigns/load.ts";
import { previewLinkOf } from "../../store/campaigns/render-mail.ts";
import { loadSettings } from "../../store/deliverability/domains.ts";
import { withReceivers } from "../../store/deliverability/placement-schedule.ts";
import { type PlacementOrder, type PlacementText, placementPairs } from "../../store/deliverability/placement-tests.ts";
import { loadKnownMailboxes } from "../../store/mailboxes/known.ts";
import { USABLE } from "../../store/sending/claim-conditions.ts";
import { renderAsked } from "../campaigns/rendering.ts";
import type { Context } from "../context.ts";
import type { Intent } from "../sending/permit.ts";

export interface PlacementAsked {
  name?: string | undefined;
  mailboxIds: string[];
  testMailboxIds?: string[] | undefined;
  campaignId?: string | undefined;
  stepId?: string | undefined;
  variantId?: string | undefined;
}

const SHOWN = 10;

/**
 * Resolves a request for a test into senders, recipients and texts. @throws AppError CAMPAIGN_NOT_FOUND,
 * LIMIT_EXCEEDED, MAILBOX_NOT_FOUND, MISSING_VARIABLES, NO_SENDING_MAILBOX, VALIDATION_FAILED, and errors of rendering
 */
export async function placementOrder(
  ctx: Context,
  asked: PlacementAsked,
): Promise<Omit<PlacementOrder, "requestKey" | "period">> {
  const { workspaceId, services } = ctx;
  const { campaignId = null, stepId = null, variantId = null } = asked;
  if (campaignId === null && (stepId ?? variantId) !== null)
    throw invalid(
      stepId === null ? "variantId" : "stepId",
      "needs the `campaignId` that it belongs to",
      "CAMPAIGN_REQUIRED",
    );
  const mailboxes = await loadKnownMailboxes(workspaceId, asked.mailboxIds);
  const usable = mailboxes.filter(({ status }) => USABLE.person.some((one) => one === status));
  if (usable.length === 0) throw new AppError("NO_SENDING_MAILBOX", "None of these mailboxes can send now");
  const testMailboxes = await testMailboxesOf(workspaceId, asked.testMailboxIds);
  const senders = usable.map((mailbox) => ({ mailboxId: mailbox._id, mailbox }));
  const mails = placementPairs(senders, testMailboxes).length;
  if (mails === 0)
    throw invalid(
      "testMailboxIds",
      "names only the sending mailbox, and a mailbox does not email itself",
      "NOBODY_TO_WRITE_TO",
    );
  if (mails > MOST_PLACEMENT_MAILS)
    throw new AppError(
      "LIMIT_EXCEEDED",
      `A test has at most ${MOST_PLACEMENT_MAILS} emails: senders times test mailboxes; this one would have ${mails}`,
      {
        limit: MOST_PLACEMENT_MAILS,
        asked: mails,
      },
    );
  const written: PlacementOrder["senders"][number][] = [];
  for (const { mailbox } of senders)
    written.push({
      mailboxId: mailbox._id,
      email: mailbox.email,
      written: await textOf(ctx, asked, mailbox, written.length),
    });
  const { trackUrl } = services.settings;
  const linkOf = new Map(usable.map(({ email, trackingDomain }) => [email, trackUrlOf(trackUrl, trackingDomain)]));
  return {
    name: asked.name ?? (campaignId === null ? "Placement test" : (await loadCampaign(workspaceId, campaignId)).name),
    campaignId,
    stepId,
    variantId,
    testMailboxes: await withReceivers(testMailboxes, services.settings.providers),
    senders: written,
    linked({ text, html }, sender, sendId) {
      const under = linkOf.get(sender) ?? trackUrl;
      const link = (body: string) =>
        body.replaceAll(previewLinkOf(under), `${under}/u/${signToken(services.signing, "u", sendId)}`);
      return { text: link(text), html: html === null ? null : link(html) };
    },
  };
}

async function testMailboxesOf(workspaceId: string, named: string[] | undefined): Promise<Mailbox[]> {
  const ids = named ?? (await loadSettings(workspaceId)).placement.testMailboxIds;
  if (ids.length === 0)
    throw invalid(
      "testMailboxIds",
      "is needed: the workspace keeps no mailboxes for tests (`deliverability.placement`)",
      "REQUIRED",
    );
  const found = await loadKnownMailboxes(workspaceId, ids);
  const readable = found.filter(
    ({ sealedPassword, grantId, status }) => (sealedPassword ?? grantId) !== null && status !== "RECONNECT_REQUIRED",
  );
  if (readable.length < found.length)
    throw invalid(
      "testMailboxIds",
      "names a mailbox that cannot be read: connect it again, or leave it out",
      "NOT_CONNECTED",
    );
  return readable;
}

/** The email of one sender: the campaign's text as this mailbox would send it to a sample lead, or a neutral text. */
async function textOf(ctx: Context, asked: PlacementAsked, mailbox: Mailbox, number: number): Promise<PlacementText> {
  const { campaignId, stepId, variantId } = asked;
  if (campaignId === undefined)
    return { ...neutralText(number, mailbox.name), html: null, attachments: [], hasUnsubscribe: true };
  const unsubscribeLink = previewLinkOf(trackUrlOf(ctx.services.settings.trackUrl, mailbox.trackingDomain));
  const { rendered, sources, variant } = await renderAsked(ctx, {
    campaignId,
    stepId,
    variantId,
    sender: { mailbox, unsubscribeLink },
  });
  const { subject, text, html, missingVariables: names } = rendered;
  if (names.length > 0)
    throw new AppError("MISSING_VARIABLES", `The email has variables without a value: ${names.join(", ")}`, { names });
  return {
    subject,
    text,
    html,
    attachments: variant.attachments ?? [],
    hasUnsubscribe: sources.settings.unsubscribeHeader,
  };
}

/**
 * The effect of a placement test. The plan shows the texts of the first senders; every text and address is part of its
 * identity.
 */
export function placementIntent(order: Awaited<ReturnType<typeof placementOrder>>): Intent {
  const { testMailboxes, senders, campaignId, stepId, variantId } = order;
  const pairs = placementPairs(senders, testMailboxes);
  const to = testMailboxes.map(({ email }) => email);
  const textOf = ({ written }: (typeof senders)[number]) => ({
    to: to[0] ?? "",
    subject: written.subject,
    text: written.text,
    html: written.html,
    fileNames: written.attachments.map(({ fileName }) => fileName),
    stepId,
    variantId,
  });
  const shown = {
    kind: "PLACEMENT_TEST" as const,
    people: testMailboxes.length,
    mails: pairs.length,
    firstSendAt: null,
    lastSendAt: null,
    mailboxes: senders.map(({ mailboxId: id, email }) => ({ id, email })),
    recipients: to.slice(0, SHOWN),
    texts: senders.slice(0, SHOWN).map(textOf),
  };
  const identity = ["PLACEMENT_TEST", to, senders, campaignId, stepId, variantId];
  return { effect: async () => ({ shown, identity }), cost: async () => pairs.length };
}
