import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { until } from "../fakes/wait.ts";
import type { Rest } from "../support/rest.ts";
import { invited, signInOwner } from "../support/signed-in.ts";
import type { Look } from "./chromium.ts";
import { useSetup, visit, withCampaign, world } from "./frame-setup.ts";
import { writeSteps } from "./sequence-parts.ts";

useSetup();

interface Place {
  workspaceId: string;
  campaignId: string;
}

const pathOf = ({ workspaceId, campaignId }: Place) => `/w/${workspaceId}/campaigns/${campaignId}?part=sequence`;
const stateIn = (page: Page) => page.getByRole("status", { name: "State of the changes" });
const stepsIn = (page: Page) => page.getByRole("navigation", { name: "Steps" });
const previewIn = (page: Page) => page.getByRole("region", { name: "Preview" });
const mailIn = (page: Page) => page.frameLocator("iframe.mail-frame");

async function sequenceOf(rest: Rest, campaignId: string) {
  return (await rest.get(`/campaigns/${campaignId}/sequence`)).body;
}

async function waitUntilSaved(page: Page): Promise<void> {
  await stateIn(page)
    .getByText(/^Saved \d\d:\d\d$/)
    .waitFor();
}

/** The requests with which a page writes the sequence, plans apart. */
function writesOf(page: Page): string[] {
  const writes: string[] = [];
  page.on("request", (request) => {
    const body = request.postData() ?? "";
    if (request.method() === "PUT" && !body.includes('"planOnly":true')) writes.push(body);
  });
  return writes;
}

async function launched(person: Awaited<ReturnType<typeof withCampaign>>): Promise<void> {
  const { body } = await person.rest.post(`/campaigns/${person.campaignId}/control`, { action: "launch" });
  expect(body).toMatchObject({ campaign: { status: "ACTIVE" } });
}

