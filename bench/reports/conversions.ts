import mongoose from "mongoose";
import { VERDICT_MS } from "../../domain/hits.ts";
import { scoped } from "../../models/scoped.ts";
import { Conversion } from "../../models/tracking/conversion.ts";
import { Hit } from "../../models/tracking/hit.ts";
import { newId, randomBase62 } from "../../mongo/ids.ts";
import { receiveConversions } from "../../store/tracking/convert.ts";
import { hitOf, insertHits } from "../../store/tracking/hits.ts";
import { type Rig, startRig } from "../rig.ts";
import { type Measured, median, type Row, spread, timed } from "../table.ts";

const ROUNDS = 5;
const BATCH = 1_000;
const HITS = 100_000;
const HITS_A_MAIL = 3;
const AGENTS = [
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0.0.0 Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.4 Safari/605.1.15",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)",
  "Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)",
  "Mozilla/5.0",
];

/**
 * Measures batches of conversions with all their effects, compared with plain inserts of the rows, and the disk space
 * per hit.
 */
export async function run(): Promise<Row> {
  const rig = await startRig();
  try {
    return {
      title: "Conversions and hits",
      how: `Batches of ${BATCH} events of as many people, read, judged and recorded with history and revenue, beside an ordered insertMany of the same rows into a collection with the same indexes. Then ${HITS} settled hits, ${HITS_A_MAIL} a mail, after a checkpoint.`,
      measured: [...(await batches(rig)), await storage(rig)],
    };
  } finally {
    await rig.close();
  }
}

async function batches(rig: Rig): Promise<Measured[]> {
  const { workspaceId } = await rig.workspace();
  const campaignId = newId("cmp");
  const { Campaign, Recipient } = scoped(workspaceId);
  await Campaign.insert({
    _id: campaignId,
    name: "Spring",
    sequenceId: newId("seq"),
    settings: {},
    statusChangedAt: new Date(),
  });
  const people = Array.from({ length: BATCH }, (_, index) => ({
    _id: newId("rcp"),
    campaignId,
    leadId: newId("led"),
    email: `reader${index}@reader.test`,
    cid: randomBase62(14),
    shard: 0,
    status: "COMPLETED" as const,
    lastSentAt: new Date(),
    sentCount: 1,
  }));
  await Recipient.insertMany(people);
  const bare = await twin();
  const measured: Measured[] = [];
  for (const [what, name, more] of KINDS) {
    const rates = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round <= ROUNDS; round++) {
      const key = `${name}-${round}-`;
      const events = people.map(({ cid }, index) => ({
        event_name: name,
        event_id: `${key}${index}`,
        user_data: { cid },
        ...more,
      }));
      const ours = await timed(() => receiveConversions(events, "SERVER"));
      const rows = await Conversion.collection.find({ workspaceId, eventId: { $regex: `^${key}` } }).toArray();
      const plain = await timed(() =>
        bare.insertMany(rows, { ordered: true, writeConcern: { w: "majority", j: true } }),
      );
      if (round === 0) continue; // compilers and caches warm up
      rates.ours.push((BATCH / ours) * 1_000);
      rates.bare.push((BATCH / plain) * 1_000);
    }
    const share = median(rates.ours) / median(rates.bare);
    measured.push({
      what: `${what} recorded per second, compared with plain inserts`,
      goal: "at least 0.1",
      measured: `${share.toFixed(2)}: ${median(rates.ours).toFixed(0)} (${spread(rates.ours, 0)}) beside ${median(rates.bare).toFixed(0)}`,
      met: share >= 0.1,
    });
  }
  return measured;
}

/**
 * Two kinds of conversions. A purchase changes its recipient, whose document is in many indexes. A sign-up of someone
 * whose sequence is finished does not.
 */
const KINDS = [
  ["purchases", "Purchase", { custom_data: { value: 19.99, currency: "EUR" } }],
  ["sign-ups", "CompleteRegistration", {}],
] as const;

/** Creates an empty collection with the indexes of conversions. */
async function twin(): Promise<mongoose.mongo.Collection> {
  const twinned = mongoose.connection.collection("bare_conversions");
  for (const { key, name, v: _, ...options } of await Conversion.collection.indexes())
    if (name !== undefined && name !== "_id_") await twinned.createIndex(key, { name, ...options });
  return twinned as unknown as mongoose.mongo.Collection; // the driver's collection type instead of mongoose's
}

async function storage(rig: Rig): Promise<Measured> {
  const { workspaceId } = await rig.workspace();
  const from = Date.now() - VERDICT_MS;
  for (let done = 0; done < HITS; done += BATCH) {
    const rows: Hit[] = [];
    while (rows.length < BATCH) {
      const sendId = newId("snd");
      for (let index = 0; index < HITS_A_MAIL && rows.length < BATCH; index++) {
        const pick = Math.floor(Math.random() * AGENTS.length);
        const address = `198.51.${Math.floor(Math.random() * 256)}.${Math.floor(Math.random() * 256)}`;
        const visit = {
          sendId,
          kind: index === 0 ? ("OPEN" as const) : ("CLICK" as const),
          linkIndex: index === 0 ? null : index,
        };
        const hit = hitOf(
          { ...visit, method: "GET", agent: AGENTS[pick] ?? "", address, at: new Date(from + done) },
          workspaceId,
        );
        rows.push({ ...hit, dueAt: null, hitClass: "HUMAN" });
      }
    }
    await insertHits(rows);
  }
  await mongoose.connection.db?.admin().command({ fsync: 1 });
  const [sizes] = await Hit.collection
    .aggregate<{ storageStats: { size: number; storageSize: number; totalIndexSize: number } }>([
      { $collStats: { storageStats: {} } },
    ])
    .toArray();
  const { storageSize = 0, totalIndexSize = 0 } = sizes?.storageStats ?? {};
  const each = (storageSize + totalIndexSize) / HITS;
  return {
    what: "bytes of a hit on disk, including all indexes",
    goal: "at most 150",
    measured: `${each.toFixed(0)}: ${(storageSize / HITS).toFixed(0)} the rows, ${(totalIndexSize / HITS).toFixed(0)} the indexes`,
    met: each <= 150,
  };
}
