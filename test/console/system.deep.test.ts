import { createHmac } from "node:crypto";
import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { User } from "../../models/sign-in/user.ts";
import { deadLetter } from "../../store/webhooks/deliveries.ts";
import { createEngine } from "../../temporal/engine.ts";
import { until } from "../fakes/wait.ts";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import type { Look } from "./chromium.ts";
import { lostMail, NASTY } from "./planted.ts";
import { RUNS, receiver, subscriber, useSetup, visit, world } from "./system-setup.ts";

useSetup();

const DEADLINE = { deadlineMs: 30_000 };

async function operator(): Promise<SignedIn> {
  const person = await signedIn(world);
  await User.updateOne({ _id: person.userId }, { $set: { isOperator: true } });
  return person;
}

test.each<Look>([{ theme: "light" }, { theme: "dark", width: 380 }])(
  "an operator sees which parts work and which fail, and sees an unreachable Temporal reported once: %p",
  async (look) => {
    const person = await operator();
    const { recipientId } = await lostMail(person);
    const { page, check } = await visit(person, "/system", look);
    await page
      .getByRole("row", { name: /^Temporal/ })
      .getByText("OK")
      .waitFor();
    await page
      .getByRole("row", { name: /^Mailboxes/ })
      .getByText("failing")
      .waitFor();
    await page
      .getByRole("row", { name: /^Emails with unknown result/ })
      .getByText("check")
      .waitFor();
    await page.getByRole("row", { name: /^smtp/ }).waitFor();
    await page.getByText(NASTY).first().waitFor();
    await check("the state of the installation");
    const { engine } = world.services;
    world.services.engine = createEngine(() => null);
    try {
      await page.reload();
      await page.getByRole("row", { name: /^Temporal.*unreachable/ }).waitFor();
      expect(await page.getByRole("heading", { name: "Queues" }).count()).toBe(0);
      await check("an engine that is away");
    } finally {
      world.services.engine = engine;
    }
    await page.getByRole("link", { name: "lost@people.test" }).click();
    const history = page.getByRole("link", { name: `History of recipient ${recipientId} in Temporal` });
    expect(await history.getAttribute("href")).toBe(`${RUNS}/recipient%2F${recipientId}`);
    await check("one person, with the way into the engine's pages");
  },
  90_000,
);

test("an email of unknown outcome is resolved only after a choice, and each choice says what it does", async () => {
  const person = await operator();
  const { campaignId, sendId } = await lostMail(person);
  const { page, check } = await visit(person, "/system");
  await page.getByRole("button", { name: "Resolve the email to lost@people.test" }).click();
  const card = page.getByRole("dialog", { name: "What happened to the email to lost@people.test?" });
  await card.getByRole("button", { name: "Resolve" }).click({ force: true });
  await card.getByText("The recipient gets no further emails of this campaign.").waitFor();
  await check("what became of a mail");
  const stateOf = async () => (await scoped(person.workspaceId).Send.get(sendId))?.state;
  expect(await stateOf()).toBe("UNKNOWN");
  await card.getByLabel("It was not sent and should not be sent").check();
  await card.getByRole("button", { name: "Count it as not sent" }).click();
  await card.waitFor({ state: "detached" });
  expect(await stateOf()).toBe("FAILED");
  const [recipient] = await scoped(person.workspaceId).Recipient.find({ campaignId });
  expect(recipient).toMatchObject({ status: "FAILED", stopReason: "SEND_UNKNOWN" });
  await page.getByRole("button", { name: "Resolve the email to lost@people.test" }).waitFor({ state: "detached" });
}, 60_000);

