import { setTimeout as delay } from "node:timers/promises";
import type mongoose from "mongoose";
import type { During } from "./migrate.ts";
import { unfit } from "./unfit.ts";

type Db = mongoose.mongo.Db;
type KeyedHash = (text: string) => string;

interface Row {
  _id: string;
}
interface GuardRow extends Row {
  workspaceId: string;
  reasons?: string[];
  heldBy?: string[];
}

const PAGE = 500;
/** The ids that earlier versions gave to guards: `<workspaceId>:<SHA-256 of the address in hexadecimal>`. */
const UNKEYED_GUARD = /:[0-9a-f]{64}$/;
const UNKEYED_MARK = /^erased:[0-9a-f]{64}(?=:|$)/;
/** The beginning of the SHA-256 of an address, in base64url. */
const UNKEYED_HASH = /^[\w-]{22}$/;
/** The places that contain the replacement of an erased address. */
const MARKED = [
  ["recipients", "email"],
  ["sends", "to"],
  ["scheduled_replies", "to"],
] as const;
/** How long a claim's lease is, in milliseconds. No attempt to send an email lasts longer (rules/sending 8.4). */
const LEASE_MS = 150_000;

/**
 * Replaces every unkeyed hash of an address by a keyed one. No email may be sent after a stop meanwhile, also when
 * processes of an earlier version are still running, although they know only the unkeyed guards:
 *
 * 1. The database itself refuses each write of an unkeyed guard from now on. Every claim and every stop of an earlier
 *    version writes one, so none of them commits any more: no email is claimed, and no stop is acknowledged that this
 *    version would not see. MongoDB waits for open transactions that have written a guard, and refuses the write of a
 *    transaction that began before.
 * 2. The claims that have committed lose their leases, so that the last look refuses them.
 * 3. An email whose content has begun may still be followed by its copies, and the earlier version reads the guards for
 *    them. So the unkeyed guards stay unchanged until each of these attempts must have ended.
 * 4. Then every guard is replaced. Processes of this version start afterwards, and know only the keyed guards.
 *
 * The rule of step 1 stays, so that it also stops an earlier version that runs for days. A process of this version that
 * started before the migration uses the unkeyed guards too, and is stopped in the same way.
 */
export async function keyAddresses(db: Db, openHash: () => Promise<KeyedHash>, during: During): Promise<void> {
  // A key that cannot be opened ends the migration before it has changed anything
  if (await hasUnkeyed(db)) await openHash();
  await refuseUnkeyedGuards(db);
  if (!(await hasUnkeyed(db))) return;
  const hash = await openHash();
  await revokeClaims(db);
  await awaitAttempts(db, during);
  await replaceGuards(db, hash, during);
  for (const [collection, field] of MARKED) await replaceMarks(db, collection, field, hash, during);
  await replaceAnswers(db, hash, during);
  await replaceBounces(db, hash);
}

/**
 * Whether an earlier version has made the guards, and no migration of them has begun. Then this version uses the unkeyed
 * guards too, so that both versions work beside each other.
 */
export async function keepsUnkeyed(db: Db): Promise<boolean> {
  const [guards] = await db.listCollections({ name: GUARDS }).toArray();
  return guards !== undefined && !("options" in guards && guards.options?.["validator"] !== undefined);
}

const GUARDS = "guards";
const NOT_AUTHORIZED = 13;

async function refuseUnkeyedGuards(db: Db): Promise<void> {
  const rule = {
    validator: { _id: { $not: UNKEYED_GUARD } },
    validationLevel: "strict",
    validationAction: "error",
  } as const;
  const exists = (await db.listCollections({ name: GUARDS }, { nameOnly: true }).toArray()).length > 0;
  if (!exists) return void (await db.createCollection(GUARDS, rule));
  // Confirmed by a majority, so that no failover takes the rule back while guards are replaced
  const confirmed = { writeConcern: { w: "majority" } } as const;
  await db.command({ collMod: GUARDS, ...rule, ...confirmed }).catch((error) => {
    if (error?.code !== NOT_AUTHORIZED) throw error;
    const grant = `db.grantRolesToUser(<user>, [{ role: "dbAdmin", db: "${db.databaseName}" }])`;
    throw unfit(
      `The database user needs the role dbAdmin of its own database, for collMod. In the database where the user is defined (authSource): ${grant}`,
      error,
    );
  });
}

async function hasUnkeyed(db: Db): Promise<boolean> {
  const filters: [string, object][] = [
    [GUARDS, { _id: UNKEYED_GUARD }],
    ["verified_addresses", { _id: UNKEYED_HASH }],
    ["verified_domains", { bounced: UNKEYED_HASH }],
    ...MARKED.map(([collection, field]): [string, object] => [collection, { [field]: UNKEYED_MARK }]),
  ];
  for (const [collection, filter] of filters)
    if ((await db.collection(collection).findOne(filter, { projection: { _id: 1 } })) !== null) return true;
  return false;
}

