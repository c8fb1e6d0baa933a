import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { freePort } from "../../embedded/ports.ts";
import { scoped } from "../../models/scoped.ts";
import { until } from "../fakes/wait.ts";
import { type SendingWorld, startSendingWorld } from "../sending/sending-world.ts";
import { type Authorization, authorizationAt, connect, signIn } from "../support/authorization.ts";
import { browserAt } from "../support/browser.ts";
import { agentOf, type ToolResult } from "../support/mcp.ts";
import { signInOwner } from "../support/signed-in.ts";

let sending: SendingWorld;
let oauth: Authorization;
beforeAll(async () => {
  const port = await freePort();
  sending = await startSendingWorld({ publicUrl: `http://127.0.0.1:${port}` });
  oauth = await authorizationAt(port, sending.world);
}, 120_000);
afterAll(() => oauth.close().then(() => sending.sandbox.close()), 60_000);

type Agent = Awaited<ReturnType<typeof agentOf>>;

const ALWAYS = [{ days: [1, 2, 3, 4, 5, 6, 7], from: "00:00", to: "24:00" }];
const QUICK = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };

/** Does a task by a tool, and ends the test with the tool's own words when it is refused. */
async function done(agent: Agent, name: string, args: Record<string, unknown> = {}): Promise<ToolResult["body"]> {
  const { isError, body, text } = await agent.call(name, args);
  if (isError) throw new Error(`${name}: ${text}`);
  return body;
}

/**
 * An agent that a person of the workspace admitted in a browser, with these scopes ticked and this rule for its
 * sending.
 */
async function letIn(sends: "PLAN" | "APPROVAL", ticked: string[]): Promise<Agent> {
  const config = await oauth.register();
  const owner = (await sending.rest.get("/account")).body.id;
  const browser = browserAt(oauth.issuer);
  await signIn(browser, owner);
  const form = {
    SENDS: sends,
    CHANGES_SENDING: "DIRECT",
    ...Object.fromEntries(ticked.map((scope) => [`scope.${scope}`, "on"])),
  };
  const { tokens } = await connect(config, browser, { form });
  return agentOf({ baseUrl: oauth.issuer }, tokens.access_token);
}

/** Builds a campaign as an agent would, from the answers of the tools alone; returns its id. */
async function buildCampaign(agent: Agent, name: string, emails: string[]): Promise<string> {
  const { items: mailboxes } = await done(agent, "mailboxes_list");
  const { id: campaignId } = await done(agent, "campaigns_create", { name });
  const mailboxIds = mailboxes.map(({ id }: { id: string }) => id);
  await done(agent, "campaign_settings_update", { campaignId, settings: { ...QUICK, mailboxIds } });
  const steps = [
    {
      subject: 'A question, {{ firstName | default: "there" }}',
      bodyText: "Shall we talk?",
      delay: { value: 0, unit: "MINUTES" },
    },
    { subject: "", bodyText: "Just checking in.", delay: { value: 3, unit: "DAYS" } },
  ];
  await done(agent, "campaign_sequence_update", { campaignId, action: "replaceSteps", steps });
  if (emails.length > 0) await done(agent, "recipients_manage", { campaignId, action: "addManual", emails });
  return campaignId;
}

test("an agent that knows only the server's address connects, builds a campaign, shows its plan, and sends after a person has approved", async () => {
  const agent = await letIn("APPROVAL", ["campaigns:launch"]);
  expect((await done(agent, "account_get")).policy.SENDS).toBe("APPROVAL");
  const campaignId = await buildCampaign(agent, "Journey", ["journey@people.test"]);
  expect((await done(agent, "campaign_validate", { campaignId })).errors).toEqual([]);
  const planned = await done(agent, "campaign_control", { campaignId, action: "launch", planOnly: true });
  expect(planned.plan.effect).toMatchObject({ kind: "LAUNCH", people: 1, recipients: ["journey@people.test"] });
  expect(planned.plan.effect.texts[0].text).toContain("Shall we talk?");
  const commit = { campaignId, action: "launch", planToken: planned.planToken, idempotencyKey: "journey-launch-1" };
  const { approval } = await done(agent, "campaign_control", commit);
  expect(approval).toMatchObject({ kind: "LAUNCH", status: "PENDING" });
  expect(sending.mailsTo("journey@people.test")).toEqual([]);
  const { id: ownerId } = (await sending.rest.get("/account")).body;
  const { rest: person } = await signInOwner(sending.world, { workspaceId: sending.workspaceId, ownerId });
  const decided = await person.post(`/approvals/${approval.id}`, { action: "approve" });
  expect(decided.body.status).toBe("APPROVED");
  await until(() => sending.mailsTo("journey@people.test").length === 1, { deadlineMs: 80_000, what: "the mail" });
  expect((await done(agent, "campaigns_get", { campaignId })).status).toBe("ACTIVE");
  await agent.close();
}, 150_000);

