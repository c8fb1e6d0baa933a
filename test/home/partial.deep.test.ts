import { expect, test } from "@jest/globals";
import { useSlowDatabase } from "../support/slow-database.ts";
import { busyWorkspace } from "./home-setup.ts";

const database = useSlowDatabase();

test("home names the parts that take too long, and still answers with the others", async () => {
  const { rest } = await busyWorkspace(database.world);
  const home = async () => (await rest.get("/home")).body;
  const whole = await home();
  expect(whole).toMatchObject({ partial: [], replies: { total: 1 } });
  for (const [collection, parts] of [
    // The results of today are counted from threads too
    ["threads", ["replies", "today"]],
    ["approvals", ["approvals"]],
    ["mailbox_days", ["today"]],
    ["leads", ["checklist"]],
  ] as const) {
    await database.expire(collection);
    const lost = Object.fromEntries(parts.map((part) => [part, null]));
    expect(await home()).toEqual({ ...whole, ...lost, partial: parts });
    await database.expire(null);
  }
  await database.expire("campaign_counters");
  expect((await home()).campaigns).toMatchObject([{ metrics: null, partial: true }, { partial: true }]);
  await database.expire(null);
  expect(await home()).toEqual(whole);
});
