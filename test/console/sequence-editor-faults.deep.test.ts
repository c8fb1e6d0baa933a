import { expect, test } from "@jest/globals";
import { until } from "../fakes/wait.ts";
import { invited, signInOwner } from "../support/signed-in.ts";
import { useSetup, visit, withCampaign, world } from "./frame-setup.ts";
import {
  firstSubjectOf,
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

test("a campaign that is launched while a person types gets no unplanned text", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const { page, context } = await visit(person, pathOf(person));
  const writes = writesOf(page);
  await stateIn(page).getByText("All changes are saved").waitFor();
  await launch(person);
  const before = await sequenceOf(rest, campaignId);
  // The page does not learn that the campaign runs
  const campaign = `**/campaigns/${campaignId}`;
  await context.route(campaign, (route) => route.abort());
  await page.clock.install();
  const [refused] = await Promise.all([
    page.waitForResponse((answer) => answer.request().method() === "PUT"),
    page.getByLabel("Subject").fill("A better question"),
  ]);
  expect(refused.status()).toBe(409);
  await page.clock.runFor(60_000);
  await stateIn(page).getByText("Not saved yet").waitFor();
  expect([writes.length, await sequenceOf(rest, campaignId)]).toEqual([1, before]);
  await context.unroute(campaign);
  await page.clock.runFor(60_000);
  await stateIn(page).getByText("Draft in this browser.", { exact: false }).waitFor();
  await page.getByRole("button", { name: "Review changes" }).waitFor();
  expect([writes.length, await sequenceOf(rest, campaignId)]).toEqual([1, before]);
}, 120_000);

test("what is typed while a save is under way stays and is saved next", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const { page, context } = await visit(person, pathOf(person));
  await stateIn(page).getByText("All changes are saved").waitFor();
  const held = Promise.withResolvers<void>();
  await context.route("**/sequence", async (route) => {
    if (route.request().method() === "PUT") await held.promise;
    await route.continue();
  });
  const subject = page.getByLabel("Subject");
  await subject.fill("First words");
  await page.getByRole("button", { name: "Add email" }).click();
  await page.getByLabel("Body").fill("A new step");
  await stateIn(page).getByText("Saving…").waitFor();
  await page.getByLabel("Body").pressSequentially(" and more");
  held.resolve();
  await waitUntilSaved(page);
  // The new step has got its id meanwhile, and the field kept the focus
  await page.keyboard.type(" of it");
  expect(await page.getByLabel("Body").inputValue()).toBe("A new step and more of it");
  await until(
    async () => (await sequenceOf(rest, campaignId)).steps[1]?.variants[0].bodyText === "A new step and more of it",
    {
      deadlineMs: 20_000,
      what: "the last words",
    },
  );
  expect(await firstSubjectOf(rest, campaignId)).toBe("First words");
}, 120_000);

