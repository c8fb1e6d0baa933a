import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { BillingPlans } from "../../domain/billing/plans.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { BillingAccount } from "../../models/billing/billing-account.ts";
import { scoped } from "../../models/scoped.ts";
import { type FakeStripe, invoice, startStripe, subscription, WEBHOOK_SECRET } from "../fakes/stripe.ts";
import { until } from "../fakes/wait.ts";
import { agentOf } from "../support/mcp.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

const plans: BillingPlans = {
  plans: [
    { id: "team", name: "Team", price: "price_team", formerPrices: ["price_old"], limits: { leadLists: 3 } },
    { id: "big", name: "Big", price: "price_big", formerPrices: [], limits: {} },
  ],
  free: { limits: { leadLists: 1, members: 1 } },
  credits: { price: "price_credits", credits: 100 },
};

let world: World;
let stripe: FakeStripe;
let workspace: Awaited<ReturnType<World["workspace"]>>;
let rest: Rest;
const lines: string[] = [];

beforeAll(async () => {
  stripe = await startStripe("sk_test_right");
  world = await startWorld({
    worker: realWorker({ stripe: { secretKey: "sk_test_right", url: stripe.url }, onLog: (line) => lines.push(line) }),
    settings: { billing: { plans, webhookSecret: WEBHOOK_SECRET } },
    onLog: (line) => lines.push(line),
  });
}, 120_000);
afterAll(async () => {
  await world.close();
  await stripe.close();
}, 60_000);
beforeEach(async () => {
  stripe.subscriptions.length = 0;
  stripe.invoices.length = 0;
  stripe.sessions.length = 0;
  stripe.asked.length = 0;
  stripe.fault(() => false);
  workspace = await world.workspace();
  ({ rest } = workspace);
});

const status = async () => (await rest.get("/billing")).body;
const checkout = (body: object) => rest.post("/billing/checkout", body);
/** The requests for checkout pages. */
const opened = () => stripe.asked.filter(({ method, path }) => method === "POST" && path === "/v1/checkout/sessions");
/** The customer that the first page at Stripe makes. */
async function customer(): Promise<string> {
  expect((await checkout({ item: "PLAN", planId: "team", quantity: 3 })).status).toBe(201);
  return (await scoped(workspace.workspaceId).BillingAccount.get(workspace.workspaceId))?.customerId ?? "";
}
function post({ body, signature }: { body: string; signature: string }) {
  const headers = { "Content-Type": "application/json", "Stripe-Signature": signature };
  return fetch(`${world.baseUrl}/hooks/stripe`, { method: "POST", headers, body });
}
async function told(type: string, object: object): Promise<void> {
  expect((await post(stripe.event(type, object))).status).toBe(200);
}
const becomes = (want: object) =>
  until(
    async () => {
      const now = await status();
      return Object.entries(want).every(([name, value]) => now[name] === value) ? now : null;
    },
    { deadlineMs: 60_000, what: JSON.stringify(want) },
  );

test("a signed Stripe event makes the workspace read its plan from Stripe; without the event the plan does not change", async () => {
  const id = await customer();
  stripe.subscriptions.push(subscription(id, {}));
  expect(await status()).toMatchObject({ plan: null, status: "NONE", seats: 0, invoices: [] });
  await told("checkout.session.completed", { id: "cs_1", object: "checkout.session", customer: id });
  const now = await becomes({ plan: "team", status: "ACTIVE", seats: 3 });
  expect(now).toMatchObject({ paymentMethodLast4: "4242", renewsAt: new Date(1_900_000_000_000).toISOString() });
  expect((await rest.get("/account")).body.plan).toBe("team");
});