test("a connector sends nothing without a plan, and a committed plan sends what it showed, once", async () => {
  const agent = await letIn("PLAN", ["campaigns:launch"]);
  const campaignId = await buildCampaign(agent, "Planned", ["planned@people.test"]);
  const launch = (more: object) => agent.call("campaign_control", { campaignId, action: "launch", ...more });
  expect((await launch({ idempotencyKey: "planned-launch-0" })).body.code).toBe("PLAN_REQUIRED");
  expect((await launch({})).body.code).toBe("IDEMPOTENCY_KEY_REQUIRED");
  const first = (await launch({ planOnly: true })).body;
  await done(agent, "recipients_manage", { campaignId, action: "addManual", emails: ["later@people.test"] });
  const stale = await launch({ planToken: first.planToken, idempotencyKey: "planned-launch-1" });
  expect(stale.body).toMatchObject({ code: "PLAN_STALE", details: { plan: { effect: { people: 2 } } } });
  const again = { planToken: stale.body.details.planToken, idempotencyKey: "planned-launch-2" };
  expect((await launch(again)).body).toMatchObject({ launched: true, idempotentReplay: false });
  expect((await launch(again)).body).toMatchObject({ launched: true, idempotentReplay: true });
  await until(
    () => sending.mailsTo("planned@people.test").length === 1 && sending.mailsTo("later@people.test").length === 1,
    {
      deadlineMs: 80_000,
      what: "both mails",
    },
  );
  await agent.close();
}, 150_000);

test("twenty identical simultaneous test sends send one email, and all return its result", async () => {
  const { key } = await keyOfWorkspace();
  const campaignId = (
    await sending.campaign([], [{ subject: "Once", bodyText: "One.", delay: { value: 0, unit: "MINUTES" } }])
  ).split("/")[2];
  const args = { campaignId, toEmail: "once@own.test", idempotencyKey: "twenty-at-once" };
  const agents = await Promise.all(Array.from({ length: 4 }, () => agentOf(sending.world, key)));
  const answers = await Promise.all(
    Array.from({ length: 20 }, (_, at) => agents[at % 4]?.call("campaign_test_send", args)),
  );
  for (const answer of answers) expect(answer?.body).toMatchObject({ ok: true, sentTo: "once@own.test" });
  expect(new Set(answers.map((answer) => answer?.body.messageId)).size).toBe(1);
  expect(answers.filter((answer) => answer?.body.idempotentReplay === false)).toHaveLength(1);
  expect(sending.mailsTo("once@own.test")).toHaveLength(1);
  const other = await agents[0]?.call("campaign_test_send", { ...args, toEmail: "other@own.test" });
  expect(other?.body.code).toBe("IDEMPOTENCY_KEY_REUSED");
  const entries = await scoped(sending.workspaceId).AuditEntry.find({ action: "campaigns.testSend" });
  expect(entries.length).toBeGreaterThan(0);
  for (const agent of agents) await agent.close();
}, 120_000);

async function keyOfWorkspace(): Promise<{ key: string }> {
  const { createKey } = await import("../../operations/access/api-keys.ts");
  const { ALL_SCOPES } = await import("../../domain/scopes.ts");
  const createdBy = (await sending.rest.get("/account")).body.id;
  return createKey({ workspaceId: sending.workspaceId, name: "agent", scopes: ALL_SCOPES, createdBy });
}
