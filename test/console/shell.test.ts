import { randomUUID } from "node:crypto";
import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { restOf } from "../support/rest.ts";
import { invited, signedIn } from "../support/signed-in.ts";
import { useSetup, visit, withCampaign, world } from "./frame-setup.ts";
import { conversationIn } from "./inbox-parts.ts";

useSetup();

test("the sidebar shows the pages of the open area, keeps its links when it is collapsed, and stays collapsed after a reload", async () => {
  const person = await withCampaign();
  const { page, check } = await visit(person, `/w/${person.workspaceId}/members`, { width: 1440 });
  const sidebar = page.getByRole("navigation", { name: "Main" });
  await sidebar.getByRole("link", { name: "Retention" }).waitFor();
  await page.getByRole("heading", { level: 1, name: "Members" }).waitFor();
  await check("the open sidebar");
  await page.getByRole("button", { name: "Collapse the sidebar" }).click();
  await page.getByRole("button", { name: "Expand the sidebar" }).waitFor();
  // The pages of the area move above the page
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Retention" }).waitFor();
  await page.reload();
  await page.getByRole("button", { name: "Expand the sidebar" }).waitFor();
  await check("the collapsed sidebar");
  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
}, 60_000);

test("Ctrl K opens the list of pages that the role may open, and Enter opens the first page found", async () => {
  const owner = await withCampaign();
  const viewer = await invited(world, owner, `go-${owner.userId}@acme.test`.toLowerCase(), "VIEWER");
  const { page, check } = await visit(viewer, `/w/${owner.workspaceId}/campaigns`);
  await page.getByRole("link", { name: "Spring" }).waitFor();
  await page.keyboard.press("Control+k");
  const dialog = page.getByRole("dialog", { name: "Search or go to" });
  await dialog.getByRole("link", { name: "Campaigns", exact: true }).waitFor();
  await check("the list of pages");
  // Only operators have this page
  expect(await dialog.getByRole("link", { name: "System" }).count()).toBe(0);
  await page.keyboard.type("mailb");
  await page.keyboard.press("ArrowDown");
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Mailboxes");
  await page.keyboard.press("ArrowUp");
  // Around to the last one found
  expect(await page.evaluate("document.activeElement.textContent")).toBe("DeliverabilityMailboxes");
  await dialog.getByRole("textbox").focus();
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Mailboxes" }).waitFor();
  expect(await dialog.count()).toBe(0);
}, 60_000);

test("a phone has a bar with the most used pages, and a sheet with all of the navigation, which closes when a page opens", async () => {
  const person = await withCampaign();
  const { page, check } = await visit(person, `/w/${person.workspaceId}/campaigns`, { width: 390 });
  await page.getByRole("link", { name: "Spring" }).waitFor();
  await check("the bar of a phone");
  await page.getByRole("button", { name: "Menu" }).click();
  const sheet = page.getByRole("dialog", { name: "Menu" });
  await sheet.getByRole("link", { name: "Integrations" }).click();
  await sheet.waitFor({ state: "detached" });
  await page.getByRole("heading", { level: 1, name: "Webhooks" }).waitFor();
  await page.getByRole("navigation", { name: "Integrations" }).getByRole("link", { name: "API keys" }).click();
  await page.getByRole("heading", { level: 1, name: "API keys" }).waitFor();
  await page.getByRole("button", { name: "Menu" }).click();
  await sheet.getByRole("button", { name: "Pause all sending" }).click();
  await page.getByRole("dialog", { name: "Pause all sending" }).waitFor();
  expect(await sheet.count()).toBe(0);
}, 60_000);

test("the height of rows is a preference of the browser", async () => {
  const person = await withCampaign();
  const { page, check } = await visit(person, `/w/${person.workspaceId}/campaigns`);
  const paddings = async () => {
    await page.getByRole("link", { name: "Spring" }).waitFor();
    return page.evaluate<number>("parseFloat(getComputedStyle(document.querySelector('tbody th')).paddingTop)");
  };
  const comfortable = await paddings();
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByLabel("Row height").selectOption("Compact");
  await check("compact rows");
  expect(await paddings()).toBeLessThan(comfortable);
  await page.reload();
  expect(await paddings()).toBeLessThan(comfortable);
}, 60_000);

test("a person chooses the columns of a list, and the browser keeps the choice", async () => {
  const person = await withCampaign();
  const { page, check } = await visit(person, `/w/${person.workspaceId}/campaigns`);
  const head = page.getByRole("columnheader", { name: "Created" });
  await head.waitFor();
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Created" }).uncheck();
  await head.waitFor({ state: "detached" });
  await check("the choice of columns");
  expect(await page.getByRole("checkbox", { name: "Name" }).count()).toBe(0);
  await page.reload();
  await page.getByRole("link", { name: "Spring" }).waitFor();
  expect(await head.count()).toBe(0);
  await page.getByRole("button", { name: "Columns" }).click();
  await page.getByRole("checkbox", { name: "Created" }).check();
  await head.waitFor();
}, 60_000);

