import { createHash, randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import mongoose from "mongoose";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { keyAddresses } from "../../mongo/keyed-addresses.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadAddressHash } from "../../operations/access/signing-keys.ts";
import { claim } from "../../store/sending/claim.ts";
import { guardId } from "../../store/suppression/guard-id.ts";
import {
  blockAddress,
  loadGuardReasons,
  suppressAddress,
  unblockAddress,
  unsuppressAddress,
} from "../../store/suppression/suppress.ts";
import { at, type Claiming, claimingIn } from "../sending/claiming.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let workspaceId: string;
let claiming: Claiming;
let db: mongoose.mongo.Db;
/** The connection of the processes of the version before. */
let before: mongoose.mongo.MongoClient;

beforeAll(async () => {
  world = await startWorld({ apart: true });
  ({ workspaceId } = await world.workspace());
  claiming = await claimingIn(workspaceId);
  if (mongoose.connection.db === undefined) throw new Error("not connected");
  ({ db } = mongoose.connection);
  before = await mongoose.mongo.MongoClient.connect(world.mongodbUri);
});
afterAll(async () => {
  await before.close();
  await world.close();
});

const KINDS = ["claim", "suppress", "unsuppress", "block", "unblock"] as const;
type Kind = (typeof KINDS)[number];
/** What a process does. It returns whether it has been acknowledged, and committed a claim if it was one. */
type Process = Record<Kind, (email: string) => Promise<boolean>>;

interface GuardRow {
  _id: string;
  workspaceId: string;
  reasons: string[];
  claims: number;
}

/** The statements that version 1.1.0 makes. The database's refusal is what its caller gets. */
const OLD: Process = {
  claim: (email) =>
    transact(async (guards, session) => {
      const _id = unkeyedGuard(email);
      const change = { $inc: { claims: 1 }, $setOnInsert: { reasons: [] } };
      await guards.bulkWrite([{ updateOne: { filter: { _id, workspaceId }, update: change, upsert: true } }], {
        session,
      });
      const suppressed = await guards.findOne({ _id, workspaceId, "reasons.0": { $exists: true } }, { session });
      return suppressed === null;
    }),
  suppress: (email) => writeReason(email, { $addToSet: { reasons: "MANUAL" }, $inc: { claims: 1 } }, true),
  unsuppress: (email) => writeReason(email, { $pull: { reasons: "MANUAL" }, $inc: { claims: 1 } }, false),
  block: (email) => writeReason(email, { $addToSet: { reasons: "BLOCK_LISTED" }, $inc: { claims: 1 } }, true),
  unblock: (email) => writeReason(email, { $pull: { reasons: "BLOCK_LISTED" }, $inc: { claims: 1 } }, false),
};

/** This version. */
const NEW: Process = {
  async claim(email) {
    const _id = newId("snd");
    const from = at(claiming.mailboxes, Math.floor(Math.random() * claiming.mailboxes.length));
    const send = await scoped(workspaceId).Send.insert({
      _id,
      kind: "REPLY",
      sendKey: _id,
      to: email,
      mailboxId: from._id,
      state: "RESERVED",
    });
    for (let tries = 0; tries < 20; tries++) {
      const result = await claim({ ...claiming.claimFor(send, "", randomUUID()), campaign: null });
      if (result.kind === "claimed" || result.kind === "stopped") return result.kind === "claimed";
    }
    throw new Error("The mailbox had no room for a claim");
  },
  suppress: (email) => suppressAddress(workspaceId, email, "MANUAL").then(() => true),
  unsuppress: (email) => unsuppressAddress(workspaceId, email, null).then(() => true),
  block: (email) => inTransaction(() => blockAddress(workspaceId, email)).then(() => true),
  unblock: (email) => inTransaction(() => unblockAddress(workspaceId, email)).then(() => true),
};

function unkeyedGuard(email: string): string {
  return `${workspaceId}:${createHash("sha256").update(email).digest("hex")}`;
}

async function transact(
  work: (guards: mongoose.mongo.Collection<GuardRow>, session: mongoose.mongo.ClientSession) => Promise<boolean>,
): Promise<boolean> {
  const guards = before.db(db.databaseName).collection<GuardRow>("guards");
  const options = { readConcern: { level: "snapshot" }, writeConcern: { w: "majority", j: true } } as const;
  return before.withSession((session) => session.withTransaction(() => work(guards, session), options));
}

function writeReason(email: string, change: mongoose.mongo.UpdateFilter<GuardRow>, upsert: boolean): Promise<boolean> {
  return transact(async (guards, session) => {
    const filter = { _id: unkeyedGuard(email), workspaceId };
    // An unsuppression of the version before reads the guard, and writes nothing where there is none
    await guards.updateOne(filter, change, { upsert, session });
    return true;
  });
}

/** Makes the database one of the version before, without guards. */
async function reset(): Promise<void> {
  await db.command({ collMod: "guards", validator: {} });
  await db.collection("guards").deleteMany({});
}

function migrate(): Promise<void> {
  const during = { say: () => {}, ending: new AbortController().signal };
  return keyAddresses(db, () => loadAddressHash(world.services.keyRing), during);
}

function peopleOf(count: number): string[] {
  return Array.from({ length: count }, () => `${randomUUID()}@people.test`);
}

const step = fc.record({ kind: fc.constantFrom(...KINDS), person: fc.nat(2) });

test("whatever a version has suppressed before the migration, and in whichever order, the next one knows it and no more", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.array(step, { minLength: 1, maxLength: 12 }),
      async (older, newer) => {
        await reset();
        const people = peopleOf(3);
        const reasons = people.map(() => new Set<string>());
        const run = async (process: Process, { kind, person }: (typeof older)[number]) => {
          const mayClaim = reasons[person]?.size === 0;
          expect(await process[kind](at(people, person))).toBe(kind !== "claim" || mayClaim);
          if (kind === "suppress") reasons[person]?.add("MANUAL");
          if (kind === "unsuppress") reasons[person]?.delete("MANUAL");
          if (kind === "block") reasons[person]?.add("BLOCK_LISTED");
          if (kind === "unblock") reasons[person]?.delete("BLOCK_LISTED");
        };
        for (const one of older) await run(OLD, one);
        await migrate();
        for (const one of newer) {
          const known = await loadGuardReasons(workspaceId, people);
          expect(people.map((email) => new Set(known.get(email)))).toEqual(reasons);
          await run(NEW, one);
        }
      },
    ),
    { numRuns: 40, includeErrorInReport: true },
  );
}, 240_000);

