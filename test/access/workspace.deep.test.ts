import { expect, test } from "@jest/globals";
import { command, on } from "../support/command.ts";
import { deeds, useSetup, world } from "./workspace-setup.ts";

useSetup();

test("the workspace command changes a workspace by the same rules as the API, and is audited", async () => {
  const { rest, workspaceId } = await world.workspace();
  const run = (...args: string[]) => command(on(world), "workspace-update", ["--id", workspaceId, ...args]);
  const said = await run(
    "--name",
    "Ours",
    "--postal-address",
    "Ours Ltd\\n1 Main Street",
    "--timezone",
    "Europe/London",
    "--currency",
    "GBP",
  );
  expect(said).toMatchObject({ code: 0, out: `${workspaceId}\n` });
  const changed = {
    name: "Ours",
    postalAddress: "Ours Ltd\n1 Main Street",
    timezone: "Europe/London",
    defaults: { currency: "GBP" },
  };
  expect((await rest.get("/workspace")).body).toMatchObject(changed);
  expect(await deeds(workspaceId)).toContain("workspace.update DONE");
  expect(await run("--postal-address", "none")).toMatchObject({ code: 0 });
  expect((await rest.get("/workspace")).body).toMatchObject({ name: "Ours", postalAddress: null });
  expect(await run("--timezone", "Mars/Base")).toMatchObject({
    code: 1,
    err: expect.stringContaining("timezone is not a known time zone"),
  });
  expect(await run()).toMatchObject({ code: 1, err: expect.stringContaining("usage: npm run workspace:update") });
  expect(await command(on(world), "workspace-update", ["--id", "wsp_none", "--name", "X"])).toMatchObject({
    code: 1,
    err: expect.stringContaining("no workspace wsp_none"),
  });
});
