import { readFile } from "node:fs/promises";
import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { chromium, connectMailbox, sandbox, settingOf, signIn, useSetup, world } from "./first-story-setup.ts";
import { mailIn, previewIn, stateIn, stepsIn, waitUntilSaved } from "./sequence-editor-parts.ts";

useSetup();

const SENDER = "bob@a.test";
const PEOPLE = ["reply1@story.test", "plain1@story.test", "plain2@story.test"];

const tab = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "Parts of this campaign" }).getByRole("button", { name });

/** The emails that reached this person, as one text each. */
const mailsTo = (address: string) =>
  sandbox.ledger.filter(({ to }) => to.includes(address)).map(({ raw }) => String(raw));

test("a person who opens the printed link sets up, launches, answers, edits and exports a campaign without the API", async () => {
  const { ownerId } = await world.workspace();
  const { page, check } = await chromium.open();
  await signIn(page, ownerId);

  await page.getByRole("button", { name: "Add address" }).click();
  const address = page.getByRole("dialog", { name: "Postal address in the footer" });
  await address.getByLabel("Postal address").fill("Acme Ltd, 1 Long Street, Leeds, United Kingdom");
  await address.getByRole("button", { name: "Save" }).click();
  await page.getByText("Saved. The address is in the footer").waitFor();

  await page.getByRole("link", { name: "Connect a mailbox" }).click();
  await page.getByLabel("E-mail address").fill(SENDER);
  await page.getByLabel("Password, or an app password").fill(sandbox.password);
  await page.getByLabel("SMTP server").fill("localhost");
  await page.getByLabel("SMTP port").fill(String(sandbox.smtpPort));
  await page.getByLabel("IMAP server").fill("localhost");
  await page.getByLabel("IMAP port").fill(String(sandbox.imapPortOf(SENDER)));
  await page.getByRole("button", { name: "Test", exact: true }).click();
  await page.getByText("Both servers accept the sign-in.").waitFor();
  await page.getByRole("button", { name: "Connect mailbox" }).click();
  await page.getByText(`${SENDER} is connected.`).waitFor();

  await page.getByRole("link", { name: "Home" }).click();
  await page.getByRole("button", { name: "New campaign" }).click();
  await page.getByRole("dialog").getByLabel("Name").fill("Story");
  await page.getByRole("button", { name: "Create campaign" }).click();
  await page.getByRole("heading", { name: "Story", level: 1 }).waitFor();
  await page.getByRole("button", { name: "Add recipients" }).click();
  const names = ["Ada Lovelace", "Grace Hopper", "Mary Jackson"];
  const pasted = PEOPLE.map((email, index) => `${names[index]} <${email}>`).join("\n");
  await page.getByRole("dialog").getByLabel("Addresses").fill(pasted);
  await page.getByRole("dialog").getByRole("button", { name: "Add recipients" }).click();
  await page.getByText("3 recipients added, 3 new leads.").waitFor();

  await writeSequence(page);
  const seen = new Set<string>();
  for (const _ of PEOPLE) {
    const shown = await previewIn(page)
      .getByText(/^For .+@story\.test$/)
      .innerText();
    const name = names[PEOPLE.findIndex((email) => shown === `For ${email}`)]?.split(" ")[0] ?? "";
    await mailIn(page).getByText(`Hello ${name}, shall we talk?`).waitFor();
    seen.add(name);
    if (seen.size < PEOPLE.length) await page.getByRole("button", { name: "Next recipient" }).click();
  }
  expect(seen.size).toBe(PEOPLE.length);
  await check("the sequence");

  await page.getByRole("link", { name: "Choose senders" }).click();
  await page.getByRole("checkbox", { name: `Send from ${SENDER}` }).click();
  await page.getByText("1 mailbox chosen").waitFor();
  for (const name of ["Shortest gap", "Longest gap"]) {
    await settingOf(page, name).getByRole("spinbutton").fill("0");
    await settingOf(page, name).getByRole("spinbutton").press("Enter");
    await settingOf(page, name).getByText("Saved").waitFor();
  }
  await tab(page, "Schedule").click();
  await page.getByRole("button", { name: "Every day, all day" }).click();
  await page.getByRole("button", { name: "Save sending hours" }).click();
  await page.getByText("Ready to launch.").waitFor();
  await check("the schedule");

  await tab(page, "Sequence").click();
  await stepsIn(page).getByRole("button", { name: "1 Email" }).click();
  await page.getByRole("button", { name: "Send test email" }).click();
  const testing = page.getByRole("dialog", { name: "Send a test email of step 1, variant A" });
  await testing.getByLabel("To").fill("me@own.test");
  await testing.getByRole("button", { name: "Send test email" }).click();
  await page.getByText("The test email was sent to me@own.test.").waitFor();
  expect(mailsTo("me@own.test")).toEqual([expect.stringContaining("[TEST] A question, ")]);

  await page.getByRole("button", { name: "Launch…" }).click();
  const card = page.getByRole("dialog", { name: "Launch Story?" });
  await card.getByText("3 recipients will be contacted").waitFor();
  await check("the launch card");
  await card.getByRole("button", { name: "Send to 3 recipients" }).click();
  await card.waitFor({ state: "detached" });
  for (const email of PEOPLE)
    await until(() => mailsTo(email).length === 1, { ...MAIL_DEADLINE, what: `the first email to ${email}` });

  await answer(page);

  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByRole("link", { name: "Story" }).click();
  await page.getByRole("button", { name: "Pause…" }).click();
  await page.getByRole("button", { name: "Pause campaign" }).click();
  await page.getByText("Paused. No new emails of this campaign leave.").waitFor();
  await tab(page, "Sequence").click();
  await stepsIn(page).getByRole("button", { name: "3 Email" }).click();
  await page.getByLabel("Body").fill("Goodbye, and a good year");
  await stateIn(page).getByText("Draft in this browser.").waitFor();
  await page.getByRole("button", { name: "Review changes" }).click();
  const review = page.getByRole("dialog", { name: "Review changes" });
  await review.getByRole("region", { name: "Steps before and after the edit" }).waitFor();
  await check("the plan of the edit");
  await review.getByRole("button", { name: "Apply changes" }).click();
  await page.getByText("Changes applied.").waitFor();
  await page.getByRole("button", { name: "Resume…" }).click();
  const resuming = page.getByRole("dialog", { name: "Resume Story?" });
  await resuming.getByRole("button", { name: "Send to 2 recipients" }).click();
  await resuming.waitFor({ state: "detached" });
  await page.getByRole("button", { name: "Pause…" }).waitFor();

  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Export recipients…" }).click();
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "Export CSV" }).click(),
  ]);
  const rows = await readFile(await file.path(), "utf8");
  for (const email of PEOPLE) expect(rows).toContain(email);
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Duplicate…" }).click();
  await page.getByRole("button", { name: "Duplicate campaign" }).click();
  await page.getByRole("heading", { name: "Story (copy)", level: 1 }).waitFor();
  await tab(page, "Sequence").click();
  await stepsIn(page).getByRole("button", { name: "3 Email" }).click();
  expect(await page.getByLabel("Body").inputValue()).toBe("Goodbye, and a good year");
  await check("the copy");
  expect(PEOPLE.map((email) => mailsTo(email).length)).toEqual([2, 1, 1]);
}, 300_000);

