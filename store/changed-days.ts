import { MINUTE_MS } from "../domain/time/durations.ts";
import { scoped } from "../models/scoped.ts";
import { hitsOfSend } from "../models/tracking/hit.ts";
import { trusted } from "../mongo/collection.ts";
import { newId } from "../mongo/ids.ts";

/**
 * For how many milliseconds an instant counts as new. A day is counted permanently only when it ended longer ago than
 * this (rules/analytics 3.1).
 */
const NEW_MS = 2 * MINUTE_MS;

/**
 * Records that something in a campaign was recorded, changed or undone at past instants, so that reports count those
 * days again (rules/analytics 3.1). Call it in the transaction of the change, with the values before and after. Returns
 * whether any instant was past.
 */
export async function noteLate(
  workspaceId: string,
  campaignId: string | null,
  instants: readonly (Date | null | undefined)[],
): Promise<boolean> {
  const newest = Date.now() - NEW_MS;
  const late = instants.filter((at) => at instanceof Date && at.getTime() < newest);
  if (campaignId === null || late.length === 0) return false;
  await scoped(workspaceId).ChangedDay.insert({ _id: newId("chg"), campaignId, instants: late as Date[] });
  return true;
}

/**
 * Like `noteLate`, for everything that is recorded about these recipients. Call it before a change that undoes
 * something, and after a change that adds something.
 */
export async function notePeople(workspaceId: string, recipientIds: readonly string[]): Promise<void> {
  if (recipientIds.length === 0) return;
  const { Conversion, Hit, Recipient, Send } = scoped(workspaceId);
  const some = trusted({ $in: [...recipientIds] });
  const people = await Recipient.find({ _id: some });
  const mails = await Send.find(
    { recipientId: some },
    { select: { campaignId: 1, sentAt: 1, openedAt: 1, proxyOpenedAt: 1, clickedAt: 1, tracking: 1 } },
  );
  const conversions = await Conversion.find(
    { recipientId: some, status: "accepted" },
    { select: { campaignId: 1, receivedAt: 1 } },
  );
  const linked = mails.filter(({ tracking }) => (tracking?.links.length ?? 0) > 0);
  const ranges = linked.map(({ _id }) => ({ _id: trusted(hitsOfSend(_id)), kind: "CLICK" }));
  const hits = ranges.length === 0 ? [] : await Hit.find({ $or: ranges }, { select: { sendId: 1, at: 1 } });
  const campaignOf = new Map(linked.map(({ _id, campaignId }) => [_id, campaignId]));
  const instants = [
    ...people.map((one) => [
      one.campaignId,
      ...[
        one.createdAt,
        one.lastSentAt,
        one.openedAt,
        one.proxyOpenedAt,
        one.clickedAt,
        one.repliedAt,
        one.autoRepliedAt,
      ],
      ...[one.bouncedAt, one.unsubscribedAt, one.meetingBookedAt, one.reportedOutcome?.at],
    ]),
    ...mails.map((one) => [
      one.campaignId,
      one.sentAt,
      one.openedAt,
      one.proxyOpenedAt,
      one.clickedAt,
      ...linkClicks(one.tracking),
    ]),
    ...conversions.map(({ campaignId, receivedAt }) => [campaignId, receivedAt]),
    ...hits.map(({ sendId, at }) => [campaignOf.get(sendId) ?? null, at]),
  ] as [string | null, ...(Date | null | undefined)[]][];
  for (const [campaignId, own] of Map.groupBy(instants, ([id]) => id))
    await noteLate(
      workspaceId,
      campaignId,
      own.flatMap(([, ...all]) => all),
    );
}

function linkClicks(tracking: { links: readonly { clickedAt?: Date }[] } | null): (Date | undefined)[] {
  return tracking?.links.map(({ clickedAt }) => clickedAt) ?? [];
}
