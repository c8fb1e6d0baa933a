import { createHash } from "node:crypto";
import { beforeEach, expect, test } from "@jest/globals";
import type mongoose from "mongoose";
import { addressHashOf, keyedHashBy } from "../../domain/leads/address-hash.ts";
import { keepsUnkeyed, keyAddresses } from "../../mongo/keyed-addresses.ts";
import { type During, hasMigrated, migrate as prepare } from "../../mongo/migrate.ts";
import { setAddressKey, unkeyedHash } from "../../store/address-key.ts";
import { erasedAddressOf, guardId } from "../../store/suppression/guard-id.ts";
import { client, db, during, useSetup } from "./migrations-setup.ts";

useSetup();

const hash = keyedHashBy(Buffer.alloc(32, 7));
const sha256 = (email: string) => createHash("sha256").update(email).digest("hex");
/** The ids of the version before. */
const unkeyedGuard = (email: string) => `wsp_1:${sha256(email)}`;
const unkeyedMark = (email: string) => `erased:${sha256(email)}`;

interface Row {
  _id: string;
  workspaceId?: string;
  reasons?: string[];
  heldBy?: string[];
  claims?: number;
  createdAt?: Date;
  email?: string;
  to?: string;
  result?: string;
  bounced?: string[];
  state?: string;
  phase?: string;
  leaseUntil?: Date;
  dataAt?: Date;
}

const rows = (name: string) => db.collection<Row>(name);
const allOf = (name: string) => rows(name).find().sort({ _id: 1 }).toArray();
const migrate = (progress: During = during) => keyAddresses(db, async () => hash, progress);

beforeEach(() => setAddressKey(hash));

/** A claim of the version before, in a transaction: it writes the guard, whose reasons it then reads. */
async function claimAsBefore(session: mongoose.mongo.ClientSession, email: string): Promise<void> {
  const change = { $inc: { claims: 1 }, $setOnInsert: { workspaceId: "wsp_1", reasons: [] } };
  await rows("guards").bulkWrite(
    [{ updateOne: { filter: { _id: unkeyedGuard(email) }, update: change, upsert: true } }],
    { session },
  );
}

const REFUSED = { code: 121 };

test("the migration replaces every unkeyed hash, so that each suppression, hold and answer is found under its keyed hash", async () => {
  const at = new Date(5);
  await rows("guards").insertMany([
    {
      _id: unkeyedGuard("stopped@x.test"),
      workspaceId: "wsp_1",
      reasons: ["MANUAL", "HARD_BOUNCE"],
      claims: 3,
      createdAt: at,
    },
    { _id: unkeyedGuard("held@x.test"), workspaceId: "wsp_1", reasons: [], heldBy: ["apr_1"], claims: 1 },
    ...Array.from({ length: 1_100 }, (_, n) => ({
      _id: unkeyedGuard(`p${n}@x.test`),
      workspaceId: "wsp_1",
      claims: n,
    })),
  ]);
  await rows("recipients").insertMany([
    { _id: "rcp_1", workspaceId: "wsp_1", email: unkeyedMark("stopped@x.test") },
    { _id: "rcp_2", workspaceId: "wsp_1", email: "living@x.test" },
  ]);
  await rows("sends").insertOne({ _id: "snd_1", workspaceId: "wsp_1", to: unkeyedMark("stopped@x.test") });
  await rows("scheduled_replies").insertOne({ _id: "srp_1", workspaceId: "wsp_1", to: unkeyedMark("stopped@x.test") });
  await rows("verified_addresses").insertOne({ _id: addressHashOf("known@x.test"), result: "VALID" });
  const bounced = [addressHashOf("one@x.test"), hash(addressHashOf("two@x.test"))];
  await rows("verified_domains").insertOne({ _id: "x.test", bounced });

  await migrate();
  await migrate(); // As after a process that died before the migration was recorded
  const guards = new Map((await allOf("guards")).map(({ _id, ...guard }) => [_id, guard]));
  expect(guards.size).toBe(1_102);
  expect(guards.get(guardId("wsp_1", "stopped@x.test"))).toEqual({
    workspaceId: "wsp_1",
    reasons: ["MANUAL", "HARD_BOUNCE"],
    heldBy: [],
    claims: 3,
    createdAt: at,
  });
  expect(guards.get(guardId("wsp_1", "held@x.test"))).toMatchObject({ reasons: [], heldBy: ["apr_1"] });
  expect(guards.get(guardId("wsp_1", "p1099@x.test"))).toMatchObject({ claims: 1_099 });
  const mark = erasedAddressOf("wsp_1", "stopped@x.test");
  expect(mark).toMatch(/^erased:[\w-]{43}$/);
  expect(guardId("wsp_1", mark)).toBe(guardId("wsp_1", "stopped@x.test"));
  expect((await allOf("recipients")).map(({ email }) => email)).toEqual([mark, "living@x.test"]);
  expect([...(await allOf("sends")), ...(await allOf("scheduled_replies"))].map(({ to }) => to)).toEqual([mark, mark]);
  expect(await allOf("verified_addresses")).toEqual([{ _id: hash(addressHashOf("known@x.test")), result: "VALID" }]);
  const keyed = ["one@x.test", "two@x.test"].map((email) => hash(addressHashOf(email)));
  expect(await allOf("verified_domains")).toEqual([{ _id: "x.test", bounced: keyed }]);
});