test("two people who edit one sequence both see both versions, and neither text is lost before one of them chooses", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const variants = ["One", "Two"].map((subject) => ({ subject, bodyText: "Hello" }));
  await writeSteps(rest, campaignId, [{ variants }]);
  const colleague = await invited(world, person, `colleague-${person.userId}@acme.test`.toLowerCase(), "MEMBER");
  const [mine, theirs] = await Promise.all([visit(person, pathOf(person)), visit(colleague, pathOf(person))]);
  for (const { page } of [mine, theirs]) await stateIn(page).getByText("All changes are saved").waitFor();
  // The first page does not learn of the other version before it saves
  await mine.context.route("**/sequence", (route) =>
    route.request().method() === "GET" ? route.abort() : route.continue(),
  );
  await theirs.page.getByLabel("Subject").fill("Their subject");
  await theirs.page.getByRole("button", { name: "Variant B" }).click();
  await theirs.page.getByLabel("Weight").fill("60");
  await theirs.page.getByRole("button", { name: "Variant A" }).click();
  await waitUntilSaved(theirs.page);
  await mine.context.unroute("**/sequence");
  await mine.page.getByRole("button", { name: "Variant B" }).click();
  await mine.page.getByLabel("Weight").fill("70");
  await mine.page.getByRole("button", { name: "Variant A" }).click();
  await mine.page.getByLabel("Subject").fill("My subject");
  const dialog = mine.page.getByRole("dialog", { name: "This sequence was changed by someone else" });
  await dialog.getByText("My subject").waitFor();
  await dialog.getByText("Their subject").waitFor();
  const own = dialog.getByRole("region", { name: "Your version" });
  const saved = dialog.getByRole("region", { name: "Saved version" });
  await own.getByText("Weights: A 50, B 70").waitFor();
  await saved.getByText("Weights: A 50, B 60").waitFor();
  await dialog.getByText("Different: email texts or variants").waitFor();
  await mine.check("two versions");
  await dialog.getByRole("button", { name: "Decide later" }).click();
  await stateIn(mine.page).getByText("Someone else changed this sequence.", { exact: false }).waitFor();
  // What is typed meanwhile is kept, also over a reload
  await mine.page.getByLabel("Subject").fill("My better subject");
  await mine.page.reload();
  await dialog.getByText("My better subject").waitFor();
  expect(await firstSubjectOf(rest, campaignId)).toBe("Their subject");
  await dialog.getByRole("button", { name: "Use the saved version" }).click();
  expect(await mine.page.getByLabel("Subject").inputValue()).toBe("Their subject");
  await mine.page.getByRole("button", { name: "Undo" }).click();
  expect(await mine.page.getByLabel("Subject").inputValue()).toBe("My better subject");
  await waitUntilSaved(mine.page);
  await until(async () => (await firstSubjectOf(rest, campaignId)) === "My better subject", {
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
  expect(await firstSubjectOf(rest, campaignId)).toBe("A better question");
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
  await stateIn(page)
    .getByText("Your changes could not be saved. This browser keeps them until you sign out.")
    .waitFor();
  await page.reload();
  await until(async () => (await page.getByLabel("Subject").inputValue()) === "Written without a network", {
    deadlineMs: 20_000,
    what: "the text after a reload",
  });
  await context.unroute("**/sequence");
  await waitUntilSaved(page);
  expect(await firstSubjectOf(rest, campaignId)).toBe("Written without a network");
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
  expect(await firstSubjectOf(again, campaignId)).toBe("Written without a session");
}, 120_000);

test("signing out removes unsaved text from this browser after a question, and only if the session ended", async () => {
  const person = await withCampaign();
  const { rest } = person;
  const { page, context } = await visit(person, pathOf(person));
  const address = page.url();
  await stateIn(page).getByText("All changes are saved").waitFor();
  await context.route("**/sequence", (route) =>
    route.request().method() === "PUT" ? route.abort() : route.continue(),
  );
  await page.getByLabel("Subject").fill("Written without a network");
  await stateIn(page).getByText("Your changes could not be saved.", { exact: false }).waitFor();
  const copies = async () =>
    (await page.evaluate(() => [{ ...sessionStorage }, { ...localStorage }])).map((storage) =>
      JSON.stringify(storage).includes("Written without a network"),
    );
  expect(await copies()).toEqual([true, true]);
  const question = page.getByRole("dialog", { name: "Sign out?" });
  const ask = async () => {
    await page.getByRole("button", { name: "Account menu" }).click();
    await page.getByRole("button", { name: "Sign out" }).click();
    await question.getByText("Unsaved changes of 1 sequence in this browser are deleted.").waitFor();
  };
  await ask();
  await question.getByRole("button", { name: "Cancel" }).click();
  expect([await copies(), (await rest.get("/session")).status]).toEqual([[true, true], 200]);
  await context.route("**/session", (route) =>
    route.request().method() === "DELETE" ? route.abort() : route.continue(),
  );
  await ask();
  await Promise.all([page.waitForEvent("load"), question.getByRole("button", { name: "Sign out" }).click()]);
  expect(await copies()).toEqual([true, true]);
  await context.unroute("**/session");
  await page.goto(address);
  await stateIn(page).getByText("Your changes could not be saved.", { exact: false }).waitFor();
  await ask();
  await question.getByRole("button", { name: "Sign out" }).click();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  expect(await copies()).toEqual([false, false]);
}, 120_000);

test("changes that this browser cannot keep are not lost by a link of the console without a question", async () => {
  const person = await withCampaign();
  await launch(person);
  const { page, check } = await visit(person, pathOf(person));
  await stateIn(page).getByText("No changes").waitFor();
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new Error("QuotaExceededError");
    };
  });
  await page.getByLabel("Subject").fill("Written without a storage");
  await stateIn(page).getByText("so leave this page open", { exact: false }).waitFor();
  const question = page.getByRole("alert").filter({ hasText: "Your changes are not saved." });
  for (const leave of [
    page.getByRole("button", { name: "Results and history" }),
    page.getByRole("link", { name: "Inbox" }).first(),
  ]) {
    await leave.click();
    await question.waitFor();
    await check("the question before leaving");
    await question.getByRole("button", { name: "Keep editing" }).click();
    await question.waitFor({ state: "detached" });
    expect(await page.getByLabel("Subject").inputValue()).toBe("Written without a storage");
  }
  await page.getByRole("button", { name: "Results and history" }).click();
  await question.getByRole("button", { name: "Discard changes" }).click();
  await page.getByRole("article", { name: "Step 1: Email" }).waitFor();
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

