import { expect, test } from "@jest/globals";
import type { Locator } from "playwright-core";
import { KEY_POLICY } from "../../domain/access/policy.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { Session } from "../../models/sign-in/session.ts";
import { forgetRates } from "../../mongo/rate-limit.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { until } from "../fakes/wait.ts";
import { type Rest, restOf } from "../support/rest.ts";
import { invited, PASSWORD, type SignedIn, signedIn } from "../support/signed-in.ts";
import { chromium, useSetup, visit, withCampaign, world } from "./frame-setup.ts";
import { editTwice, everyStep, writeSteps } from "./sequence-parts.ts";

useSetup();

test("a link to a page opens the page after sign-in, with the filter and the open row of the link", async () => {
  const { email, workspaceId, campaignId } = await withCampaign();
  const [recipient] = await scoped(workspaceId).Recipient.find({ campaignId, email: "ada@example.test" });
  const path = `/w/${workspaceId}/campaigns/${campaignId}?status=PENDING&open=${recipient?._id}`;
  const { page, check } = await chromium.open();
  await page.goto(`${world.baseUrl}${path}`);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByText("The campaign has not been launched").waitFor();
  expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
  expect(await page.getByRole("button", { name: /^scheduled 2/ }).getAttribute("aria-pressed")).toBe("true");
  await page.getByRole("button", { name: /^All 2/ }).click();
  await page.goBack();
  await page.getByRole("button", { name: "Hide ada@example.test" }).waitFor();
  await check("the page that was linked");
}, 60_000);

test("the sequence of a campaign shows the time, the text and the branches of each step, and older links open the sequence", async () => {
  const person = await withCampaign();
  const { rest, workspaceId, campaignId } = person;
  const form = new FormData();
  form.set("file", new Blob(["Prices"]), "prices.txt");
  const [{ body: file }, { body: other }] = await Promise.all([
    rest.post("/files", form),
    rest.post("/campaigns", { name: "Nurture" }),
  ]);
  await writeSteps(rest, campaignId, everyStep(other.id, file.id));
  const { page, check } = await visit(person, `/w/${workspaceId}/campaigns/${campaignId}?part=texts&view=overview`);
  const step = (name: string) => page.getByRole("article", { name });
  const told = async (name: string) => (await step(name).innerText()).split(/\n+/);

  const opener = step("Step 1: Email");
  await page.frameLocator("iframe.mail-frame").first().getByText("Hello {{firstName}},").waitFor();
  await opener.getByText("75% of recipients").waitFor();
  expect(await told("Step 1: Email")).toEqual([
    ...[
      "Step 1: Email",
      "Immediately after admission · New thread",
      "Variant A 75% of recipients",
      "Subject",
      "A question, {{firstName}}",
    ],
    ...[
      "Text",
      "HTML source",
      "Variant B 25% of recipients",
      "Subject",
      "{Quick|Short} question",
      "Text",
      "Hello {{firstName}},",
    ],
    ...[
      "  shall we talk?",
      "Attachments",
      "prices.txt (6 byte)",
      "Variant C Disabled",
      "Subject",
      "An older text",
      "Text",
      "This text is not sent.",
    ],
    ...[
      "What comes next",
      "The first line that applies decides.",
      "If the recipient replies to this email within 2 days: end the sequence.",
    ],
    ...[
      "If the recipient clicks a link in this email within 3 days: go to step 3.",
      "For 12.5% of recipients, drawn at random: go to step 4.",
    ],
    ...["Otherwise: go to step 2.", "No emails of this step sent yet."],
  ]);
  await page
    .frameLocator("iframe.mail-frame")
    .nth(1)
    .locator("body:dir(rtl)")
    .getByText("שלום {{firstName}}")
    .waitFor();
  expect((await told("Step 2: Email")).slice(1, 2)).toEqual(["2 business days after the email before · Same thread"]);
  expect(await told("Step 3: Task")).toEqual([
    ...["Step 3: Task", "1 hour after the email before", "Adds a task to the lead's history."],
    ...["Task", "Call {{firstName}}", "Note", "Ask for the budget", "Assigned to", "ann@acme.test"],
  ]);
  expect((await told("Step 4: Webhook")).slice(-2)).toEqual(["Host", "hooks.example.com"]);
  expect((await told("Step 5: Add tag")).slice(-2)).toEqual(["Tags", "warm, spring"]);
  expect((await told("Step 6: Condition")).slice(-3)).toEqual([
    "If the recipient does not open the email of step 1 within 4 days: go to step 7.",
    "If the lead's country is “DE”: go to step 7.",
    "Otherwise: go to step 9.",
  ]);
  expect(await told("Step 7: Wait")).toEqual([
    "Step 7: Wait",
    "1 day after the step before",
    "Waits and sends nothing.",
  ]);
  expect((await told("Step 8: Approval")).slice(-1)).toEqual(["Look at the account first"]);
  expect(await page.content()).not.toContain("s3cr3t");
  await opener.getByText("HTML source").first().click();
  await opener.getByText("<p>Hello <b>{{firstName}}</b>,</p>").waitFor();
  await check("a sequence with every type of step");
  await step("Step 9: Move to campaign").getByRole("link").click();
  await page.getByRole("heading", { level: 1, name: "Nurture" }).waitFor();
}, 60_000);