test("a migration that is interrupted between two pages continues, and no suppression is missing at any time", async () => {
  const emails = Array.from({ length: 1_100 }, (_, n) => `p${n}@x.test`);
  await rows("guards").insertMany(
    emails.map((email) => ({ _id: unkeyedGuard(email), workspaceId: "wsp_1", reasons: ["MANUAL"] })),
  );
  const stopping = new AbortController();
  const collection: typeof db.collection = (name) => {
    const found = db.collection(name);
    const bulkWrite: typeof found.bulkWrite = async (...asked) => {
      const done = await found.bulkWrite(...asked);
      stopping.abort(new Error("The process ends"));
      return done;
    };
    return name === "guards" ? Object.create(found, { bulkWrite: { value: bulkWrite } }) : found;
  };
  const slow: typeof db = Object.create(db, { collection: { value: collection } });
  const cut = keyAddresses(slow, async () => hash, { ...during, ending: stopping.signal });
  await expect(cut).rejects.toThrow("The process ends");
  const idsOf = async () => new Set((await allOf("guards")).map(({ _id }) => _id));
  const half = await idsOf();
  expect(emails.filter((email) => half.has(unkeyedGuard(email)))).toHaveLength(600);
  expect(emails.filter((email) => half.has(unkeyedGuard(email)) === half.has(guardId("wsp_1", email)))).toEqual([]);
  await migrate();
  expect(await idsOf()).toEqual(new Set(emails.map((email) => guardId("wsp_1", email))));
});

test("a process of an earlier version can neither claim nor suppress after the migration, also in a transaction that began before", async () => {
  await rows("guards").insertOne({ _id: unkeyedGuard("a@x.test"), workspaceId: "wsp_1", reasons: [] });
  await rows("sends").insertOne({ _id: "snd_1" });
  const snapshot = { readConcern: { level: "snapshot" }, writeConcern: { w: "majority" } } as const;
  const begun = [client.startSession(), client.startSession()];
  for (const session of begun) {
    session.startTransaction(snapshot);
    await rows("sends").findOne({ _id: "snd_1" }, { session });
  }
  // A transaction that has written a guard already delays the migration, and what it has written counts
  const first = client.startSession();
  first.startTransaction(snapshot);
  const stop = { $addToSet: { reasons: "UNSUBSCRIBED" }, $inc: { claims: 1 } };
  await rows("guards").updateOne({ _id: unkeyedGuard("a@x.test") }, stop, { session: first });
  const migration = migrate();
  await first.commitTransaction();
  await migration;
  for (const [index, email] of ["a@x.test", "new@x.test"].entries()) {
    const session = begun[index];
    if (session === undefined) throw new Error("no session");
    await expect(claimAsBefore(session, email)).rejects.toMatchObject(REFUSED);
    await session.endSession();
  }
  await first.endSession();
  for (const email of ["a@x.test", "new@x.test"]) {
    await expect(
      client.withSession((session) => session.withTransaction(() => claimAsBefore(session, email))),
    ).rejects.toMatchObject(REFUSED);
    await expect(
      rows("guards").findOneAndUpdate({ _id: unkeyedGuard(email) }, stop, { upsert: true }),
    ).rejects.toMatchObject(REFUSED);
  }
  expect(await allOf("guards")).toEqual([
    expect.objectContaining({ _id: guardId("wsp_1", "a@x.test"), reasons: ["UNSUBSCRIBED"] }),
  ]);
});

