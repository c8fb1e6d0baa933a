import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";
import { namedRecords } from "./search-setup.ts";

let world: World;
let own: Awaited<ReturnType<World["workspace"]>>;
beforeAll(async () => {
  world = await startWorld();
  own = await world.workspace();
  await namedRecords(own.rest, own.workspaceId);
});
afterAll(() => world.close());

const ALL = ["CAMPAIGN", "LEAD", "LIST", "MAILBOX", "THREAD", "TEMPLATE"];
const searched = async (rest: Rest, q: string, more = "") => (await rest.get(`/search?q=${q}${more}`)).body;
const kindsIn = (results: { kind: string }[]) => results.map(({ kind }) => kind);

test("one search finds records of every kind by name, with what tells them apart, regardless of accents and case", async () => {
  const body = await searched(own.rest, "ZURICH");
  expect(body).toMatchObject({ searched: ALL, more: [], partial: [] });
  expect(body.results).toEqual([
    expect.objectContaining({ kind: "CAMPAIGN", title: "Zürich spring", detail: "Zürich spring goal", state: "DRAFT" }),
    expect.objectContaining({ kind: "LEAD", title: "Ada", detail: "zurich@example.test · Zürich spring" }),
    expect.objectContaining({ kind: "LIST", title: "Zürich spring", state: "STATIC" }),
    expect.objectContaining({ kind: "MAILBOX", title: "from-zurich@example.test", state: "CONNECTED" }),
    expect.objectContaining({ kind: "THREAD", title: "Grace", detail: "Zürich spring", state: "ARCHIVED" }),
    expect.objectContaining({ kind: "TEMPLATE", title: "Zürich spring opener", detail: "Hi", state: "STEP" }),
    expect.objectContaining({ kind: "TEMPLATE", title: "Zürich spring", state: "REPLY" }),
  ]);
  expect(await searched(own.rest, "nothing-has-this")).toMatchObject({ results: [], more: [] });
});

test("a search for invisible characters alone is refused, here and in lists", async () => {
  const refused = { status: 400, body: { code: "VALIDATION_FAILED", details: { issues: [{ code: "TOO_SMALL" }] } } };
  for (const text of ["%E2%80%8B", "%C2%AD%E2%80%8B", "%CC%81"]) {
    expect([text, await own.rest.get(`/search?q=${text}`)]).toMatchObject([text, refused]);
    expect([text, await own.rest.get(`/leads?search=${text}`)]).toMatchObject([text, refused]);
  }
});

test("every word must match, and a search is not read as a pattern", async () => {
  expect(kindsIn((await searched(own.rest, "zurich spring")).results)).toContain("CAMPAIGN");
  expect((await searched(own.rest, "zurich winter")).results).toEqual([]);
  expect((await searched(own.rest, ".*")).results).toEqual([]);
});

test("kinds with more matches than the limit are named, and show the newest", async () => {
  const { body } = await own.rest.get("/search?q=zurich&limit=1");
  expect(kindsIn(body.results)).toEqual(ALL);
  expect(body.more).toEqual(["TEMPLATE"]);
  expect(body.results.at(-1)).toMatchObject({ title: "Zürich spring opener" });
});

test.each([
  ["campaigns:read", ["CAMPAIGN", "TEMPLATE"]],
  ["leads:read", ["LEAD"]],
  ["lead_lists:read", ["LIST"]],
  ["mailboxes:read", ["MAILBOX"]],
  ["inbox:read", ["THREAD", "TEMPLATE"]],
  ["webhooks:read", []],
] as const)("a credential with %s alone finds only what it may read", async (scope, kinds) => {
  const body = await searched(await own.withScopes(scope), "zurich");
  expect(body.searched).toEqual(kinds);
  expect([...new Set(kindsIn(body.results))]).toEqual(kinds);
  // A scope of the inbox alone reaches replies, not the templates of campaigns
  if (scope === "inbox:read")
    expect(body.results.filter(({ kind }: { kind: string }) => kind === "TEMPLATE")).toMatchObject([
      { state: "REPLY" },
    ]);
});

test("a search finds nothing of another workspace", async () => {
  const other = await world.workspace();
  expect(await searched(other.rest, "zurich")).toMatchObject({ results: [], searched: ALL });
});

test.each(["", "q=", "q=%20", `q=${"a".repeat(101)}`, "q=a&limit=0", "q=a&limit=21"])(
  "a search with %p is refused with the path of the field",
  async (query) => {
    const answer = await own.rest.get(`/search?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    expect(["q", "limit"]).toContain(answer.body.details.issues[0].path);
  },
);