test("a person writes three steps with two variants, sees them as a lead would read them, and finds them after a reload", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const { page, check } = await visit(person, pathOf(person));
  await stateIn(page).getByText("All changes are saved").waitFor();
  const subject = page.getByLabel("Subject");
  await subject.fill("A question for ");
  await page.getByLabel("Insert variable").selectOption({ value: "{{firstName}}" });
  // The browser's own undo takes back the inserted variable
  await subject.press("ControlOrMeta+z");
  expect(await subject.inputValue()).toBe("A question for ");
  await page.getByLabel("Insert variable").selectOption({ value: "{{email}}" });
  await page.getByLabel("Body").fill("<p>Hello {{email}}, one question about {{company}}.</p>");
  await mailIn(page).getByText("Hello grace@example.test, one question about").waitFor();
  await previewIn(page).getByText("A question for grace@example.test").waitFor();
  await previewIn(page).getByText("This lead lacks company.").waitFor();
  await previewIn(page).getByText("company: 2 of 2 lack it").waitFor();
  await page.getByRole("button", { name: "Next recipient" }).click();
  await mailIn(page).getByText("Hello ada@example.test, one question about").waitFor();
  await page.getByRole("combobox", { name: "Search leads" }).fill("grace");
  await page.getByRole("option", { name: "grace@example.test" }).click();
  await mailIn(page).getByText("Hello grace@example.test").waitFor();
  await page.getByRole("button", { name: "Add variant" }).click();
  await subject.fill("Another question");
  await previewIn(page).getByText("Another question").waitFor();
  await page.getByRole("button", { name: "Add email" }).click();
  await page.getByLabel("Body").fill("Did you see my last email?");
  await page.getByLabel("Wait").fill("2");
  await page.getByRole("combobox", { name: "Unit" }).selectOption("BUSINESS_DAYS");
  await page.getByRole("button", { name: "Add email" }).click();
  await page.getByLabel("Body").fill("Goodbye");
  await mailIn(page).getByText("Goodbye").waitFor();
  await page.getByRole("button", { name: "Move step 3 up" }).click();
  await waitUntilSaved(page);
  await until(async () => (await sequenceOf(rest, campaignId)).steps.length === 3, {
    deadlineMs: 20_000,
    what: "three saved steps",
  });
  const { steps } = await sequenceOf(rest, campaignId);
  const textsOf = ({ variants }: (typeof steps)[number]) =>
    variants.map(({ subject, bodyHtml, bodyText }: Record<string, unknown>) => [subject, bodyHtml, bodyText]);
  expect(steps.map(textsOf)).toEqual([
    [
      ["A question for {{email}}", "<p>Hello {{email}}, one question about {{company}}.</p>", null],
      ["Another question", "<p>Hello {{email}}, one question about {{company}}.</p>", null],
    ],
    [[null, null, "Goodbye"]],
    [[null, null, "Did you see my last email?"]],
  ]);
  expect(steps.map(({ delay, threadMode }: Record<string, unknown>) => [delay, threadMode])).toEqual([
    [{ value: 0, unit: "DAYS" }, "NEW_THREAD"],
    [{ value: 3, unit: "DAYS" }, "SAME_THREAD"],
    [{ value: 2, unit: "BUSINESS_DAYS" }, "SAME_THREAD"],
  ]);
  await page.reload();
  await stepsIn(page).getByRole("button", { name: "3 Email" }).click();
  expect(await page.getByLabel("Body").inputValue()).toBe("Did you see my last email?");
  await stepsIn(page).getByRole("button", { name: "1 Email" }).click();
  await page.getByRole("button", { name: "Variant B 50%" }).click();
  expect(await subject.inputValue()).toBe("Another question");
  await page.getByLabel("Send this variant").uncheck();
  await page.getByRole("button", { name: "Variant A 100%" }).waitFor();
  await page.getByRole("button", { name: "Remove step 2" }).click();
  await page.getByRole("button", { name: "Undo" }).click();
  await waitUntilSaved(page);
  await check("the editor");
  const after = await sequenceOf(rest, campaignId);
  expect(after.steps.map(({ variants }: (typeof steps)[number]) => variants[0].bodyText)).toEqual([
    null,
    "Goodbye",
    "Did you see my last email?",
  ]);
  expect(after.steps[0].variants[1]).toMatchObject({ variantId: steps[0].variants[1].variantId, enabled: false });
}, 180_000);

test("a minute of typing in a running campaign writes nothing, and the changes are made when their plan is committed", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  await launched(person);
  const before = await sequenceOf(rest, campaignId);
  const { page, check } = await visit(person, pathOf(person));
  const writes = writesOf(page);
  await stateIn(page).getByText("No changes").waitFor();
  await page.clock.install();
  await page.getByLabel("Subject").fill("A better question");
  await page.getByRole("button", { name: "Add email" }).click();
  await page.getByLabel("Body").pressSequentially("Did you see my last email?");
  await page.clock.runFor(60_000);
  await stateIn(page).getByText("Draft in this browser.", { exact: false }).waitFor();
  await mailIn(page).getByText("Did you see my last email?").waitFor();
  expect([writes, await sequenceOf(rest, campaignId)]).toEqual([[], before]);
  // The draft belongs to this browser: it is there after a reload, and still not on the server
  await page.reload();
  await page.clock.resume();
  await stepsIn(page).getByRole("button", { name: "2 Email" }).click();
  expect(await page.getByLabel("Body").inputValue()).toBe("Did you see my last email?");
  await page.getByRole("button", { name: "Review changes" }).click();
  const dialog = page.getByRole("dialog", { name: "Review changes" });
  const table = dialog.getByRole("region", { name: "Steps before and after the edit" });
  await table.getByRole("row", { name: "Step 2: Email new" }).waitFor();
  await check("the review of a running campaign");
  expect([writes, await sequenceOf(rest, campaignId)]).toEqual([[], before]);
  await dialog.getByRole("button", { name: "Apply changes" }).click();
  await page.getByText("Changes applied.").waitFor();
  await waitUntilSaved(page);
  const { steps, version } = await sequenceOf(rest, campaignId);
  expect(version).toBeGreaterThan(before.version);
  expect(steps.map(({ variants: [first] }: typeof before.steps) => [first.subject, first.bodyText])).toEqual([
    ["A better question", null],
    [null, "Did you see my last email?"],
  ]);
  expect(writes).toHaveLength(1);
}, 180_000);

