import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { sentimentOf } from "../../domain/inbox/category.ts";
import { emptyThread, withMail } from "../../domain/inbox/thread.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { commandsOf } from "../support/profiled.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const MANY = 5_200;
const CATEGORIES = ["INTERESTED", "NOT_NOW", "later", null];

let world: World;
let rest: Rest;
let campaignId: string;

beforeAll(async () => {
  world = await startWorld();
  const workspace = await world.workspace();
  rest = workspace.rest;
  campaignId = (await rest.post("/campaigns", { name: "Here" })).body.id;
  const threads = Array.from({ length: MANY }, (_, n) => {
    const at = new Date(Date.UTC(2026, 0, 1) + n * MINUTE_MS);
    const category = CATEGORIES[n % 4] ?? null;
    const people = [{ name: `Ada Lovelace${n % 40}`, address: `n${n}@d${n % 50}.example` }];
    const mail = {
      direction: "INBOUND" as const,
      at,
      subject: "",
      text: `Hello, offer${n % 60}`,
      people,
      hasAttachments: n % 9 === 0,
    };
    const state = withMail(
      emptyThread(`Question ${n}`, at),
      { ...mail, news: n % 5 === 0 ? "NEW" : null },
      "ann@a.test",
    );
    const owner = {
      mailboxId: `mbx_${n % 20}`,
      campaignId: n % 3 === 0 ? campaignId : null,
      recipientId: null,
      leadId: null,
    };
    const flags = { isStarred: n % 7 === 0, isArchived: n % 2 === 1, category, sentiment: sentimentOf(category) };
    return { insert: { _id: newId("thr"), ...state, ...owner, ...flags } };
  });
  for (let start = 0; start < MANY; start += 1_300)
    await scoped(workspace.workspaceId).Thread.bulk(threads.slice(start, start + 1_300));
}, 60_000);
afterAll(() => world.close());

/** An index scan as a plan names it, with these keys before those of the list's order. */
const by = (...fields: string[]) =>
  `IXSCAN { ${["workspaceId: 1", "isArchived: 1", ...fields.map((field) => `${field}: 1`), "lastMessageAt: -1", "_id: -1"].join(", ")}`;
const full = (query: string) => `/inbox/threads?${query.replace("CAMPAIGN", campaignId)}`;

test.each([
  ["", by()],
  ["archived=true", by()],
  ["unreadOnly=true", by("isRead")],
  ["starredOnly=true", by("isStarred")],
  ["hasAttachments=true", by("hasAttachments")],
  ["hasAttachments=false", by()],
  ["campaignId=CAMPAIGN", by("campaignId")],
  ["mailboxIds=mbx_3", by("mailboxId")],
  ["mailboxIds=mbx_3,mbx_4,mbx_9", by("mailboxId")],
  ["category=INTERESTED", by("category")],
  ["categories=INTERESTED,later", by("category")],
  ["search=lovelace7", "IXSCAN { workspaceId: 1, searchWords: 1 }"],
  ["search=ada", by()],
  ["search=offer7", "IXSCAN { workspaceId: 1, searchWords: 1 }"],
  ["search=offer7%20question", "IXSCAN { workspaceId: 1, searchWords: 1 }"],
  ["lastMessageAfter=2026-01-02&lastMessageBefore=2026-01-03", by()],
  ["category=INTERESTED&unreadOnly=true&mailboxIds=mbx_4&search=ada", "IXSCAN"],
  ["page=40&pageSize=50", by()],
  ["category=INTERESTED&page=20&pageSize=50", by("category")],
])(
  "threads filtered by %j are answered from %s, without reading every thread and without sorting in memory",
  async (query, index) => {
    const ran = await commandsOf(rest, full(query), "threads");
    expect(ran.length).toBeGreaterThan(0);
    const plans = ran.map(({ planSummary = "" }) => planSummary);
    for (const plan of plans) expect(plan).toMatch(/^(IXSCAN|COUNT_SCAN|IDHACK|EOF)/);
    expect(plans.some((plan) => plan.startsWith(index))).toBe(true);
    expect(ran.filter(({ hasSortStage }) => hasSortStage)).toEqual([]);
  },
);

test.each([
  "",
  "unreadOnly=true",
  "starredOnly=true",
  "hasAttachments=true",
  "campaignId=CAMPAIGN",
  "mailboxIds=mbx_3,mbx_4",
  "category=INTERESTED",
])("threads filtered by %j read only the documents of the requested page, however late the page", async (query) => {
  for (const page of ["pageSize=20", "pageSize=20&page=5"]) {
    const ran = await commandsOf(rest, full(`${query}&${page}`), "threads");
    expect(Math.max(...ran.map(({ docsExamined = 0 }) => docsExamined))).toBeLessThanOrEqual(22);
  }
});

test("the summary of the inbox is counted from indexes alone", async () => {
  const ran = await commandsOf(rest, "/inbox/summary", "threads");
  expect(ran).toHaveLength(5);
  for (const { planSummary, docsExamined } of ran) {
    expect([planSummary?.replace(/ .*/, ""), docsExamined]).toEqual([
      expect.stringMatching(/^(IXSCAN|COUNT_SCAN)$/),
      0,
    ]);
  }
  const half = MANY / 2;
  expect((await rest.get("/inbox/summary")).body).toMatchObject({
    total: half,
    archived: half,
    unread: MANY / 10,
    unreadCount: MANY / 10,
    categories: [
      { category: "INTERESTED", count: MANY / 4 },
      { category: "later", count: MANY / 4 },
    ],
  });
});

test("a search with many matches and one with few return the same order and total as a check of every thread", async () => {
  const all: { subject: string; participants: { name: string; address: string }[] }[] = [];
  for (let page = 1; page <= MANY / 400; page++)
    all.push(...(await rest.get(`/inbox/threads?pageSize=200&page=${page}`)).body.items);
  expect(all).toHaveLength(MANY / 2);
  for (const word of ["ada", "n5", "d6.example", "lovelace3"]) {
    const expected = all.filter(({ participants }) =>
      participants.some(({ name, address }) =>
        [...name.toLowerCase().split(" "), address, address.split("@")[1]].some((one) => one?.startsWith(word)),
      ),
    );
    const { body } = await rest.get(`/inbox/threads?search=${word}&pageSize=7&page=3`);
    expect(body.total).toBe(expected.length);
    expect(body.items.map(({ subject }: { subject: string }) => subject)).toEqual(
      expected.slice(14, 21).map(({ subject }) => subject),
    );
  }
}, 60_000);