test("home shows approvals, broken mailboxes and unread conversations by name, and a stuck campaign before a draft", async () => {
  const person = await signedIn(world);
  const { workspaceId, rest } = person;
  const { campaignId, mailbox } = await readyCampaign(rest, workspaceId);
  await rest.post("/campaigns", { name: "Autumn" });
  await scoped(workspaceId).Campaign.updateOne({ _id: campaignId }, { $set: { status: "ACTIVE" } });
  const written = { from: "ada@example.test", name: "Ada", before: "Hello" };
  const { threadId } = await conversationIn(workspaceId, mailbox._id, written);
  const { body: agent } = await rest.post("/api-keys", {
    name: "Agent",
    scopes: ["inbox:send"],
    policy: { SENDS: "APPROVAL" },
  });
  const reply = { text: "Gladly.", idempotencyKey: randomUUID() };
  await restOf(`${world.baseUrl}/api/v1`, agent.key).post(`/inbox/threads/${threadId}/reply`, reply);
  await scoped(workspaceId).Mailbox.updateOne({ _id: mailbox._id }, { $set: { status: "RECONNECT_REQUIRED" } });
  const { page, check } = await visit(person, `/w/${workspaceId}`);
  const read: string[] = [];
  page.on("request", (request) => {
    const [, path] = /\/console\/api\/v1\/([^?]+)/.exec(request.url()) ?? [];
    if (path !== undefined && !read.includes(path)) read.push(path);
  });
  const needs = page.getByRole("region", { name: "Needs you" });
  await needs.getByRole("link", { name: "Ada" }).waitFor();
  await needs.getByText("sign-in refused").waitFor();
  await needs.getByText("1 action waits for approval").waitFor();
  const campaigns = page.getByRole("region", { name: "Your campaigns" });
  await campaigns.getByText("None of its mailboxes can send").waitFor();
  expect(await campaigns.getByRole("link").allInnerTexts()).toEqual(["Spring", "Autumn"]);
  await page.getByRole("region", { name: "Today" }).getByText("Campaign emails sent by hour").waitFor();
  expect(await page.getByRole("link", { name: "Inbox 2" }).count()).toBe(1);
  await check("home");
  read.length = 0;
  await page.reload();
  await needs.getByRole("link", { name: "Ada" }).waitFor();
  // The page reads one endpoint; the others are those of the frame around every page
  const ofFrame = ["account", "session", "workspaces", "workspace", "inbox/summary", "approvals"];
  expect(read.filter((path) => !ofFrame.includes(path))).toEqual(["home"]);
  await needs.getByRole("link", { name: "Ada" }).click();
  await page.getByRole("heading", { level: 1, name: "Inbox" }).waitFor();
  expect(new URL(page.url()).searchParams.get("open")).toBe(threadId);
}, 60_000);

test("the checklist can be dismissed by each person in each workspace, can be shown again, and is gone when it is done", async () => {
  const person = await withCampaign();
  const { workspaceId, rest } = person;
  const { body: other } = await rest.post("/workspaces", { name: "Client" });
  const { page } = await visit(person, `/w/${workspaceId}`);
  const checklist = page.getByRole("region", { name: "Get to your first email" });
  await checklist.getByText("Launch the campaign").waitFor();
  await page.getByRole("button", { name: "Dismiss checklist" }).click();
  await checklist.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Undo" }).click();
  await checklist.waitFor();
  await page.getByRole("button", { name: "Dismiss checklist" }).click();
  await page.reload();
  await page.getByRole("button", { name: "Show checklist" }).waitFor();
  expect(await checklist.count()).toBe(0);
  await page.goto(`${world.baseUrl}/w/${other.id}`);
  await checklist.waitFor();

  const { Campaign, Mailbox } = scoped(workspaceId);
  await rest.post("/workspace", { action: "update", patch: { postalAddress: "Acme Ltd\n1 Main Street" } });
  await Campaign.updateMany({}, { $set: { launchedAt: new Date() } });
  const checks = { mx: "PASS", spf: "PASS", dkim: "PASS", dmarc: "PASS" } as const;
  await Mailbox.updateMany({}, { $set: { verification: { status: "VERIFIED", checks, checkedAt: new Date() } } });
  await page.goto(`${world.baseUrl}/w/${workspaceId}`);
  await page.getByRole("region", { name: "Your campaigns" }).getByRole("link", { name: "Spring" }).waitFor();
  await page.getByRole("button", { name: "Show checklist" }).waitFor({ state: "detached" });
  expect(await checklist.count()).toBe(0);
}, 60_000);
