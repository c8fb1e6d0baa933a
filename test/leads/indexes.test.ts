import { afterAll, beforeAll, expect, test } from "@jest/globals";
import mongoose from "mongoose";
import { applyLeadChange, blankLead, initialLeadStateOf } from "../../domain/leads/lead.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { commandsOf as commandsOn } from "../support/profiled.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const MANY = 5_200;

let world: World;
let rest: Rest;
let workspaceId: string;
let listId: string;

beforeAll(async () => {
  world = await startWorld();
  const workspace = await world.workspace();
  ({ rest, workspaceId } = workspace);
  listId = (await rest.post("/lead-lists", { name: "Some" })).body.id;
  const now = new Date();
  const leads = Array.from({ length: MANY }, (_, n) => ({
    insert: {
      _id: newId("led"),
      ...applyLeadChange(blankLead(`n${n}@d${n % 50}.example`, `d${n % 50}.example`), {
        firstName: "Ada",
        lastName: `Lovelace${n % 40}`,
        tags: [`t${n % 30}`, ...(n % 2 ? ["odd"] : [])],
      }),
      ...initialLeadStateOf(n % 10 === 0 ? ["MANUAL"] : [], now),
      secondaryEmails: [],
      listIds: n % 3 === 0 ? [listId] : [],
      imports: [],
      verifiedAt: null,
      verification: null,
      emailStatus: "revealed" as const,
      emailProvider: "UNKNOWN" as const,
      source: null,
      createdFrom: null,
      lastContactedAt: null,
      lastRepliedAt: null,
    },
  }));
  for (let start = 0; start < MANY; start += 1_300)
    await scoped(workspaceId).Lead.bulk(leads.slice(start, start + 1_300));
}, 60_000);
afterAll(() => world.close());

const commandsOf = (path: string) => commandsOn(rest, path, "leads");

const NEWEST = "IXSCAN { workspaceId: 1, _id: -1 }";

test.each([
  ["/leads", NEWEST],
  ["/leads?status=ACTIVE", "IXSCAN { workspaceId: 1, status: 1, _id: -1 }"],
  ["/leads?status=ACTIVE,REPLIED,WON", "IXSCAN { workspaceId: 1, status: 1, _id: -1 }"],
  ["/leads?verificationStatus=UNVERIFIED", "IXSCAN { workspaceId: 1, verificationStatus: 1, _id: -1 }"],
  ["/leads?domain=d3.example", "IXSCAN { workspaceId: 1, emailDomain: 1, _id: -1 }"],
  ["/leads?tags=t3", "IXSCAN { workspaceId: 1, tags: 1, _id: -1 }"],
  ["/leads?tags=t3,odd,t7", "IXSCAN { workspaceId: 1, tags: 1, _id: -1 }"],
  ["/leads?suppressed=true", "IXSCAN { workspaceId: 1, suppressed: 1, _id: -1 }"],
  ["/leads?suppressed=false", "IXSCAN { workspaceId: 1, suppressed: 1, _id: -1 }"],
  ["/leads?listId=", "IXSCAN { workspaceId: 1, listIds: 1, _id: -1 }"],
  ["/leads?search=lovelace7", "IXSCAN { workspaceId: 1, searchWords: 1 }"],
  ["/leads?search=LÓVELACE7", "IXSCAN { workspaceId: 1, searchWords: 1 }"],
  ["/leads?search=@d3.example", "IXSCAN { workspaceId: 1, searchWords: 1 }"],
  ["/leads?search=ada", NEWEST],
  ["/leads?tags=odd&status=ACTIVE&domain=d3.example&search=ada", "IXSCAN"],
  ["/leads?page=100&pageSize=50", NEWEST],
  ["/leads?status=ACTIVE&page=90&pageSize=50", "IXSCAN { workspaceId: 1, status: 1, _id: -1 }"],
])("%s is answered from %s, without reading every lead and without sorting in memory", async (path, index) => {
  const ran = await commandsOf(path === "/leads?listId=" ? path + listId : path);
  expect(ran.length).toBeGreaterThan(0);
  const plans = ran.map(({ planSummary = "" }) => planSummary);
  for (const plan of plans) expect(plan).toMatch(/^(IXSCAN|COUNT_SCAN|DISTINCT_SCAN|IDHACK|EOF)/);
  expect(plans.some((plan) => plan.startsWith(index))).toBe(true);
  expect(ran.filter(({ hasSortStage }) => hasSortStage)).toEqual([]);
});

test.each([
  "/leads",
  "/leads?status=ACTIVE",
  "/leads?verificationStatus=UNVERIFIED",
  "/leads?tags=odd",
  "/leads?suppressed=false",
  "/leads?listId=",
])("%s reads only the documents of the requested page, whatever the number of leads and pages", async (path) => {
  const full = path === "/leads?listId=" ? path + listId : path;
  for (const page of ["pageSize=20", "pageSize=20&page=50"]) {
    const ran = await commandsOf(`${full}${full.includes("?") ? "&" : "?"}${page}`);
    const looked = ran.map(({ docsExamined = 0 }) => docsExamined);
    expect(Math.max(...looked)).toBeLessThanOrEqual(22);
  }
});

test("a lead that writes from a second address is found by an index on second addresses", async () => {
  const lead = await scoped(workspaceId).Lead.findOne({});
  await scoped(workspaceId).Lead.updateOne({ _id: lead?._id }, { $set: { secondaryEmails: ["ada@home.example"] } });
  const asked = { workspaceId, secondaryEmails: { $in: ["ada@home.example", "nobody@home.example"] } };
  const plan = await mongoose.connection.collection("leads").find(asked).explain("executionStats");
  expect(plan["executionStats"]).toMatchObject({ nReturned: 1, totalKeysExamined: 1, totalDocsExamined: 1 });
});

test("tags are read from their index without reading leads", async () => {
  const ran = await commandsOf("/leads/tags");
  expect(ran).toHaveLength(32); // 31 tags, and the look that finds no more
  for (const { planSummary, keysExamined = 0 } of ran) {
    expect([planSummary, keysExamined <= 1]).toEqual(["IXSCAN { workspaceId: 1, tags: 1, _id: -1 }", true]);
  }
});

test("a search with many matches and one with few return the same order and total as a check of every lead", async () => {
  const all: { email: string }[] = [];
  for (let page = 1; page <= MANY / 200; page++)
    all.push(...(await rest.get(`/leads?pageSize=200&page=${page}`)).body.items);
  expect(all).toHaveLength(MANY);
  for (const word of ["ada", "n5", "d7.example", "lovelace3"]) {
    const expected = all.filter(({ email, ...lead }) =>
      [...email.split("@"), "ada", Reflect.get(lead, "lastName").toLowerCase()].some((one) => one.startsWith(word)),
    );
    const { body } = await rest.get(`/leads?search=${word}&pageSize=7&page=3`);
    expect(body.total).toBe(expected.length);
    expect(body.items.map(({ email }: { email: string }) => email)).toEqual(
      expected.slice(14, 21).map(({ email }) => email),
    );
  }
}, 60_000);
