import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { consoleRoutes, routes } from "../../api/routes.ts";
import { ROLES, type Role, scopesOf } from "../../domain/access/roles.ts";
import type { Scope } from "../../domain/scopes.ts";
import { scoped } from "../../models/scoped.ts";
import { User } from "../../models/sign-in/user.ts";
import { newId } from "../../mongo/ids.ts";
import { createGrant, newGrantId } from "../../operations/access/connectors.ts";
import { pickAction } from "../../operations/choice.ts";
import type { Route } from "../../operations/declaration.ts";
import { readyCampaign, storedMailbox } from "../campaigns/campaign-parts.ts";
import { restOf } from "../support/rest.ts";
import { invited, type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { conversationIn } from "./inbox-parts.ts";
import { KEEP_BACK, pressAll, SETTLED } from "./pressing.ts";
import { visitAs } from "./signed-in-visit.ts";

let world: World;
let chromium: Chromium;
let owner: SignedIn;
/** What the addresses of pages name. */
let ids: Record<string, string>;

beforeAll(async () => {
  // The page of the system lists the first entries of all workspaces, also those of other test files
  world = await startWorld({ apart: true, console: await builtConsole() });
  chromium = await startChromium();
  owner = await signedIn(world);
  ids = await furnish(owner);
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await world?.close();
});

/** Every page, as the table of the console has them: a new one is walked through by itself. */
const PAGES = [
  ...readFileSync(`${import.meta.dirname}/../../console/routes.tsx`, "utf8").matchAll(/^ {2}page\("([^"]+)"/gm),
].map(([, path = ""]) => path);

/** Campaigns that are under way, of which more can be done than of a draft. */
const ALSO: string[] = [];

/** A workspace in which each page has something to show, and something that could be done to it. */
async function furnish({ rest, workspaceId, userId }: SignedIn): Promise<Record<string, string>> {
  await User.updateOne({ _id: userId }, { $set: { isOperator: true } });
  const { campaignId, mailbox } = await readyCampaign(rest, workspaceId, ["ada@example.test", "grace@example.test"]);
  for (const status of ["ACTIVE", "PAUSED"] as const) {
    const other = await readyCampaign(rest, workspaceId, ["mira@example.test"]);
    await scoped(workspaceId).Campaign.updateOne({ _id: other.campaignId }, { $set: { name: status, status } });
    ALSO.push(other.campaignId);
  }
  const paused = await storedMailbox(workspaceId);
  await scoped(workspaceId).Mailbox.updateOne({ _id: paused._id }, { $set: { status: "PAUSED" } });
  await done(rest.post("/block-list", { value: "rival.test" }));
  await done(rest.post("/lead-lists", { name: "Founders" }));
  const filterRules = { rules: [{ field: "tags", operator: "CONTAINS_ANY", value: ["fair"] }] };
  const { body: list } = await done(rest.post("/lead-lists", { name: "Fair", filterRules }));
  await done(rest.post("/templates", { name: "Opener", kind: "STEP", subject: "Hello", bodyText: "Hello" }));
  await done(rest.post("/api-keys", { name: "Importer", scopes: ["leads:read"] }));
  await done(rest.post("/invites/manage", { action: "create", email: "open@acme.test", role: "ADMIN" }));
  const { body: webhook } = await done(
    rest.post("/webhooks", { url: "https://hooks.example.com/in", events: ["REPLIED"] }),
  );
  const grant = { id: newGrantId(), workspaceId, userId, clientId: "c", clientName: "Assistant" };
  await createGrant({ ...grant, scopes: ["leads:read"] }, new Date());
  const { threadId } = await conversationIn(workspaceId, mailbox._id, { from: "ada@example.test", before: "Hello" });
  await conversationIn(workspaceId, mailbox._id, { from: "grace@example.test", isRead: true });
  const agent = await done(
    rest.post("/api-keys", { name: "Agent", scopes: ["inbox:send"], policy: { SENDS: "APPROVAL" } }),
  );
  const asking = restOf(`${world.baseUrl}/api/v1`, agent.body.key);
  await done(asking.post(`/inbox/threads/${threadId}/reply`, { text: "Gladly.", idempotencyKey: randomUUID() }));
  const { WebhookDelivery, Job, Lead, Recipient, Sequence, Send } = scoped(workspaceId);
  await WebhookDelivery.insert({
    _id: newId("whd"),
    subscriptionId: webhook.id,
    event: "REPLIED",
    eventId: newId("evt"),
    status: "DEAD_LETTERED",
    attempts: 10,
    totalAttempts: 10,
    body: Buffer.from("{}"),
    host: "hooks.example.com",
    deadLetteredAt: new Date(),
  });
  const counts = { total: 1_200, processed: 300, succeeded: 300, failed: 0 };
  const job = { parameters: {}, state: {}, chunkCount: 3, nextChunk: 1, startedAt: new Date(), items: [] };
  await Job.insert({
    _id: newId("job"),
    type: "LEAD_IMPORT",
    fileName: "leads.csv",
    status: "RUNNING",
    ...counts,
    ...job,
  });
  const [recipient] = await Recipient.find({ campaignId });
  const sequence = await Sequence.findOne({ campaignId });
  await Send.insert({
    _id: newId("snd"),
    campaignId,
    recipientId: recipient?._id ?? "",
    stepId: sequence?.steps[0]?.stepId ?? "",
    to: "ada@example.test",
    mailboxId: mailbox._id,
    state: "UNKNOWN",
    unknownAt: new Date(),
    claimedAt: new Date(),
    attempts: 1,
  });
  const [lead] = await Lead.find();
  return { campaignId, mailboxId: mailbox._id, leadId: lead?._id ?? "", listId: list.id };
}

async function done<T extends { status: number; body: unknown }>(answer: Promise<T>): Promise<T> {
  const { status, body } = await answer;
  if (status >= 300) throw new Error(`Could not be furnished: ${status} ${JSON.stringify(body)}`);
  return answer;
}

function addressOf(path: string): string {
  const own = path.replaceAll(/\$(\w+)/g, (_, name: string) => {
    const id = ids[name];
    if (id === undefined) throw new Error(`${path} names a ${name}: give the workspace of this test one`);
    return id;
  });
  return `/w/${owner.workspaceId}${own === "/" ? "" : own}`;
}

interface Written {
  method: string;
  path: string;
  body: string;
}

/** The line of the tables that a request meets: as in the router, words before parameters. */
function routeOf({ method, path }: Written): Route {
  const own = path.replace(/^.*\/console\/api\/v1/, "");
  const table: readonly Route[] = [...consoleRoutes, ...routes];
  const fits = ([verb, template]: Route) =>
    verb === method.toLowerCase() && new RegExp(`^${template.replaceAll(/:\w+/g, "[^/]+")}$`).test(own);
  const [found] = table.filter(fits).toSorted(([, one], [, other]) => one.split(":").length - other.split(":").length);
  if (found === undefined) throw new Error(`No line of the tables is ${method} ${own}`);
  return found;
}

/** The scope that a write takes; null for one that everybody may do. */
function scopesFor(written: Written): (Scope | null)[] {
  const [, , verb] = routeOf(written);
  const { scope, orScope } = "actions" in verb ? pickAction(verb, JSON.parse(written.body)).action : verb;
  return [scope, ...(orScope === undefined ? [] : [orScope])];
}

/** Presses everything on a page, and answers with what would have been written. */
async function pressEverything(page: Page, address: string): Promise<Written[]> {
  const written: Written[] = [];
  let pressed: string[] = [];
  for (let visits = 0; visits < 12; visits++) {
    if (visits > 0) await page.goto(`${world.baseUrl}${address}`);
    await page.evaluate(SETTLED);
    const walked: { pressed: string[]; isWhole: boolean } = JSON.parse(String(await page.evaluate(pressAll(pressed))));
    written.push(...JSON.parse(String(await page.evaluate("JSON.stringify(window.written)"))));
    pressed = walked.pressed;
    if (walked.isWhole) return written;
  }
  throw new Error(`${address} has too much to press`);
}

/**
 * Whether the navigation leads there. A page that it does not offer refuses a person who types its address, and says
 * what is lacking.
 */
async function isOffered(page: Page, address: string): Promise<boolean> {
  const links: string[] = JSON.parse(
    String(
      await page.evaluate(
        "JSON.stringify([...document.querySelectorAll('nav a')].map((one) => new URL(one.href).pathname))",
      ),
    ),
  );
  const start = `/w/${owner.workspaceId}`;
  return links.some((link) => link === address || (link !== start && address.startsWith(`${link}/`)));
}

const CAMPAIGN = "/campaigns/$campaignId";

/** What the walk of an owner has to have pressed: the rooms in which most weighs. */
const MOST_WEIGHTY = [
  "post /campaigns/:campaignId/control",
  "post /inbox/threads/:threadId/reply",
  "post /inbox/threads/manage",
  "post /approvals/:approvalId",
  "post /jobs/:jobId/cancel",
  "post /leads/suppress",
  "post /campaigns/:campaignId/sends/:sendId/resolve",
  "post /webhooks/deliveries/:deliveryId/requeue",
];

async function personOf(role: Role): Promise<SignedIn> {
  return role === "OWNER" ? owner : invited(world, owner, `${role.toLowerCase()}-${owner.userId}@acme.test`, role);
}

test.each(ROLES)(
  "%s sees no button and loads no data that the service refuses with 403, on any page",
  async (role) => {
    const { page, context, complaints } = await visitAs(
      await personOf(role),
      chromium,
      `${world.baseUrl}/w/${owner.workspaceId}`,
    );
    await context.addInitScript(KEEP_BACK);
    const forbidden: string[] = [];
    const sent: string[] = [];
    page.on("response", (answer) => answer.status() === 403 && forbidden.push(new URL(answer.url()).pathname));
    page.on("request", (request) => request.method() !== "GET" && sent.push(`${request.method()} ${request.url()}`));
    page.on("dialog", (dialog) => void dialog.accept());
    const beyond: string[] = [];
    const writes = new Set<string>();
    const addresses = [
      ...PAGES.map((path) => [path, addressOf(path)] as const),
      ...ALSO.map((id) => [CAMPAIGN, addressOf(`/campaigns/${id}`)] as const),
    ];
    for (const [path, address] of addresses) {
      forbidden.length = 0;
      await page.goto(`${world.baseUrl}${address}`);
      await page.evaluate(SETTLED);
      if (await isOffered(page, address)) expect([role, path, forbidden]).toEqual([role, path, []]);
      const written = await pressEverything(page, address);
      for (const one of written) {
        const scopes = scopesFor(one);
        const [method, template] = routeOf(one);
        writes.add(`${method} ${template}`);
        const may = scopes.some((scope) => scope === null || scopesOf(role).includes(scope));
        if (!may) beyond.push(`${path}: ${method} ${template} ${one.body} takes ${scopes.join(" or ")}`);
      }
    }
    expect([role, beyond]).toEqual([role, []]);
    expect([role, sent]).toEqual([role, []]);
    expect([role, complaints]).toEqual([role, []]);
    // So that a walk that presses nothing cannot pass
    const expected = { OWNER: 20, ADMIN: 20, MEMBER: 10, VIEWER: 4 }[role];
    expect({ role, writes: [...writes], isEnough: writes.size >= expected }).toMatchObject({ isEnough: true });
    if (role === "OWNER") expect(MOST_WEIGHTY.filter((one) => !writes.has(one))).toEqual([]);
  },
  180_000,
);

test("only an owner is offered actions on an owner", async () => {
  const admin = await invited(world, owner, `second-${owner.userId}@acme.test`.toLowerCase(), "ADMIN");
  const { page } = await visitAs(admin, chromium, `${world.baseUrl}/w/${owner.workspaceId}/members`);
  const row = page.getByRole("row", { name: owner.email });
  await row.getByText("billing and other owners").waitFor();
  expect(await row.getByRole("button").count()).toBe(0);
  await page.getByRole("row", { name: admin.email }).getByRole("button", { name: "Change role…" }).click();
  expect(await page.getByLabel("New role").getByRole("option").allInnerTexts()).toEqual([
    "administrator",
    "member",
    "viewer",
  ]);
}, 60_000);