test("a checkout sends the workspace, price and seats to Stripe, creates one customer, and returns the URL of the payment page", async () => {
  const first = await checkout({ item: "PLAN", planId: "team", quantity: 3, successUrl: "https://acme.test/paid" });
  expect(first).toMatchObject({
    status: 201,
    body: { checkoutUrl: "https://checkout.stripe.example/c", sessionId: expect.any(String) },
  });
  await checkout({ item: "CREDITS", quantity: 2 });
  const [made, ...again] = stripe.asked.filter(({ path }) => path === "/v1/customers");
  expect([made?.fields.get("metadata[workspaceId]"), again]).toEqual([workspace.workspaceId, []]);
  const sessions = opened().map(({ fields }) => Object.fromEntries(fields));
  expect(sessions).toMatchObject([
    {
      mode: "subscription",
      client_reference_id: workspace.workspaceId,
      success_url: "https://acme.test/paid",
      "line_items[0][price]": "price_team",
      "line_items[0][quantity]": "3",
    },
    {
      mode: "payment",
      "invoice_creation[enabled]": "true",
      "line_items[0][price]": "price_credits",
      "line_items[0][quantity]": "2",
    },
  ]);
  expect(await scoped(workspace.workspaceId).BillingOrder.count()).toBe(0);
});

test("a checkout for a workspace that has a plan opens a plan change and sells no second subscription", async () => {
  const id = await customer();
  expect(await checkout({ item: "SEATS", quantity: 5 })).toMatchObject({
    status: 409,
    body: { code: "INVALID_STATE_TRANSITION" },
  });
  stripe.subscriptions.push(subscription(id, { id: "sub_1" }));
  stripe.asked.length = 0;
  expect((await checkout({ item: "SEATS", quantity: 5 })).body.checkoutUrl).toBe("https://billing.stripe.example/p");
  expect((await checkout({ item: "PLAN", planId: "big" })).status).toBe(201);
  expect(opened()).toEqual([]);
  const flow = "flow_data[subscription_update_confirm]";
  const changes = stripe.asked
    .filter(({ path }) => path === "/v1/billing_portal/sessions")
    .map(({ fields }) => Object.fromEntries(fields));
  expect(changes).toMatchObject([
    {
      [`${flow}[subscription]`]: "sub_1",
      [`${flow}[items][0][price]`]: "price_team",
      [`${flow}[items][0][quantity]`]: "5",
    },
    { [`${flow}[items][0][price]`]: "price_big", [`${flow}[items][0][quantity]`]: "3" },
  ]);
});

test("only the latest plan checkout page can be paid, so a workspace never pays for two subscriptions", async () => {
  const first = (await checkout({ item: "PLAN", planId: "team" })).body.sessionId;
  const credits = (await checkout({ item: "CREDITS" })).body.sessionId;
  const last = (await checkout({ item: "PLAN", planId: "big" })).body.sessionId;
  expect([stripe.pay(first), stripe.pay(last), stripe.pay(last)]).toEqual([false, true, false]);
  expect(stripe.sessions.find(({ id }) => id === credits)?.["status"]).toBe("open");
  expect((await checkout({ item: "PLAN", planId: "team" })).body.checkoutUrl).toBe("https://billing.stripe.example/p");
  expect(stripe.subscriptions).toHaveLength(1);
});

test("simultaneous checkouts leave one page open, and a caller who gets no page gets an error", async () => {
  for (let round = 0; round < 5; round++) {
    workspace = await world.workspace();
    ({ rest } = workspace);
    stripe.sessions.length = 0;
    stripe.subscriptions.length = 0;
    const answers = await Promise.all(["team", "big", "team"].map((planId) => checkout({ item: "PLAN", planId })));
    for (const { status, body } of answers)
      if (status !== 201) expect([status, body.code]).toEqual([409, "INVALID_STATE_TRANSITION"]);
    const pages = answers.flatMap(({ status, body }) => (status === 201 ? [body.sessionId] : []));
    expect(stripe.sessions.filter(({ status }) => status === "open")).toHaveLength(1);
    expect(pages.filter((id) => stripe.pay(id))).toHaveLength(1);
  }
}, 120_000);

