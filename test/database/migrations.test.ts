import { expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { foldText } from "../../domain/fold.ts";
import { threadWords } from "../../domain/inbox/thread-words.ts";
import { addressHashOf, keyedHashBy } from "../../domain/leads/address-hash.ts";
import type { Indexed } from "../../mongo/indexes.ts";
import { type Migration, migrate } from "../../mongo/migrate.ts";
import { migrationsBy } from "../../mongo/migrations.ts";
import { until } from "../fakes/wait.ts";
import { client, counted, db, done, during, LEASE_MS, numbers, rows, useSetup } from "./migrations-setup.ts";

useSetup();

/** The hash with the key of these tests. */
const openKeyedHash = async () => keyedHashBy(Buffer.alloc(32, 7));
const MIGRATIONS = migrationsBy({ threadWords, addressHash: addressHashOf, foldWord: foldText, openKeyedHash });

const indexesOf = async (collection: string) =>
  (await db.collection(collection).listIndexes().toArray())
    .map(({ v: _version, ...index }) => index)
    .filter(({ name }) => name !== "_id_");

const people = (index: Partial<Indexed["indexes"][number]> = {}): Indexed => ({
  collection: "people",
  indexes: [
    { name: "email_1", key: { email: 1 }, ...index },
    {
      name: "left",
      key: { leftAt: 1 },
      expireAfterSeconds: 60,
      partialFilterExpression: { leftAt: { $gt: new Date(0) } },
    },
  ],
});

const FIRST = [...people().indexes];

test("a fresh database gets its collections, its indexes and the numbers of all migrations; a second start writes nothing", async () => {
  const wanted = {
    migrations: [counted(1), counted(2)],
    collections: [people(), { collection: "plain", indexes: [] }],
  };
  await migrate(db, wanted);
  expect(await indexesOf("people")).toEqual(FIRST);
  expect((await db.listCollections({ name: "plain" }).toArray()).length).toBe(1);
  expect([await numbers(), await done().find().toArray()]).toEqual([
    [1, 2],
    [
      { _id: "1", times: 1 },
      { _id: "2", times: 1 },
    ],
  ]);
  const commands: string[] = [];
  const note = ({ commandName }: { commandName: string }) => commands.push(commandName);
  client.on("commandStarted", note);
  await migrate(db, wanted);
  client.off("commandStarted", note);
  expect([...new Set(commands)].sort()).toEqual(["find", "listCollections", "listIndexes"]);
});

test("a database of the previous version gets only its missing migrations, in order", async () => {
  await migrate(db, { migrations: [counted(1)], collections: [] });
  const order: number[] = [];
  const noted = (number: number): Migration => ({ ...counted(number), run: async () => void order.push(number) });
  await migrate(db, { migrations: [noted(1), noted(2), noted(3)], collections: [] });
  expect([order, await numbers()]).toEqual([
    [2, 3],
    [1, 2, 3],
  ]);
});

test("retired indexes are dropped, and unknown indexes stay, because a newer version may need them", async () => {
  await db.collection("people").createIndexes([
    { key: { phone: 1 }, name: "old" },
    { key: { city: 1 }, name: "newer" },
  ]);
  await db.collection("foreign").createIndex({ phone: 1 });
  const wanted = { migrations: [], collections: [{ ...people(), retired: ["old"] }] };
  for (let start = 0; start < 2; start++) {
    await migrate(db, wanted);
    expect((await indexesOf("people")).map(({ name }) => name).sort()).toEqual(["email_1", "left", "newer"]);
    expect(await indexesOf("foreign")).toHaveLength(1);
  }
});

test("a database that a newer version has only expanded is used unchanged, even while the newer version holds the migration lease", async () => {
  const expanding: Migration = { ...counted(7), expands: true };
  await migrate(db, { migrations: [counted(1), expanding], collections: [people()] });
  await rows().insertOne({ _id: "lease", holder: "the newer version", until: new Date(Date.now() + 1e9) });
  await migrate(db, { migrations: [counted(1)], collections: [people({ unique: true })] });
  expect(await indexesOf("people")).toEqual(FIRST);
});

test("a database that a newer version has expanded and then changed is refused", async () => {
  const expanding: Migration = { ...counted(7), expands: true };
  await migrate(db, { migrations: [counted(1), expanding, counted(8)], collections: [] });
  const older = migrate(db, { migrations: [counted(1)], collections: [] });
  await expect(older).rejects.toMatchObject({
    name: "UnfitDatabase",
    message: expect.stringMatching(/newer version.*to 8.*up to 1/),
  });
});

test.each<[string, Partial<Indexed["indexes"][number]>]>([
  ["becomes unique", { unique: true }],
  ["gets other keys", { key: { email: 1, phone: 1 } }],
  ["gets the same keys in another order", { key: { name: -1, email: 1 } }],
  ["is of some documents alone", { partialFilterExpression: { email: { $gt: "" } } }],
  ["lets documents leave", { expireAfterSeconds: 5 }],
  ["gets fewer keys", {}],
])("an index that %s under the same name is rebuilt with the new definition", async (_what, changed) => {
  await migrate(db, { migrations: [], collections: [people({ key: { email: 1, name: -1 } })] });
  await migrate(db, { migrations: [], collections: [people(changed)] });
  const [first, second] = people(changed).indexes;
  expect(await indexesOf("people")).toEqual(expect.arrayContaining([first, second]));
  expect(await indexesOf("people")).toHaveLength(2);
  const [rebuilt] = (await indexesOf("people")).filter(({ name }) => name === first?.name);
  expect(Object.entries(rebuilt?.key ?? {})).toEqual(Object.entries(first?.key ?? {}));
});

test("an index that cannot be built is reported with name and cause, and a later start builds the index", async () => {
  await db.collection("people").insertMany([{ email: "ann@a.test" }, { email: "ann@a.test" }]);
  const wanted = { migrations: [counted(1)], collections: [people({ unique: true })] };
  await expect(migrate(db, wanted)).rejects.toMatchObject({
    name: "UnfitDatabase",
    message: expect.stringMatching(/people.*: email_1 \(DuplicateKey/),
  });
  await db.collection("people").deleteMany({});
  await migrate(db, wanted);
  expect(await indexesOf("people")).toHaveLength(2);
  expect(await done().findOne({ _id: "1" })).toEqual({ _id: "1", times: 1 });
});

test("when processes start at once, one of them runs each migration and the others continue afterwards", async () => {
  const wanted = { migrations: [counted(1), counted(2)], collections: [people()] };
  await Promise.all(Array.from({ length: 6 }, () => migrate(db, wanted)));
  expect((await done().find().toArray()).map(({ times }) => times)).toEqual([1, 1]);
  expect(await numbers()).toEqual([1, 2]);
});

test("a process that has lost its lease stops with an error, records no migration and runs no further migration", async () => {
  let isRefused = false;
  const note = ({ commandName, reply }: { commandName: string; reply: unknown }) => {
    if (commandName === "update" && typeof reply === "object" && reply !== null && "n" in reply && reply.n === 0)
      isRefused = true;
  };
  client.on("commandSucceeded", note);
  const losing: Migration = {
    ...counted(1),
    async run() {
      await rows().updateOne({ _id: "lease" }, { $set: { holder: "another" } });
      await until(() => isRefused, { deadlineMs: 60_000, what: "a renewal to be refused" });
    },
  };
  await expect(migrate(db, { migrations: [losing, counted(2)], collections: [], leaseMs: LEASE_MS })).rejects.toThrow(
    /Another process/,
  );
  client.off("commandSucceeded", note);
  expect([await numbers(), await done().countDocuments()]).toEqual([["lease"], 0]);
});

test("a failing migration is reported by number and name, and runs again at the next start", async () => {
  const failing = { ...counted(2), run: () => Promise.reject(new Error("no")) };
  await expect(migrate(db, { migrations: [counted(1), failing], collections: [] })).rejects.toThrow(
    /Migration 2 .*the 2\./,
  );
  expect(await numbers()).toEqual([1]);
  await migrate(db, { migrations: [counted(1), counted(2)], collections: [] });
  expect(await numbers()).toEqual([1, 2]);
});

test("a database that a newer program has migrated is left unchanged and refused with that reason", async () => {
  await migrate(db, { migrations: [counted(1), counted(7)], collections: [people()] });
  const older = migrate(db, { migrations: [counted(1)], collections: [{ collection: "people", indexes: [] }] });
  await expect(older).rejects.toMatchObject({
    name: "UnfitDatabase",
    message: expect.stringMatching(/newer version.*to 7.*up to 1/),
  });
  expect(await indexesOf("people")).toHaveLength(2);
});

test("a transient error during a migration is not reported as a fault of the migration", async () => {
  const cut = new mongoose.mongo.MongoNetworkError("the connection was cut");
  const migrations = [{ ...counted(1), run: () => Promise.reject(cut) }];
  await expect(migrate(db, { migrations, collections: [] })).rejects.toBe(cut);
});

test("a process that finds another process migrating waits even if no migration is missing, and stops waiting on shutdown", async () => {
  await migrate(db, { migrations: [counted(1)], collections: [people()] });
  await rows().insertOne({ _id: "lease", holder: "another", until: new Date(Date.now() + 1e9) });
  const stopping = new AbortController();
  const waiting = migrate(db, {
    migrations: [counted(1)],
    collections: [people()],
    stopping: stopping.signal,
    say: () => stopping.abort(),
  });
  await expect(waiting).rejects.toMatchObject({ name: "AbortError" });
});

test("the program's own migrations are numbered from 1 without a gap, and may be run again", async () => {
  expect(MIGRATIONS.map(({ number }) => number)).toEqual(MIGRATIONS.map((_one, index) => index + 1));
  await db.collection("mailboxes").createIndex({ email: 1 }, { unique: true });
  for (let round = 0; round < 2; round++) for (const { run } of MIGRATIONS) await run(db, during);
  expect(await indexesOf("mailboxes")).toEqual([]);
});

interface Threads {
  _id: string;
  searchWords: string[];
  subject: string;
  participants: { name: string; address: string }[];
  messageCount: number;
}

/** Threads of the version before, each with the two emails of `texts`, of which the first is quoted in the second. */
async function oldThreads(count: number, texts = (n: number) => [`first${n}`, `second${n}`]) {
  const ids = Array.from({ length: count }, (_, n) => `thr_${String(n).padStart(4, "0")}`);
  const bob = { name: "Bob", address: "bob@b.test" };
  const before = {
    subject: "A question",
    participants: [bob],
    messageCount: 2,
    searchWords: ["bob@b.test", "b.test", "bob"],
  };
  await db.collection<Threads>("threads").insertMany(ids.map((_id) => ({ _id, ...structuredClone(before) })));
  const mails = ids.flatMap((threadId, n) => {
    const [first = "", second = ""] = texts(n);
    return [
      { threadId, receivedAt: new Date(2), replyText: second, bodyText: `${second}\n> quoted${n}` },
      { threadId, receivedAt: new Date(1), replyText: null, bodyText: first },
    ];
  });
  await db.collection("messages").insertMany(mails);
}

const wordsOf = async (_id: string) => (await db.collection<Threads>("threads").findOne({ _id }))?.searchWords;

test("after the migration, old threads are found by the words of their emails, without quoted text", async () => {
  await oldThreads(230);
  await migrate(db, { migrations: MIGRATIONS, collections: [] });
  for (const n of [0, 99, 100, 229]) {
    const words = await wordsOf(`thr_${String(n).padStart(4, "0")}`);
    expect(words).toEqual(expect.arrayContaining(["bob@b.test", "bob", "question", `first${n}`, `second${n}`]));
    expect(words).not.toContain(`quoted${n}`);
  }
  expect(await numbers()).toEqual(MIGRATIONS.map(({ number }) => number));
});

test("a thread migration that was interrupted continues where it stopped", async () => {
  await oldThreads(150);
  await rows().insertOne({ _id: "thread-words", after: "thr_0099" } as never); // the place of a process that died
  await migrate(db, { migrations: MIGRATIONS, collections: [] });
  expect([await wordsOf("thr_0099"), await wordsOf("thr_0100")]).toEqual([
    expect.not.arrayContaining(["first99"]),
    expect.arrayContaining(["first100"]),
  ]);
  expect(await rows().countDocuments({ _id: "thread-words" })).toBe(0);
});

test("a thread that receives an email during its migration is read again", async () => {
  await oldThreads(1);
  let isFiled = false;
  /** The emails as they were, behind which another process files one more. */
  async function* read(mails: AsyncIterable<unknown>) {
    yield* mails;
    if (isFiled) return;
    isFiled = true;
    await db.collection("messages").insertOne({ threadId: "thr_0000", receivedAt: new Date(3), bodyText: "late" });
    await db.collection<Threads>("threads").updateOne({ _id: "thr_0000" }, { $inc: { messageCount: 1 } });
  }
  const find: typeof db.collection = (name) => {
    const collection = db.collection(name);
    const raced = { find: (...asked: Parameters<typeof collection.find>) => read(collection.find(...asked)) };
    return name === "messages" ? Object.create(collection, { find: { value: raced.find } }) : collection;
  };
  await MIGRATIONS[1]?.run(Object.create(db, { collection: { value: find } }), during);
  expect([isFiled, await wordsOf("thr_0000")]).toEqual([true, expect.arrayContaining(["first0", "second0", "late"])]);
});

test("the migration stores the address hash of old recipients, none for erased ones, and keeps an existing hash", async () => {
  const recipients = db.collection<{ _id: string; email: string; addressHash?: string | null }>("recipients");
  const many = Array.from({ length: 1_200 }, (_, index) => ({
    _id: `rcp_${String(index).padStart(4, "0")}`,
    email: `p${index}@x.test`,
  }));
  await recipients.insertMany([
    ...many,
    { _id: "rcp_x", email: "erased:0123" },
    { _id: "rcp_y", email: "a@b.test", addressHash: "kept" },
  ]);
  await migrate(db, { migrations: MIGRATIONS, collections: [] });
  expect((await recipients.findOne({ _id: "rcp_1100" }))?.addressHash).toBe(addressHashOf("p1100@x.test"));
  expect(await recipients.countDocuments({ addressHash: { $exists: false } })).toBe(0);
  expect((await recipients.findOne({ _id: "rcp_x" }))?.addressHash).toBeNull();
  expect((await recipients.findOne({ _id: "rcp_y" }))?.addressHash).toBe("kept");
});

test("old recipients get a record of the steps they received, and do not get a step they had passed", async () => {
  interface Old {
    _id: string;
    email?: string;
    campaignId: string;
    nextStepId: string | null;
    had?: { stepId: string; at: number }[];
  }
  const recipients = db.collection<Old>("recipients");
  const steps = ["one", "two", "three"].map((stepId) => ({ stepId }));
  await db.collection("sequences").insertMany([
    { campaignId: "cmp_linear", mode: "DEFAULT", steps },
    { campaignId: "cmp_branches", mode: "VISUAL", steps },
  ]);
  const at = new Date(7);
  const rows: Old[] = [
    { _id: "rcp_fresh", campaignId: "cmp_linear", nextStepId: null },
    { _id: "rcp_waits", campaignId: "cmp_linear", nextStepId: "three" },
    { _id: "rcp_done", campaignId: "cmp_linear", nextStepId: null },
    { _id: "rcp_branch", campaignId: "cmp_branches", nextStepId: "three" },
    { _id: "rcp_new", campaignId: "cmp_linear", nextStepId: "two", had: [] },
  ];
  await recipients.insertMany(rows.map((row) => ({ ...row, email: `${row._id}@x.test` })));
  await db.collection("sends").insertMany([
    ...["rcp_waits", "rcp_branch"].map((recipientId) => ({ recipientId, stepId: "one", state: "SENT", sentAt: at })),
    { recipientId: "rcp_waits", stepId: "three", state: "RESERVED", sentAt: null, updatedAt: at },
    {
      recipientId: "rcp_done",
      stepId: "two",
      state: "FAILED",
      failure: { reason: "MISSING_VARIABLE" },
      sentAt: null,
      updatedAt: at,
    },
  ]);
  await db
    .collection("acts")
    .insertOne({ recipientId: "rcp_done", stepId: "three", state: "DONE", doneAt: new Date(9) });
  await migrate(db, { migrations: MIGRATIONS, collections: [] });
  const had = new Map(
    (await recipients.find().toArray()).map((row) => [row._id, row.had?.map(({ stepId, at }) => `${stepId} ${at}`)]),
  );
  expect(Object.fromEntries(had)).toEqual({
    rcp_fresh: [],
    rcp_waits: ["two 0", "one 7"],
    rcp_done: ["one 0", "two 7", "three 9"],
    rcp_branch: ["one 7"],
    rcp_new: [],
  });
});

interface Searched {
  _id: string;
  searchWords: string[];
}

test("after the migration, leads and recipients are found without their accents, and an interrupted migration continues", async () => {
  const id = (kind: string, n: number) => `${kind}_${String(n).padStart(4, "0")}`;
  const before = (kind: string, count: number) =>
    Array.from({ length: count }, (_, n) => ({
      _id: id(kind, n),
      email: "ann@a.test",
      searchWords: n % 2 === 0 ? ["ann@a.test", "müller", "muller", "łódź"] : ["ann"],
    }));
  await db.collection<Searched>("leads").insertMany(before("led", 1_010));
  await db.collection<Searched>("recipients").insertMany(before("rcp", 10));
  await rows().insertOne({ _id: "fold-words", collection: "leads", after: id("led", 3) } as never); // the place of a process that died
  await migrate(db, { migrations: MIGRATIONS, collections: [] });
  const folded = ["ann@a.test", "muller", "lodz"];
  const wordsOf = async (collection: string, _id: string) =>
    (await db.collection<Searched>(collection).findOne({ _id }))?.searchWords;
  expect([await wordsOf("leads", id("led", 2)), await wordsOf("leads", id("led", 3))]).toEqual([
    expect.arrayContaining(["müller"]),
    ["ann"],
  ]);
  expect([await wordsOf("leads", id("led", 4)), await wordsOf("leads", id("led", 1_008))]).toEqual([folded, folded]);
  expect([await wordsOf("recipients", id("rcp", 0)), await wordsOf("recipients", id("rcp", 9))]).toEqual([
    folded,
    ["ann"],
  ]);
  expect(await rows().countDocuments({ _id: "fold-words" })).toBe(0);
});

test("search words that change during the migration keep the newer value", async () => {
  const leads = db.collection<Searched>("leads");
  await leads.insertOne({ _id: "led_1", searchWords: ["müller"] });
  const find: typeof db.collection = (name) => {
    const collection = db.collection(name);
    const bulkWrite = async (...asked: Parameters<typeof collection.bulkWrite>) => {
      await leads.updateOne({ _id: "led_1" }, { $set: { searchWords: ["maier"] } });
      return collection.bulkWrite(...asked);
    };
    return name === "leads" ? Object.create(collection, { bulkWrite: { value: bulkWrite } }) : collection;
  };
  await MIGRATIONS[5]?.run(Object.create(db, { collection: { value: find } }), during);
  expect((await leads.findOne({ _id: "led_1" }))?.searchWords).toEqual(["maier"]);
});

test("after the migration, warmups that waited because of a provider's API are due, and others are not", async () => {
  const enrolments = db.collection<{ _id: string; statusReason: string | null; wakeAt: Date | null }>(
    "warmup_enrolments",
  );
  await enrolments.insertMany(
    ["TRANSPORT", "AUTH_FAILED"].map((statusReason) => ({
      _id: statusReason,
      status: "RECONNECT_REQUIRED",
      statusReason,
      wakeAt: null,
    })),
  );
  await migrate(db, { migrations: MIGRATIONS, collections: [] });
  const wakeAt = Object.fromEntries((await enrolments.find().toArray()).map((row) => [row._id, row.wakeAt]));
  expect(wakeAt["AUTH_FAILED"]).toBeNull();
  expect(wakeAt["TRANSPORT"]?.getTime()).toBeLessThan(Date.now());
});