test("the history of a campaign says who changed what, and an earlier version shows its steps and which version runs", async () => {
  const person = await withCampaign();
  const { rest, workspaceId, campaignId } = person;
  const at = `/campaigns/${campaignId}`;
  await editTwice(rest, await keyOf(person, "Importer"), campaignId);
  expect((await rest.put(`${at}/sequence`, { action: "revert", version: 3 })).status).toBe(200);
  await rest.patch(`${at}/settings`, { dailyLimit: 40, ownSecret: "s3cr3t" });
  const { page, check } = await visit(person, `/w/${workspaceId}${at}?part=sequence&view=overview`);
  const reads: string[] = [];
  page.on("request", (request) => reads.push(request.url()));
  await page.getByText("History").click();
  const rowOf = (version: number) => page.getByRole("row", { name: `Version ${version}` });
  const toldOf = async (version: number) => (await rowOf(version).getByRole("cell").nth(2).innerText()).split(/\n+/);
  await rowOf(4).getByText("Importer API key").waitFor();
  await rowOf(3).getByText("Console Person").waitFor();
  expect(await rowOf(3).innerText()).not.toContain(person.email);
  expect(
    reads.filter((url) => url.includes("/versions")).map((url) => new URL(url).pathname.split("/versions")[1]),
  ).toEqual(["", "/6"]);
  expect(await page.getByRole("rowheader").allInnerTexts()).toEqual(
    [6, 5, 4, 3, 2, 1].map((version) => `Version ${version}`),
  );
  expect(await toldOf(6)).toEqual(["Changed settings", "Setting dailyLimit: none → 40", "Setting ownSecret changed"]);
  expect((await toldOf(5)).slice(0, 3)).toEqual([
    "Restored version 3",
    "Step 1: subject of variant A changed",
    "Step 1: text of variant A changed",
  ]);
  await rowOf(4).getByText("2 more changes").click();
  // Steps are named by their places after the edit, whatever later edits did
  expect(await toldOf(4)).toEqual([
    ...[
      "Edited the steps",
      "Step 1 added",
      "Step 2: subject of variant A changed",
      "Step 2: text of variant A changed",
    ],
    ...[
      "Step 2: variant B added",
      "2 more changes",
      "Step 3: delay 3 days → 5 days",
      "Step 3: thread new thread → same thread",
    ],
  ]);
  expect(await toldOf(3)).toEqual(["Edited the steps", "Step 1 added", "Step 2 added", "Step 1 removed"]);
  expect(await toldOf(1)).toEqual(["State before the first edit"]);
  expect(await rowOf(6).getByRole("button").count()).toBe(0);
  await rowOf(4).getByRole("button", { name: "Show steps of version 4" }).click();
  const earlier = page.getByRole("region", { name: "Steps of version 4" });
  await earlier.getByText("The campaign runs version 5.").waitFor();
  await earlier.getByRole("article", { name: "Step 2: Email" }).getByText("Variant A").click();
  await page.frameLocator("iframe[title$='version 4']").getByText("Uno").waitFor();
  expect(await earlier.getByRole("article").count()).toBe(3);
  await check("an earlier version");
  await rowOf(5).getByRole("button", { name: "Show steps of version 5" }).click();
  await page.getByText("The campaign runs this version.").waitFor();
  expect(new URL(page.url()).search).toBe("?part=sequence&view=overview&version=5");
}, 60_000);

