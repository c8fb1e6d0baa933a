import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { PASSWORD } from "../support/signed-in.ts";
import { chromium, draftOf, sandbox, useSetup, world } from "./first-story-setup.ts";

useSetup();

/** As many gaps as would let three more emails go. */
const QUIET_MS = 3_500;

test("after a pause no email leaves, and after the resume everyone gets their email once", async () => {
  const { ownerId, rest } = await world.workspace();
  const people = Array.from({ length: 12 }, (_, index) => `plain${index}@three.test`);
  const path = await draftOf(rest, "Slow", people);
  await rest.patch(`${path}/settings`, { minGapSeconds: 1, maxGapSeconds: 1 });
  const written = () => sandbox.ledger.flatMap(({ to }) => to).filter((to) => to.endsWith("@three.test"));
  const { page, check } = await chromium.open();
  await page.goto(`${world.baseUrl}/sign-in/${await createPersonLink(ownerId, new Date())}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Slow" }).click();
  await page.getByRole("button", { name: "Launch…" }).click();
  await page.getByRole("button", { name: "Send to 12 recipients" }).click();
  await until(() => written().length >= 2, { ...MAIL_DEADLINE, what: "the first mails" });
  await page.getByRole("button", { name: "Pause…" }).click();
  await page.getByRole("button", { name: "Pause campaign" }).click();
  await page.getByText("Paused. No new emails of this campaign leave.").waitFor();
  const before = written();
  expect(before.length).toBeLessThan(people.length);
  await check("the paused campaign");
  await sleep(QUIET_MS);
  expect(written()).toEqual(before);
  await page.getByRole("button", { name: "Resume…" }).click();
  await page.getByRole("button", { name: /^Send to \d+ recipients$/ }).click();
  await until(() => written().length >= people.length, { ...MAIL_DEADLINE, what: "the other mails" });
  expect(written().toSorted()).toEqual(people.toSorted());
}, 120_000);
