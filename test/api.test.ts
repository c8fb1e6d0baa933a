import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

test("a key tells its workspace and scopes", async () => {
  const { rest, workspaceId } = await world.workspace("leads:read");
  expect(await rest.get("/whoami")).toMatchObject({
    status: 200,
    body: { workspaceId, scopes: ["leads:read"], credentialType: "API_KEY" },
  });
});
