import { expect, test } from "@jest/globals";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { PASSWORD } from "../support/signed-in.ts";
import { chromium, draftOf, sandbox, useSetup, world } from "./first-story-setup.ts";

useSetup();

test("a person who opens the printed link can launch a campaign, which writes to exactly the people on the launch card", async () => {
  const { ownerId, rest } = await world.workspace();
  const people = ["reply1@one.test", "plain1@one.test", "plain2@one.test"];
  const path = await draftOf(rest, "Q4 founders", people);
  const { page, check } = await chromium.open();

  await page.goto(`${world.baseUrl}/sign-in/${await createPersonLink(ownerId, new Date())}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  await page.getByText("Connect a mailbox").waitFor();
  await check("the start page");

  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByRole("cell", { name: "Not launched yet" }).waitFor();
  expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
  expect(await page.title()).toContain("Campaigns");
  await check("the list of campaigns");

  await page.getByRole("link", { name: "Q4 founders" }).click();
  await page.getByRole("button", { name: "More" }).click();
  await page.getByRole("menuitem", { name: "Test email…" }).click();
  const asked = page.getByRole("dialog", { name: "Send a test email of Q4 founders?" });
  await asked.getByLabel("To").fill("me@own.test");
  await check("the test mail");
  await asked.getByRole("button", { name: "Send test email" }).dblclick();
  await page.getByText("The test email was sent to me@own.test.").waitFor();
  expect(sandbox.ledger.map(({ to }) => to)).toEqual([["me@own.test"]]);
  expect(String(sandbox.ledger[0]?.raw)).toContain("[TEST] A question from Q4 founders");

  await page.getByRole("button", { name: "Launch…" }).click();
  const card = page.getByRole("dialog", { name: "Launch Q4 founders?" });
  await card.getByText("3 recipients will be contacted").waitFor();
  const named = await card.getByRole("listitem").allInnerTexts();
  expect(named.filter((text) => text.includes("@")).toSorted()).toEqual(people.toSorted());
  await check("the launch card");

  // A double click launches once
  await card.getByRole("button", { name: "Send to 3 recipients" }).dblclick();
  await card.waitFor({ state: "detached" });
  const isDone = async () => (await rest.get(path)).body.status === "COMPLETED";
  await until(isDone, { ...MAIL_DEADLINE, what: "the end of the campaign" });
  expect(sandbox.ledger.flatMap(({ to }) => to).toSorted()).toEqual(["me@own.test", ...people].toSorted());
  await page.getByText("replied", { exact: false }).first().waitFor();
  await check("the campaign that has sent");
}, 180_000);

test("an outdated launch card sends nothing and is shown again with the people whom the campaign would reach now", async () => {
  const { ownerId, rest } = await world.workspace();
  const path = await draftOf(rest, "Partner", ["one@two.test"]);
  const { page, check } = await chromium.open();
  await page.goto(`${world.baseUrl}/sign-in/${await createPersonLink(ownerId, new Date())}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Partner" }).click();
  await page.getByRole("button", { name: "Launch…" }).click();
  const card = page.getByRole("dialog", { name: "Launch Partner?" });
  await card.getByText("1 recipient will be contacted").waitFor();

  await rest.post(`${path}/recipients`, { action: "addManual", emails: ["other@two.test"] });
  await card.getByRole("button", { name: "Send to 1 recipient" }).click();
  await card.getByText("Something changed since this was shown").waitFor();
  await card.getByText("2 recipients will be contacted").waitFor();
  expect((await rest.get(path)).body.status).toBe("DRAFT");
  await check("the card that came again");
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Launch…");
  expect((await rest.get(path)).body.status).toBe("DRAFT");
}, 120_000);
