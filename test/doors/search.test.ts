import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
let rest: Rest;
let workspaceId: string;
let campaignId: string;
beforeAll(async () => {
  world = await startWorld();
  ({ rest, workspaceId } = await world.workspace());
  const rows = [
    { email: "jm@acme.com", firstName: "Jürgen", lastName: "Müller-Łuczak", company: "Straße & Søn" },
    { email: "other@else.example", firstName: "Anna", lastName: "Muster", company: "Else" },
  ];
  await rest.post("/leads/import", { action: "commit", rows });
  campaignId = (await rest.post("/campaigns", { name: "Été à Zürich" })).body.id;
  await rest.post("/campaigns", { name: "Winter" });
  await rest.post(`/campaigns/${campaignId}/recipients`, {
    action: "addManual",
    emails: rows.map(({ email }) => email),
  });
  for (const [email, name] of [
    ["jose@acme.com", "José Peña"],
    ["other@else.example", "Other"],
  ] as const) {
    const server = { host: "mail.a.test", port: 465, security: "SSL_TLS" as const };
    const _id = newId("mbx");
    await scoped(workspaceId).Mailbox.insert({
      _id,
      email,
      name,
      smtp: server,
      imap: server,
      username: email,
      sealedPassword: { v: 1 },
    } as object as never);
    await rest.post("/warmup/manage", { action: "start", mailboxId: _id });
  }
  for (const name of ["Régie", "Other"]) await rest.post("/lead-search/lists", { name });
});
afterAll(() => world.close());

const asked = (path: string, words: string) =>
  rest.get(`${path}${path.includes("?") ? "&" : "?"}search=${encodeURIComponent(words)}`);
const itemsOf = ({ body }: { body: unknown }): Record<string, unknown>[] =>
  Array.isArray(body) ? body : (body as { items: [] }).items;
const found = async (path: string, words: string, field: string) =>
  itemsOf(await asked(path, words)).map((one) => one[field]);

const PEOPLE = [
  "muller",
  "Müller",
  "MÜLLER",
  "Mu\u0308ller",
  "luczak",
  "łucz",
  "jurgen mull",
  "strasse",
  "STRAßE",
  "son",
  "søn",
  "@acme.com",
  "acme.com",
  "@ACME",
  "jm@acme.com",
];

test.each(PEOPLE)("a search for %p finds leads and recipients, regardless of accents and case", async (words) => {
  expect(await found("/leads", words, "email")).toEqual(["jm@acme.com"]);
  expect(await found(`/campaigns/${campaignId}/recipients`, words, "email")).toEqual(["jm@acme.com"]);
});

test("a search finds only the beginnings of words, and is not read as a pattern", async () => {
  for (const words of ["uller", "muller anna", ".*", "m%", "@else.com"])
    expect([words, await found("/leads", words, "email")]).toEqual([words, []]);
});

test.each<[string, string, string, unknown]>([
  ["/campaigns", "ete zurich", "name", "Été à Zürich"],
  ["/campaigns", "ÉTÉ", "name", "Été à Zürich"],
  ["/campaigns", "zuri", "name", "Été à Zürich"],
  ["/mailboxes", "pena", "email", "jose@acme.com"],
  ["/mailboxes", "@acme.com", "email", "jose@acme.com"],
  ["/mailboxes", "JOSÉ acme", "email", "jose@acme.com"],
  ["/mailboxes", "pena peña", "email", "jose@acme.com"],
  ["/warmup/enrolments", "peña", "email", "jose@acme.com"],
  ["/warmup/enrolments", "jose pena", "email", "jose@acme.com"],
  ["/lead-search/lists", "regie", "name", "Régie"],
])("%s?search=%s finds part of a name that has accents", async (path, words, field, is) => {
  expect(await found(path, words, field)).toEqual([is]);
  expect(await found(path, `${words} nothing-has-this`, field)).toEqual([]);
});
