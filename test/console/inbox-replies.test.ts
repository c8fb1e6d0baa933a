import { expect, test } from "@jest/globals";
import { KEY_POLICY } from "../../domain/access/policy.ts";
import { ALL_SCOPES } from "../../domain/scopes.ts";
import { scoped } from "../../models/scoped.ts";
import { createKey } from "../../operations/access/api-keys.ts";
import { until } from "../fakes/wait.ts";
import { newKey } from "../inbox/replying-world.ts";
import { restOf } from "../support/rest.ts";
import { invited } from "../support/signed-in.ts";
import { chromium, inboxOf, sandbox, useSetup, world } from "./inbox-replies-setup.ts";
import { visitAs } from "./signed-in-visit.ts";

useSetup();

test("a reply whose outcome is unknown is repeated unchanged and is sent once", async () => {
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
  await page.getByText("It is not known yet whether the reply was sent.").waitFor();
  expect(lost).toEqual([200]);
  expect(await page.getByLabel("Your reply").getAttribute("readonly")).not.toBeNull();
  await page.locator("form").getByRole("button", { name: "Try again" }).click();
  await page.locator(".toast").filter({ hasText: "Sent." }).waitFor();
  expect(sandbox.ledger.filter(({ to }) => to.includes("mira@unsure.test"))).toHaveLength(1);
}, 120_000);

test("an approver sees what an agent wants to send, and approves exactly that or rejects it; a viewer can do neither", async () => {
  const person = await inboxOf("dan@a.test");
  const { threadId } = await person.write("mira@approved.test", { name: "Mira" });
  const second = await person.write("tomasz@approved.test", { name: "Tomasz", ago: 9 });
  const policy = { ...KEY_POLICY, SENDS: "APPROVAL" as const };
  const { key } = await createKey({
    workspaceId: person.workspaceId,
    name: "agent",
    scopes: ALL_SCOPES,
    createdBy: person.userId,
    policy,
  });
  const agent = restOf(`${world.baseUrl}/api/v1`, key);
  for (const [id, text] of [
    [threadId, "We open at nine."],
    [second.threadId, "Buy now!"],
  ]) {
    await agent.post(`/inbox/threads/${id}/reply`, { text, idempotencyKey: newKey() });
  }
  const viewer = await invited(world, person, `viewer-${person.userId}@acme.test`, "VIEWER");
  const seen = await visitAs(viewer, chromium, `${world.baseUrl}/w/${person.workspaceId}/approvals`);
  await seen.page.getByRole("button", { name: "View: A reply" }).first().click();
  await seen.page.getByText("Asked by key_").waitFor();
  for (const name of ["Approve…", "Reject…", "Send another text…"])
    expect([name, await seen.page.getByRole("button", { name, exact: true }).count()]).toEqual([name, 0]);
  await seen.page.goto(`${world.baseUrl}/w/${person.workspaceId}/inbox?open=${threadId}`);
  await seen.page.getByText("Your role does not allow replies.").waitFor();
  for (const name of ["Archive", "Star", "1 interested", "Send"])
    expect([name, await seen.page.getByRole("button", { name, exact: true }).count()]).toEqual([name, 0]);
  await seen.check("a viewer's inbox");

  const { page, check } = await visitAs(person, chromium, `${world.baseUrl}/w/${person.workspaceId}/approvals`);
  const { Approval } = scoped(person.workspaceId);
  const rowOf = (whom: string) => page.getByRole("row", { name: `A reply 1 person ${whom}` });
  const open = async (text: string) => {
    await rowOf(text === "Buy now!" ? "tomasz@" : "mira@")
      .getByRole("button", { name: "View: A reply" })
      .click();
    await page.getByText(text).waitFor();
  };
  await open("Buy now!");
  await page.getByRole("button", { name: "Reject…" }).click();
  await page.getByLabel("Note, kept").fill("Too loud");
  await page.getByRole("dialog").getByRole("button", { name: "Reject request" }).click();
  await rowOf("tomasz@").waitFor({ state: "detached" });
  expect(await Approval.findOne({ threadId: second.threadId })).toMatchObject({ status: "REJECTED", note: "Too loud" });
  await open("We open at nine.");
  await page.getByRole("button", { name: "Approve…" }).click();
  const card = page.getByRole("dialog", { name: "Send this reply?" });
  await card.getByText("To mira@approved.test").waitFor();
  await card.getByText("We open at nine.").waitFor();
  await check("the card of an approval");
  await card.getByRole("button", { name: "Send reply" }).dblclick();
  await card.waitFor({ state: "detached" });
  const sent = () => sandbox.ledger.filter(({ to }) => to.some((address) => address.endsWith("@approved.test")));
  await until(() => sent().length > 0, { deadlineMs: 60_000, what: "the approved mail" });
  expect(sent().map(({ to }) => to)).toEqual([["mira@approved.test"]]);
}, 120_000);
