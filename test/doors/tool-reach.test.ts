import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { KEY_POLICY, policyOf } from "../../domain/access/policy.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { scoped } from "../../models/scoped.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { agentOf } from "../support/mcp.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

async function start(query = "") {
  const workspace = await world.workspace();
  return { ...workspace, agent: await agentOf(world, workspace.key, query) };
}

test("a tool explains one recipient: what it waits for and which rules decide", async () => {
  const { agent, rest } = await start();
  const { body: campaign } = await rest.post("/campaigns", { name: "Explained" });
  const path = `/campaigns/${campaign.id}/recipients`;
  await rest.post(path, { action: "addManual", emails: ["ada@people.test"] });
  const [{ id: recipientId }] = (await agent.call("recipients_list", { campaignId: campaign.id })).body.items;
  const args = { campaignId: campaign.id, recipientId, view: "explain" };
  const { body } = await agent.call("recipients_list", args);
  const { body: overRest } = await rest.get(`${path}/${recipientId}/explain`);
  expect(body).toMatchObject({ recipientId, email: "ada@people.test", rules: expect.any(Array) });
  expect(body.waitsFor).toEqual(overRest.waitsFor);
  await agent.close();
});

test("a tool reports as CSV by whole pages, and imports a text of CSV as it would its rows", async () => {
  const { agent, rest } = await start();
  await rest.post("/campaigns", { name: 'The "first", one' });
  const { body: report } = await agent.call("analytics_report", { format: "csv", groupBy: "CAMPAIGN" });
  expect(report).toMatchObject({ format: "CSV", rowCount: 1, total: 1, next: null });
  expect(report.content).toContain('"The ""first"", one"');
  const { body: days } = await agent.call("analytics_report", { format: "csv", groupBy: "DAY", pageSize: 20 });
  expect([days.rowCount, days.next]).toEqual([20, { page: 2, pageSize: 20 }]);
  const csv = 'E-Mail;First name\r\nada@people.test;"Ada ""A"""\r\nbob@people.test;Bob\r\n';
  expect((await agent.call("leads_import", { action: "dryRun", csv })).body).toMatchObject({ total: 2, created: 2 });
  expect((await agent.call("leads_import", { action: "commit", csv })).body).toMatchObject({ created: 2, invalid: 0 });
  const { items } = (await agent.call("leads_search", { search: "ada" })).body;
  expect(items).toMatchObject([{ email: "ada@people.test", firstName: 'Ada "A"' }]);
  for (const wrong of [{}, { csv, rows: [{ email: "eve@people.test" }] }, { csv: "E-Mail\n" }, { csv: "a\nb,c,d" }])
    expect((await agent.call("leads_import", { action: "commit", ...wrong })).body.code).toBe("VALIDATION_FAILED");
  expect((await rest.get("/leads")).body.total).toBe(2);
  await agent.close();
});

test("a tool changes a webhook, enables it again and lists its deliveries", async () => {
  const { agent, workspaceId } = await start();
  const manage = (args: object) => agent.call("webhooks_manage", { ...args });
  const { body: hook } = await manage({ action: "create", url: "https://hooks.test/in" });
  const { body: changed } = await manage({ action: "update", webhookId: hook.id, events: ["REPLIED"] });
  expect(changed).toMatchObject({ id: hook.id, events: ["REPLIED"] });
  const { WebhookSubscription } = scoped(workspaceId);
  await WebhookSubscription.updateOne({ _id: hook.id }, { $set: { enabled: false, disabledReason: "FAILING" } });
  expect((await manage({ enabled: false })).body).toMatchObject({ total: 1 });
  const { body: enabled } = await manage({ action: "enable", webhookId: hook.id });
  expect(enabled).toMatchObject({ enabled: true, disabledReason: null });
  expect((await manage({ enabled: false })).body).toMatchObject({ total: 0 });
  const { body: sent } = await manage({ action: "test", webhookId: hook.id });
  const { body: deliveries } = await manage({ action: "deliveries", subscriptionId: hook.id });
  expect(deliveries).toMatchObject({ total: 1, items: [{ id: sent.deliveryId, event: "TEST" }] });
  expect((await manage({ action: "update", webhookId: hook.id })).body.code).toBe("VALIDATION_FAILED");
  expect((await manage({ action: "enable", webhookId: "whs_other" })).body.code).toBe("WEBHOOK_NOT_FOUND");
  const audited = await scoped(workspaceId).AuditEntry.find({ action: "webhooks.enable" });
  expect(audited).toHaveLength(2);
  await agent.close();
});

