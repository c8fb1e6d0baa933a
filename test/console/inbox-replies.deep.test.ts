import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { KEY_POLICY } from "../../domain/access/send-policy.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { headerOf } from "../fakes/sent-mail.ts";
import { until } from "../fakes/wait.ts";
import { listened, mailboxIn } from "../inbox/mailbox-in.ts";
import { newKey } from "../inbox/replying-world.ts";
import { realWorker } from "../support/real-worker.ts";
import { restOf } from "../support/rest.ts";
import { invited, type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, type Look, startChromium, type Visit } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { conversationIn, type Written } from "./inbox-parts.ts";
import { visitAs } from "./signed-in-visit.ts";

const MAILBOXES = ["ann@a.test", "bob@a.test", "cid@a.test", "dan@a.test"];
const SOON = { deadlineMs: 20_000 };

let world: World;
let sandbox: Sandbox;
let chromium: Chromium;

beforeAll(async () => {
  const certificate = await makeCertificate();
  sandbox = await startSandbox({ mailboxes: MAILBOXES, certificate, reactionMs: { min: 20, max: 60 } });
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*" },
    console: await builtConsole(),
  });
  chromium = await startChromium();
}, 180_000);
afterAll(async () => {
  await chromium?.close();
  await world?.close();
  await sandbox?.close();
}, 30_000);

interface InboxOf extends SignedIn {
  email: string;
  mailboxId: string;
  write(from: string, more?: Partial<Written>): Promise<{ threadId: string; messageId: string }>;
}

/** A person of a new workspace with a mailbox of the sandbox, which no other test uses. */
async function inboxOf(address: string): Promise<InboxOf> {
  const person = await signedIn(world);
  const mailboxId = await mailboxIn(world, person.workspaceId, address, sandbox);
  return { ...person, mailboxId, write: (from, more) => conversationIn(person.workspaceId, mailboxId, { from, ...more }) };
}

const row = ({ page }: Visit, name: string) => page.getByRole("region", { name: "Conversations" }).getByRole("link", { name });

test.each<Look>([
  { theme: "dark", width: 1280 },
  { theme: "light", width: 380 },
])(
  "inbox, conversation, scheduled replies and approvals keep the promises of every page: %p",
  async (look) => {
    const person = await inboxOf("ann@a.test");
    const at = `/w/${person.workspaceId}`;
    const html = "<p>Hello <b>Ann</b></p><blockquote>Do you use widgets?</blockquote>";
    const { threadId } = await person.write("mira@people.test", { name: "Mira", html, before: "Do you use widgets?" });
    await person.write("<b>w@people.test", { name: `<script>alert(1)</script>${"W".repeat(5_000)}`, subject: "ש".repeat(5_000), ago: 9 });
    const asked = { text: "Later.", sendAt: new Date(Date.now() + DAY_MS).toISOString(), idempotencyKey: newKey() };
    await person.rest.post(`/inbox/threads/${threadId}/schedule`, asked);
    const opened = await visitAs(person, chromium, `${world.baseUrl}${at}/inbox`, look);
    const { page, check } = opened;
    await row(opened, "Mira").waitFor();
    await check("the inbox");
    await row(opened, "Mira").click();
    await page.frameLocator("iframe").getByText("Hello").waitFor();
    await page.getByText("A reply waits for its time:").waitFor();
    await check("a conversation");
    await page.getByLabel("Your reply").fill("Gladly.");
    await page.getByRole("button", { name: "Later…" }).click();
    await page.getByText("It goes to mira@people.test").waitFor();
    await check("sending later");
    await page.goto(`${world.baseUrl}${at}/inbox?part=scheduled`);
    await page.getByRole("button", { name: "Show mira@people.test" }).click();
    await check("scheduled replies");
    const { Approval } = scoped(person.workspaceId);
    const { _id } = await Approval.insert({
      ...{ kind: "OPT_OUT", threadId, proposedText: "please stop", reason: "It may ask us to stop", confidence: 0.5 },
      ...{ _id: `apr_${threadId}`, expiresAt: new Date(Date.now() + DAY_MS) },
    });
    await page.goto(`${world.baseUrl}${at}/approvals?open=${_id}`);
    await page.getByRole("button", { name: "Approve…" }).click();
    await page.getByRole("dialog", { name: "Never write to them again?" }).waitFor();
    await check("an approval");
  },
  60_000,
);

