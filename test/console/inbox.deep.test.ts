import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { findSendable } from "../../store/suppression/sendable.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { until } from "../fakes/wait.ts";
import { PASSWORD, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, startChromium, type Visit } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { conversationIn, type Written } from "./inbox-parts.ts";
import { visitAs } from "./signed-in-visit.ts";

const SOON = { deadlineMs: 20_000 };

let world: World;
let chromium: Chromium;

beforeAll(async () => {
  world = await startWorld({ console: await builtConsole() });
  chromium = await startChromium();
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await world?.close();
});

async function withMailbox() {
  const person = await signedIn(world);
  const mailbox = await storedMailbox(person.workspaceId);
  const write = (from: string, more: Partial<Written> = {}) => conversationIn(person.workspaceId, mailbox._id, { from, ...more });
  return { ...person, write, visit: (path: string) => visitAs(person, chromium, `${world.baseUrl}/w/${person.workspaceId}${path}`) };
}

const row = ({ page }: Visit, name: string) => page.getByRole("region", { name: "Conversations" }).getByRole("link", { name });
const asksNothing = (complaints: string[]) => complaints.filter((one) => !/Failed to load resource|ERR_/.test(one));

test("the inbox is sorted by the keyboard alone, each decision can be taken back, and typing sorts nothing", async () => {
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
  const thread = async (id: string) => (await Thread.get(id)) ?? { isRead: null, isArchived: null, isStarred: null, category: null };
  await row(opened, "Cyd").waitFor();

  await press("j", "j", "k", "Enter");
  await page.getByRole("heading", { level: 2, name: "Re: Widgets" }).waitFor();
  await page.getByText("With Ada").waitFor();
  await isTrue("Ada's mail to have been read", async () => (await thread(ada.threadId)).isRead === true);

  // A category is told to nobody for ten seconds, and taken back as if it had never been
  await press("5");
  await page.getByText("Ada: wrong person. Saved in ten seconds.").waitFor();
  await press("z");
  await page.getByText("Ada: wrong person.").waitFor({ state: "detached" });
  await press("1");
  await page.getByText("Ada: interested. Saved in ten seconds.").waitFor();
  await check("a category that can be taken back");
  expect((await Message.get(ada.messageId))?.category).toBeNull();

  // Put away, the next one opens by itself
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
  await isTrue("the draft", async () => (await scoped(person.workspaceId).SavedDraft.get(cyd.threadId))?.text === "e1s?");
  expect(await thread(cyd.threadId)).toMatchObject({ isArchived: false, isStarred: false, category: "MEETING_REQUEST" });

  // One switch takes the keys away
  await page.getByRole("heading", { level: 2 }).focus();
  await press("?");
  await page.getByRole("dialog", { name: "Keys of the inbox" }).waitFor();
  await check("the keys");
  await press("Space", "Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await press("e", "s", "j");
  await page.getByText("With Cyd").waitFor();
  expect(await thread(cyd.threadId)).toMatchObject({ isArchived: false, isStarred: false });
}, 120_000);

test("a category that suppresses waits its ten seconds, is sent when the page is left before, and a tab that dies loses none", async () => {
  const person = await withMailbox();
  const { messageId, threadId } = await person.write("ada@people.test", { name: "Ada" });
  const other = await person.write("bea@people.test", { name: "Bea", ago: 9 });
  const opened = await person.visit(`/inbox?open=${threadId}`);
  const { page, context, check } = opened;
  const { Message } = scoped(person.workspaceId);
  await page.getByLabel("Another category").selectOption("DO_NOT_CONTACT");
  await page.getByText("In ten seconds they are suppressed, and no campaign ever writes to them again.").waitFor();
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
  await page.getByText("Bea: must not be contacted.").waitFor();
  await context.setOffline(true);
  await page.close();
  await context.setOffline(false);
  expect(await isTold(other.messageId)).toBe(false);
  const again = await context.newPage();
  await again.goto(`${world.baseUrl}/w/${person.workspaceId}/inbox`);
  await until(() => isTold(other.messageId), { deadlineMs: 40_000, what: "the category of a tab that was closed" });
  expect(await findSendable(person.workspaceId, ["ada@people.test", "bea@people.test", "cyd@people.test"])).toEqual(["cyd@people.test"]);
}, 120_000);

test("a session that ends in the middle of a reply takes nothing of it, and neither does a network that is away", async () => {
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
  await until(async () => (await person.browser.console(null).get("/session")).status === 401, { ...SOON, what: "the end of the session" });
  await reply.pressSequentially(" about it");
  await page.getByRole("dialog", { name: "You were signed out" }).waitFor({ timeout: 30_000 });
  const [other] = await Promise.all([context.waitForEvent("page"), page.getByRole("link", { name: "Sign in in another tab" }).click()]);
  await other.getByLabel("E-mail address").fill(person.email);
  await other.getByLabel("Password").fill(PASSWORD);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByRole("heading", { name: "Start" }).waitFor();
  await other.close();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  expect(await reply.inputValue()).toBe("We have thought about it");
  await until(async () => (await saved()) === "We have thought about it", { ...SOON, what: "the draft after the session" });

  await context.setOffline(true);
  await reply.pressSequentially(", gladly");
  await page.getByText("Not saved on the server yet; it stays here.").waitFor();
  await page.getByRole("heading", { level: 2 }).focus();
  await page.keyboard.press("s");
  await page.getByText("Not saved yet: Mira: starred.").waitFor();
  await context.setOffline(false);
  await until(async () => (await saved()) === "We have thought about it, gladly", { ...SOON, what: "the draft after the network" });
  await page.locator(".undoing").getByRole("button", { name: "Try again" }).click();
  const isStarred = async () => (await scoped(person.workspaceId).Thread.get(threadId))?.isStarred === true;
  await until(isStarred, { ...SOON, what: "the star" });
  expect(asksNothing(complaints)).toEqual([]);
}, 120_000);
