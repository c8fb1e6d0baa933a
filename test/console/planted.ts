import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import type { SignedIn } from "../support/signed-in.ts";

/** Markup, and a mark that turns the direction of what follows: both would break a careless page. */
export const NASTY = "<img src=x onerror=alert(1)> \u202Eشركة";

const ago = (ms: number) => new Date(Date.now() - ms);

/**
 * An email of unknown outcome, whose recipient waits for the outcome, from a mailbox that was not read for a day.
 */
export async function lostMail({ rest, workspaceId }: SignedIn) {
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, ["lost@people.test"]);
  await rest.patch(path, { name: NASTY });
  // It begins tomorrow: no email of its own comes before the one that is planted
  await rest.patch(`${path}/settings`, { startAt: new Date(Date.now() + DAY_MS).toISOString() });
  await rest.post(`${path}/control`, { action: "launch" });
  await rest.post(`${path}/control`, { action: "pause" });
  const { Mailbox, Recipient, Send, Sequence } = scoped(workspaceId);
  const sequence = await Sequence.findOne({ campaignId });
  const stepId = sequence?.steps[0]?.stepId ?? "";
  const recipient = await Recipient.findOne({ campaignId });
  const recipientId = recipient?._id ?? "";
  await Recipient.updateOne(
    { _id: recipientId },
    { $set: { status: "IN_PROGRESS", nextStepId: stepId, nextSendAt: null } },
  );
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { lastSyncAt: ago(DAY_MS) } });
  const { _id: sendId } = await Send.insert({
    _id: newId("snd"),
    campaignId,
    recipientId,
    stepId,
    to: "lost@people.test",
    mailboxId: mailbox._id,
    state: "UNKNOWN",
    unknownAt: ago(HOUR_MS),
    claimedAt: ago(HOUR_MS),
    attempts: 1,
  });
  return { campaignId, recipientId, sendId };
}

/** A job that has done a quarter of its rows, one of them in vain. Returns its id. */
export async function jobUnderWay(workspaceId: string): Promise<string> {
  const item = { row: 1, email: "ada@people.test", status: "FAILED", code: "INVALID", message: NASTY, mailboxId: null };
  const counts = { total: 1_200, processed: 300, succeeded: 299, failed: 1, chunkCount: 3, nextChunk: 1 };
  const rest = { parameters: {}, state: {}, startedAt: new Date(), items: [item] };
  const { _id } = await scoped(workspaceId).Job.insert({
    _id: newId("job"),
    type: "SYSTEM_MAIL",
    fileName: NASTY,
    status: "RUNNING",
    ...counts,
    ...rest,
  });
  return _id;
}
