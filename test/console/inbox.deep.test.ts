import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { until } from "../fakes/wait.ts";
import { PASSWORD } from "../support/signed-in.ts";
import type { Visit } from "./chromium.ts";
import { SOON, useSetup, withMailbox } from "./inbox-setup.ts";

useSetup();

const row = ({ page }: Visit, name: string) =>
  page.getByRole("region", { name: "Conversations" }).getByRole("link", { name });

const asksNothing = (complaints: string[]) => complaints.filter((one) => !/Failed to load resource|ERR_/.test(one));

test("keyboard shortcuts sort the inbox, each decision can be undone, and typing in a field triggers no shortcut", async () => {
  const person = await withMailbox();
  const [ada, bea, cyd] = [
    await person.write("ada@people.test", { name: "Ada", ago: 1 }),
    await person.write("bea@people.test", { name: "Bea", ago: 2 }),
    await person.write("cyd@people.test", { name: "Cyd", ago: 3 }),
  ];
  const opened = await person.visit(`/inbox`);
  const { page, check } = opened;
  const { Message, Thread } = scoped(person.workspaceId);
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const isTrue = (what: string, probe: () => Promise<boolean>) => until(probe, { ...SOON, what });
  const thread = async (id: string) =>
    (await Thread.get(id)) ?? { isRead: null, isArchived: null, isStarred: null, category: null };
  await row(opened, "Cyd").waitFor();

  await press("j", "j", "k", "Enter");
  await page.getByRole("heading", { level: 2, name: "Re: Widgets" }).waitFor();
  await page.getByText("With Ada").waitFor();
  await isTrue("Ada's mail to have been read", async () => (await thread(ada.threadId)).isRead === true);

  // A category is not saved for ten seconds, and undoing it leaves no trace
  await press("5");
  await page.getByText("Ada: wrong person. Saved in ten seconds.").waitFor();
  await press("z");
  await page.getByText("Ada: wrong person.").waitFor({ state: "detached" });
  await press("1");
  await page.getByText("Ada: interested. Saved in ten seconds.").waitFor();
  await check("a category that can be taken back");
  expect((await Message.get(ada.messageId))?.category).toBeNull();

  // After archiving, the next one opens by itself
  await press("e");
  await page.getByText("With Bea").waitFor();
  await isTrue("Ada to be put away", async () => (await thread(ada.threadId)).isArchived === true);
  expect(await row(opened, "Ada").count()).toBe(0);
  await press("z");
  await isTrue("Ada to be back", async () => (await thread(ada.threadId)).isArchived === false);
  await row(opened, "Ada").waitFor();
  await press("s", "u");
  await isTrue("Bea to have a star and be unread", async () => {
    const { isStarred, isRead } = await thread(bea.threadId);
    return isStarred === true && isRead === false;
  });
  await press("j");
  await page.getByText("With Cyd").waitFor();
  await press("2");
  await isTrue("Cyd's category", async () => (await Message.get(cyd.messageId))?.category === "MEETING_REQUEST");
  expect((await Message.get(ada.messageId))?.category).toBe("INTERESTED");

  await press("r");
  await page.keyboard.type("e1s?");
  expect(await page.getByLabel("Your reply").inputValue()).toBe("e1s?");
  expect(await page.getByRole("dialog").count()).toBe(0);
  await isTrue(
    "the draft",
    async () => (await scoped(person.workspaceId).SavedDraft.get(cyd.threadId))?.text === "e1s?",
  );
  expect(await thread(cyd.threadId)).toMatchObject({
    isArchived: false,
    isStarred: false,
    category: "MEETING_REQUEST",
  });

  // One switch takes the keys away
  await page.getByRole("heading", { level: 2 }).focus();
  await press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await check("the keys");
  await press("Space", "Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await press("e", "s", "j");
  await page.getByText("With Cyd").waitFor();
  expect(await thread(cyd.threadId)).toMatchObject({ isArchived: false, isStarred: false });
}, 120_000);

test("the text of an unfinished reply survives the end of the session and a network failure", async () => {
  const person = await withMailbox();
  const { threadId } = await person.write("mira@people.test", { name: "Mira" });
  await person.write("tomasz@people.test", { name: "Tomasz", ago: 9 });
  const opened = await person.visit(`/inbox?open=${threadId}`);
  const { page, context, complaints } = opened;
  const reply = page.getByLabel("Your reply");
  const saved = async () => (await scoped(person.workspaceId).SavedDraft.get(threadId))?.text;
  await reply.fill("We have thought");
  await until(async () => (await saved()) === "We have thought", { ...SOON, what: "the draft" });
  await person.browser.console(null).delete("/session");
  await until(async () => (await person.browser.console(null).get("/session")).status === 401, {
    ...SOON,
    what: "the end of the session",
  });
  await reply.pressSequentially(" about it");
  await page.getByRole("dialog", { name: "You were signed out" }).waitFor();
  const [other] = await Promise.all([
    context.waitForEvent("page"),
    page.getByRole("link", { name: "Sign in in another tab" }).click(),
  ]);
  await other.getByLabel("E-mail address").fill(person.email);
  await other.getByLabel("Password").fill(PASSWORD);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("heading", { name: "Inbox" }).waitFor();
  await other.close();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await reply.inputValue()).toBe("We have thought about it");
  await until(async () => (await saved()) === "We have thought about it", {
    ...SOON,
    what: "the draft after the session",
  });

  await context.setOffline(true);
  await reply.pressSequentially(", gladly");
  await page.getByText("Not saved on the server yet; it stays here.").waitFor();
  await page.getByRole("heading", { level: 2 }).focus();
  await page.keyboard.press("s");
  await page.getByText("Not saved yet: Mira: starred.").waitFor();
  await context.setOffline(false);
  await until(async () => (await saved()) === "We have thought about it, gladly", {
    ...SOON,
    what: "the draft after the network",
  });
  await page.locator(".undoing").getByRole("button", { name: "Try again" }).click();
  const isStarred = async () => (await scoped(person.workspaceId).Thread.get(threadId))?.isStarred === true;
  await until(isStarred, { ...SOON, what: "the star" });
  expect(asksNothing(complaints)).toEqual([]);
}, 120_000);