/** Three emails, two variants of the first, and a branch from it to the last. */
async function writeSequence(page: Page): Promise<void> {
  await tab(page, "Sequence").click();
  await page.getByRole("button", { name: "Use conditions and other steps" }).click();
  const allowing = page.getByRole("dialog", { name: "Use conditions and other steps?" });
  await allowing.getByRole("button", { name: "Use conditions and other steps" }).click();
  await allowing.waitFor({ state: "detached" });
  // A new campaign has one email with a sample text
  await page.getByLabel("Subject").fill("A question, ");
  await page.getByRole("button", { name: "Insert variable" }).click();
  await page.getByRole("menuitem", { name: "{{firstName}}" }).click();
  await page.getByLabel("Body").fill("Hello {{firstName}}, shall we talk?");
  await page.getByRole("button", { name: "Add variant" }).click();
  await page.getByLabel("Subject").fill("Another question");
  for (const text of ["Did you see my last email?", "Goodbye"]) {
    await page.getByRole("button", { name: "Add email" }).click();
    await page.getByLabel("Body").fill(text);
  }
  await stepsIn(page).getByRole("button", { name: "1 Email" }).click();
  await page.getByRole("button", { name: "Add condition" }).click();
  const condition = page.getByRole("group", { name: "Condition 1" });
  await condition.getByRole("combobox", { name: "If" }).selectOption("The lead matches a filter");
  await condition.getByRole("combobox", { name: "Then" }).selectOption("go to step 3");
  await waitUntilSaved(page);
  await page.getByRole("button", { name: "Variant A" }).click();
}

