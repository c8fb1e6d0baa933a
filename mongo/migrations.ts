import type mongoose from "mongoose";
import { noteHadSteps } from "./had-steps.ts";
import { newId } from "./ids.ts";
import { dropIndex } from "./indexes.ts";
import { keepsUnkeyed, keyAddresses } from "./keyed-addresses.ts";
import type { Migration } from "./migrate.ts";
import { indexThreadTexts, type ThreadWords } from "./thread-words.ts";

/** The number of the migration that only a command runs where an earlier version has stored hashes of addresses. */
export const ADDRESSES_KEYED = 8;

/**
 * All migrations, sorted by number. The parameters are the domain rules that they apply. A released migration is never
 * changed; a later migration corrects its errors.
 */
export function migrationsBy({
  threadWords,
  addressHash,
  foldWord,
  openKeyedHash,
}: {
  threadWords: ThreadWords;
  addressHash: (email: string) => string;
  foldWord: (word: string) => string;
  /** Loads the key that hashes addresses; called only if the database contains hashes without a key. */
  openKeyedHash: () => Promise<(text: string) => string>;
}): readonly Migration[] {
  return [
    {
      number: 1,
      name: "an address is one mailbox of each workspace, and no more of the whole installation",
      run: (db) => dropIndex(db, "mailboxes", "email_1"),
    },
    {
      number: 2,
      name: "threads are found by the words of their mails",
      run: (db) => indexThreadTexts(db, threadWords),
    },
    {
      number: 3,
      name: "owners are people and members",
      run: (db) => makeOwnersPeople(db),
    },
    {
      number: 4,
      name: "recipients are found by the hash of their address",
      run: (db) => hashAddresses(db, addressHash),
    },
    {
      number: 5,
      name: "recipients know the steps that they have had",
      run: (db) => noteHadSteps(db),
    },
    {
      number: 6,
      name: "leads and recipients are found whatever accents their names have",
      run: (db) => foldWords(db, foldWord),
    },
    {
      number: 7,
      name: "warmups that waited because their mailboxes use an API go on",
      expands: true,
      run: (db) => wakeApiWarmups(db),
    },
    {
      number: ADDRESSES_KEYED,
      name: "no address can be tested against a hash without the key of the deployment",
      isLeft: keepsUnkeyed,
      run: (db, during) => keyAddresses(db, openKeyedHash, during),
    },
  ];
}

/** The reconciler wakes warmups whose time is long past. The first action of each updates its state. */
async function wakeApiWarmups(db: mongoose.mongo.Db): Promise<void> {
  const waiting = { status: "RECONNECT_REQUIRED", statusReason: "TRANSPORT" };
  await db.collection("warmup_enrolments").updateMany(waiting, { $set: { wakeAt: new Date(1) } });
}

const HASHED_AT_A_TIME = 1_000;
/** The placeholder that replaces an erased address. It gets no hash. */
const ERASED = /^erased:/;

interface RecipientRow {
  _id: string;
  email: string;
}

/**
 * Adds to older recipients the hash by which their address is found. When the migration is resumed, it only reads
 * recipients without a hash.
 */
async function hashAddresses(db: mongoose.mongo.Db, addressHash: (email: string) => string): Promise<void> {
  const recipients = db.collection<RecipientRow>("recipients");
  for (let after = ""; ; ) {
    const without = { _id: { $gt: after }, addressHash: { $exists: false } };
    const page = await recipients
      .find(without, { sort: { _id: 1 }, limit: HASHED_AT_A_TIME, projection: { email: 1 } })
      .toArray();
    const last = page.at(-1);
    if (last === undefined) return;
    // A recipient whose address has changed since it was read already got its hash with that change
    const writes = page.map(({ _id, email }) => ({
      updateOne: {
        filter: { _id, email },
        update: { $set: { addressHash: ERASED.test(email) ? null : addressHash(email) } },
      },
    }));
    await recipients.bulkWrite(writes, { ordered: false });
    after = last._id;
  }
}

type Db = mongoose.mongo.Db;

