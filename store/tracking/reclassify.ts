import { COUNTED_CLASSES, type HitClass } from "../../domain/hits.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { Hit } from "../../models/tracking/hit.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { notePeople } from "../changed-days.ts";
import { findHits } from "./hits.ts";
import { judgeAll, type KnownNetworks } from "./settle-hits.ts";

export interface Reclassified {
  /** The last send that was processed; null at the end. */
  next: string | null;
  hits: number;
  /** How many hits changed from one class to another, by `FROM > TO`. */
  changes: Record<string, number>;
}

const PAGE = 2_000;

/**
 * Classifies a page of hits again, those of the sends after `after` (rules/tracking 3.9). Statistics are updated in the
 * same transaction as the classes of an email. No one is notified and no recipient is stopped.
 */
export async function reclassifyPage(after: string | null, networks: KnownNetworks): Promise<Reclassified> {
  const from = after === null ? {} : { _id: trusted({ $gt: `${after};` }) };
  const page = await Hit.find(from, { workspaceId: 1, sendId: 1 })
    .setOptions({ acrossWorkspaces: true })
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<Pick<Hit, "workspaceId" | "sendId">[]>();
  const sends = new Map(page.map(({ sendId, workspaceId }) => [sendId, workspaceId]));
  const changes: Record<string, number> = {};
  let hits = 0;
  for (const [sendId, workspaceId] of sends) {
    const done = await inTransaction(() => reclassifySend(workspaceId, sendId, networks));
    hits += done.hits;
    for (const change of done.changes) changes[change] = (changes[change] ?? 0) + 1;
  }
  const last = page.at(-1)?.sendId ?? null;
  return { next: page.length < PAGE ? null : last, hits, changes };
}

async function reclassifySend(
  workspaceId: string,
  sendId: string,
  networks: KnownNetworks,
): Promise<{ hits: number; changes: string[] }> {
  const { Hit, Send } = scoped(workspaceId);
  const send = await Send.get(sendId);
  const all = await findHits(workspaceId, [sendId]);
  const settled = all.filter(({ hitClass, dueAt }) => hitClass !== null && dueAt === null);
  if (send === null || settled.length === 0) return { hits: 0, changes: [] };
  // Sessions expire, so only the earlier class shows that a hit came from a member
  const judged = judgeAll(settled, all, send, networks, () => false).map((hit, index) => {
    const { hitClass: was = null, evidence: by = [] } = settled[index] ?? {};
    return { ...hit, was, ...(was === "SELF" && { hitClass: was, evidence: by }) };
  });
  const changed = judged.filter(({ was, hitClass }) => was !== hitClass);
  await Hit.wroteAll(
    changed.map(({ _id, hitClass, evidence }) => ({ filter: { _id }, change: { $set: { hitClass, evidence } } })),
  );
  if (changed.length > 0) {
    const people = send.recipientId === null ? [] : [send.recipientId];
    await notePeople(workspaceId, people);
    await recount(send, judged);
    await notePeople(workspaceId, people);
  }
  return { hits: judged.length, changes: changed.map(({ was, hitClass }) => `${was} > ${hitClass}`) };
}

/**
 * Recomputes the first opens and clicks of an email from its hits alone, and those of its recipient from all emails to
 * the recipient.
 */
async function recount(send: Send, hits: readonly (Hit & { hitClass: HitClass })[]): Promise<void> {
  const { workspaceId, _id: sendId, tracking, recipientId } = send;
  if (tracking === null || recipientId === null) return;
  const { Recipient, Send } = scoped(workspaceId);
  const earliestAt = (some: readonly Hit[]) =>
    some.map(({ at }) => at).reduce<Date | null>((least, at) => (least === null || at < least ? at : least), null);
  const counted = hits.filter(({ hitClass }) => COUNTED_CLASSES.includes(hitClass));
  const clicks = tracking.clicks ? counted.filter(({ kind }) => kind === "CLICK") : [];
  const links = tracking.links.map(({ clickedAt: _, ...link }, index) => {
    const clickedAt = earliestAt(clicks.filter(({ linkIndex }) => linkIndex === index));
    return { ...link, ...(clickedAt !== null && { clickedAt }) };
  });
  const openedAt = earliestAt(counted.filter(({ kind }) => kind === "OPEN"));
  const proxyOpenedAt = earliestAt(
    hits.filter(({ kind, hitClass }) => kind === "OPEN" && hitClass === "PRIVACY_PROXY"),
  );
  await Send.updateOne(
    { _id: sendId },
    { $set: { openedAt, proxyOpenedAt, clickedAt: earliestAt(clicks), "tracking.links": links } },
  );
  const select = { openedAt: 1, proxyOpenedAt: 1, clickedAt: 1 } as const;
  const mails = await Send.find({ recipientId }, { select });
  const earliestOfMails = (field: keyof typeof select) =>
    mails.reduce<Date | null>(
      (least, { [field]: at }) => (at !== null && (least === null || at < least) ? at : least),
      null,
    );
  await Recipient.updateOne(
    { _id: recipientId },
    {
      $set: {
        openedAt: earliestOfMails("openedAt"),
        proxyOpenedAt: earliestOfMails("proxyOpenedAt"),
        clickedAt: earliestOfMails("clickedAt"),
      },
    },
  );
}
