import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { parse } from "csv-parse/sync";
import { readExport, signExport } from "../../domain/access/address-token.ts";
import { applyLeadChange, blankLead, initialLeadStateOf } from "../../domain/leads/lead.ts";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const FIRST = [
  ...[
    "email",
    "firstName",
    "lastName",
    "fullName",
    "company",
    "website",
    "jobTitle",
    "phone",
    "city",
    "state",
    "country",
    "timezone",
  ],
  ...[
    "tags",
    "status",
    "verificationStatus",
    "suppressed",
    "suppressionReason",
    "source",
    "createdFrom",
    "createdFromName",
    "createdBy",
    "lastContactedAt",
    "lastRepliedAt",
  ],
  ...["createdAt", "id"],
];

test("an export is RFC 4180 CSV with every field and every custom field in use, newest lead first", async () => {
  const { rest } = await world.workspace("leads:read", "leads:write");
  const other = await world.workspace();
  await other.rest.post("/leads", { email: "theirs@x.example", customFields: { secret: 1 } });
  const text = 'He said "hi",\r\nand left';
  await rest.post("/leads", {
    email: "a@x.example",
    firstName: text,
    tags: ["one", "two"],
    customFields: { size: 12, "team name": "blue" },
  });
  await rest.post("/leads", {
    email: "b@x.example",
    lastName: "名前🙂",
    customFields: { nested: { a: [1] }, vip: true },
  });
  const { status, body } = await rest.get("/leads/export");
  expect(status).toBe(200);
  const columns = [...FIRST, "customFields.nested", "customFields.size", "customFields.team name", "customFields.vip"];
  expect(body).toMatchObject({ format: "CSV", columns, rowCount: 2, total: 2, url: null, expiresAt: null });
  expect(body.fileName).toMatch(/^leads-\d{4}-\d\d-\d\d\.csv$/);
  expect(body.content.startsWith(`${columns.join(",")}\r\n`)).toBe(true);
  const rows: Record<string, string>[] = parse(body.content, { columns: true });
  expect(rows).toMatchObject([
    {
      email: "b@x.example",
      lastName: "名前🙂",
      tags: "",
      "customFields.vip": "true",
      "customFields.nested": '{"a":[1]}',
      "customFields.size": "",
    },
    {
      email: "a@x.example",
      firstName: text,
      tags: "one, two",
      "customFields.size": "12",
      "customFields.team name": "blue",
      suppressed: "false",
    },
  ]);
});

test("an export accepts the same filters as the list of leads", async () => {
  const { rest } = await world.workspace();
  await rest.post("/leads", { email: "a@x.example", tags: ["in"], firstName: "Ada" });
  await rest.post("/leads", { email: "b@y.example", tags: ["out"], firstName: "Bob" });
  for (const query of ["tags=in", "domain=x.example", "search=ada", "search=ada&tags=in", "status=ACTIVE&tags=in"]) {
    const { body } = await rest.get(`/leads/export?${query}`);
    expect(parse(body.content, { columns: true })).toMatchObject([{ email: "a@x.example" }]);
  }
  const { body: list } = await rest.post("/lead-lists", { name: "Bobs", filterRules: { firstName: "bob" } });
  const { body } = await rest.get(`/leads/export?listId=${list.id}`);
  expect(parse(body.content, { columns: true })).toMatchObject([{ email: "b@y.example" }]);
  for (const bad of ["status=active", "suppressed=1", "search="])
    expect((await rest.get(`/leads/export?${bad}`)).status).toBe(400);
  expect((await rest.get(`/leads/export?listId=${newId("lst")}`)).body.code).toBe("LIST_NOT_FOUND");
  const nobody = await world.workspace();
  expect((await nobody.rest.get("/leads/export")).body).toMatchObject({
    rowCount: 0,
    total: 0,
    content: `${FIRST.join(",")}\r\n`,
  });
});