test("a campaign that is launched while a person types gets no unplanned text", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const { page } = await visit(person, pathOf(person));
  await stateIn(page).getByText("All changes are saved").waitFor();
  await launched(person);
  const before = await sequenceOf(rest, campaignId);
  await page.getByLabel("Subject").fill("A better question");
  await stateIn(page).getByText("Draft in this browser.", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Review changes" }).waitFor();
  expect(await sequenceOf(rest, campaignId)).toEqual(before);
}, 120_000);

test("two people who edit one sequence both see both versions, and neither text is lost before one of them chooses", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const colleague = await invited(world, person, `colleague-${person.userId}@acme.test`.toLowerCase(), "MEMBER");
  const [mine, theirs] = await Promise.all([visit(person, pathOf(person)), visit(colleague, pathOf(person))]);
  for (const { page } of [mine, theirs]) await stateIn(page).getByText("All changes are saved").waitFor();
  // The first page does not learn of the other version before it saves
  await mine.context.route("**/sequence", (route) =>
    route.request().method() === "GET" ? route.abort() : route.continue(),
  );
  await theirs.page.getByLabel("Subject").fill("Their subject");
  await waitUntilSaved(theirs.page);
  await mine.context.unroute("**/sequence");
  await mine.page.getByLabel("Subject").fill("My subject");
  const dialog = mine.page.getByRole("dialog", { name: "This sequence was changed by someone else" });
  await dialog.getByText("My subject").waitFor();
  await dialog.getByText("Their subject").waitFor();
  await mine.check("two versions");
  await dialog.getByRole("button", { name: "Decide later" }).click();
  await stateIn(mine.page).getByText("Someone else changed this sequence.", { exact: false }).waitFor();
  // What is typed meanwhile is kept, also over a reload
  await mine.page.getByLabel("Subject").fill("My better subject");
  await mine.page.reload();
  await dialog.getByText("My better subject").waitFor();
  expect((await sequenceOf(rest, campaignId)).steps[0].variants[0].subject).toBe("Their subject");
  await dialog.getByRole("button", { name: "Use the saved version" }).click();
  expect(await mine.page.getByLabel("Subject").inputValue()).toBe("Their subject");
  await mine.page.getByRole("button", { name: "Undo" }).click();
  expect(await mine.page.getByLabel("Subject").inputValue()).toBe("My better subject");
  await waitUntilSaved(mine.page);
  await until(async () => (await sequenceOf(rest, campaignId)).steps[0].variants[0].subject === "My better subject", {
    deadlineMs: 20_000,
    what: "the chosen version",
  });
  // The other page has no changes of its own, so it follows
  await until(async () => (await theirs.page.getByLabel("Subject").inputValue()) === "My better subject", {
    deadlineMs: 60_000,
    what: "the colleague's page to follow",
  });
}, 180_000);

test("a change of a setting by someone else does not disturb a person who types", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const { page } = await visit(person, pathOf(person));
  await stateIn(page).getByText("All changes are saved").waitFor();
  await rest.patch(`/campaigns/${campaignId}/settings`, { dailyLimit: 40 });
  await page.getByLabel("Subject").fill("A better question");
  await waitUntilSaved(page);
  expect((await sequenceOf(rest, campaignId)).steps[0].variants[0].subject).toBe("A better question");
}, 120_000);

