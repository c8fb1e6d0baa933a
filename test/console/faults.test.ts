import { expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import { opened, useSetup } from "./faults-setup.ts";

useSetup();

test("an error of the service is shown in the failed part of the page with code and trace id, and a retry works", async () => {
  const { page, check } = await opened(async ({ rest, workspaceId }) => {
    await readyCampaign(rest, workspaceId);
    return "/campaigns";
  });
  await page.getByRole("link", { name: "Spring" }).waitFor();
  let isBroken = true;
  await page.route("**/console/api/v1/campaigns/*/recipients?*", (route) =>
    isBroken
      ? route.fulfill({
          status: 400,
          json: { code: "FILTER_INVALID", message: "The filter is not valid", traceId: "trace-1" },
        })
      : route.continue(),
  );
  await page.getByRole("link", { name: "Spring" }).click();
  await page.getByText("The filter is not valid.").waitFor();
  await page.getByText("trace-1").waitFor();
  await check("a part that failed");
  isBroken = false;
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("rowheader", { name: "ada@example.test" }).waitFor();
}, 60_000);

test("when an update has replaced the bundle of an open tab, the tab reports the update, and a reload stays on the page", async () => {
  const { page, context } = await opened(() => "");
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  let isGone = true;
  await context.route("**/console/assets/part-campaigns-*.js", (route) =>
    isGone ? route.fulfill({ status: 404 }) : route.continue(),
  );
  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByText("The service was updated while this page was open.").waitFor();
  isGone = false;
  await page.getByRole("button", { name: "Reload" }).click();
  await page.getByText("No campaigns yet").waitFor();
}, 60_000);

test("a browser clock that is a year off changes nothing: a future email is not shown as due, and pages keep polling", async () => {
  const soon = new Date(Date.now() + 600_000).toISOString();
  const { page, check } = await opened(async ({ rest, workspaceId }) => {
    await readyCampaign(rest, workspaceId);
    return "/nothing";
  });
  await page.clock.install({ time: Date.now() + 365 * DAY_MS });
  await page.route("**/console/api/v1/campaigns/*/recipients?*", async (route) => {
    const answer = await route.fetch();
    const body = await answer.json();
    await route.fulfill({
      response: answer,
      json: { ...body, items: body.items.map((one: object) => ({ ...one, nextSendAt: soon })) },
    });
  });
  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByRole("link", { name: "Spring" }).click();
  await page
    .getByRole("cell", { name: /^\d\d:\d\d$/ })
    .first()
    .waitFor();
  const again = page.waitForRequest(/recipients\?/);
  await page.clock.runFor(6_000);
  await again;
  expect(await page.getByRole("cell", { name: "due" }).count()).toBe(0);
  await check("a clock that is off");
  // The page asks again by itself: an answer that is under way when it closes would end the process
  await page.unrouteAll({ behavior: "ignoreErrors" });
}, 60_000);
