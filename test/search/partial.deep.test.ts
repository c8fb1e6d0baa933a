import { expect, test } from "@jest/globals";
import { useSlowDatabase } from "../support/slow-database.ts";
import { namedRecords } from "./search-setup.ts";

const database = useSlowDatabase();

test("a search names the kinds that take too long, and still answers with the others", async () => {
  const { rest, workspaceId } = await database.world.workspace();
  await namedRecords(rest, workspaceId);
  const search = async () => (await rest.get("/search?q=zurich")).body;
  const whole = await search();
  expect(whole).toMatchObject({ partial: [] });
  for (const [collection, kind] of [
    ["leads", "LEAD"],
    ["threads", "THREAD"],
    ["campaigns", "CAMPAIGN"],
  ] as const) {
    await database.expire(collection);
    const results = whole.results.filter((one: { kind: string }) => one.kind !== kind);
    expect(await search()).toEqual({ ...whole, results, partial: [kind] });
    await database.expire(null);
  }
  expect(await search()).toEqual(whole);
});