interface Row {
  _id: string;
}

interface WorkspaceRow extends Row {
  ownerId: string;
  ownerEmail: string;
}

/**
 * Workspaces used to store only their owner. This creates a user and a membership for each owner. Owners with the same
 * address become one user: the owner of the oldest workspace. What the other owners created is assigned to that user.
 */
async function makeOwnersPeople(db: Db): Promise<void> {
  const [users, memberships] = [db.collection<Row>("users"), db.collection<Row>("memberships")];
  const byAddress = new Map<string, string>();
  const now = new Date();
  const times = { createdAt: now, updatedAt: now };
  for await (const { _id: workspaceId, ownerId, ownerEmail } of db
    .collection<WorkspaceRow>("workspaces")
    .find()
    .sort({ _id: 1 })) {
    const userId = byAddress.get(ownerEmail) ?? ownerId;
    const isOperator = byAddress.size === 0;
    byAddress.set(ownerEmail, userId);
    const person = {
      email: ownerEmail,
      name: null,
      passwordHash: null,
      isOperator,
      totp: null,
      totpOffered: null,
      totpStep: 0,
    };
    const fresh = { ...person, recoveryCodes: [], passkeys: [], ...times };
    await users.updateOne({ _id: userId }, { $setOnInsert: fresh }, { upsert: true });
    const member = { workspaceId, userId };
    const joined = { _id: newId("mbr"), role: "OWNER", joinedAt: now, ...times };
    await memberships.updateOne(member, { $setOnInsert: joined }, { upsert: true });
    if (userId === ownerId) continue;
    await db.collection("api_keys").updateMany({ workspaceId, createdBy: ownerId }, { $set: { createdBy: userId } });
    await db.collection("notes").updateMany({ workspaceId, authorUserId: ownerId }, { $set: { authorUserId: userId } });
    await db.collection<WorkspaceRow>("workspaces").updateOne({ _id: workspaceId }, { $set: { ownerId: userId } });
  }
}

const FOLDED_AT_A_TIME = 500;
const FOLDING_PLACE = "fold-words";
/** Only the words of leads and recipients. Those of threads were normalised from their first version on. */
const FOLDED_COLLECTIONS = ["leads", "recipients"];
/** A text that contains only ASCII characters is normalised already. */
const FOREIGN = /[^\x20-\x7e]/;

interface SearchableRow {
  _id: string;
  searchWords: string[];
}

/**
 * Normalises the words by which leads and recipients are found, in the order of their ids. The last id is stored with
 * the migrations, so that a process that resumes does not start again.
 */
async function foldWords(db: mongoose.mongo.Db, foldWord: (word: string) => string): Promise<void> {
  const places = db.collection<{ _id: string; collection: string; after: string }>("migrations");
  const place = await places.findOne({ _id: FOLDING_PLACE });
  for (const name of FOLDED_COLLECTIONS.slice(place === null ? 0 : FOLDED_COLLECTIONS.indexOf(place.collection))) {
    const rows = db.collection<SearchableRow>(name);
    for (let after = place?.collection === name ? place.after : ""; ; ) {
      const page = await rows
        .find(
          { _id: { $gt: after }, searchWords: FOREIGN },
          { sort: { _id: 1 }, limit: FOLDED_AT_A_TIME, projection: { searchWords: 1 } },
        )
        .toArray();
      const last = page.at(-1);
      if (last === undefined) break;
      // A document that has changed since it was read already got normalised words with that change, unless a process
      // of the previous version wrote it
      const writes = page.map(({ _id, searchWords }) => ({
        updateOne: {
          filter: { _id, searchWords },
          update: { $set: { searchWords: [...new Set(searchWords.map(foldWord))] } },
        },
      }));
      await rows.bulkWrite(writes, { ordered: false });
      after = last._id;
      await places.updateOne({ _id: FOLDING_PLACE }, { $set: { collection: name, after } }, { upsert: true });
    }
  }
  await places.deleteOne({ _id: FOLDING_PLACE });
}
