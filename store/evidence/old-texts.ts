import type { RetentionRound } from "../../domain/evidence/retention.ts";
import { threadWords } from "../../domain/inbox/thread-words.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { removeFiles } from "../../models/inbox/files.ts";
import { MESSAGE_BODIES, type Message } from "../../models/inbox/message.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_TEXT } from "../../mongo/schema.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { threadMailOf } from "../inbox/thread-mail.ts";
import { UPLOAD } from "../sending/uploads.ts";

const PAGE = 100;
/** A send may become SENT later than at its `sentAt`, when someone resolves it. */
const OVERLAP_MS = 30 * DAY_MS;
const DELETED_SENTENCE = /^\[deleted\] \(/;
const FINAL = ["SENT", "BOUNCED"];

type Place = Pick<RetentionRound, "place" | "emptiedTo">;

/** How many texts `emptyOldTexts` would empty, at most `limit`. */
export async function countOldTexts(workspaceId: string, cut: Date, limit: number): Promise<number> {
  const { Campaign, Message, Send } = scoped(workspaceId);
  const messages = await Message.count(oldMessages(cut), { hint: MESSAGE_BODIES, limit });
  const campaigns = await Campaign.find({}, { select: { _id: 1 } });
  const ofCampaigns = { campaignId: trusted({ $in: campaigns.map(({ _id }) => _id) }), ...sentBefore(cut, null) };
  const sends = campaigns.length === 0 ? 0 : await Send.count(ofCampaigns, { hint: "figures", limit });
  const tests = await Send.count(oldTests(cut), { hint: "figures", limit });
  return Math.min(limit, messages + sends + tests);
}

/**
 * Empties the bodies and deletes the files of emails that were stored or sent before `cut`: those of conversations, then
 * those of tests and campaigns. Their rows, subjects and people stay. Returns how many texts it emptied, about `most` at most, and
 * where it continues. Repeating it changes nothing.
 */
export async function emptyOldTexts(
  workspaceId: string,
  cut: Date,
  { place, emptiedTo }: Place,
  most: number,
): Promise<{ count: number } & Place> {
  let count = 0;
  while (count < most) {
    const emptied = await emptyPage(workspaceId, cut);
    count += emptied;
    if (emptied === 0) break;
  }
  if (count >= most) return { count, place, emptiedTo };
  const { Approval, ReplyPromise } = scoped(workspaceId);
  const old = { createdAt: trusted({ $lt: cut }) };
  await Approval.updateMany(
    { ...old, status: trusted({ $ne: "PENDING" }) },
    { $set: { proposedText: null, request: null } },
  );
  // The index allows each sentence of an email once, so the id tells two deleted ones apart
  await ReplyPromise.updateMany(
    { ...old, status: trusted({ $ne: "PENDING" }), sentence: trusted({ $not: DELETED_SENTENCE }) },
    [{ $set: { sentence: { $concat: ["[deleted] (", "$_id", ")"] } } }],
  );
  count += await emptyTests(workspaceId, cut, most - count);
  if (count >= most) return { count, place, emptiedTo };
  const sends = await emptySends(workspaceId, cut, { place, emptiedTo }, most - count);
  return { ...sends, count: count + sends.count };
}

function oldMessages(cut: Date) {
  const has = trusted(IS_TEXT);
  return { createdAt: trusted({ $lt: cut }), $or: [{ bodyText: has }, { bodyHtml: has }, { "attachments.id": has }] };
}

function sentBefore(cut: Date, from: Date | null) {
  const sentAt = trusted({ $lt: cut, ...(from !== null && { $gte: from }) });
  return { state: trusted({ $in: FINAL }), sentAt, content: trusted({ $ne: null }) };
}

/** Test emails belong to no campaign, and no conversation shows them. */
function oldTests(cut: Date) {
  return { campaignId: null, kind: "TEST", ...sentBefore(cut, null) };
}

async function emptyTests(workspaceId: string, cut: Date, most: number): Promise<number> {
  const { Send } = scoped(workspaceId);
  const old = await Send.find(oldTests(cut), { hint: "figures", limit: most, select: { _id: 1 } });
  await Send.updateMany({ _id: trusted({ $in: old.map(({ _id }) => _id) }) }, { $set: { content: null } });
  return old.length;
}

/** Returns how many texts were emptied; an email of a campaign in a conversation has two. */
async function emptyPage(workspaceId: string, cut: Date): Promise<number> {
  let count = 0;
  const page = await scoped(workspaceId).Message.find(oldMessages(cut), {
    hint: MESSAGE_BODIES,
    sort: { createdAt: 1 },
    limit: PAGE,
    select: { threadId: 1, attachments: 1, direction: 1, sendId: 1 },
  });
  for (const [threadId, messages] of Map.groupBy(page, (message) => message.threadId)) {
    count += await inTransaction(async () => {
      let emptied = 0;
      for (const message of messages) emptied += await emptyMessage(workspaceId, message);
      if (threadId !== null) await updateThread(workspaceId, threadId);
      return emptied;
    });
  }
  return count;
}

async function emptyMessage(
  workspaceId: string,
  { _id, attachments, direction, sendId }: Pick<Message, "_id" | "attachments" | "direction" | "sendId">,
): Promise<number> {
  const { Message, OutgoingMail, ScheduledReply, Send } = scoped(workspaceId);
  const ids = attachments.map(({ id }) => id);
  // An upload may be used by other emails too. When nothing uses it any more, `sweepFiles` deletes it
  await removeFiles(
    workspaceId,
    ids.filter((id) => !id.startsWith(UPLOAD)),
  );
  await Message.updateOne({ _id }, { $set: { bodyText: null, bodyHtml: null, replyText: null, attachments: [] } });
  if (direction !== "OUTBOUND" || sendId === null) return 1;
  const isFinal = { _id: sendId, state: trusted({ $in: FINAL }) };
  if ((await Send.updateOne({ ...isFinal, content: trusted({ $ne: null }) }, { $set: { content: null } })) === 0)
    return 1;
  await OutgoingMail.deleteOne({ _id: sendId });
  await ScheduledReply.updateOne(
    { _id: sendId, status: "SENT" },
    { $set: { bodyText: "", bodyHtml: null, attachments: [] } },
  );
  return 2;
}

/** Searches find the thread by its people, its subject and the emails that still have a body. */
async function updateThread(workspaceId: string, threadId: string): Promise<void> {
  const { Message, Thread } = scoped(workspaceId);
  const thread = await Thread.get(threadId);
  if (thread === null) return;
  const { subject, participants } = thread;
  let searchWords = threadWords({ subject, participants }, "", []);
  let newest = "";
  let hasAttachments = false;
  for await (const message of Message.stream({ threadId }, { sort: { receivedAt: 1, _id: 1 } })) {
    newest = threadMailOf(message, null).text;
    hasAttachments ||= message.attachments.length > 0;
    searchWords = threadWords({ subject, participants }, newest, searchWords);
  }
  await Thread.updateOne(
    { _id: threadId },
    { $set: { searchWords, hasAttachments, ...(newest === "" && { snippet: "" }) } },
  );
}

/** Empties the texts of campaign emails, campaign by campaign, each in the order in which its emails were sent. */
async function emptySends(
  workspaceId: string,
  cut: Date,
  { place, emptiedTo }: Place,
  most: number,
): Promise<{ count: number } & Place> {
  const { Campaign, Send } = scoped(workspaceId);
  const start = emptiedTo === null ? null : new Date(emptiedTo.getTime() - OVERLAP_MS);
  const since = place === null ? {} : { _id: trusted({ $gte: place.campaignId }) };
  let count = 0;
  for (const { _id: campaignId } of await Campaign.find(since, { select: { _id: 1 }, sort: { _id: 1 } })) {
    let from = place?.campaignId === campaignId ? place.sentAt : start;
    for (;;) {
      const page = await Send.find(
        { campaignId, ...sentBefore(cut, from) },
        { hint: "figures", sort: { sentAt: 1 }, limit: PAGE, select: { sentAt: 1 } },
      );
      const last = page.at(-1)?.sentAt ?? null;
      if (last === null) break;
      await Send.updateMany({ _id: trusted({ $in: page.map(({ _id }) => _id) }) }, { $set: { content: null } });
      count += page.length;
      from = last;
      if (count >= most) return { count, place: { campaignId, sentAt: last }, emptiedTo };
    }
  }
  return { count, place: null, emptiedTo: cut };
}