/** Ends the lease of every claim whose content has not begun, as a stop does (store/sending/revoke.ts). */
async function revokeClaims(db: Db): Promise<void> {
  const claimed = { state: "SENDING", phase: "CLAIMED", leaseUntil: { $gt: new Date(0) } };
  await db.collection("sends").updateMany(claimed, { $set: { leaseUntil: new Date(0) } });
}

/** Waits until every email whose content has begun must have ended, together with its copies. */
async function awaitAttempts(db: Db, { say, ending }: During): Promise<void> {
  const since = { $dateSubtract: { startDate: "$$NOW", unit: "millisecond", amount: LEASE_MS } };
  const [newest] = await db
    .collection("sends")
    .aggregate<{ leftMs: number }>([
      { $match: { dataAt: { $type: "date" }, $expr: { $gt: ["$dataAt", since] } } },
      { $group: { _id: null, at: { $max: "$dataAt" } } },
      { $project: { leftMs: { $subtract: ["$at", since] } } },
    ])
    .toArray();
  if (newest === undefined) return;
  say(`Waiting ${Math.ceil(newest.leftMs / 1_000)} s, until emails that an earlier version was sending have ended`);
  await delay(newest.leftMs, undefined, { signal: ending });
}

/** Each transaction replaces a page, so that a guard is always there, once, whenever the process dies. */
async function replaceGuards(db: Db, hash: KeyedHash, { ending }: During): Promise<void> {
  const guards = db.collection<GuardRow>(GUARDS);
  for await (const found of pagesOf(guards, { _id: UNKEYED_GUARD })) {
    ending.throwIfAborted();
    await db.client.withSession((session) =>
      session.withTransaction(
        async () => {
          const page = await guards.find({ _id: { $in: found.map(({ _id }) => _id) } }, { session }).toArray();
          const writes = page.flatMap(({ _id, workspaceId, reasons = [], heldBy = [], ...facts }) => [
            {
              updateOne: {
                filter: { _id: `${workspaceId}:${hash(_id)}` },
                update: {
                  $addToSet: { reasons: { $each: reasons }, heldBy: { $each: heldBy } },
                  $setOnInsert: { workspaceId, ...facts },
                },
                upsert: true,
              },
            },
            { deleteOne: { filter: { _id } } },
          ]);
          if (writes.length > 0) await guards.bulkWrite(writes, { session });
        },
        { readConcern: { level: "snapshot" }, writeConcern: { w: "majority", j: true } },
      ),
    );
  }
}

async function replaceMarks(db: Db, name: string, field: string, hash: KeyedHash, { ending }: During): Promise<void> {
  const rows = db.collection<Row & { workspaceId: string } & Record<string, string>>(name);
  for await (const page of pagesOf(rows, { [field]: UNKEYED_MARK })) {
    ending.throwIfAborted();
    await rows.bulkWrite(
      page.map((row) => {
        const before = row[field] ?? "";
        const after = before.replace(UNKEYED_MARK, (mark) => `erased:${hash(mark.replace("erased", row.workspaceId))}`);
        return { updateOne: { filter: { _id: row._id, [field]: before }, update: { $set: { [field]: after } } } };
      }),
      { ordered: false },
    );
  }
}

/** What mail servers have answered about addresses. */
async function replaceAnswers(db: Db, hash: KeyedHash, { ending }: During): Promise<void> {
  const answers = db.collection<Row>("verified_addresses");
  for await (const page of pagesOf(answers, { _id: UNKEYED_HASH })) {
    ending.throwIfAborted();
    const copies = page.map(({ _id, ...answer }) => ({
      updateOne: { filter: { _id: hash(_id) }, update: { $setOnInsert: answer }, upsert: true },
    }));
    await answers.bulkWrite([...copies, ...page.map(({ _id }) => ({ deleteOne: { filter: { _id } } }))]);
  }
}

/** The addresses that bounced although their domain had accepted them. */
async function replaceBounces(db: Db, hash: KeyedHash): Promise<void> {
  const domains = db.collection<Row & { bounced: string[] }>("verified_domains");
  for await (const { _id, bounced } of domains.find({ bounced: UNKEYED_HASH })) {
    const keyed = bounced.map((one) => (UNKEYED_HASH.test(one) ? hash(one) : one));
    await domains.updateOne({ _id, bounced }, { $set: { bounced: keyed } });
  }
}

/** The documents of a filter in the order of their ids, a page at a time. */
async function* pagesOf<T extends Row>(rows: mongoose.mongo.Collection<T>, filter: object): AsyncGenerator<T[]> {
  for (let after = ""; ; ) {
    const further = { $and: [filter, { _id: { $gt: after } }] } as mongoose.mongo.Filter<T>; // ids are texts
    const page = (await rows.find(further, { sort: { _id: 1 }, limit: PAGE }).toArray()) as T[]; // read whole
    const last = page.at(-1);
    if (last === undefined) return;
    yield page;
    after = last._id;
  }
}