interface Done {
  kind: Kind;
  person: number;
  /** Places in one order of all beginnings and ends. */
  from: number;
  to: number;
}

/** A claim that began after a stop was acknowledged, with nothing between that lifted the stop. */
function claimsAfterStops(all: readonly Done[]): Done[] {
  return all.filter(
    ({ kind, person, from, to }) =>
      kind === "claim" &&
      [
        ["suppress", "unsuppress"],
        ["block", "unblock"],
      ].some(([stop, lift]) =>
        all.some(
          (one) =>
            one.person === person &&
            one.kind === stop &&
            one.to < from &&
            !all.some((two) => two.person === person && two.kind === lift && two.to > one.from && two.from < to),
        ),
      ),
  );
}

const lane = fc.array(step, { minLength: 1, maxLength: 10 });

test("while processes of the version before continue during and after the migration, no claim of any process commits after an acknowledged stop", async () => {
  let [refused, acknowledged] = [0, 0];
  await fc.assert(
    fc.asyncProperty(
      fc.array(lane, { minLength: 2, maxLength: 4 }),
      fc.array(lane, { minLength: 1, maxLength: 3 }),
      fc.nat(12),
      async (older, newer, beginsAfter) => {
        await reset();
        const people = peopleOf(3);
        const done: Done[] = [];
        let [clock, begun, migratedAt] = [0, 0, Number.POSITIVE_INFINITY];
        const due = Promise.withResolvers<void>();
        const migrated = due.promise.then(migrate).then(() => {
          migratedAt = clock++;
        });
        const run = async (process: Process, { kind, person }: Done | (typeof older)[number][number]) => {
          const from = clock++;
          if (++begun >= beginsAfter) due.resolve();
          const isDone = await process[kind](at(people, person)).catch((error: { code?: number }) => {
            if (process !== OLD || error.code !== 121) throw error;
            refused++;
            return false;
          });
          if (isDone && process === OLD && kind !== "unsuppress" && kind !== "unblock")
            expect(from).toBeLessThan(migratedAt);
          if (isDone) {
            done.push({ kind, person, from, to: clock++ });
            acknowledged++;
          }
        };
        const alone = async (process: Process, steps: (typeof older)[number]) => {
          for (const one of steps) await run(process, one);
        };
        const lanes = older.map((steps) => alone(OLD, [...steps, ...steps]));
        await Promise.all([
          ...lanes,
          ...newer.map((steps) => migrated.then(() => alone(NEW, steps))),
          lanes.length && Promise.all(lanes).then(() => due.resolve()),
        ]);
        expect(claimsAfterStops(done)).toEqual([]);
        const ids = (await db.collection<GuardRow>("guards").find().toArray()).map(({ _id }) => _id).sort();
        const keyed = people.map((email) => guardId(workspaceId, email));
        expect(ids.filter((id) => !keyed.includes(id))).toEqual([]);
      },
    ),
    { numRuns: 40, includeErrorInReport: true },
  );
  // The runs must have met both
  expect([refused > 0, acknowledged > 0]).toEqual([true, true]);
}, 240_000);
