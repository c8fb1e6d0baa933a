import { expect, test } from "@jest/globals";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { findSendable } from "../../store/suppression/sendable.ts";
import { until } from "../fakes/wait.ts";
import { SOON, useSetup, withMailbox, world } from "./inbox-setup.ts";

useSetup();

test("a category that suppresses can be undone for ten seconds, is sent at once when the page is left, and survives a crash of the tab", async () => {
  const person = await withMailbox();
  const { messageId, threadId } = await person.write("ada@people.test", { name: "Ada" });
  const other = await person.write("bea@people.test", { name: "Bea", ago: 9 });
  const opened = await person.visit(`/inbox?open=${threadId}`);
  const { page, context, check } = opened;
  const { Message } = scoped(person.workspaceId);
  await page.getByLabel("Another category").selectOption("DO_NOT_CONTACT");
  await page.getByText("In ten seconds they are suppressed, and no campaign contacts them again.").waitFor();
  await check("a category that suppresses");
  await page.getByRole("button", { name: "Undo" }).click();
  await page.getByText("In ten seconds they are suppressed").waitFor({ state: "detached" });
  await page.getByLabel("Another category").selectOption("DO_NOT_CONTACT");
  expect((await Message.get(messageId))?.category).toBeNull();
  await page.getByRole("link", { name: "Campaigns" }).click();
  const isTold = async (id: string) => (await Message.get(id))?.category === "DO_NOT_CONTACT";
  await until(() => isTold(messageId), { ...SOON, what: "the category of a page that was left" });

  // The network is away while the tab is closed: the decision is in the browser, and goes the next time
  await page.goto(`${world.baseUrl}/w/${person.workspaceId}/inbox?open=${other.threadId}`);
  await page.getByLabel("Another category").selectOption("DO_NOT_CONTACT");
  await page.getByText("Bea: do not contact.").waitFor();
  await context.setOffline(true);
  await page.close();
  await context.setOffline(false);
  expect(await isTold(other.messageId)).toBe(false);
  const again = await context.newPage();
  await again.goto(`${world.baseUrl}/w/${person.workspaceId}/inbox`);
  await until(() => isTold(other.messageId), { deadlineMs: 40_000, what: "the category of a tab that was closed" });
  expect(await findSendable(person.workspaceId, ["ada@people.test", "bea@people.test", "cyd@people.test"])).toEqual([
    "cyd@people.test",
  ]);
}, 120_000);

test("a button confirms a suggested category, and the confidence above which suggestions apply by themselves can be set for the workspace", async () => {
  const person = await withMailbox();
  const message = { suggestion: { category: "MEETING_REQUEST", confidence: 0.8 } };
  const { messageId, threadId } = await person.write("ada@people.test", { name: "Ada", message });
  const { page, check } = await person.visit(`/inbox?open=${threadId}`);
  await page.getByText("Suggested category: meeting request").waitFor();
  await page.getByRole("button", { name: "Confirm category" }).click();
  const categoryNow = async () => (await scoped(person.workspaceId).Message.get(messageId))?.category;
  await until(async () => (await categoryNow()) === "MEETING_REQUEST", {
    ...SOON,
    what: "the category that was confirmed",
  });
  await page.getByText("Suggested category: ").waitFor({ state: "detached" });

  await page.getByRole("button", { name: "Category suggestions" }).click();
  await page.getByLabel("Who sets a suggested category").selectOption("0.8");
  await check("the choice about suggested categories");
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByText("Category suggestions saved.").waitFor();
  expect(await Workspace.findById(person.workspaceId).lean()).toMatchObject({ acceptSuggestedFrom: 0.8 });
}, 60_000);

test("a reply that asks about data shows the question, and a button drafts an answer from the source of the lead without sending it", async () => {
  const person = await withMailbox();
  const rows = [{ email: "ada@people.test", firstName: "Ada" }];
  await person.rest.post("/leads/import", { action: "commit", rows, fileName: "contacts.csv" });
  const text = "Where did you get my address from?";
  const asks = { name: "Ada", text, message: { category: "DATA_REQUEST" } };
  const { threadId } = await person.write("ada@people.test", asks);
  const other = await person.write("bea@people.test", { name: "Bea", ago: 9 });
  const { page, check } = await person.visit(`/inbox?open=${threadId}`);
  const notice = page.getByRole("complementary", { name: "This person asks about the data" });
  await notice.getByText(text).waitFor();
  await page.getByLabel("Your reply").fill("Thank you for asking.");
  await notice.getByRole("button", { name: "Draft an answer about the source" }).click();
  await check("a request about data");
  const written = await page.getByLabel("Your reply").inputValue();
  expect(written).toMatch(/^Thank you for asking\.\n\nHello Ada,\n\n.* from an import of contacts\.csv on /);
  const draft = async () => (await person.rest.get(`/inbox/threads/${threadId}/draft`)).body.draft?.text;
  await until(async () => (await draft()) === written, { ...SOON, what: "the draft on the server" });
  expect(await scoped(person.workspaceId).OutgoingMail.count()).toBe(0);
  await page.goto(`${world.baseUrl}/w/${person.workspaceId}/inbox?open=${other.threadId}`);
  await page.getByLabel("Your reply").waitFor();
  expect(await notice.count()).toBe(0);
}, 60_000);
