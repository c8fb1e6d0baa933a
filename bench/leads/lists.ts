import mongoose from "mongoose";
import { afterPrefix } from "../../domain/leads/search-words.ts";
import { readFilterRules } from "../../domain/leads/segment.ts";
import { queryOf } from "../../domain/leads/segment-query.ts";
import type { Rest } from "../../test/support/rest.ts";
import { startRig } from "../rig.ts";
import { storeCampaign } from "../sending/campaigns.ts";
import { Part } from "../system/processes.ts";
import { type Measured, median, ms, quantile, type Row, timed } from "../table.ts";
import { LEADS, storeMillion } from "./million.ts";

const RECIPIENTS = 100_000;
const TURNS = 40;
/** Calls before the measured ones, so that both sides run compiled code. */
const WARM = 400;
const PAGE_SIZE = 50;

interface Question {
  what: string;
  path: string;
  /** The query for this page by the plain driver. */
  bare: { collection: string; filter: Record<string, unknown>; skip?: number };
}

/**
 * Measures the lists of a workspace with a million leads, compared with a plain find of each page and with an Express
 * route that does nothing.
 */
export async function run(): Promise<Row> {
  const rig = await startRig();
  const empty = await Part.start(new URL("../system/empty.ts", import.meta.url), {});
  try {
    const { workspaceId, another } = await rig.workspace();
    const [listId = ""] = await storeMillion(workspaceId);
    const campaignId = await storeCampaign(workspaceId, { recipients: RECIPIENTS, mailboxIds: [] });
    const route = `http://127.0.0.1:${await empty.ask<number>("port")}/`;
    await warm(await another(), route);
    const measured: Measured[] = [];
    for (const question of questionsOf(workspaceId, listId, campaignId))
      measured.push(await compared(await another(), route, question));
    measured.push(
      await depth(await another()),
      await segment(await another(), workspaceId),
      await identity(await another(), route),
    );
    return {
      title: "Lists at a million leads",
      how: `${LEADS.toLocaleString("en")} leads in 200 lists, ${RECIPIENTS.toLocaleString("en")} recipients; p50 of ${TURNS} calls over HTTP, in turns with the driver's own find (same filter, order and page) and a GET of an empty Express route in a process of its own; ${WARM} calls of each before the first.`,
      measured,
    };
  } finally {
    await empty.stop();
    await rig.close();
  }
}

function questionsOf(workspaceId: string, listId: string, campaignId: string): Question[] {
  const leads = (what: string, query: string, filter: Record<string, unknown>): Question => ({
    what: `GET /leads ${what}`,
    path: `/leads?${query}`,
    bare: { collection: "leads", filter: { workspaceId, ...filter } },
  });
  const recipients = (what: string, query: string, filter: Record<string, unknown>): Question => ({
    what: `GET recipients ${what}`,
    path: `/campaigns/${campaignId}/recipients?${query}`,
    bare: { collection: "recipients", filter: { workspaceId, campaignId, ...filter } },
  });
  const word = (text: string) => ({ searchWords: { $elemMatch: { $gte: text, $lt: afterPrefix(text) } } });
  return [
    leads("without filter", "", {}),
    leads("by status", "status=CONTACTED", { status: { $in: ["CONTACTED"] } }),
    leads("by verification", "verificationStatus=VALID", { verificationStatus: { $in: ["VALID"] } }),
    leads("by domain", "domain=company-77.test", { emailDomain: "company-77.test" }),
    leads("by tag", "tags=tag-7", { tags: { $in: ["tag-7"] } }),
    leads("by list", `listId=${listId}`, { listIds: listId }),
    leads("suppressed", "suppressed=true", { suppressed: true }),
    leads("not suppressed", "suppressed=false", { suppressed: false }),
    leads("search, few", "search=person.4711", word("person.4711")),
    leads("search, many", "search=grace", word("grace")),
    recipients("without filter", "", {}),
    recipients("by status", "status=PENDING", { status: { $in: ["PENDING"] } }),
  ];
}

