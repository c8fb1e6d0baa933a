import type mongoose from "mongoose";

const AT_A_TIME = 1_000;
/** What the ledger keeps of an erased address, which gets no hash. */
const ERASED = /^erased:/;

interface Recipient {
  _id: string;
  email: string;
}

/**
 * Gives recipients that were stored before it the hash by which their address is found. A process that goes on looks only for those that
 * still have none.
 */
export async function hashAddresses(db: mongoose.mongo.Db, addressHash: (email: string) => string): Promise<void> {
  const recipients = db.collection<Recipient>("recipients");
  for (let after = ""; ; ) {
    const without = { _id: { $gt: after }, addressHash: { $exists: false } };
    const page = await recipients.find(without, { sort: { _id: 1 }, limit: AT_A_TIME, projection: { email: 1 } }).toArray();
    const last = page.at(-1);
    if (last === undefined) return;
    // One whose address has changed meanwhile got its hash with it
    const writes = page.map(({ _id, email }) => ({
      updateOne: { filter: { _id, email }, update: { $set: { addressHash: ERASED.test(email) ? null : addressHash(email) } } },
    }));
    await recipients.bulkWrite(writes, { ordered: false });
    after = last._id;
  }
}