test("text that cannot be saved survives a reload and is saved as soon as the service responds", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const { page, context } = await visit(person, pathOf(person));
  await stateIn(page).getByText("All changes are saved").waitFor();
  await context.route("**/sequence", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  await page.getByLabel("Subject").fill("Written without a network");
  await stateIn(page).getByText("Not saved. Your changes are kept in this browser.").waitFor();
  await page.reload();
  await until(async () => (await page.getByLabel("Subject").inputValue()) === "Written without a network", {
    deadlineMs: 20_000,
    what: "the text after a reload",
  });
  await context.unroute("**/sequence");
  await waitUntilSaved(page);
  expect((await sequenceOf(rest, campaignId)).steps[0].variants[0].subject).toBe("Written without a network");
}, 120_000);

test("when the session ends, the text stays and is saved after the next sign-in", async () => {
  const person = await withCampaign();
  const { rest, workspaceId, campaignId, userId } = person;
  const { page, context } = await visit(person, pathOf(person));
  await stateIn(page).getByText("All changes are saved").waitFor();
  await rest.delete("/session");
  await page.getByLabel("Subject").fill("Written without a session");
  await page.getByRole("dialog", { name: "You were signed out" }).waitFor();
  const { browser, rest: again } = await signInOwner(world, { workspaceId, ownerId: userId });
  await context.addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })));
  await page.getByRole("button", { name: "Continue" }).click();
  await waitUntilSaved(page);
  expect((await sequenceOf(again, campaignId)).steps[0].variants[0].subject).toBe("Written without a session");
}, 120_000);

