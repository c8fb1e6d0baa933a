import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import type { FakeLeadSearch } from "../fakes/lead-search.ts";
import { until } from "../fakes/wait.ts";
import { ledgerOf } from "./ledger.ts";
import { grant, lines, provider, rest, reveal, revealAgain, reveals, useSetup, workspace } from "./provider-setup.ts";

useSetup();

const ended = (path: string) =>
  until(async () => ((await rest.get(path)).body.finishedAt === null ? null : (await rest.get(path)).body), {
    deadlineMs: 90_000,
    what: path,
  });

test("people, companies and lookups come from the provider, with the provider's order and counts", async () => {
  const { body } = await rest.post("/lead-search/browse", { filters: { titles: ["CTO"] }, page: 2, pageSize: 60 });
  expect([body.total, body.items.length, body.items[0].id]).toEqual([100, 40, "p60"]);
  expect(body.items[0]).toMatchObject({ email: null, emailStatus: "not_revealed", isSample: false });
  expect((await rest.post("/lead-search/companies", { filters: {} })).body.items).toMatchObject([
    { domain: "a.example", prospects: 120 },
  ]);
  expect((await rest.get("/lead-search/lookups?kind=TITLE")).body.items).toEqual([
    { value: "CTO", label: "CTO", count: 120 },
  ]);
});

test("a reveal asks the provider once, costs one credit for each value found, and is stored", async () => {
  await grant(5);
  expect((await reveal("p0", ["EMAIL", "PHONE"])).body).toMatchObject({
    creditsUsed: 2,
    creditsRemaining: 3,
    prospect: { email: "p0@a.example" },
  });
  expect((await reveal("p1", ["EMAIL", "PHONE"])).body).toMatchObject({
    creditsUsed: 1,
    creditsRemaining: 2,
    prospect: { phoneStatus: "not_found" },
  });
  expect((await reveal("p3")).body).toMatchObject({
    creditsUsed: 0,
    prospect: { email: null, emailStatus: "not_found" },
  });
  for (const id of ["p0", "p1", "p3"]) await reveal(id);
  expect(reveals()).toHaveLength(3);
  expect(await reveal("unknown")).toMatchObject({ status: 404, body: { code: "PROSPECT_NOT_FOUND" } });
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ balance: 2, held: 0, reveals: 3, isWhole: true });
});

test("a prospect that a retention deleted is asked for again, also without credits, and not charged again", async () => {
  await grant(1);
  await reveal("p0");
  const { KnownProspect } = scoped(workspace.workspaceId);
  await KnownProspect.deleteMany({});
  const again = (await reveal("p0")).body;
  expect(again).toMatchObject({ creditsUsed: 0, creditsRemaining: 0, prospect: { email: "p0@a.example" } });
  expect(reveals()).toHaveLength(2);
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ balance: 0, held: 0, reveals: 1, isWhole: true });
});

test("without enough credits the provider is not asked", async () => {
  await grant(1);
  expect(await reveal("p0", ["EMAIL", "PHONE"])).toMatchObject({ status: 422, body: { code: "CREDITS_EXHAUSTED" } });
  expect(reveals()).toHaveLength(0);
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ balance: 1, held: 0 });
});

test("thirty simultaneous reveals of one person ask the provider once and cost one credit", async () => {
  await grant(10);
  const answers = await Promise.all(Array.from({ length: 30 }, () => revealAgain("p0")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
  expect(reveals()).toHaveLength(1);
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ balance: 9, held: 0, reveals: 1, isWhole: true });
}, 90_000);

const SECRET = "vendor-says-p0@a.example";

type Fault = Parameters<FakeLeadSearch["fault"]>[0];

const FAULTS: [string, Fault, { status: number; code: string }][] = [
  [
    "answers 500",
    (_, res) => res.writeHead(500).end(SECRET) !== undefined,
    { status: 503, code: "SERVICE_UNAVAILABLE" },
  ],
  [
    "breaks off in the middle",
    (_, res) => {
      res.writeHead(200, { "Content-Length": "500" }).write('{"items":[{"id":"p0"');
      res.socket?.destroy();
      return true;
    },
    { status: 503, code: "SERVICE_UNAVAILABLE" },
  ],
  [
    "answers no JSON",
    (_, res) => res.writeHead(200).end(SECRET) !== undefined,
    { status: 503, code: "SERVICE_UNAVAILABLE" },
  ],
  [
    "answers wrong types",
    (_, res) => res.writeHead(200).end('{"items":{"p0":1},"total":"many"}') !== undefined,
    { status: 503, code: "SERVICE_UNAVAILABLE" },
  ],
  [
    "asks to wait for an hour",
    (_, res) => res.writeHead(429, { "Retry-After": "3600" }).end(SECRET) !== undefined,
    { status: 503, code: "SERVICE_UNAVAILABLE" },
  ],
  [
    "refuses the key",
    (_, res) => res.writeHead(401).end(SECRET) !== undefined,
    { status: 503, code: "PROVIDER_NOT_CONFIGURED" },
  ],
  [
    "refuses the question",
    (_, res) => res.writeHead(422).end(SECRET) !== undefined,
    { status: 503, code: "SERVICE_UNAVAILABLE" },
  ],
];