test.each([
  ["page that opens after a later checkout began is closed", "POST /v1/checkout/sessions"],
  ["that finds a later checkout's page leaves it open", "GET /v1/checkout/sessions"],
])("a checkout %s, and its caller gets an error", async (_, call) => {
  await customer();
  const held = stripe.hold(call);
  const early = checkout({ item: "PLAN", planId: "team" });
  await held.arrived;
  const late = await checkout({ item: "PLAN", planId: "big" });
  held.release();
  expect([late.status, await early]).toMatchObject([201, { status: 409, body: { code: "INVALID_STATE_TRANSITION" } }]);
  expect(stripe.sessions.filter(({ status }) => status === "open").map(({ id }) => id)).toEqual([late.body.sessionId]);
});

test("a customer who pays the first page while the next checkout starts is sent to a plan change", async () => {
  await customer();
  const [page] = stripe.sessions;
  stripe.fault(({ path }) => {
    // Stripe has listed the page as open, and someone pays before it is closed
    if (path.endsWith("/expire") && page !== undefined) stripe.pay(page.id);
    return false;
  });
  expect((await checkout({ item: "PLAN", planId: "big" })).body.checkoutUrl).toBe("https://billing.stripe.example/p");
  expect(stripe.subscriptions).toHaveLength(1);
});

test("two subscriptions created by hand in Stripe are reported by the API and in the log", async () => {
  const id = await customer();
  stripe.subscriptions.push(
    subscription(id, { created: 1_700_000_000 }),
    subscription(id, { created: 1_700_000_001, quantity: 9 }),
  );
  await told("customer.subscription.created", { id: "sub_2", object: "subscription", customer: id });
  expect(await becomes({ plan: "team", seats: 9 })).toMatchObject({ subscriptions: 2 });
  const isLogged = () =>
    lines.some((line) => line.includes("more than one subscription") && line.includes(workspace.workspaceId));
  await until(async () => isLogged() || null, { deadlineMs: 30_000, what: "the line of the log" });
});

test("a paid invoice adds its credits once, however often it is reported", async () => {
  const id = await customer();
  stripe.invoices.push(invoice(id, { id: "in_1", quantity: 2 }), invoice(id, { id: "in_2", status: "open" }));
  const event = stripe.event("invoice.paid", { id: "in_1", object: "invoice", customer: id });
  for (let n = 0; n < 3; n++) expect((await post(event)).status).toBe(200);
  await becomes({ creditsRemaining: 200 });
  await told("invoice.paid", { id: "in_1", object: "invoice", customer: id });
  stripe.invoices.push(invoice(id, { id: "in_3" }));
  await told("invoice.payment_succeeded", { id: "in_3", object: "invoice", customer: id });
  const { invoices } = await becomes({ creditsRemaining: 300 });
  expect(invoices.map(({ id, status }: { id: string; status: string }) => [id, status])).toEqual([
    ["in_3", "PAID"],
    ["in_2", "OPEN"],
    ["in_1", "PAID"],
  ]);
  const bought = (await rest.get("/credits/entries?kind=PURCHASE")).body.items;
  expect(bought.map(({ subjectId, amount }: { subjectId: string; amount: number }) => [subjectId, amount])).toEqual([
    ["in_3", 100],
    ["in_1", 200],
  ]);
});

test("an event that is unsigned, altered, or more than five minutes old or ahead is refused, and Stripe is not asked", async () => {
  const id = await customer();
  stripe.subscriptions.push(subscription(id, {}));
  stripe.asked.length = 0;
  const about = { id: "sub_1", object: "subscription", customer: id };
  const good = stripe.event("customer.subscription.created", about);
  const changed = { ...good, body: good.body.replace(id, `${id.slice(0, -1)}x`) };
  const spaced = { ...good, body: `${good.body} ` };
  const bad = [changed, spaced, { ...good, signature: "" }, stripe.event("customer.subscription.created", about, 301)];
  for (const one of bad) expect([(await post(one)).status, stripe.asked]).toEqual([401, []]);
  const early = stripe.event("customer.subscription.created", about, -301);
  expect((await post(early)).status).toBe(401);
  expect((await post(good)).status).toBe(200);
  await becomes({ plan: "team" });
});

