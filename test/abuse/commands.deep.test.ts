import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { command, on } from "../support/command.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld({ apart: true });
});
afterAll(() => world.close());

test("workspace:suspend, workspace:resume and workspace:find act on the database of the service and say what they did", async () => {
  const { rest, workspaceId } = await world.workspace();
  const { path } = await readyCampaign(rest, workspaceId);
  await rest.post(`${path}/control`, { action: "launch" });
  expect(await command(on(world), "workspace-suspend", [workspaceId, "--reason", "Many bounces"])).toMatchObject({
    code: 0,
    out: `${workspaceId} is suspended, 1 campaign is paused\n`,
  });
  expect((await rest.get("/workspace")).body.suspension).toMatchObject({ by: "OPERATOR", reason: "Many bounces" });
  const limits = ["--daily", "20", "--tests", "5", "--imports", "none"];
  expect(await command(on(world), "workspace-limit", [workspaceId, ...limits, "--reason", "A trial"])).toMatchObject({
    code: 0,
    out: `${workspaceId} may send 20 emails a day\n${workspaceId} may test 5 connections a day\n${workspaceId} has no limit of rows of leads by the operator\n`,
  });
  expect((await rest.get("/workspace")).body).toMatchObject({
    sendingCap: { most: 20 },
    dailyLimits: { connectionTests: { most: 5, by: "OPERATOR" }, importedRows: null },
  });
  const messageId = `<${newId("snd")}@a.test>`;
  await scoped(workspaceId).Send.insert({
    _id: newId("snd"),
    to: "a@b.test",
    sendKey: newId("key"),
    messageIds: [messageId],
  });
  const found = await command(on(world), "workspace-find", ["--message", messageId]);
  expect([found.code, found.out.split("\t")[0], found.out.includes("\tsuspended\t")]).toEqual([0, workspaceId, true]);
  expect(await command(on(world), "workspace-resume", [workspaceId])).toMatchObject({
    code: 0,
    out: `${workspaceId} is no longer suspended, 1 campaign continues\n`,
  });
  expect((await rest.get(path)).body.status).toBe("ACTIVE");
}, 120_000);

test.each([
  ["workspace-suspend", ["wsp_1"], "usage: npm run workspace:suspend"],
  ["workspace-suspend", ["wsp_1", "--reason", "x"], "There is no workspace wsp_1"],
  ["workspace-resume", [], "usage: npm run workspace:resume"],
  ["workspace-resume", ["wsp_1"], "There is no workspace wsp_1"],
  ["workspace-limit", ["wsp_1", "--reason", "x"], "usage: npm run workspace:limit"],
  ["workspace-limit", ["wsp_1", "--tests", "many", "--reason", "x"], "usage: npm run workspace:limit"],
  ["workspace-limit", ["wsp_1", "--tests", "5", "--reason", "x"], "There is no workspace wsp_1"],
  ["workspace-find", [], "usage: npm run workspace:find"],
  ["workspace-find", ["--message", "<nobody@a.test>"], "No email of this service has this id"],
])(
  "%s %j ends with a sentence and code 1",
  async (name, args, sentence) => {
    const said = await command(on(world), name, args);
    expect([said.code, said.out]).toEqual([1, ""]);
    expect(said.err).toContain(sentence);
  },
  60_000,
);
