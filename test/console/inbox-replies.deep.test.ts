import { expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { headerOf } from "../fakes/sent-mail.ts";
import { until } from "../fakes/wait.ts";
import { listened } from "../inbox/mailbox-in.ts";
import { newKey } from "../inbox/replying-world.ts";
import type { Look, Visit } from "./chromium.ts";
import { chromium, inboxOf, sandbox, useSetup, world } from "./inbox-replies-setup.ts";
import { visitAs } from "./signed-in-visit.ts";

useSetup();

const SOON = { deadlineMs: 20_000 };

const row = ({ page }: Visit, name: string) =>
  page.getByRole("region", { name: "Conversations" }).getByRole("link", { name });

test.each<Look>([
  { theme: "dark", width: 1280 },
  { theme: "light", width: 380 },
])(
  "inbox, conversation, scheduled replies and approvals are accessible, fit the window and show hostile text as text: %p",
  async (look) => {
    const person = await inboxOf("ann@a.test");
    const at = `/w/${person.workspaceId}`;
    const html = "<p>Hello <b>Ann</b></p><blockquote>Do you use widgets?</blockquote>";
    const { threadId } = await person.write("mira@people.test", { name: "Mira", html, before: "Do you use widgets?" });
    await person.write("<b>w@people.test", {
      name: `<script>alert(1)</script>${"W".repeat(5_000)}`,
      subject: "ש".repeat(5_000),
      ago: 9,
    });
    const asked = { text: "Later.", sendAt: new Date(Date.now() + DAY_MS).toISOString(), idempotencyKey: newKey() };
    await person.rest.post(`/inbox/threads/${threadId}/schedule`, asked);
    const opened = await visitAs(person, chromium, `${world.baseUrl}${at}/inbox`, look);
    const { page, check } = opened;
    await row(opened, "Mira").waitFor();
    await check("the inbox");
    await row(opened, "Mira").click();
    await page.frameLocator("iframe").getByText("Hello").waitFor();
    await page.getByText("Scheduled reply:").waitFor();
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
      kind: "OPT_OUT",
      threadId,
      proposedText: "please stop",
      reason: "It may ask us to stop",
      confidence: 0.5,
      _id: `apr_${threadId}`,
      expiresAt: new Date(Date.now() + DAY_MS),
    });
    await page.goto(`${world.baseUrl}${at}/approvals?open=${_id}`);
    await page.getByRole("button", { name: "Approve…" }).click();
    await page.getByRole("dialog", { name: "Never write to them again?" }).waitFor();
    await check("an approval");
  },
  60_000,
);

test("a reply that arrives over IMAP appears in its conversation, an answer by keyboard is sent once, and a scheduled answer can be cancelled", async () => {
  const person = await inboxOf("bob@a.test");
  const { page, check, context } = await visitAs(person, chromium, `${world.baseUrl}/w/${person.workspaceId}/inbox`);
  await page.getByText("No replies yet.").waitFor();
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
    .deliver(
      `${[...lines, "MIME-Version: 1.0", "Content-Type: text/plain"].join("\r\n")}\r\n\r\nWhat does it cost?\r\n`,
    );
  const { promise: shown, resolve: show } = Promise.withResolvers<void>();
  await page.route("**/inbox/threads/*?**", async (route) => {
    await shown;
    await route.continue();
  });
  await page.getByRole("link", { name: "Mira" }).click();
  const reply = page.getByLabel("Your reply");
  // Before the conversation is there: the key waits for its box, and further typing sorts nothing
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
  await page.getByText("· our reply").waitFor();
  // In the conversation, not in the list; the whole mail, which is folded, has it too
  await page.getByRole("region", { name: "Emails" }).getByText("Forty.").filter({ visible: true }).first().waitFor();
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
  await page.getByRole("button", { name: "Schedule reply" }).dblclick();
  await page.getByText("Scheduled reply:").waitFor();
  const { ScheduledReply } = scoped(person.workspaceId);
  const [waiting, second] = await ScheduledReply.find({});
  expect([second, waiting?.bodyText, waiting?.sendAt.getTime()]).toEqual([
    undefined,
    "And shipping is free.",
    tomorrowAtNine(),
  ]);
  await page.getByRole("button", { name: "Scheduled" }).click();
  await page.getByRole("button", { name: "Cancel", exact: true }).click();
  await page.getByRole("dialog").getByText("The reply to mira@people.test is not sent.").waitFor();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel reply" }).click();
  await page.getByRole("cell", { name: "cancelled" }).waitFor();
  expect((await ScheduledReply.find({}))[0]?.status).toBe("CANCELLED");
  await context.close();
}, 150_000);

function tomorrowAtNine(): number {
  const date = new Date();
  date.setDate(date.getDate() + 1);
  return date.setHours(9, 0, 0, 0);
}
