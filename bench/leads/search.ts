import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import mongoose from "mongoose";
import type { ProspectFilters } from "../../domain/lead-search/filters.ts";
import { mix } from "../../domain/warmup/day-hash.ts";
import { Prospect } from "../../models/lead-search/prospect.ts";
import { importPeople } from "../../operations/lead-search/import-people.ts";
import { queryFor } from "../../store/lead-search/dataset.ts";
import { startRig } from "../rig.ts";
import { Part } from "../system/processes.ts";
import { median, ms, quantile, type Row, spread, timed } from "../table.ts";

/** The number of people. `SEARCH_PEOPLE=500000 npm run bench search` is a short run. */
const PEOPLE = Number(process.env["SEARCH_PEOPLE"] ?? 5_000_000);
/** Rows of the measured import, and how many times it is measured. */
const ROWS = 60_000;
const ROUNDS = 2;
const BATCH = 1_000;
const IN_COMPANY = 10;
const TURNS = 20;
const WARM = 100;
const PAGE_SIZE = 50;

/** Searches with three filters each, by frequent and by rare values, with one or several values per filter. */
const SEARCHES: ProspectFilters[] = [
  { titles: ["Title 7 of Sales"], industries: ["Industry 3", "Industry 4"], locations: ["Country 1"] },
  { seniorities: ["Seniority 2"], departments: ["Department 3"], companySizes: ["Size 4"] },
  { technologies: ["Technology 11"], seniorities: ["Seniority 1"], locations: ["Country 2"] },
  { locations: ["City 40"], departments: ["Department 1"], companySizes: ["Size 2"] },
  { titles: ["Title 90 of Sales", "Title 91 of Sales"], technologies: ["Technology 5"], companySizes: ["Size 1"] },
  { keywords: ["title sales"], industries: ["Industry 9"], seniorities: ["Seniority 5"] },
  { industries: ["Industry 20"], locations: ["Country 7"], seniorities: ["Seniority 0", "Seniority 3"] },
  { technologies: ["Technology 3"], locations: ["City 12", "City 13"], departments: ["Department 2"] },
];

/**
 * Measures a data set of millions of people: searches with three filters compared with plain finds, and its import
 * compared with a plain insertMany.
 */
export async function run(): Promise<Row> {
  const rig = await startRig({ API_METRICS_PORT: "0" });
  const empty = await Part.start(new URL("../system/empty.ts", import.meta.url), {});
  try {
    const route = `http://127.0.0.1:${await empty.ask<number>("port")}/`;
    const imported = await measureImport();
    await fill(imported.stored);
    const { another } = await rig.workspace();
    const lines: (string | number)[][] = [];
    const [ours, finds, nothing]: [number[], number[], number[]] = [[], [], []];
    for (const filters of SEARCHES) {
      const rest = await another();
      const body = { filters, pageSize: PAGE_SIZE };
      const { filter, hint } = await queryFor(filters);
      const find = () => Prospect.collection.find(filter, { hint, limit: PAGE_SIZE }).toArray();
      for (let turn = 0; turn < (finds.length === 0 ? WARM : 2); turn++)
        await Promise.all([rest.post("/lead-search/browse", body), find()]);
      const [own, bare]: [number[], number[]] = [[], []];
      let total = 0;
      for (let turn = 0; turn < TURNS; turn++) {
        const started = performance.now();
        ({ total } = (await rest.post("/lead-search/browse", body)).body);
        own.push(performance.now() - started);
        bare.push(await timed(find));
        nothing.push(await timed(async () => (await fetch(route)).arrayBuffer()));
      }
      ours.push(...own);
      finds.push(...bare);
      lines.push([
        Object.keys(filters).join(", "),
        total,
        ...[median(own), quantile(own, 0.95), median(bare)].map((one) => one.toFixed(1)),
      ]);
    }
    const [own, least] = [median(ours), median(finds) + median(nothing)];
    const shares = imported.rounds.map(({ rate, bareRate }) => rate / bareRate);
    return {
      title: "Lead search",
      how: `${PEOPLE.toLocaleString("en")} people; ${SEARCHES.length} searches of three filters, ${TURNS} calls each over HTTP with their total, in turns with the driver's own find of the same page by the same index and a GET of an empty Express route. Import: ${ROWS.toLocaleString("en")} people of a tenth as many companies as NDJSON, ${ROUNDS} times, beside the same documents by the driver's insertMany, ${BATCH} at a time, into a collection with the same indexes.`,
      measured: [
        {
          what: "browse with three filters, p50",
          goal: "under 60 ms",
          measured: `${ms(own)} (p95 ${ms(quantile(ours, 0.95))})`,
          met: own < 60,
        },
        {
          what: "beside the raw indexed find and an empty route, p50",
          goal: "under 2 times",
          measured: `${(own / least).toFixed(2)} times (${median(finds).toFixed(1)} and ${median(nothing).toFixed(1)} ms)`,
          met: own < 2 * least,
        },
        {
          what: "people imported per second, as a share of a plain insertMany",
          goal: "at least 0.5",
          measured: `${median(shares).toFixed(2)} (${spread(shares, 2)}; ${median(imported.rounds.map(({ rate }) => rate)).toFixed(0)} a second)`,
          met: median(shares) >= 0.5,
        },
      ],
      runs: { head: ["filters", "total", "p50 ms", "p95 ms", "bare p50 ms"], lines },
    };
  } finally {
    await empty.stop();
    await rig.close();
  }
}