test("a text that the service refuses is kept and says where the fault is", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const { page } = await visit(person, pathOf(person));
  await stateIn(page).getByText("All changes are saved").waitFor();
  await page.getByLabel("Body").fill("<p>Hello {{firstName</p>");
  await page.getByRole("alert").getByText("TEMPLATE_INVALID").first().waitFor();
  await page.reload();
  await page.getByRole("alert").getByText("TEMPLATE_INVALID").first().waitFor();
  await page.getByLabel("Body").fill("<p>Hello {{firstName}}</p>");
  await waitUntilSaved(page);
  expect((await sequenceOf(rest, campaignId)).steps[0].variants[0].bodyHtml).toBe("<p>Hello {{firstName}}</p>");
}, 120_000);

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 1280 },
  { theme: "light", width: 390 },
  { theme: "dark", width: 390 },
])(
  "26 variants and 30 steps fit the page and have no accessibility fault: %p",
  async (look) => {
    const person = await withCampaign();
    const { rest, campaignId } = person;
    const variants = Array.from({ length: 25 }, (_, index) => ({ subject: `Subject ${index + 1}`, bodyText: "Hello" }));
    const steps = Array.from({ length: 30 }, (_, index) => (index === 0 ? { variants } : { bodyText: "Hello again" }));
    expect((await rest.put(`/campaigns/${campaignId}/sequence`, { action: "replaceSteps", steps })).status).toBe(200);
    const { page, check } = await visit(person, pathOf(person), look);
    await previewIn(page).getByText("Subject 1", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Add variant" }).click();
    await page.getByRole("button", { name: "Variant Z" }).waitFor();
    expect(await page.getByRole("button", { name: "Add variant" }).count()).toBe(0);
    await page.getByLabel("Subject").fill("مرحبا {{firstName}} 🎉");
    await waitUntilSaved(page);
    expect((await sequenceOf(rest, campaignId)).steps[0].variants).toHaveLength(26);
    await page.getByRole("button", { name: "Phone width" }).click();
    await check("26 variants");
    await page.getByRole("button", { name: "Send test email" }).click();
    await page.getByRole("dialog", { name: "Send a test email of step 1, variant Z" }).getByLabel("To").waitFor();
    await check("a test email");
  },
  120_000,
);

test("conditions and other steps are edited as indented lines below each step, and an earlier version is restored", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const { page, check } = await visit(person, pathOf(person));
  await page.getByRole("button", { name: "Use conditions and other steps" }).click();
  const asked = page.getByRole("dialog", { name: "Use conditions and other steps?" });
  await check("the question about conditions");
  await asked.getByRole("button", { name: "Use conditions and other steps" }).click();
  await page.getByRole("button", { name: "Add another step" }).click();
  await page.getByRole("menuitem", { name: "Task" }).click();
  await page.getByLabel("Task", { exact: true }).fill("Call {{firstName}}");
  await page.getByRole("button", { name: "Add email" }).click();
  await page.getByLabel("Body").fill("Goodbye");
  await stepsIn(page).getByRole("button", { name: "1 Email" }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  const condition = page.getByRole("group", { name: "Condition 1" });
  await condition.getByRole("combobox", { name: "If" }).selectOption("NOT_CLICKED");
  await condition.getByRole("combobox", { name: "Then" }).selectOption({ label: "go to step 3" });
  await condition.getByLabel("Within days").fill("5");
  await page.getByRole("button", { name: "Add condition" }).click();
  const filter = page.getByRole("group", { name: "Condition 2" });
  await filter.getByRole("combobox", { name: "If" }).selectOption("FIELD_MATCHES");
  await filter.getByRole("combobox", { name: "Comparison" }).selectOption("EQ");
  await filter.getByLabel("Value").fill("DE");
  await waitUntilSaved(page);
  const [first, task, last] = await until(
    async () => {
      const { steps } = await sequenceOf(rest, campaignId);
      return steps[0].conditions[1]?.filterRules?.rules[0].value === "DE" ? steps : null;
    },
    { deadlineMs: 20_000, what: "the saved conditions" },
  );
  expect(first.conditions).toEqual([
    { if: "NOT_CLICKED", withinDays: 5, nextStepId: last.stepId },
    {
      if: "FIELD_MATCHES",
      filterRules: { rules: [{ field: "country", operator: "EQ", value: "DE" }] },
      nextStepId: null,
    },
  ]);
  expect([task.type, task.config]).toEqual(["TASK", { title: "Call {{firstName}}" }]);
  await check("conditions");
  const way = "If the recipient clicks no link in this email within 5 days: go to step 3.";
  await stepsIn(page).getByRole("button", { name: way }).click();
  expect(await page.getByLabel("Body").inputValue()).toBe("Goodbye");
  await page.getByRole("button", { name: "Results and history" }).click();
  await page.getByText("History").click();
  await page.getByRole("button", { name: "Show steps of version 1" }).click();
  await page.getByRole("button", { name: "Restore this version…" }).click();
  const restoring = page.getByRole("dialog", { name: "Restore version 1" });
  await restoring.getByRole("button", { name: "Restore this version" }).click();
  await page.getByText("Version 1 is restored.").waitFor();
  await page.getByRole("button", { name: "Edit", exact: true }).click();
  await stepsIn(page).getByRole("button", { name: "1 Email" }).waitFor();
  expect(await stepsIn(page).getByRole("listitem").count()).toBe(1);
}, 180_000);

test("only the host of a webhook step is shown, and a member without campaigns:write gets no editor", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const hook = { type: "WEBHOOK", config: { url: "https://hooks.example.com/T0?token=s3cr3t" } };
  await writeSteps(rest, campaignId, [{ subject: "One", bodyText: "Hello" }, hook]);
  const { page } = await visit(person, pathOf(person));
  await stepsIn(page).getByRole("button", { name: "2 Webhook" }).click();
  await page.getByText("Now an address at hooks.example.com.", { exact: false }).waitFor();
  expect(await page.content()).not.toContain("s3cr3t");
  await page.getByLabel("Webhook URL").fill("https://hooks.example.com/new");
  await waitUntilSaved(page);
  expect((await sequenceOf(rest, campaignId)).steps[1].config).toEqual({ url: "https://hooks.example.com/new" });
  const viewer = await invited(world, person, `viewer-${person.userId}@acme.test`.toLowerCase(), "VIEWER");
  const theirs = await visit(viewer, pathOf(person));
  await theirs.page.getByRole("article", { name: "Step 1: Email" }).waitFor();
  expect(await theirs.page.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
}, 120_000);