async function warm(rest: Rest, route: string): Promise<void> {
  for (let turn = 0; turn < WARM; turn++) {
    await answered(rest, "/leads");
    await find({ collection: "leads", filter: {} });
    await (await fetch(route)).arrayBuffer();
  }
}

async function compared(rest: Rest, route: string, { what, path, bare }: Question): Promise<Measured> {
  const [ours, finds, nothing]: [number[], number[], number[]] = [[], [], []];
  await answered(rest, path);
  await find(bare);
  for (let turn = 0; turn < TURNS; turn++) {
    ours.push(await timed(() => answered(rest, path)));
    finds.push(await timed(() => find(bare)));
    nothing.push(await timed(async () => (await fetch(route)).arrayBuffer()));
  }
  const [own, least] = [median(ours), median(finds) + median(nothing)];
  return {
    what: `${what}, p50`,
    goal: "under 2 times",
    measured: `${(own / least).toFixed(2)} times (${own.toFixed(1)} beside ${least.toFixed(1)} ms; p95 ${quantile(ours, 0.95).toFixed(1)} ms)`,
    met: own < 2 * least,
  };
}

function find({ collection, filter, skip = 0 }: Question["bare"]): Promise<unknown> {
  return mongoose.connection
    .collection(collection)
    .find(filter, { sort: { _id: -1 }, skip, limit: PAGE_SIZE })
    .toArray();
}

/**
 * Measures the last page that may be requested, compared with the first. The first call of the last page is reported
 * separately, because the service then remembers where the page begins.
 */
async function depth(rest: Rest): Promise<Measured> {
  const [first, last]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < TURNS; turn++) {
    first.push(await timed(() => answered(rest, "/leads?page=1")));
    last.push(await timed(() => answered(rest, "/leads?page=2000")));
  }
  const times = median(last) / median(first);
  return {
    what: "GET /leads, page 2,000 compared with page 1, p50",
    goal: "under 10 times",
    measured: `${times.toFixed(1)} times (${median(last).toFixed(1)} ms; the first call ${ms(last[0] ?? 0)})`,
    met: times < 10,
  };
}

async function segment(rest: Rest, workspaceId: string): Promise<Measured> {
  const filterRules = {
    version: 1,
    combinator: "AND",
    rules: [
      { field: "tags", operator: "CONTAINS_ANY", value: ["tag-3"] },
      { field: "city", operator: "IN", value: ["Berlin", "Madrid", "London", "Paris", "Oslo"] },
      { field: "customFields.headcount", operator: "GTE", value: 50 },
      { field: "verificationStatus", operator: "NEQ", value: "INVALID" },
    ],
  };
  const bare = mongoose.connection.collection("leads");
  const filter = { workspaceId, ...queryOf(readFilterRules(filterRules), new Date(), () => ({})) };
  const [ours, counts]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 10; turn++) {
    ours.push(await timed(async () => expected(await rest.post("/lead-lists/preview", { filterRules }), 200)));
    counts.push(await timed(() => bare.countDocuments(filter)));
  }
  const share = median(counts) / median(ours);
  return {
    what: "preview of four rules compared with a plain count",
    goal: "at least 0.8 of its rate",
    measured: `${share.toFixed(2)} (${ms(median(ours))} beside ${ms(median(counts))})`,
    met: share >= 0.8,
  };
}

async function identity(rest: Rest, route: string): Promise<Measured> {
  const [ours, nothing]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < 10 * TURNS; turn++) {
    ours.push(await timed(() => answered(rest, "/whoami")));
    nothing.push(await timed(async () => (await fetch(route)).arrayBuffer()));
  }
  const share = median(nothing) / median(ours);
  return {
    what: "GET /whoami compared with an empty Express route",
    goal: "at least 0.5 of its rate",
    measured: `${share.toFixed(2)} (${median(ours).toFixed(2)} beside ${median(nothing).toFixed(2)} ms)`,
    met: share >= 0.5,
  };
}

async function answered(rest: Rest, path: string): Promise<void> {
  expected(await rest.get(path), 200);
}

function expected({ status, body }: { status: number; body: unknown }, wanted: number): void {
  if (status !== wanted) throw new Error(`The API answered ${status}: ${JSON.stringify(body).slice(0, 300)}`);
}