test("an event about an unknown customer, a deleted workspace or another type is accepted and changes nothing", async () => {
  const id = await customer();
  stripe.asked.length = 0;
  await told("customer.updated", { id: "cus_foreign", object: "customer" });
  await told("charge.succeeded", { id: "ch_1", object: "charge", customer: id });
  expect((await rest.post("/workspace", { action: "delete", confirmName: "Acme" })).status).toBe(200);
  await told("invoice.paid", { id: "in_1", object: "invoice", customer: id });
  const events = world.temporal?.client.workflow.list({
    query: `WorkspaceId = "${workspace.workspaceId}" AND WorkflowType = "syncBilling"`,
  });
  for await (const run of events ?? []) throw new Error(`${run.workflowId} was begun`);
  expect(stripe.asked).toEqual([]);
});

test("while Stripe does not answer, an event waits; once Stripe answers, the plan is updated", async () => {
  const id = await customer();
  stripe.subscriptions.push(subscription(id, { quantity: 4 }));
  let refused = 0;
  stripe.fault((_asked, res) => {
    if (refused >= 3) return false;
    refused += 1;
    if (refused === 1) res.destroy();
    else res.writeHead(refused === 2 ? 500 : 429, { "Content-Type": "application/json" }).end("{");
    return true;
  });
  await told("customer.subscription.created", { id: "sub_1", object: "subscription", customer: id });
  await becomes({ plan: "team", seats: 4 });
  expect(refused).toBe(3);
});

test("a plan at a former price stays active; after a plan ends, the limits of no plan apply", async () => {
  const id = await customer();
  stripe.subscriptions.push(subscription(id, { price: "price_old", status: "past_due" }));
  await told("customer.subscription.created", { id: "sub_1", object: "subscription", customer: id });
  await becomes({ plan: "team", status: "PAST_DUE" });
  for (const one of stripe.subscriptions) one["status"] = "canceled";
  await told("customer.subscription.deleted", { id: "sub_1", object: "subscription", customer: id });
  await becomes({ plan: null, status: "CANCELED", seats: 0 });
  expect((await rest.get("/workspace")).body.limits).toMatchObject({ leadLists: 1, members: 1, customFields: 200 });
});

test("a call that would exceed the plan's limits is refused, and existing data stays", async () => {
  const list = () => rest.post("/lead-lists", { name: "Some" });
  expect([(await list()).status, await list()]).toMatchObject([
    201,
    { status: 422, body: { code: "LIMIT_EXCEEDED", details: { limit: 1 } } },
  ]);
  const invite = (n: number) =>
    rest.post("/invites/manage", { action: "create", email: `p${n}@acme.test`, role: "VIEWER" });
  expect(await invite(1)).toMatchObject({ status: 422, body: { code: "LIMIT_EXCEEDED" } });
  const id = await customer();
  stripe.subscriptions.push(subscription(id, { quantity: 2 }));
  await told("customer.subscription.created", { id: "sub_1", object: "subscription", customer: id });
  await becomes({ plan: "team", seats: 2 });
  expect((await rest.get("/workspace")).body.limits).toMatchObject({ leadLists: 3, members: 2 });
  expect([(await list()).status, (await list()).status, (await list()).status]).toEqual([201, 201, 422]);
  expect([(await invite(1)).status, await invite(2)]).toMatchObject([
    200,
    { status: 422, body: { details: { limit: 2 } } },
  ]);
  stripe.subscriptions.length = 0;
  await told("customer.subscription.deleted", { id: "sub_1", object: "subscription", customer: id });
  await becomes({ plan: null });
  expect(await scoped(workspace.workspaceId).LeadList.count()).toBe(3);
});

test("a workspace whose plan renews cannot be deleted; after the plan is cancelled the workspace can be deleted", async () => {
  const id = await customer();
  stripe.subscriptions.push(subscription(id, {}));
  await told("customer.subscription.created", { id: "sub_1", object: "subscription", customer: id });
  await becomes({ plan: "team" });
  const remove = () => rest.post("/workspace", { action: "delete", confirmName: "Acme" });
  expect(await remove()).toMatchObject({ status: 409, body: { code: "INVALID_STATE_TRANSITION" } });
  for (const one of stripe.subscriptions) one["cancel_at_period_end"] = true;
  await told("customer.subscription.updated", { id: "sub_1", object: "subscription", customer: id });
  const ending = async () =>
    (await Workspace.findOne({ _id: workspace.workspaceId }).lean<Workspace>())?.plan?.isEnding || null;
  await until(ending, { deadlineMs: 30_000, what: "the end of the plan" });
  expect((await remove()).status).toBe(200);
});