test.each(FAULTS)(
  "a reveal from a provider that %s costs no credit and leaves none held, and the provider's error text is not passed on",
  async (_name, fault, expected) => {
    await grant(5);
    provider.fault(({ path, ...rest }, res) => path !== "prospects" && fault({ path, ...rest }, res));
    const answers = [await reveal("p0"), await rest.post("/lead-search/browse", { filters: {} })];
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: expected.status, body: { code: expected.code } });
      expect(JSON.stringify(answer.body)).not.toContain("vendor-says");
    }
    expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ balance: 5, held: 0, reveals: 0, isWhole: true });
    provider.fault(() => false);
    expect((await reveal("p0")).body).toMatchObject({ creditsUsed: 1, creditsRemaining: 4 });
  },
  60_000,
);

test.each([
  ["of others", [{ id: "p9", email: { status: "found", value: "p9@a.example" } }]],
  ["of nobody", []],
  ["without the field that was asked for", [{ id: "p0", phone: { status: "found", value: "1" } }]],
  ["twice, and different", ["a", "b"].map((value) => ({ id: "p0", email: { status: "found", value } }))],
  ["with a placeholder in the place of a value", [{ id: "p0", email: { status: "found", value: "" } }]],
])("a provider that answers a reveal with rows %s reveals no one and costs no credit", async (_name, items) => {
  await grant(5);
  provider.fault(
    ({ path }, res) => path === "reveal" && res.writeHead(200).end(JSON.stringify({ items })) !== undefined,
  );
  expect((await reveal("p0")).status).toBe(503);
  const known = await scoped(workspace.workspaceId).KnownProspect.find({});
  expect(known.map(({ prospectId, email, emailStatus }) => [prospectId, email, emailStatus])).toEqual([
    ["p0", null, "not_revealed"],
  ]);
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ balance: 5, held: 0, reveals: 0 });
});

test("a provider's search answer is cut to the page and to known fields, and people who were not requested are ignored", async () => {
  provider.fault(({ path }, res) => {
    const items = Array.from({ length: 300 }, (_, n) => ({
      id: `x${n}`,
      fullName: "x".repeat(500),
      technologies: null,
      secret: SECRET,
    }));
    return path !== "reveal" && res.writeHead(200).end(JSON.stringify({ items, total: 300 })) !== undefined;
  });
  const { body } = await rest.post("/lead-search/browse", { filters: {}, pageSize: 10 });
  expect([body.items.length, body.items[0].fullName.length]).toEqual([10, 200]);
  expect(JSON.stringify(body)).not.toContain(SECRET);
  expect((await reveal("p0")).status).toBe(404);
});

test("a bulk reveal continues after temporary provider failures with one idempotency key, and is paid once", async () => {
  await grant(60);
  let failures = 0;
  provider.fault(({ path }, res) => path === "reveal" && ++failures <= 4 && res.writeHead(503).end() !== undefined);
  const { body } = await rest.post("/lead-search/reveal/bulk", {
    prospectIds: Array.from({ length: 20 }, (_, n) => `p${n}`),
  });
  const job = await ended(`/lead-search/reveal/${body.id}`);
  expect(job).toMatchObject({ status: "COMPLETED", creditsUsed: 15, result: { revealed: 15, notFound: 5 } });
  expect(new Set(reveals().map(({ key }) => key)).size).toBe(1);
  expect(reveals().length).toBe(5);
  expect(await ledgerOf(workspace.workspaceId)).toMatchObject({ balance: 45, held: 0, reveals: 15, isWhole: true });
}, 120_000);

test("the people of a whole provider search are added to a list, revealed and turned into leads", async () => {
  await grant(100);
  const { body: list } = await rest.post("/lead-search/lists", { name: "CEOs" });
  const { body: fill } = await rest.post(`/lead-search/lists/${list.id}/add-search`, { filters: { titles: ["CEO"] } });
  expect(await ended(`/lead-search/add-search/${fill.id}`)).toMatchObject({ matched: 20, added: 20 });
  const { body: job } = await rest.post("/lead-search/reveal/list", { listId: list.id, fields: ["EMAIL", "PHONE"] });
  expect(await ended(`/lead-search/reveal/${job.id}`)).toMatchObject({ creditsUsed: 25 });
  const { body: leads } = await rest.post("/lead-lists", { name: "Audience" });
  const made = await rest.post(`/lead-search/lists/${list.id}/leads`, { leadListId: leads.id });
  expect((await ended(`/jobs/${made.body.id}`)).result).toMatchObject({ created: 15, withoutEmail: 5 });
  const { body } = await rest.get(`/leads?listId=${leads.id}`);
  const statuses = body.items.map(({ phone, phoneStatus }: { phone: string | null; phoneStatus: string }) => [
    phone === null,
    phoneStatus,
  ]);
  expect(statuses.filter(([isNull, status]: [boolean, string]) => isNull !== (status === "not_found"))).toEqual([]);
}, 120_000);

test("the log contains no API key, revealed value or error text of the provider", async () => {
  expect(lines.length).toBeGreaterThan(0);
  for (const line of lines) expect(line).not.toMatch(/@a\.example|Bearer|"right"|vendor-says/);
});