test("discarded changes can be restored, and every field shows the value that holds", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  const variants = [
    { subject: "One", bodyText: "Hello" },
    { subject: "Two", bodyText: "Hello" },
  ];
  await rest.put(`/campaigns/${campaignId}/sequence`, { action: "replaceSteps", steps: [{ variants }] });
  await launch(person);
  const before = await sequenceOf(rest, campaignId);
  const { page, check } = await visit(person, pathOf(person));
  const [subject, weight] = [page.getByLabel("Subject"), page.getByLabel("Weight")];
  await subject.fill("A better question");
  await weight.fill("70");
  const discard = async () => {
    await page.getByRole("button", { name: "Discard changes" }).click();
    const dialog = page.getByRole("dialog", { name: "Discard your changes?" });
    await check("the question about discarding");
    await dialog.getByRole("button", { name: "Discard changes" }).click();
    await stateIn(page).getByText("No changes").waitFor();
    return [await subject.inputValue(), await weight.inputValue()];
  };
  expect(await discard()).toEqual(["One", "50"]);
  await page.getByRole("button", { name: "Undo" }).click();
  await stateIn(page).getByText("Draft in this browser.", { exact: false }).waitFor();
  expect([await subject.inputValue(), await weight.inputValue()]).toEqual(["A better question", "70"]);
  expect(await discard()).toEqual(["One", "50"]);
  await page.reload();
  await stateIn(page).getByText("No changes").waitFor();
  expect(await sequenceOf(rest, campaignId)).toEqual(before);
}, 120_000);