test("no cell of an export can be read as a formula, and an import of the exported file restores the values", async () => {
  const { rest } = await world.workspace();
  const other = await world.workspace();
  const texts = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\tx",
    "\rx",
    "\nx",
    "＝1",
    "-5",
    "+442079460000",
    "plain",
    'a,b"c',
  ];
  for (const [n, text] of texts.entries())
    await rest.post("/leads", { email: `n${n}@x.example`, company: text, customFields: { own: text } });
  const { body } = await rest.get("/leads/export");
  const rows: Record<string, string>[] = parse(body.content, { columns: true });
  for (const row of rows) {
    for (const cell of Object.values(row)) expect(cell).toMatch(/^(?![=+\-@\t\r\n＝＋－＠])|^[+-]?\d+$/u);
  }
  const done = await other.rest.post("/leads/import", { action: "commit", rows });
  expect(done.body).toMatchObject({ created: texts.length, invalid: 0 });
  const { items } = (await other.rest.get("/leads?pageSize=50")).body;
  const back = Object.fromEntries(
    items.map(({ email, company, customFields }: { email: string; company: string; customFields: { own: string } }) => [
      email,
      [company, customFields.own],
    ]),
  );
  for (const [n, text] of texts.entries()) expect(back[`n${n}@x.example`]).toEqual([text, text]);
});

async function fill({ workspaceId }: { workspaceId: string }, count: number): Promise<void> {
  const now = new Date();
  const filler = "x".repeat(1_900);
  const leads = Array.from({ length: count }, (_, n) => ({
    insert: {
      _id: newId("led"),
      ...applyLeadChange(blankLead(`n${n}@x.example`, "x.example"), { website: filler, tags: n % 2 ? ["odd"] : [] }),
      ...initialLeadStateOf([], now),
      secondaryEmails: [],
      listIds: [],
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
  for (let start = 0; start < count; start += 1_000)
    await scoped(workspaceId).Lead.bulk(leads.slice(start, start + 1_000));
}

test("an export above 5 MB is streamed from an address that needs no key and gives only the leads of its workspace", async () => {
  const workspace = await world.workspace();
  await fill(workspace, 2_800);
  await fill(await world.workspace(), 3);
  const { body } = await workspace.rest.get("/leads/export");
  expect([body.rowCount, body.total, body.content === null]).toEqual([2_800, 2_800, true]);
  const left = Date.parse(body.expiresAt) - Date.now();
  expect(left > 14 * MINUTE_MS && left <= 15 * MINUTE_MS).toBe(true);
  const path = new URL(body.url).pathname;
  const file = await fetch(world.baseUrl + path);
  expect([file.status, file.headers.get("content-type"), file.headers.get("cache-control")]).toEqual([
    200,
    "text/csv; charset=utf-8",
    "no-store",
  ]);
  expect(file.headers.get("content-disposition")).toBe(`attachment; filename=${body.fileName}`);
  const rows: Record<string, string>[] = parse(await file.text(), { columns: true });
  expect(rows).toHaveLength(2_800);
  expect(rows[0]).toMatchObject({ email: "n2799@x.example" });
  const odd = await workspace.rest.get("/leads/export?tags=odd");
  expect([odd.body.rowCount, typeof odd.body.content]).toEqual([1_400, "string"]);
  const post = await fetch(world.baseUrl + path, { method: "POST" });
  expect([post.status, post.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
}, 60_000);

test("an export address that is changed, expired or signed with another key is refused", async () => {
  const { workspaceId } = await world.workspace();
  const { export: keys } = world.services.signing;
  const now = Date.now();
  const good = signExport(keys, { workspaceId, until: now + 60_000, asked: {} });
  expect(readExport(keys, good, now)).toEqual({ workspaceId, until: now + 60_000, asked: {} });
  expect(readExport(keys, good, now + 60_000)).toBeNull();
  const over = signExport(keys, { workspaceId, until: now - 1, asked: {} });
  const [, kid, , mac] = good.split(".");
  const forged = Buffer.from(JSON.stringify({ workspaceId: "wsp_other", until: now + 60_000, asked: {} })).toString(
    "base64url",
  );
  const bad = [
    over,
    `v1.${kid}.${forged}.${mac}`,
    `${good}x`,
    good.slice(0, -1),
    "x",
    "v1.a.b.c",
    "..%2f",
    signExport(world.services.signing.u, { workspaceId, until: now + 60_000, asked: {} }),
  ];
  for (const token of bad) {
    const answer = await fetch(`${world.baseUrl}/exports/${token}`);
    expect([answer.status, await answer.json()]).toMatchObject([404, { code: "ROUTE_NOT_FOUND" }]);
  }
  expect((await fetch(`${world.baseUrl}/exports/${good}`)).status).toBe(200);
});

test("an export requires the scope leads:read", async () => {
  const { rest } = await world.workspace("leads:write");
  expect(await rest.get("/leads/export")).toMatchObject({
    status: 403,
    body: { details: { requiredScope: "leads:read" } },
  });
});