test("error messages from Stripe do not appear in API answers, and a refused checkout leaves no order", async () => {
  const text = JSON.stringify({
    error: { type: "invalid_request_error", message: "No such price: price_team for acct_9" },
  });
  stripe.fault((asked, res) => {
    if (asked.path !== "/v1/checkout/sessions") return false;
    res.writeHead(400, { "Content-Type": "application/json" }).end(text);
    return true;
  });
  const refused = await checkout({ item: "PLAN", planId: "team" });
  expect(refused).toMatchObject({ status: 503, body: { code: "SERVICE_UNAVAILABLE" } });
  expect(JSON.stringify(refused.body)).not.toMatch(/No such|acct_9/);
  stripe.fault((_asked, res) => {
    res.writeHead(401, { "Content-Type": "application/json" }).end(text);
    return true;
  });
  expect(await checkout({ item: "CREDITS" })).toMatchObject({
    status: 503,
    body: { code: "PROVIDER_NOT_CONFIGURED", details: { setting: "STRIPE_SECRET_KEY" } },
  });
  expect(await scoped(workspace.workspaceId).BillingOrder.count()).toBe(0);
});

test("the billing portal opens for the workspace's own Stripe customer", async () => {
  const id = await customer();
  const opened = await rest.post("/billing/portal", { returnUrl: "https://acme.test/back" });
  expect(opened).toMatchObject({ status: 201, body: { portalUrl: "https://billing.stripe.example/p" } });
  const [asked] = stripe.asked.filter(({ path }) => path === "/v1/billing_portal/sessions");
  expect([asked?.fields.get("customer"), asked?.fields.get("return_url")]).toEqual([id, "https://acme.test/back"]);
});

test("a checkout for an unknown plan is refused with the list of plans, and a return address must be a web address", async () => {
  const { body } = await checkout({ item: "PLAN", planId: "gold" });
  expect(body).toMatchObject({
    code: "VALIDATION_FAILED",
    details: { issues: [{ path: "planId", message: "must be one of team, big" }] },
  });
  const odd = await checkout({ item: "CREDITS", successUrl: "javascript:alert(1)" });
  expect(odd).toMatchObject({ status: 400, body: { details: { issues: [{ path: "successUrl" }] } } });
});

test("reading needs billing:read, buying needs billing:write, and a workspace does not see another's account", async () => {
  const id = await customer();
  stripe.subscriptions.push(subscription(id, {}));
  await told("customer.subscription.created", { id: "sub_1", object: "subscription", customer: id });
  await becomes({ plan: "team" });
  const other = await world.workspace();
  expect((await other.rest.get("/billing")).body).toMatchObject({ plan: null, status: "NONE" });
  const reader = await workspace.withScopes("billing:read");
  expect((await reader.get("/billing")).status).toBe(200);
  expect((await reader.post("/billing/checkout", { item: "CREDITS" })).status).toBe(403);
  expect((await reader.post("/billing/portal", {})).status).toBe(403);
  expect(await BillingAccount.countDocuments({ customerId: id }, { acrossWorkspaces: true })).toBe(1);
});

test("both billing tools return the same answers as the REST API", async () => {
  const agent = await agentOf(world, workspace.key);
  const { body } = await agent.call("billing_checkout", { item: "CREDITS", quantity: 1 });
  expect(body.checkoutUrl).toBe("https://checkout.stripe.example/c");
  expect((await agent.call("billing_status")).body).toMatchObject({
    plan: null,
    status: "NONE",
    seats: 0,
    creditsRemaining: 0,
  });
  await agent.close();
});

test("the log contains neither the Stripe key nor a page address", () => {
  expect(lines.join("\n")).not.toMatch(/sk_test_right|stripe\.example|whsec_/);
});
