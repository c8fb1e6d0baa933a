import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

const issuesOf = ({
  status,
  body,
}: {
  status: number;
  body: { details?: { issues?: { path: string; code: string }[] } };
}) => [status, ...(body.details?.issues ?? []).map(({ path, code }) => [path, code])];

test("a lead created by a request gets the same address and time zone as a lead imported from the same cells", async () => {
  const { rest } = await world.workspace();
  const cells = [
    ["\u200bada@v-1.test.", "W. Europe Standard Time"],
    ["“ada@v-2.test”", "UTC+2"],
    ["<mailto:ada@v-3.test>", "(UTC-08:00) Pacific Time (US & Canada)"],
    ["ada@v-4.test\u00a0;", "GMT+05:30"],
  ];
  const zones = ["Europe/Berlin", "Etc/GMT-2", "America/Los_Angeles", "Asia/Kolkata"];
  for (const [at, [email, timezone]] of cells.entries()) {
    const { status, body } = await rest.post("/leads", { email, timezone });
    expect([status, body]).toMatchObject([201, { email: `ada@v-${at + 1}.test`, timezone: zones[at] }]);
  }
  const rows = cells.map(([email, timezone]) => ({ email, timezone }));
  const { body } = await rest.post("/leads/import", { action: "dryRun", rows });
  expect(body).toMatchObject({ skipped: 4, invalid: 0, warnings: [] });
});

test("a request with an unknown time zone or several addresses is refused with a suggestion, and an import warns", async () => {
  const { rest } = await world.workspace();
  const wrong = await rest.post("/leads", { email: "ada@x.test", timezone: "Europe/Berln" });
  expect(issuesOf(wrong)).toEqual([400, ["timezone", "UNKNOWN_TIMEZONE"]]);
  expect(JSON.stringify(wrong.body)).toContain("is Europe/Berlin meant?");
  const several = await rest.post("/leads", { email: "ada@x.test, bob@x.test" });
  expect(issuesOf(several)).toEqual([400, ["email", "SEVERAL_ADDRESSES"]]);
  const rows = [
    { email: "ada@gmial.com", timezone: "Europe/Berln", phone: "4.92E+11", company: "=A1" },
    { email: "bob@x.test; ann@x.test", phone: '="0049301234"', company: "'=A1" },
  ];
  const { body } = await rest.post("/leads/import", { action: "commit", rows });
  expect(body).toMatchObject({ created: 2, warningCount: 5 });
  expect(body.warnings).toEqual([
    { row: 1, column: "timezone", code: "UNKNOWN_TIMEZONE", value: "Europe/Berln", suggestion: "Europe/Berlin" },
    { row: 1, column: "phone", code: "DIGITS_LOST", value: "4.92E+11", suggestion: null },
    { row: 1, column: "company", code: "FORMULA", value: "=A1", suggestion: null },
    { row: 1, column: "email", code: "ADDRESS_TYPO", value: "ada@gmial.com", suggestion: "ada@gmail.com" },
    { row: 2, column: "email", code: "SEVERAL_ADDRESSES", value: "bob@x.test; ann@x.test", suggestion: null },
  ]);
  const { body: leads } = await rest.get("/leads?search=bob");
  expect(leads.items).toMatchObject([{ email: "bob@x.test", phone: "0049301234", company: "=A1" }]);
});

test("a date in a campaign's settings is read in the campaign's time zone, and returned as an instant", async () => {
  const { rest } = await world.workspace();
  await rest.post("/workspace", { action: "update", patch: { timezone: "Tokyo" } });
  const { body: made } = await rest.post("/campaigns", { name: "Dates" });
  const settings = `/campaigns/${made.id}/settings`;
  const first = await rest.patch(settings, { startAt: "2036-12-25", endAt: "2036-12-25" });
  expect(first.body).toMatchObject({ startAt: "2036-12-24T15:00:00.000Z", endAt: "2036-12-25T15:00:00.000Z" });
  const { body } = await rest.patch(settings, {
    timezone: "Pacific Standard Time",
    startAt: "2036-12-25",
    endAt: "2036-12-26T18:00",
  });
  expect(body).toMatchObject({
    timezone: "America/Los_Angeles",
    startAt: "2036-12-25T08:00:00.000Z",
    endAt: "2036-12-27T02:00:00.000Z",
  });
  expect(issuesOf(await rest.patch(settings, { timezone: "Mars" }))).toEqual([400, ["timezone", "UNKNOWN_TIMEZONE"]]);
  expect(issuesOf(await rest.patch(settings, { startAt: "25.12.2036" }))).toEqual([400, ["startAt", "INVALID_FORMAT"]]);
  expect((await rest.get(settings)).body).toMatchObject({ startAt: "2036-12-25T08:00:00.000Z" });
  expect((await rest.patch(settings, { ccList: ["“ada@x.test”"] })).body.ccList).toEqual(["ada@x.test"]);
});

test("an entry of the block list is cleaned like any address or domain", async () => {
  const { rest } = await world.workspace();
  const value = async (value: string) => (await rest.post("/block-list", { value })).body.value;
  expect(await value("Ada <ada@x.test>")).toBe("ada@x.test");
  expect(await value("\u200b“acme.com”.")).toBe("acme.com");
  expect(await rest.post("/block-list", { value: "ada@x.test, bob@x.test" })).toMatchObject({ status: 400 });
});