test("an answer arrives in its conversation: read over IMAP, answered by a key, sent once, scheduled and cancelled", async () => {
  const person = await inboxOf("bob@a.test");
  const { page, check, context } = await visitAs(person, chromium, `${world.baseUrl}/w/${person.workspaceId}/inbox`);
  await page.getByText("Nobody has written yet.").waitFor();
  await listened(person.workspaceId, person.mailboxId);
  const id = `<${newKey()}@people.test>`;
  const lines = [
    "From: Mira <mira@people.test>",
    "To: bob@a.test",
    "Subject: Prices",
    `Message-ID: ${id}`,
    `Date: ${new Date().toUTCString()}`,
  ];
  sandbox
    .imapOf("bob@a.test")
    .deliver(`${[...lines, "MIME-Version: 1.0", "Content-Type: text/plain"].join("\r\n")}\r\n\r\nWhat does it cost?\r\n`);
  const { promise: shown, resolve: show } = Promise.withResolvers<void>();
  await page.route("**/inbox/threads/*?**", async (route) => {
    await shown;
    await route.continue();
  });
  await page.getByRole("link", { name: "Mira" }).click({ timeout: 60_000 });
  const reply = page.getByLabel("Your reply");
  // Before the conversation is there: the key waits for its box, and what is typed on sorts nothing
  await page.keyboard.press("r");
  await page.keyboard.type("es");
  show();
  await page.locator("textarea:focus").waitFor();
  await page.keyboard.type("Forty.");
  await page.getByText("Draft saved").waitFor();
  const { Thread } = scoped(person.workspaceId);
  expect(await Thread.find({})).toMatchObject([{ isArchived: false, isStarred: false }]);
  await page.keyboard.press("Control+Enter");
  await page.keyboard.press("Control+Enter");
  await page.getByText("· our reply").waitFor({ timeout: 60_000 });
  // In the conversation, not in the list; the whole mail, which is folded, has it too
  await page.getByRole("region", { name: "Mails" }).getByText("Forty.").filter({ visible: true }).first().waitFor();
  await until(async () => (await reply.inputValue()) === "", { ...SOON, what: "an empty box" });
  await check("the conversation with our answer");
  const sent = sandbox.ledger.filter(({ to }) => to.includes("mira@people.test"));
  expect(sent.map(({ raw }) => headerOf(raw, "In-Reply-To"))).toEqual([id]);
  const { SavedDraft } = scoped(person.workspaceId);
  await until(async () => (await SavedDraft.count()) === 0, { ...SOON, what: "no draft" });

  await reply.fill("And shipping is free.");
  await page.getByRole("button", { name: "Later…" }).click();
  await page.getByRole("button", { name: "Tomorrow, 9:00" }).click();
  await page.getByText("It goes to mira@people.test").waitFor();
  await page.getByRole("button", { name: "Schedule it" }).dblclick();
  await page.getByText("A reply waits for its time:").waitFor();
  const { ScheduledReply } = scoped(person.workspaceId);
  const [waiting, second] = await ScheduledReply.find({});
  expect([second, waiting?.bodyText, waiting?.sendAt.getTime()]).toEqual([undefined, "And shipping is free.", tomorrowAtNine()]);
  await page.getByRole("button", { name: "Scheduled" }).click();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByRole("dialog").getByText("The reply to mira@people.test is not sent.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("cell", { name: "cancelled" }).waitFor();
  expect((await ScheduledReply.find({}))[0]?.status).toBe("CANCELLED");
  await context.close();
}, 150_000);

function tomorrowAtNine(): number {
  const date = new Date();
  date.setDate(date.getDate() + 1);
  return date.setHours(9, 0, 0, 0);
}

test("an answer whose fate nobody knows is repeated as it was, and leaves once", async () => {
  const person = await inboxOf("cid@a.test");
  const { threadId } = await person.write("mira@unsure.test", { name: "Mira" });
  const { page } = await visitAs(person, chromium, `${world.baseUrl}/w/${person.workspaceId}/inbox?open=${threadId}`);
  let isLost = true;
  const lost: number[] = [];
  await page.route("**/reply", async (route) => {
    const isPlan = route.request().postDataJSON().planOnly === true;
    if (isPlan || !isLost) return route.continue();
    isLost = false;
    // It arrives, and its answer does not
    // The browser says where a request comes from only where it sends it itself
    const headers = { ...(await route.request().allHeaders()), "sec-fetch-site": "same-origin" };
    lost.push((await route.fetch({ headers })).status());
    await route.abort();
  });
  await page.getByLabel("Your reply").fill("Once.");
  await page.getByRole("button", { name: "Send" }).click();
  await page.getByText("Nobody knows yet whether it left.").waitFor({ timeout: 40_000 });
  expect(lost).toEqual([200]);
  expect(await page.getByLabel("Your reply").getAttribute("readonly")).not.toBeNull();
  await page.locator("form").getByRole("button", { name: "Try again" }).click();
  await page.locator(".toast").filter({ hasText: "Sent." }).waitFor({ timeout: 60_000 });
  expect(sandbox.ledger.filter(({ to }) => to.includes("mira@unsure.test"))).toHaveLength(1);
}, 120_000);

test("what an agent wants to send is approved as it is shown, or rejected; a viewer decides nothing", async () => {
  const person = await inboxOf("dan@a.test");
  const { threadId } = await person.write("mira@approved.test", { name: "Mira" });
  const second = await person.write("tomasz@approved.test", { name: "Tomasz", ago: 9 });
  const policy = { ...KEY_POLICY, sends: "APPROVAL" as const };
  const { key } = await createKey({ workspaceId: person.workspaceId, name: "agent", scopes: ALL_SCOPES, createdBy: person.userId, policy });
  const agent = restOf(`${world.baseUrl}/api/v1`, key);
  for (const [id, text] of [
    [threadId, "We open at nine."],
    [second.threadId, "Buy now!"],
  ]) {
    await agent.post(`/inbox/threads/${id}/reply`, { text, idempotencyKey: newKey() });
  }
  const viewer = await invited(world, person, `viewer-${person.userId}@acme.test`, "VIEWER");
  const seen = await visitAs(viewer, chromium, `${world.baseUrl}/w/${person.workspaceId}/approvals`);
  await seen.page.getByRole("button", { name: "Look: A reply" }).first().click();
  await seen.page.getByText("Asked by key_").waitFor();
  for (const name of ["Approve…", "Reject…", "Send another text…"])
    expect([name, await seen.page.getByRole("button", { name, exact: true }).count()]).toEqual([name, 0]);
  await seen.page.goto(`${world.baseUrl}/w/${person.workspaceId}/inbox?open=${threadId}`);
  await seen.page.getByText("Your role lets you read, not answer.").waitFor();
  for (const name of ["Put away", "Star", "1 interested", "Send"])
    expect([name, await seen.page.getByRole("button", { name, exact: true }).count()]).toEqual([name, 0]);
  await seen.check("a viewer's inbox");

  const { page, check } = await visitAs(person, chromium, `${world.baseUrl}/w/${person.workspaceId}/approvals`);
  const { Approval } = scoped(person.workspaceId);
  const rowOf = (whom: string) => page.getByRole("row", { name: `A reply 1 person ${whom}` });
  const open = async (text: string) => {
    await rowOf(text === "Buy now!" ? "tomasz@" : "mira@")
      .getByRole("button", { name: "Look: A reply" })
      .click();
    await page.getByText(text).waitFor();
  };
  await open("Buy now!");
  await page.getByRole("button", { name: "Reject…" }).click();
  await page.getByLabel("A remark").fill("Too loud");
  await page.getByRole("dialog").getByRole("button", { name: "Reject it" }).click();
  await rowOf("tomasz@").waitFor({ state: "detached" });
  expect(await Approval.findOne({ threadId: second.threadId })).toMatchObject({ status: "REJECTED", note: "Too loud" });
  await open("We open at nine.");
  await page.getByRole("button", { name: "Approve…" }).click();
  const card = page.getByRole("dialog", { name: "Send this reply?" });
  await card.getByText("To mira@approved.test").waitFor();
  await card.getByText("We open at nine.").waitFor();
  await check("the card of an approval");
  await card.getByRole("button", { name: "Send it" }).dblclick();
  await card.waitFor({ state: "detached" });
  const sent = () => sandbox.ledger.filter(({ to }) => to.some((address) => address.endsWith("@approved.test")));
  await until(() => sent().length > 0, { deadlineMs: 60_000, what: "the approved mail" });
  expect(sent().map(({ to }) => to)).toEqual([["mira@approved.test"]]);
}, 120_000);