test("a webhook is added, its secret verifies deliveries, and a failed delivery is sent again once the receiver is reachable", async () => {
  const person = await signedIn(world);
  const { WebhookSubscription, WebhookDelivery } = scoped(person.workspaceId);
  const { page, check } = await visit(person, "/webhooks", { theme: "dark" });
  await page.getByText("No webhooks yet.").waitFor();
  await page.getByRole("button", { name: "Add webhook" }).click();
  const form = page.getByRole("dialog", { name: "Add webhook" });
  await form.getByLabel("Address").fill("https://10.0.0.1/in");
  await form.getByRole("button", { name: "Add webhook" }).click();
  await form.locator('[aria-invalid="true"], [role="alert"]').first().waitFor();
  await check("an address that is refused");
  await form.getByLabel("Address").fill("https://hooks.example.com/in");
  await form.getByLabel("reply received").check();
  await form.getByRole("button", { name: "Add webhook" }).dblclick();
  const shown = page.getByRole("dialog", { name: "The signing secret" });
  const secret = await shown.getByLabel("Secret", { exact: true }).inputValue();
  await shown.getByLabel("Language").selectOption("PHP");
  expect(await shown.getByLabel("Example code").inputValue()).toContain("hash_equals");
  await check("a secret, once");
  await shown.getByRole("button", { name: "Close" }).click();
  const [subscription, ...others] = await WebhookSubscription.find();
  expect([subscription?.events, others.length]).toEqual([["REPLIED"], 0]);
  // No public name leads to a test, so the receiver on this machine takes the place of the one that was named
  await WebhookSubscription.updateOne({ _id: subscription?._id }, { $set: { url: receiver.url } });
  await page.reload();

  subscriber.status = 500;
  await page.getByRole("button", { name: `Test ${receiver.url}` }).click();
  await page.getByRole("cell", { name: "retrying" }).waitFor();
  await page.getByText("<b>down</b>").waitFor();
  expect(await page.getByRole("button", { name: "Send again" }).count()).toBe(0);
  const [failed] = await WebhookDelivery.find();
  // The other nine attempts take eight hours
  await deadLetter({ v: 1, workspaceId: person.workspaceId, deliveryId: failed?._id ?? "" });
  await page.getByRole("button", { name: "failed" }).click();
  await page.getByRole("cell", { name: "failed" }).waitFor();
  await page.getByRole("button", { name: "Show test event of" }).click();
  await page.getByText("answered 500").last().waitFor();
  await check("a dead letter with its attempts");

  subscriber.status = 200;
  const before = receiver.received.length;
  await page.getByRole("button", { name: "Send again" }).click();
  const card = page.getByRole("dialog", { name: "Send again" });
  await card.getByText(`“test event” is sent to ${receiver.url} again`).waitFor();
  await check("what sending again does");
  await card.getByRole("button", { name: "Send again" }).click();
  await until(async () => (await WebhookDelivery.get(failed?._id ?? ""))?.status === "DELIVERED", {
    ...DEADLINE,
    what: "the delivery",
  });
  const [again, ...more] = receiver.received.slice(before);
  const signature = `sha256=${createHmac("sha256", secret)
    .update(again?.body ?? "")
    .digest("hex")}`;
  expect([again?.headers["x-service-signature"], more.length]).toEqual([signature, 0]);
  await page.getByText("Nothing matches.").waitFor();

  await page.getByRole("link", { name: "Webhooks" }).first().click();
  await page.getByText("Check a signature").click();
  await page.getByLabel("Exact body").fill(String(again?.body));
  await page.getByLabel("X-Service-Signature").fill(signature);
  await page.getByLabel("Secret").fill(secret);
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText("The signature matches").waitFor();
  await page.getByLabel("Exact body").fill(`${again?.body} `);
  await page.getByRole("button", { name: "Compare" }).click();
  await page.getByText("The signature does not match").waitFor();
  await check("a signature that is checked");

  for (const [item, act, done] of [
    ["Pause", "Pause webhook", "Paused."],
    ["New secret…", "Create new secret", null],
    ["Delete…", "Delete webhook", "Deleted."],
  ] as const) {
    await page.getByRole("button", { name: /^More: http/ }).click();
    await page.getByRole("menuitem", { name: item }).click();
    await check(item);
    await page.getByRole("button", { name: act }).click();
    if (done !== null) await page.getByText(done).waitFor();
    else await page.getByRole("dialog", { name: "The signing secret" }).getByRole("button", { name: "Close" }).click();
  }
  await page.getByText("No webhooks yet.").waitFor();
}, 120_000);