test("a review shows the new effect when someone else changes the campaign before its plan or before its commit", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  await writeSteps(rest, campaignId, [
    { subject: "One", bodyText: "Hello" },
    { bodyText: "Again", delay: { value: 3, unit: "DAYS" } },
  ]);
  await launch(person);
  const { page, context, check } = await visit(person, pathOf(person));
  const writes = writesOf(page);
  await page.getByLabel("Subject").fill("A better question");
  await stepsIn(page).getByRole("button", { name: "2 Email" }).click();
  await page.getByLabel("Wait").fill("5");
  const dialog = page.getByRole("dialog", { name: "Review changes" });
  const effect = dialog.getByRole("region", { name: "Steps before and after the edit" });
  const notice = dialog.getByText("Something changed since this was shown.", { exact: false });
  const keeps = dialog.getByRole("checkbox", { name: "Keep the send times of waiting recipients" });
  const changedByOther = async (dailyLimit: number, act: () => Promise<void>) => {
    const held = Promise.withResolvers<void>();
    await context.route("**/sequence", async (route) => {
      if (route.request().method() === "GET") await held.promise;
      await route.continue();
    });
    await rest.patch(`/campaigns/${campaignId}/settings`, { dailyLimit });
    const [refused] = await Promise.all([page.waitForResponse((answer) => answer.request().method() === "PUT"), act()]);
    expect([refused.status(), (await refused.json()).code]).toEqual([409, "VERSION_CONFLICT"]);
    held.resolve();
    await notice.waitFor();
    await context.unroute("**/sequence");
    await effect.waitFor();
  };
  await changedByOther(40, () => page.getByRole("button", { name: "Review changes" }).click());
  await check("a review after a change by someone else");
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Review changes" }).click();
  await effect.waitFor();
  expect(await notice.count()).toBe(0);
  await keeps.check();
  await dialog.getByRole("button", { name: "Apply changes" }).and(page.locator(":not([aria-disabled=true])")).waitFor();
  await effect.waitFor();
  await changedByOther(41, () => dialog.getByRole("button", { name: "Apply changes" }).click());
  expect([await keeps.isChecked(), writes.length, await firstSubjectOf(rest, campaignId)]).toEqual([true, 1, "One"]);
  await dialog.getByRole("button", { name: "Apply changes" }).click();
  await waitUntilSaved(page);
  expect([writes.length, await firstSubjectOf(rest, campaignId)]).toEqual([2, "A better question"]);
  expect(writes.map((body) => JSON.parse(body).keepBooked)).toEqual([true, true]);
}, 180_000);

test("the preview never shows the email of another step, and a variable goes into the field that is on the page", async () => {
  const person = await withCampaign();
  const { rest, campaignId } = person;
  await writeSteps(rest, campaignId, [
    { subject: "One", bodyHtml: "<p>The first email</p>" },
    { bodyText: "The second" },
  ]);
  const { page, context } = await visit(person, pathOf(person));
  await mailIn(page).getByText("The first email").waitFor();
  const held = Promise.withResolvers<void>();
  await context.route("**/sequence/preview", async (route) => {
    await held.promise;
    await route.fulfill({
      status: 422,
      json: { code: "TEMPLATE_INVALID", message: "Refused", traceId: "t", details: {} },
    });
  });
  await stepsIn(page).getByRole("button", { name: "2 Email" }).click();
  await previewIn(page).getByText("Loading").waitFor();
  expect(await page.locator("iframe.mail-frame").count()).toBe(0);
  held.resolve();
  await previewIn(page).getByRole("alert").getByText("TEMPLATE_INVALID").waitFor();
  expect(await page.locator("iframe.mail-frame").count()).toBe(0);
  await context.unroute("**/sequence/preview");
  await stepsIn(page).getByRole("button", { name: "1 Email" }).click();
  await mailIn(page).getByText("The first email").waitFor();
  await page.getByLabel("Body").focus();
  await page.getByRole("group", { name: "Format" }).getByRole("button", { name: "Plain text" }).click();
  await page.getByRole("button", { name: "Insert variable" }).press("Enter");
  await page.getByRole("menuitem", { name: "{{firstName}}" }).click();
  expect(await page.getByLabel("Body").inputValue()).toBe("{{firstName}}");
  await waitUntilSaved(page);
  expect((await sequenceOf(rest, campaignId)).steps[0].variants[0]).toMatchObject({
    bodyHtml: "<p>The first email</p>",
    bodyText: "{{firstName}}",
  });
  await page.getByRole("button", { name: "Remove step 2" }).click();
  // One wait for both: the message is gone after a few seconds
  await page.getByText("Step 2 was removed.").getByRole("button", { name: "Undo" }).waitFor();
  await page.getByRole("button", { name: "Results and history" }).click();
  await page.getByRole("article", { name: "Step 1: Email" }).waitFor();
  expect(await page.getByRole("button", { name: "Undo" }).count()).toBe(0);
}, 120_000);