test("the person who approves an edit of a launched campaign sees who gets which steps and when, before and after the edit", async () => {
  const person = await withCampaign();
  const { rest, workspaceId, campaignId } = person;
  const at = `/campaigns/${campaignId}`;
  await editTwice(rest, rest, campaignId);
  expect((await rest.post(`${at}/control`, { action: "launch" })).body).toMatchObject({
    campaign: { status: "ACTIVE" },
  });
  const [zero, one, two] = (await rest.get(`${at}/sequence`)).body.steps;
  const agent = await keyOf(person, "Importer", { CHANGES_SENDING: "APPROVAL" });
  const [mailboxId] = (await rest.get(`${at}/settings`)).body.mailboxIds;
  const admitted = {
    status: "IN_PROGRESS" as const,
    admittedAt: new Date(),
    nextStepId: zero.stepId,
    nextSendAt: new Date(),
    mailboxId,
  };
  await scoped(workspaceId).Recipient.updateOne({ campaignId, email: "ada@example.test" }, { $set: admitted });
  const steps = [one, { ...two, delay: { value: 9, unit: "DAYS" } }, { subject: "New", body: "<p>New</p>" }];
  const asked = await agent.put(`${at}/sequence`, { action: "replaceSteps", steps });
  const { page, check } = await visit(person, `/w/${workspaceId}/approvals?open=${asked.body.approval.id}`, {
    width: 380,
  });
  const lines = async (part: Locator) =>
    (await part.allInnerTexts()).map((text) => text.split(/\s*\n+\s*/).join(" | "));
  const table = page.getByRole("region", { name: "Steps before and after the edit" });
  await table.waitFor();
  expect(await lines(table.locator("tbody tr"))).toEqual([
    "Step 1: Email was step 2 | 0 → 1 | 2 | 0 | 0",
    "Step 2: Email was step 3 | 0 | 2 | 0 | 0",
    "Step 3: Email new | 0 | 0 → 2 | 2 | 0",
    "Step 1: Email removed | 1 → 0 | 2 → 0 | 0 | 2 | the step is removed",
  ]);
  const part = page.getByRole("region", { name: "A change" });
  expect(await lines(part.locator(".figures"))).toEqual([
    "Open recipients | 2 | Wait for another step | 1 | Next step earlier | 0 | Next step later | 0 | Next step rebooked | 1 | Get no further step | 0",
  ]);
  for (const line of ["Step 2: delay 5 days → 9 days", "Step 3 added", "Step 1 removed"])
    await part.getByText(line).waitFor();
  await part.getByText("Next email").waitFor();
  const grace = part
    .getByRole("article")
    .filter({ has: page.getByRole("heading", { name: "grace@example.test", exact: true }) });
  const [now, after] = await lines(grace.locator(".columns > div"));
  expect(now).toMatch(/^Now \| Step 1: not before [^|]+ \| Step 2: not before [^|]+ \| Step 3: not before [^|]+$/);
  expect(after).toMatch(
    /^After the edit \| Step 1: not before [^|]+ was step 2 \| Step 2: not before [^|]+ was step 3 \| Step 3: not before [^|]+$/,
  );
  await check("the plan of an edit");
  await page.getByRole("button", { name: "Approve…" }).click();
  await page.getByRole("dialog").getByRole("region", { name: "Steps before and after the edit" }).waitFor();
  await check("the question about an edit");
}, 60_000);

test("the postal address of all footers is set on the home page, and an address that is too long is refused beside the field", async () => {
  const person = await withCampaign();
  const { page, check } = await visit(person, `/w/${person.workspaceId}`, { width: 380 });
  await page.getByRole("button", { name: "Add address" }).click();
  const field = page.getByRole("textbox", { name: "Postal address" });
  await field.fill("A".repeat(501));
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("dialog").getByText("500").last().waitFor();
  await check("an address that is too long");
  expect((await person.rest.get("/workspace")).body.postalAddress).toBeNull();
  await field.fill("Acme Ltd\n1 Main Street\nLondon");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("The address is in the footer").waitFor();
  await page.getByRole("button", { name: "Add address" }).waitFor({ state: "detached" });
  expect((await person.rest.get("/workspace")).body.postalAddress).toBe("Acme Ltd\n1 Main Street\nLondon");
});

test("two tabs can show two workspaces, each with its own campaigns", async () => {
  const person = await withCampaign();
  const { body: client } = await person.rest.post("/workspaces", { name: "Client" });
  const { page, context } = await visit(person, `/w/${person.workspaceId}/campaigns`);
  const second = await context.newPage();
  await second.goto(`${world.baseUrl}/w/${client.id}/campaigns`);
  await page.getByRole("link", { name: "Spring" }).waitFor();
  await second.getByText("No campaigns yet").waitFor();
  expect(await second.getByRole("link", { name: "Spring" }).count()).toBe(0);
  await second.getByLabel("Workspace").selectOption({ label: "Acme" });
  await second.getByText("Spring").waitFor();
}, 60_000);

