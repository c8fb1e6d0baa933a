import { expect, test } from "@jest/globals";
import { until } from "../fakes/wait.ts";
import { invited } from "../support/signed-in.ts";
import type { Look } from "./chromium.ts";
import { useSetup, visit, withCampaign, world } from "./frame-setup.ts";
import {
  launch,
  mailIn,
  pathOf,
  previewIn,
  sequenceOf,
  stateIn,
  stepsIn,
  waitUntilSaved,
  writesOf,
} from "./sequence-editor-parts.ts";
import { writeSteps } from "./sequence-parts.ts";

useSetup();

test("a person writes three steps with two variants, sees them as a lead would read them, and finds them after a reload", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const { page, context, check } = await visit(person, pathOf(person));
  await stateIn(page).getByText("All changes are saved").waitFor();
  const subject = page.getByLabel("Subject");
  await subject.fill("A question for ");
  const insert = async (name: string) => {
    await page.getByRole("button", { name: "Insert variable" }).click();
    await page.getByRole("menuitem", { name }).click();
  };
  await insert("{{firstName}}");
  // The browser's own undo takes back the inserted variable
  await subject.press("ControlOrMeta+z");
  expect(await subject.inputValue()).toBe("A question for ");
  await insert("{{email}}");
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
  const tests: unknown[] = [];
  await context.route("**/test-send", (route) => {
    tests.push(JSON.parse(route.request().postData() ?? "{}"));
    return route.fulfill({ json: { ok: true, messageId: "<1@sender.test>", sentTo: "me@own.test" } });
  });
  await stepsIn(page).getByRole("button", { name: "3 Email" }).click();
  await page.getByRole("button", { name: "Next recipient" }).click();
  await previewIn(page).getByText("For ada@example.test").waitFor();
  await page.getByRole("button", { name: "Send test email" }).click();
  await page.getByRole("dialog").getByLabel("To").fill("me@own.test");
  await page.getByRole("dialog").getByRole("button", { name: "Send test email" }).click();
  await page.getByText("The test email was sent to me@own.test.").waitFor();
  const { items: recipients } = (await rest.get(`/campaigns/${campaignId}/recipients`)).body;
  const { leadId } = recipients.find(({ email }: { email: string }) => email === "ada@example.test");
  const { stepId, variants } = (await sequenceOf(rest, campaignId)).steps[2];
  expect(tests).toEqual([{ stepId, variantId: variants[0].variantId, leadId, toEmail: "me@own.test" }]);
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
  await launch(person);
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
  const dialog = page.getByRole("dialog", { name: "Review changes" });
  await page.getByLabel("Body").fill("");
  await page.getByRole("button", { name: "Review changes" }).click();
  await dialog.getByText("Step 2, variant A has no text").waitFor();
  await check("a review that is refused");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByLabel("Body").fill("Did you see my last email?");
  await page.getByRole("button", { name: "Review changes" }).click();
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
  // What is typed after a save continues behind the blank
  await page.getByLabel("Task", { exact: true }).fill("Call ");
  await waitUntilSaved(page);
  await page.keyboard.type("{{firstName}}");
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
  // A moved or removed condition takes its own values along, and a number that is refused is not shown as if it held
  await page.getByRole("button", { name: "Add condition" }).click();
  const daysOf = (place: number) =>
    page
      .getByRole("group", { name: `Condition ${place}` })
      .getByLabel("Within days")
      .inputValue();
  await page.getByRole("button", { name: "Move condition 3 up" }).click();
  await page.getByRole("button", { name: "Move condition 2 up" }).click();
  expect([await daysOf(1), await daysOf(2)]).toEqual(["3", "5"]);
  await page.getByRole("button", { name: "Remove condition 1" }).click();
  expect(await daysOf(1)).toBe("5");
  await condition.getByLabel("Within days").fill("999");
  await condition.getByLabel("Within days").press("Tab");
  expect(await daysOf(1)).toBe("5");
  await condition.getByLabel("Within days").press("ControlOrMeta+a");
  await condition.getByLabel("Within days").pressSequentially("999");
  await condition.getByLabel("Within days").press("Tab");
  expect(await daysOf(1)).toBe("5");
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
  await page.getByText("The current URL is at hooks.example.com.", { exact: false }).waitFor();
  expect(await page.content()).not.toContain("s3cr3t");
  await page.getByLabel("Webhook URL").fill("https://hooks.example.com/new");
  await waitUntilSaved(page);
  expect((await sequenceOf(rest, campaignId)).steps[1].config).toEqual({ url: "https://hooks.example.com/new" });
  const viewer = await invited(world, person, `viewer-${person.userId}@acme.test`.toLowerCase(), "VIEWER");
  const theirs = await visit(viewer, pathOf(person));
  await theirs.page.getByRole("article", { name: "Step 1: Email" }).waitFor();
  expect(await theirs.page.getByRole("button", { name: "Edit", exact: true }).count()).toBe(0);
}, 120_000);