async function measureImport() {
  const rounds: { rate: number; bareRate: number }[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const text = Array.from(
      { length: ROWS },
      (_, index) => `${JSON.stringify(rowOf(round * ROWS + index, Math.floor((round * ROWS + index) / IN_COMPANY)))}\n`,
    );
    const pages = Array.from({ length: ROWS / BATCH }, (_, page) =>
      Buffer.from(text.slice(page * BATCH, (page + 1) * BATCH).join("")),
    );
    const before = await Prospect.estimatedDocumentCount();
    const seconds = (await timed(async () => void (await importPeople(Readable.from(pages), "bench.ndjson")))) / 1000;
    const stored = await Prospect.collection.find({}).skip(before).toArray();
    rounds.push({ rate: ROWS / seconds, bareRate: ROWS / (await bareSeconds(stored)) });
  }
  return { rounds, stored: await Prospect.collection.find({}).limit(ROWS).toArray() };
}

async function bareSeconds(people: object[]): Promise<number> {
  const bare = mongoose.connection.collection(`prospects_${randomUUID()}`);
  await bare.createIndexes(indexesOf());
  const started = performance.now();
  for (let start = 0; start < people.length; start += BATCH)
    await bare.insertMany(people.slice(start, start + BATCH), { ordered: false });
  const seconds = (performance.now() - started) / 1000;
  await bare.drop();
  return seconds;
}

/**
 * Inserts the rest of the people directly, because the import of millions is not measured. Their indexes are built at
 * the end.
 */
async function fill(some: object[]): Promise<void> {
  const { collection } = Prospect;
  for (const { name } of indexesOf()) await collection.dropIndex(name);
  const { documentsOf } = await import("./search-people.ts");
  const first = some.length * ROUNDS;
  const counts = new Map<string, { kind: string; value: string; count: number }>();
  for (let start = first; start < PEOPLE; start += BATCH * 5) {
    const people = documentsOf(start, Math.min(BATCH * 5, PEOPLE - start), (index) => rowOf(index), counts);
    await collection.insertMany(people as never, { ordered: false });
  }
  await collection.createIndexes(indexesOf());
  const values = mongoose.connection.collection("prospect_values");
  const writes = [...counts].map(([_id, { kind, value, count }]) => ({
    updateOne: {
      filter: { _id },
      update: { $inc: { count }, $setOnInsert: { kind, value, label: value, words: [] } },
      upsert: true,
    },
  }));
  for (let start = 0; start < writes.length; start += BATCH)
    await values.bulkWrite(writes.slice(start, start + BATCH) as never, { ordered: false });
}

function indexesOf(): { key: Record<string, 1>; name: string }[] {
  return Prospect.schema
    .indexes()
    .map(([key, options]) => ({ key: key as Record<string, 1>, name: String(options?.name) })); // all ascend
}

/** The person with this index, always with equal values. Some values are frequent, others rare. */
function rowOf(index: number, ofCompanyNumber?: number): Record<string, unknown> {
  const draw = (salt: number, most: number) => mix(index, salt) % most;
  /** A number below `most`; low numbers are frequent. */
  const skewed = (salt: number, most: number) => Math.floor((draw(salt, 1_000) / 1_000) ** 2 * most);
  const company = ofCompanyNumber ?? skewed(1, 500_000) + draw(2, 37);
  const ofCompany = (salt: number, most: number) => Math.floor(((mix(company, salt) % 1_000) / 1_000) ** 2 * most);
  const city = skewed(3, 500);
  const technologies = [ofCompany(4, 200), ofCompany(5, 200), ofCompany(6, 200)].map((one) => `Technology ${one}`);
  return {
    id: `bench ${index}`,
    firstName: `First ${draw(7, 500)}`,
    lastName: `Last ${draw(8, 5_000)}`,
    title: `Title ${skewed(9, 3_000)} of Sales`,
    seniority: `Seniority ${skewed(10, 8)}`,
    department: `Department ${skewed(11, 14)}`,
    city: `City ${city}`,
    state: `State ${city % 80}`,
    country: `Country ${Math.floor(city / 10)}`,
    companyName: `Company ${company}`,
    companyDomain: `company-${company}.example`,
    industry: `Industry ${ofCompany(12, 60)}`,
    companySize: `Size ${ofCompany(13, 8)}`,
    technologies,
    email: `person.${index}@company-${company}.example`,
    phone: `+1 555 ${index}`,
  };
}