/** Answers the reply of the first person in the inbox. */
async function answer(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Inbox" }).first().click();
  await page.getByRole("region", { name: "Conversations" }).getByRole("link", { name: "question" }).first().click();
  await page.getByLabel("Your reply").fill("Thank you. Shall we say Thursday at ten?");
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("status").getByText("Sent.").waitFor();
  await until(() => mailsTo(PEOPLE[0] ?? "").length === 2, { ...MAIL_DEADLINE, what: "the answer" });
  expect(mailsTo(PEOPLE[0] ?? "")[1]).toContain("Thursday at ten");
}

/** Counts what a person presses. A choice in a list takes two clicks, and opens no list here. */
const COUNT_CLICKS = `(() => {
  document.addEventListener("pointerdown", () => countClicks(1), true);
  document.addEventListener("change", ({ target }) => target.matches("select") && countClicks(2), true);
})()`;

const MOST_CLICKS = 25;

test(`a person writes and launches a three-step campaign for an existing list in at most ${MOST_CLICKS} clicks`, async () => {
  const { ownerId, rest } = await world.workspace();
  await connectMailbox(rest);
  for (const email of ["one@three.test", "two@three.test"]) await rest.post("/leads", { email });
  await rest.post("/lead-lists", {
    name: "Fair",
    filterRules: {
      version: 1,
      combinator: "AND",
      rules: [{ field: "email", operator: "ENDS_WITH", value: "@three.test" }],
    },
  });
  const { page, check } = await chromium.open();
  await signIn(page, ownerId);
  let clicks = 0;
  await page.exposeFunction("countClicks", (count: number) => {
    clicks += count;
  });
  await page.evaluate(COUNT_CLICKS);
  const click = (role: "button" | "link" | "checkbox" | "textbox", name: string) =>
    page.getByRole(role, { name, exact: true }).click();
  await click("button", "New campaign");
  await page.keyboard.type("Quick");
  await click("button", "Create campaign");
  await page.getByRole("heading", { name: "Quick", level: 1 }).waitFor();
  const list = page.getByRole("region", { name: "Before you launch" });
  await list.getByText("No open recipient yet.").waitFor();
  await check("the checklist before a launch");

  await click("button", "Add recipients");
  await click("button", "From a list");
  await page.getByRole("dialog").getByLabel("List").selectOption("Fair (2 leads)");
  await page.getByRole("dialog").getByRole("button", { name: "Add recipients" }).click();
  await page.getByRole("rowheader", { name: "one@three.test" }).waitFor();

  await tab(page, "Sequence").click();
  // A new campaign has one email with a sample text, which the person replaces
  for (const [field, text] of [
    ["Subject", "A question"],
    ["Body", "Shall we talk?"],
  ] as const) {
    await click("textbox", field);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(text);
  }
  for (const text of ["Did you see my last email?", "Goodbye"]) {
    await click("button", "Add email");
    await click("textbox", "Body");
    await page.keyboard.type(text);
  }
  await waitUntilSaved(page);

  await click("link", "Choose senders");
  await check("the senders");
  await click("checkbox", "Send from ann@a.test");
  await page.getByText("1 mailbox chosen").waitFor();
  await page.getByRole("region", { name: "Mailboxes", exact: true }).first().getByText("Saved").waitFor();
  await tab(page, "Schedule").click();
  await click("button", "Every day, all day");
  await page.getByText("Emails leave Monday to Sunday all day, in UTC.").first().waitFor();
  await click("button", "Save sending hours");
  await list.getByText("Ready to launch.").waitFor();
  await check("the schedule");
  await click("button", "Launch…");
  await click("button", "Send to 2 recipients");
  console.info(`${clicks} clicks from Home to a launched campaign of three steps`);
  expect(clicks).toBeGreaterThan(15);
  expect(clicks).toBeLessThanOrEqual(MOST_CLICKS);
  // The usual gap between two emails is ten minutes, so the second one is not waited for
  await until(() => sandbox.ledger.some(({ to }) => to.join().endsWith("@three.test")), {
    ...MAIL_DEADLINE,
    what: "the first email",
  });
  await page.getByRole("button", { name: "Pause…" }).click();
  await page.getByRole("button", { name: "Pause campaign" }).click();
  await page.getByText("Paused. No new emails of this campaign leave.").waitFor();
  await check("the paused campaign");
}, 180_000);
