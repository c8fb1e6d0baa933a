import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { agentOf } from "../support/mcp.ts";
import { startWorld, type World } from "../support/world.ts";

let without: World;
beforeAll(async () => {
  without = await startWorld();
});
afterAll(() => without.close());

const NOT_CONFIGURED = (setting: string) => ({
  status: 422,
  body: { code: "PROVIDER_NOT_CONFIGURED", details: { setting } },
});

test("the agent is off by default, and without a model server it cannot be enabled and lists no models", async () => {
  const { rest, key } = await without.workspace();
  const { body } = await rest.get("/agent/settings");
  expect(body).toMatchObject({ enabled: false, mode: "APPROVE", isConfigured: false, disclosure: expect.any(String) });
  expect(body.usage).toMatchObject({ inputTokens: 0, outputTokens: 0, cost: 0, sent: 0 });
  const refused = await rest.patch("/agent/settings", { settings: { enabled: true } });
  expect(refused.body).toMatchObject(NOT_CONFIGURED("AGENT_URL").body);
  expect((await rest.get("/agent/settings")).body.enabled).toBe(false);
  expect((await rest.get("/agent/models")).body).toMatchObject(NOT_CONFIGURED("AGENT_URL").body);
  const agent = await agentOf(without, key);
  expect((await agent.call("agent_models_list")).body).toMatchObject(NOT_CONFIGURED("AGENT_URL").body);
  expect((await agent.call("agent_settings", { action: "update", settings: { tone: "Dry" } })).body).toMatchObject({
    tone: "Dry",
  });
  expect((await agent.call("agent_settings")).body).toMatchObject({ tone: "Dry", enabled: false });
  await agent.close();
});

test("a setting outside its limits is refused, and settings that a patch does not name stay unchanged", async () => {
  const { rest } = await without.workspace();
  await rest.patch("/agent/settings", { settings: { dailyLimit: 3, knowledge: ["We open at nine."] } });
  const wrong: object[] = [
    { dailyLimit: -1 },
    { mode: "SOMETIMES" },
    { categories: ["UNSUBSCRIBE"] },
    { categories: ["OUT_OF_OFFICE"] },
  ];
  for (const settings of [...wrong, { knowledge: [""] }, { instructions: "x".repeat(10_001) }, { sends: true }]) {
    expect([settings, (await rest.patch("/agent/settings", { settings })).status]).toEqual([settings, 400]);
  }
  expect((await rest.get("/agent/settings")).body).toMatchObject({
    dailyLimit: 3,
    knowledge: ["We open at nine."],
    mode: "APPROVE",
  });
});

test("agent settings apply to one workspace, and changing them requires the write scope", async () => {
  const one = await without.workspace();
  const other = await without.workspace();
  await one.rest.patch("/agent/settings", { settings: { instructions: "Ours alone" } });
  expect((await other.rest.get("/agent/settings")).body.instructions).toBeNull();
  const reader = await one.withScopes("inbox:read");
  expect((await reader.get("/agent/settings")).body.instructions).toBe("Ours alone");
  expect(await reader.patch("/agent/settings", { settings: { tone: "Loud" } })).toMatchObject({ status: 403 });
});

test("only a caller that may send directly can enable AUTO, or change what the agent then writes", async () => {
  const world = await startWorld({ settings: { hasAgent: true, agentModel: null } });
  const { rest, withPolicy, withScopes } = await world.workspace();
  const AUTO = { enabled: true, mode: "AUTO", modelId: "small" };
  expect((await rest.patch("/agent/settings", { settings: { enabled: true } })).body).toMatchObject(
    NOT_CONFIGURED("AGENT_MODEL").body,
  );
  const answers = {
    PLAN: { code: "PLAN_REQUIRED" },
    APPROVAL: { approval: { kind: "CHANGE" } },
    NONE: { code: "SENDING_NOT_ALLOWED" },
  };
  for (const sends of ["PLAN", "APPROVAL", "NONE"] as const) {
    const held = await withPolicy({ sends });
    expect((await held.patch("/agent/settings", { settings: AUTO })).body).toMatchObject(answers[sends]);
  }
  const writer = await withScopes("inbox:read", "inbox:write");
  expect(await writer.patch("/agent/settings", { settings: AUTO })).toMatchObject({
    status: 403,
    body: { code: "INSUFFICIENT_SCOPE" },
  });
  expect((await rest.get("/agent/settings")).body.enabled).toBe(false);
  expect((await rest.patch("/agent/settings", { settings: AUTO })).body).toMatchObject({ mode: "AUTO", enabled: true });
  expect(await writer.patch("/agent/settings", { settings: { instructions: "Sell" } })).toMatchObject({ status: 403 });
  expect(
    (await writer.patch("/agent/settings", { settings: { mode: "APPROVE", instructions: "Sell" } })).body,
  ).toMatchObject({
    mode: "APPROVE",
  });
  await world.close();
});