test("an entry in low detail has its ids, names, states and numbers, and no nested data", async () => {
  const { agent, rest } = await start();
  await rest.post("/leads", { email: "ada@people.test", firstName: "Ada", tags: ["x"], customFields: { note: "n" } });
  const { body } = await agent.call("leads_search", { detail: "low" });
  const [lead] = body.items;
  expect(lead).toMatchObject({ id: expect.any(String), email: "ada@people.test", firstName: "Ada", status: "ACTIVE" });
  expect([lead.tags, lead.customFields, lead.company]).toEqual([undefined, undefined, undefined]);
  expect((await agent.call("leads_search", { detail: "full" })).body.items[0]).toMatchObject({ tags: ["x"] });
  expect((await agent.call("leads_search", { detail: "some" })).body.code).toBe("VALIDATION_FAILED");
  await agent.close();
});

test("a repeated write with the same idempotency key changes nothing more, and another write cannot take the key", async () => {
  const { agent, rest } = await start();
  const create = (name: string) => agent.call("campaigns_create", { name, idempotencyKey: "one-campaign" });
  const [first, second] = [await create("Once"), await create("Once")];
  expect([first.body.idempotentReplay, second.body.idempotentReplay]).toEqual([false, true]);
  expect(second.body.id).toBe(first.body.id);
  expect((await create("Twice")).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
  expect((await rest.get("/campaigns")).body.total).toBe(1);
  const wrong = { name: "Short key", idempotencyKey: "short" };
  expect((await agent.call("campaigns_create", wrong)).body).toMatchObject({
    code: "VALIDATION_FAILED",
    details: { issues: [{ path: "idempotencyKey" }] },
  });
  expect(
    (await agent.call("leads_suppress", { action: "suppress", ids: ["led_x"], idempotencyKey: "not-listed" })).isError,
  ).toBe(false);
  expect((await agent.call("deals", { action: "list", idempotencyKey: "of-a-read" })).isError).toBe(false);
  await agent.close();
});

test("one idempotency key on two actions of a tool is refused, so that a pause is never answered with an earlier resume", async () => {
  const { agent, workspaceId } = await start();
  const { _id: mailboxId } = await storedMailbox(workspaceId);
  const act = (action: string) => agent.call("mailboxes_manage", { action, mailboxId, idempotencyKey: "one-mailbox" });
  expect((await act("resume")).isError).toBe(false);
  expect((await act("pause")).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
  expect((await act("resume")).body.idempotentReplay).toBe(true);
  const take = (action: string) =>
    agent.call("leads_import", { action, csv: "email\nada@people.test\n", idempotencyKey: "one-import" });
  expect((await take("dryRun")).isError).toBe(false);
  expect((await take("commit")).body.code).toBe("IDEMPOTENCY_KEY_REUSED");
  await agent.close();
});

test("the default toolset has the everyday tools and no others", async () => {
  const { agent } = await start("?toolsets=default");
  const names = await agent.list();
  expect(names).toEqual(
    expect.arrayContaining(["account_get", "campaign_control", "leads_import", "inbox_reply_send"]),
  );
  expect(names).not.toContain("workspace_manage");
  await expect(agent.call("deals")).rejects.toThrow("Unknown tool: deals");
  await agent.close();
});

test("a refused call shows a valid call of the same action, which works", async () => {
  const { agent } = await start();
  const { body } = await agent.call("lead_lists", { action: "create", title: "Fair" });
  expect(body).toMatchObject({
    code: "VALIDATION_FAILED",
    details: { issues: expect.any(Array), example: { action: "create", name: "Trade fair" } },
  });
  expect((await agent.call("lead_lists", body.details.example)).isError).toBe(false);
  const { body: settings } = await agent.call("campaign_settings_update", { campaignId: "cmp_x", settings: 1 });
  expect(settings.details.example.settings).toMatchObject({ timezone: "Europe/Berlin" });
  await agent.close();
});

test("the example of a send is a valid call: with a key, or as a plan for a credential that sends only by plan", async () => {
  const { agent, workspaceId, ownerId } = await start();
  const policy = { ...KEY_POLICY, ...policyOf("PLAN") };
  const made = { workspaceId, name: "By plan", scopes: ALL_SCOPES, createdBy: ownerId, policy };
  const byPlan = await agentOf(world, (await createKey(made)).key);
  const exampleOf = async (of: typeof agent) =>
    (await of.call("campaign_control", { action: "launch", campaignId: 1, idempotencyKey: "not-a-text" })).body.details
      .example;
  const [direct, planned] = [await exampleOf(agent), await exampleOf(byPlan)];
  expect(direct).toMatchObject({ action: "launch", idempotencyKey: expect.any(String) });
  expect(planned).toMatchObject({ action: "launch", planOnly: true });
  for (const [of, example] of [
    [agent, direct],
    [byPlan, planned],
  ] as const) {
    const { body } = await of.call("campaign_control", example);
    // The workspace has no campaign with the id of the example
    expect(body.code).toBe("CAMPAIGN_NOT_FOUND");
  }
  await byPlan.close();
  await agent.close();
});
