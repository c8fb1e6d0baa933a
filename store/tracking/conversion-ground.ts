import { type Settings, settingsOf } from "../../domain/campaigns/settings.ts";
import type { WindowClick } from "../../domain/tracking/attribution-window.ts";
import { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { currentSession } from "../../mongo/transaction.ts";
import { isErasedAddress } from "../suppression/guard-id.ts";
import { findHits } from "./hits.ts";

/** A click of a recipient, with its email and link. */
interface RecipientClick extends WindowClick {
  sendId: string;
  stepId: string | null;
  variantId: string | null;
  url: string | null;
}

/** The facts about the recipient of a cid, by which a conversion is judged. */
export interface ConversionGround {
  recipient: Recipient;
  settings: Settings;
  clicks: RecipientClick[];
  /** The email that was sent last; null when none was. */
  lastSend: Pick<Send, "_id" | "stepId" | "variantId"> | null;
}

const everywhere = { acrossWorkspaces: true };
type Mail = Pick<Send, "_id" | "recipientId" | "stepId" | "variantId" | "sentAt" | "tracking">;

/**
 * The facts for these cids, in one workspace or in all. The cid of a deleted person is treated like one that never
 * existed.
 */
export async function loadGrounds(
  cids: readonly string[],
  workspaceId: string | null = null,
): Promise<Map<string, ConversionGround>> {
  const wanted = { cid: trusted({ $in: [...new Set(cids)] }), ...(workspaceId !== null && { workspaceId }) };
  // Read in the running transaction, so that a concurrent change conflicts when the outcome is written
  const found = await Recipient.find(wanted).session(currentSession()).setOptions(everywhere).lean<Recipient[]>();
  const recipients = found.filter(({ email }) => !isErasedAddress(email));
  const grounds = new Map<string, ConversionGround>();
  for (const [workspace, own] of Map.groupBy(recipients, (recipient) => recipient.workspaceId))
    for (const ground of await groundsIn(workspace, own)) grounds.set(ground.recipient.cid, ground);
  return grounds;
}

async function groundsIn(workspaceId: string, recipients: readonly Recipient[]): Promise<ConversionGround[]> {
  const { Campaign, Send } = scoped(workspaceId);
  const campaignIds = [...new Set(recipients.map(({ campaignId }) => campaignId))];
  const campaigns = await Campaign.find({ _id: trusted({ $in: campaignIds }) }, { select: { settings: 1 } });
  const settings = new Map(campaigns.map(({ _id, settings: stored }) => [_id, settingsOf(stored)]));
  const select = { recipientId: 1, stepId: 1, variantId: 1, sentAt: 1, tracking: 1 } as const;
  const mails: Mail[] = await Send.find(
    { recipientId: trusted({ $in: recipients.map(({ _id }) => _id) }) },
    { select },
  );
  const withLinks = mails.filter(({ tracking }) => (tracking?.links.length ?? 0) > 0);
  const hits = Map.groupBy(
    await findHits(
      workspaceId,
      withLinks.map(({ _id }) => _id),
    ),
    ({ sendId }) => sendId,
  );
  const byRecipient = Map.groupBy(mails, ({ recipientId }) => recipientId);
  return recipients.flatMap((recipient) => {
    const own = byRecipient.get(recipient._id) ?? [];
    const sent = own.filter(({ sentAt }) => sentAt !== null).sort((one, other) => sentTimeOf(other) - sentTimeOf(one));
    const rules = settings.get(recipient.campaignId);
    const clicks = own.flatMap((mail) => clicksOf(mail, hits.get(mail._id) ?? []));
    return rules === undefined ? [] : [{ recipient, settings: rules, clicks, lastSend: sent[0] ?? null }];
  });
}

function clicksOf(
  { _id: sendId, stepId, variantId, tracking }: Mail,
  hits: Awaited<ReturnType<typeof findHits>>,
): RecipientClick[] {
  return hits.flatMap(({ kind, linkIndex, at, hitClass }) =>
    kind === "CLICK"
      ? [{ at: at.getTime(), hitClass: hitClass, sendId, stepId, variantId, url: urlOf(tracking, linkIndex) }]
      : [],
  );
}

function urlOf(tracking: Send["tracking"], index: number | null): string | null {
  return index === null ? null : (tracking?.links[index]?.url ?? null);
}

function sentTimeOf({ sentAt }: Mail): number {
  return sentAt?.getTime() ?? 0;
}
