import type mongoose from "mongoose";

type Db = mongoose.mongo.Db;

/** Computes the search words of a thread after adding one of its emails. `before` are the words so far. */
export type ThreadWords = (
  head: { subject: string; participants: readonly { name: string; address: string }[] },
  text: string,
  before: readonly string[],
) => string[];

interface Thread {
  _id: string;
  subject: string;
  participants: { name: string; address: string }[];
  messageCount: number;
}

const AT_A_TIME = 100;
/** How many characters of an email are read. The search words come from fewer characters than that. */
const MAX_TEXT = 20_000;
const PLACE = "thread-words";

/**
 * Adds the words of their emails to threads from before this migration, in the order of their ids. The last id is
 * stored with the migrations, so that a process that resumes does not start again.
 */
export async function indexThreadTexts(db: Db, wordsOf: ThreadWords): Promise<void> {
  const places = db.collection<{ _id: string; after: string }>("migrations");
  const threads = db.collection<Thread>("threads");
  for (let after = (await places.findOne({ _id: PLACE }))?.after ?? ""; ; ) {
    const page = {
      sort: { _id: 1 },
      limit: AT_A_TIME,
      projection: { subject: 1, participants: 1, messageCount: 1 },
    } as const;
    const found = await threads.find({ _id: { $gt: after } }, page).toArray();
    for (const thread of found) await indexThread(db, thread, wordsOf);
    const last = found.at(-1);
    if (last === undefined) break;
    after = last._id;
    await places.updateOne({ _id: PLACE }, { $set: { after } }, { upsert: true });
  }
  await places.deleteOne({ _id: PLACE });
}

async function indexThread(db: Db, thread: Thread, wordsOf: ThreadWords): Promise<void> {
  const threads = db.collection<Thread>("threads");
  const { _id, subject, participants, messageCount } = thread;
  if (participants.length === 0 && subject === "") return; // A thread that was erased or has no known content
  let words = wordsOf(thread, "", []);
  for await (const { own, whole } of loadThreadTexts(db, _id))
    words = wordsOf({ subject, participants }, own || whole, words);
  // A thread that has changed since it was read is read again, because processes of the previous version add emails
  // until they are stopped
  const unchanged = { _id, subject, participants, messageCount };
  const { matchedCount } = await threads.updateOne(unchanged, { $set: { searchWords: words } });
  if (matchedCount === 1) return;
  const changed = await threads.findOne({ _id });
  if (changed !== null) await indexThread(db, changed, wordsOf);
}

/** The texts of a thread's emails, oldest first: the part that the author wrote, and the whole text. */
function loadThreadTexts(db: Db, threadId: string) {
  const start = (field: string) => ({ $substrCP: [{ $ifNull: [field, ""] }, 0, MAX_TEXT] });
  const projection = { _id: 0, own: start("$replyText"), whole: start("$bodyText") };
  const options = { sort: { receivedAt: 1, _id: 1 }, projection, batchSize: 50 } as const;
  return db.collection("messages").find<{ own: string; whole: string }>({ threadId }, options);
}
