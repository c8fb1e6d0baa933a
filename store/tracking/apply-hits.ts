import { settingsOf } from "../../domain/campaigns/settings.ts";
import { COUNTED_CLASSES, type HitClass } from "../../domain/hits.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import type { Hit } from "../../models/tracking/hit.ts";
import { noteLate, notePeople } from "../changed-days.ts";
import { emit, nudge } from "../outbox.ts";
import { heedEvent } from "../recipients/route.ts";
import { endRecipient } from "../recipients/stop.ts";

export type SettledHit = Hit & { hitClass: HitClass };

/**
 * Applies the classified hits of one email: the first opens and clicks and, for hits that a person may have made, the
 * event, once per email and link, with stops and branches (rules/tracking 3.7). Call it in a transaction, with the send
 * as it was read there.
 */
export async function applyHits(send: Send, hits: readonly SettledHit[]): Promise<void> {
  const { workspaceId, recipientId, tracking } = send;
  if (!tracking || recipientId === null) return;
  const counted = hits
    .filter(({ hitClass }) => COUNTED_CLASSES.includes(hitClass))
    .sort((one, other) => one.at.getTime() - other.at.getTime());
  const opens = tracking.opens ? counted.filter(({ kind }) => kind === "OPEN") : [];
  const clicks = tracking.clicks ? counted.filter(({ kind }) => kind === "CLICK") : [];
  const proxied = hits.filter(({ kind, hitClass }) => kind === "OPEN" && hitClass === "PRIVACY_PROXY");
  const firsts = { openedAt: earliestAt(opens), clickedAt: earliestAt(clicks), proxyOpenedAt: earliestAt(proxied) };
  await noteHits(send, [...counted, ...proxied]);
  const news = changesOf(send, firsts, clicks);
  if (news === null) return;
  const { Recipient, Send } = scoped(workspaceId);
  await Send.updateOne({ _id: send._id }, { $set: news.onSend });
  for (const { type, at, url } of news.told) await emitHit(send, type, at, url);
  const before = await Recipient.get(recipientId);
  if (before === null) return;
  const onRecipient = earlierOf(before, firsts);
  if (Object.keys(onRecipient).length > 0) await Recipient.updateOne({ _id: recipientId }, { $set: onRecipient });
  const kinds = new Set(news.told.map(({ type }) => type));
  if (kinds.size > 0) await followUp({ ...before, ...onRecipient }, kinds);
}

/**
 * Marks the days of the hits as changed. A hit that is classified late may also replace a known first one, so the days
 * of the first ones are marked too.
 */
async function noteHits(
  { workspaceId, campaignId, recipientId, openedAt, clickedAt, proxyOpenedAt }: Send,
  hits: readonly Hit[],
) {
  const isNoted = await noteLate(
    workspaceId,
    campaignId,
    hits.map(({ at }) => at),
  );
  if (!isNoted || recipientId === null) return;
  await noteLate(workspaceId, campaignId, [openedAt, clickedAt, proxyOpenedAt]);
  await notePeople(workspaceId, [recipientId]);
}

type Firsts = Pick<Send, "openedAt" | "clickedAt" | "proxyOpenedAt">;

interface Telling {
  type: "OPEN" | "CLICK";
  at: Date;
  url: string | null;
}

/** The changes of the send and the events that occur for the first time; null when there are neither. */
function changesOf(
  send: Send,
  firsts: Firsts,
  clicks: readonly Hit[],
): { onSend: Record<`tracking.${string}`, Date>; told: Telling[] } | null {
  const { tracking } = send;
  if (!tracking) return null;
  const tellings: Telling[] = [];
  const onSend: Record<string, Date> = earlierOf(send, firsts);
  if (firsts.openedAt !== null && tracking.opens && tracking.toldAt === undefined) {
    onSend["tracking.toldAt"] = firsts.openedAt;
    tellings.push({ type: "OPEN", at: firsts.openedAt, url: null });
  }
  for (const [index, link] of tracking.links.entries()) {
    const at = earliestAt(clicks.filter(({ linkIndex }) => linkIndex === index));
    if (at === null) continue;
    if (link.clickedAt === undefined || at < link.clickedAt) onSend[`tracking.links.${index}.clickedAt`] = at;
    if (link.toldAt !== undefined) continue;
    onSend[`tracking.links.${index}.toldAt`] = at;
    tellings.push({ type: "CLICK", at, url: link.url });
  }
  return Object.keys(onSend).length === 0 ? null : { onSend, told: tellings };
}

/** Those of the first instants that are earlier than the known ones. */
function earlierOf(storedFirsts: Firsts, firsts: Firsts): Record<string, Date> {
  const { openedAt, clickedAt, proxyOpenedAt } = firsts;
  // Documents of earlier versions lack the fields
  const isEarlier = (at: Date | null, than?: Date | null): at is Date =>
    at !== null && (than === null || than === undefined || at < than);
  return {
    ...(isEarlier(openedAt, storedFirsts.openedAt) && { openedAt }),
    ...(isEarlier(clickedAt, storedFirsts.clickedAt) && { clickedAt }),
    ...(isEarlier(proxyOpenedAt, storedFirsts.proxyOpenedAt) && { proxyOpenedAt }),
  };
}

function earliestAt(hits: readonly Hit[]): Date | null {
  return hits.reduce<Date | null>((first, { at }) => (first === null || at < first ? at : first), null);
}

async function emitHit(
  { _id: sendId, workspaceId, leadId, campaignId, recipientId, stepId, variantId }: Send,
  type: Telling["type"],
  at: Date,
  url: string | null,
) {
  const data = { stepId, variantId, sendId, ...(url !== null && { url }) };
  const webhook = { recipientId, ...(url !== null && { url }) };
  await emit(workspaceId, { type, at, leadId, campaignId, recipientId, data, webhook });
}

/** Ends the recipient if the campaign requires it. Otherwise wakes its workflow if it waits for such an event. */
async function followUp(recipient: Recipient, kinds: ReadonlySet<Telling["type"]>): Promise<void> {
  const { workspaceId, _id: recipientId, campaignId } = recipient;
  const campaign = await scoped(workspaceId).Campaign.get(campaignId);
  if (campaign === null) return;
  const { stopOnOpen, stopOnClick } = settingsOf(campaign.settings);
  const stopReason = stopOnClick && kinds.has("CLICK") ? "CLICKED" : stopOnOpen && kinds.has("OPEN") ? "OPENED" : null;
  if (stopReason === null) {
    await heedEvent(recipient);
    return;
  }
  const ended = await endRecipient(workspaceId, recipientId, { status: "COMPLETED", stopReason });
  if (ended !== null) await nudge(workspaceId, "CAMPAIGN", { campaignId });
}