test("claims of an earlier version lose their lease, and the guards stay until an email that it was sending must have ended", async () => {
  const leaseUntil = new Date(Date.now() + 100_000);
  await rows("guards").insertOne({ _id: unkeyedGuard("copied@x.test"), workspaceId: "wsp_1", reasons: ["MANUAL"] });
  await rows("sends").insertMany([
    { _id: "snd_claimed", state: "SENDING", phase: "CLAIMED", leaseUntil },
    { _id: "snd_data", state: "SENDING", phase: "DATA", leaseUntil, dataAt: new Date() },
    { _id: "snd_old", state: "SENT", dataAt: new Date(1) },
  ]);
  const stopping = new AbortController();
  const lines: string[] = [];
  const say = (line: string) => {
    lines.push(line);
    stopping.abort();
  };
  await expect(migrate({ say, ending: stopping.signal })).rejects.toMatchObject({ name: "AbortError" });
  expect(lines).toEqual([expect.stringMatching(/^Waiting \d+ s, until emails that an earlier version was sending/)]);
  const leased = { state: "SENDING", leaseUntil: { $gt: new Date() } };
  expect((await rows("sends").find(leased).toArray()).map(({ _id }) => _id)).toEqual(["snd_data"]);
  // The earlier version still reads it before it sends a copy
  expect(await allOf("guards")).toMatchObject([{ _id: unkeyedGuard("copied@x.test"), reasons: ["MANUAL"] }]);
  // The next start continues
  await rows("sends").updateOne({ _id: "snd_data" }, { $set: { dataAt: new Date(Date.now() - 150_000) } });
  await migrate();
  expect(await allOf("guards")).toMatchObject([{ _id: guardId("wsp_1", "copied@x.test"), reasons: ["MANUAL"] }]);
});

test("a new database gets the rule for guards and needs no key; an unkeyed guard is refused there too", async () => {
  const noKey = () => Promise.reject(new Error("No key is needed"));
  await keyAddresses(db, noKey, during);
  await keyAddresses(db, noKey, during);
  await expect(rows("guards").insertOne({ _id: unkeyedGuard("a@x.test") })).rejects.toMatchObject(REFUSED);
  await rows("guards").insertOne({ _id: guardId("wsp_1", "a@x.test") });
});

/** The steps of a start, or of the command, with the migration of the hashes alone. */
const start = (asked: number[] = []) => {
  const run = (at: typeof db, progress: During) => keyAddresses(at, async () => hash, progress);
  const migrations = [{ number: 8, name: "keyed", isLeft: keepsUnkeyed, run }];
  return prepare(db, { migrations, collections: [], asked });
};

test("a start leaves the hashes of an earlier version as they are, and the command makes them keyed", async () => {
  const unkeyed = { _id: unkeyedGuard("a@x.test"), workspaceId: "wsp_1", reasons: ["MANUAL"] };
  await rows("guards").insertOne(unkeyed);
  await start();
  await start();
  expect(await hasMigrated(db, 8)).toBe(false);
  // The earlier version still works beside this one, which finds its suppressions and writes the same
  await rows("guards").updateOne({ _id: unkeyed._id }, { $addToSet: { reasons: "UNSUBSCRIBED" } });
  setAddressKey(unkeyedHash);
  expect(guardId("wsp_1", "a@x.test")).toBe(unkeyed._id);
  expect(erasedAddressOf("wsp_1", "a@x.test")).toBe(unkeyedMark("a@x.test"));
  expect(guardId("wsp_1", unkeyedMark("a@x.test"))).toBe(unkeyed._id);
  await start([8]);
  expect(await hasMigrated(db, 8)).toBe(true);
  setAddressKey(hash);
  expect(await allOf("guards")).toMatchObject([
    { _id: guardId("wsp_1", "a@x.test"), reasons: ["MANUAL", "UNSUBSCRIBED"] },
  ]);
});

test("a start finishes the work of a command that was killed", async () => {
  await rows("guards").insertOne({ _id: unkeyedGuard("a@x.test"), workspaceId: "wsp_1", reasons: ["MANUAL"] });
  await rows("sends").insertOne({ _id: "snd_data", state: "SENDING", phase: "DATA", dataAt: new Date() });
  const stopping = new AbortController();
  const cut = migrate({ say: () => stopping.abort(), ending: stopping.signal });
  await expect(cut).rejects.toMatchObject({ name: "AbortError" });
  await rows("sends").deleteMany({});
  await start();
  expect(await hasMigrated(db, 8)).toBe(true);
  expect(await allOf("guards")).toMatchObject([{ _id: guardId("wsp_1", "a@x.test") }]);
});

test("a new database has keyed hashes after its first start", async () => {
  await start();
  expect(await hasMigrated(db, 8)).toBe(true);
});