test("a sensitive action after ten minutes asks for the password, does nothing without it, and after too many attempts says when to retry", async () => {
  const person = await withCampaign();
  await person.rest.post("/workspace", { action: "pauseSending" });
  const { page, check } = await visit(person, `/w/${person.workspaceId}/campaigns`);
  await page.getByRole("button", { name: "Resume all sending" }).click();
  await Session.updateMany({ userId: person.userId }, { $set: { confirmedAt: new Date(Date.now() - HOUR_MS) } });
  // The service remembers a session for a second
  const isOld = async () =>
    (await person.browser.console(null).get("/session")).body.confirmedAt <
    new Date(Date.now() - HOUR_MS / 2).toISOString();
  await until(isOld, { deadlineMs: 30_000, what: "a session that was confirmed long ago" });
  await page.getByRole("button", { name: "Resume sending now" }).click();
  const asked = page.getByRole("dialog", { name: "Confirm your password" });
  await asked.getByLabel("Password").fill("wrong horse battery");
  await asked.getByRole("button", { name: "Continue" }).click();
  await asked.getByText("The password is not right.").waitFor();
  expect((await person.rest.get("/workspace")).body.isSendingPaused).toBe(true);
  await check("the password");
  const guesses = Array.from({ length: 9 }, () =>
    person.rest.post("/session/confirm", { password: "wrong horse battery" }),
  );
  expect((await Promise.all(guesses)).map(({ status }) => status)).toEqual(Array(9).fill(422));
  await asked.getByLabel("Password").fill(PASSWORD);
  await asked.getByRole("button", { name: "Continue" }).click();
  await asked.getByText(/^Too many wrong passwords or codes: try again in \d+ seconds\.$/).waitFor();
  await forgetRates();
  await asked.getByLabel("Password").fill(PASSWORD);
  await asked.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Sending is paused in this workspace").waitFor({ state: "detached" });
  expect((await person.rest.get("/workspace")).body.isSendingPaused).toBe(false);
}, 60_000);

test("a viewer sees no button that the service would refuse with 403", async () => {
  const owner = await withCampaign();
  const viewer = await invited(world, owner, `viewer-${owner.userId}@acme.test`, "VIEWER");
  const { page, check } = await visit(viewer, `/w/${owner.workspaceId}/campaigns/${owner.campaignId}`);
  await page.getByRole("button", { name: "View status ada@example.test" }).waitFor();
  for (const name of ["Launch…", "Add recipients", "Pause all sending", "Pause"])
    expect([name, await page.getByRole("button", { name }).count()]).toEqual([name, 0]);
  await page.getByRole("button", { name: "More" }).click();
  expect(await page.getByRole("menuitem").allInnerTexts()).toEqual(["Export recipients…"]);
  await page.keyboard.press("Escape");
  await check("a viewer's page");
}, 60_000);

test("signing out ends the session on the server", async () => {
  const person = await withCampaign();
  const { page } = await visit(person, `/w/${person.workspaceId}/campaigns`);
  await page.getByRole("button", { name: "Account menu" }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect((await person.browser.console(null).get("/session")).status).toBe(401);
}, 60_000);

test("another person's workspace looks like a workspace that does not exist", async () => {
  const [person, other] = [await signedIn(world), await withCampaign()];
  const { page, check } = await visit(person, `/w/${other.workspaceId}/campaigns/${other.campaignId}`);
  await page.getByRole("heading", { name: "You are not a member of this workspace" }).waitFor();
  expect(await page.getByText("Spring").count()).toBe(0);
  await check("not a member");
}, 60_000);

test("a first sign-in by a link opens the console", async () => {
  const { ownerId } = await world.workspace();
  const { page } = await chromium.open();
  await page.goto(`${world.baseUrl}/sign-in/${await createPersonLink(ownerId, new Date())}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Home" }).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/^\/w\/wsp_/);
}, 60_000);

/** What a program may do with this person's key, which allows everything but what the policy forbids. */
async function keyOf(
  { workspaceId, userId }: SignedIn,
  name: string,
  policy: Partial<typeof KEY_POLICY> = {},
): Promise<Rest> {
  const asked = { workspaceId, name, scopes: ALL_SCOPES, createdBy: userId, policy: { ...KEY_POLICY, ...policy } };
  return restOf(`${world.baseUrl}/api/v1`, (await createKey(asked)).key);
}