test("an email is filled from a template after a question, which can be undone, and an empty sequence starts from a template", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const add = (body: object) => rest.post("/templates", body);
  await add({
    name: "Opener",
    kind: "STEP",
    subject: "Shall we talk?",
    bodyText: "Hello {{firstName}}, shall we talk?",
  });
  await add({ name: "Reminder", kind: "STEP", bodyHtml: "<p>Did you see my last email?</p>" });
  await add({ name: "A reply", kind: "REPLY", bodyText: "Thank you" });
  const goesToLast = [{ if: "REPLIED", withinDays: 2, nextStepId: "last" }];
  const steps = [
    { stepId: "first", subject: "The fair", bodyText: "See you there", conditions: goesToLast },
    { stepId: "task", type: "TASK", config: { title: "Call" } },
    { stepId: "last", bodyText: "Goodbye" },
  ];
  expect((await add({ name: "Trade fair", kind: "SEQUENCE", mode: "VISUAL", steps })).status).toBe(201);
  const { page, check } = await visit(person, pathOf(person));
  const [subject, body] = [page.getByLabel("Subject"), page.getByLabel("Body")];
  await subject.fill("My subject");
  const picker = page.getByRole("dialog", { name: "Insert template" });
  const insert = async (name: string) => {
    await page.getByRole("button", { name: "Insert template" }).click();
    await picker.getByRole("button", { name }).click();
    await picker.getByRole("button", { name: "Insert template" }).click();
  };
  await insert("Opener");
  await picker.getByText("Hello Ada, shall we talk?").waitFor();
  const question = page.getByRole("dialog", { name: "Replace the text of variant A?" });
  await question.getByText("The template “Opener” replaces the subject and the body.").waitFor();
  await check("the question about a template");
  await question.getByRole("button", { name: "Cancel" }).click();
  await check("templates for an email");
  await picker.getByRole("button", { name: "Insert template" }).click();
  await question.getByRole("button", { name: "Replace text" }).click();
  expect([await subject.inputValue(), await body.inputValue()]).toEqual([
    "Shall we talk?",
    "Hello {{firstName}}, shall we talk?",
  ]);
  await waitUntilSaved(page);
  await page.getByRole("button", { name: "Undo" }).click();
  expect([await subject.inputValue(), await body.inputValue()]).toEqual(["My subject", "<p>Hello, shall we talk?</p>"]);
  // A blank text asks nothing
  await page.getByRole("button", { name: "Add email" }).click();
  await page.getByRole("button", { name: "Insert template" }).click();
  await picker.getByLabel("Search").fill("remin");
  await picker.getByRole("button", { name: "Opener" }).waitFor({ state: "detached" });
  expect(await picker.getByRole("button", { name: "A reply" }).count()).toBe(0);
  await picker.getByRole("button", { name: "Reminder" }).click();
  await picker.getByRole("button", { name: "Insert template" }).click();
  await picker.waitFor({ state: "detached" });
  expect([await subject.inputValue(), await body.inputValue()]).toEqual(["", "<p>Did you see my last email?</p>"]);
  await waitUntilSaved(page);
  const textsOf = async () =>
    (await sequenceOf(rest, campaignId)).steps.map(({ variants: [first] }: { variants: Record<string, unknown>[] }) => [
      first?.["subject"],
      first?.["bodyHtml"],
      first?.["bodyText"],
    ]);
  expect(await textsOf()).toEqual([
    ["My subject", "<p>Hello, shall we talk?</p>", null],
    [null, "<p>Did you see my last email?</p>", null],
  ]);
  // A sequence without steps
  let release = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  const saves = `**/console/api/v1/campaigns/${campaignId}/sequence`;
  let isHeld = false;
  await page.route(saves, async (route) => {
    isHeld = true;
    await held;
    await route.continue();
  });
  for (const step of [2, 1]) await page.getByRole("button", { name: `Remove step ${step}` }).click();
  await page.getByRole("button", { name: "Start from a template" }).click();
  const start = page.getByRole("dialog", { name: "Start from a template" });
  await start.getByRole("button", { name: "Trade fair" }).click();
  await start.getByRole("article", { name: "Step 2: Task" }).waitFor();
  await start
    .getByText("This setting is saved immediately and does not affect recipients.", { exact: false })
    .waitFor();
  await check("templates for a sequence");
  // Used while the empty sequence is still being saved
  await until(() => isHeld, { deadlineMs: 300_000, what: "the save" });
  await start.getByRole("button", { name: "Use template" }).click();
  release();
  await stepsIn(page).getByRole("button", { name: "3 Email" }).waitFor();
  const saved = await until(
    async () => {
      const { steps } = await sequenceOf(rest, campaignId);
      return steps[0]?.variants[0]?.subject === "The fair" ? steps : null;
    },
    { deadlineMs: 20_000, what: "the steps of the template" },
  );
  expect(saved.map(({ type }: { type: string }) => type)).toEqual(["EMAIL", "TASK", "EMAIL"]);
  expect(saved[0].conditions).toEqual([{ if: "REPLIED", withinDays: 2, nextStepId: saved[2].stepId }]);
  // Undo removes only what no one has changed since
  const undo = page.getByText("Template “Trade fair” inserted.").getByRole("button", { name: "Undo" });
  await undo.click();
  await page.getByRole("button", { name: "Start from a template" }).click();
  await start.getByRole("button", { name: "Trade fair" }).click();
  await start.getByRole("button", { name: "Use template" }).click();
  await subject.fill("The fair in May");
  await undo.click();
  await page.getByText("The template stays, because its text was changed after it was inserted.").waitFor();
  expect([await stepsIn(page).getByRole("button", { name: "3 Email" }).count(), await subject.inputValue()]).toEqual([
    1,
    "The fair in May",
  ]);
}, 180_000);
