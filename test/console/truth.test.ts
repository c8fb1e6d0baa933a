import { expect, test } from "@jest/globals";
import type { Page } from "playwright-core";
import { scoped } from "../../models/scoped.ts";
import { User } from "../../models/sign-in/user.ts";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { PASSWORD, signedIn } from "../support/signed-in.ts";
import { chromium, opened, useSetup, world } from "./faults-setup.ts";

useSetup();

const AWAY = {
  code: "SERVICE_UNAVAILABLE",
  message: "The database did not answer: try again",
  details: { away: "DATABASE" },
};
const SAID = "The database is not responding. Retrying...";

/** As long as the answer is true, every call of the console meets a database that does not respond. */
async function takeDatabaseAway(page: Page, isAway: () => boolean): Promise<void> {
  await page.route("**/console/api/v1/**", (route) =>
    isAway() ? route.fulfill({ status: 503, json: AWAY, headers: { "Retry-After": "1" } }) : route.continue(),
  );
}

/** The browser reports each answer of 503. */
const withoutAnswers = (complaints: string[]) => complaints.filter((one) => !/Failed to load resource/.test(one));

test("while the database is unreachable each page shows a message, keeps the data that it has, and recovers by itself", async () => {
  const person = await signedIn(world);
  await User.updateOne({ _id: person.userId }, { $set: { isOperator: true } });
  await person.rest.post("/campaigns", { name: "Spring" });
  const { page, context, complaints } = await chromium.open();
  await context.addCookies([...person.browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })));
  let isAway = true;
  await takeDatabaseAway(page, () => isAway);
  const at = `${world.baseUrl}/w/${person.workspaceId}`;
  for (const path of ["/system", "/campaigns", ""]) {
    await page.goto(`${at}${path}`);
    await page.getByText(SAID).first().waitFor();
    expect(await page.getByRole("main").getByText("Loading…").count()).toBe(0);
  }
  // Longer than any call is repeated that a fault of another kind met
  for (let tries = 0; tries < 4; tries++) await page.waitForResponse(/\/session$/);
  isAway = false;
  await page.getByRole("heading", { level: 1, name: "Home" }).waitFor();
  await page.getByText(SAID).first().waitFor({ state: "detached" });
  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByRole("row", { name: /^Spring/ }).waitFor();
  isAway = true;
  await page.getByText(SAID).first().waitFor();
  expect(await page.getByRole("row", { name: /^Spring/ }).count()).toBe(1);
  isAway = false;
  await page.getByText(SAID).first().waitFor({ state: "detached" });
  expect(withoutAnswers(complaints)).toEqual([]);
}, 120_000);

test("a person without a valid session signs in and returns to the same page", async () => {
  const { email, workspaceId } = await signedIn(world);
  const path = `/w/${workspaceId}/campaigns?search=spring`;
  for (const cookies of [[], [{ name: "outreach", value: "the session of another year", url: world.baseUrl }]]) {
    const { page, context } = await chromium.open();
    await context.addCookies(cookies);
    await page.goto(`${world.baseUrl}${path}`);
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Password").fill("not the password");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").waitFor();
    expect(await page.getByLabel("E-mail address").inputValue()).toBe(email);
    await page.getByLabel("Password").fill(PASSWORD);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Campaigns" }).waitFor();
    expect(page.url()).toBe(`${world.baseUrl}${path}`);
    await context.close();
  }
}, 60_000);

test("table rows appear before their figures, and stay when the figures cannot be loaded", async () => {
  const person = await signedIn(world);
  await person.rest.post("/campaigns", { name: "Spring" });
  const mailbox = await storedMailbox(person.workspaceId);
  const { page, context } = await chromium.open();
  await context.addCookies([...person.browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })));
  let isBroken = true;
  const figures = (url: URL) => {
    const [, noun] = /^\/console\/api\/v1\/(campaigns|mailboxes)$/.exec(url.pathname) ?? [];
    const isPlain =
      url.searchParams.get("figures") === "false" || (noun === "campaigns" && !url.searchParams.has("include"));
    return noun !== undefined && !isPlain;
  };
  await page.route(figures, (route) =>
    isBroken
      ? route.fulfill({ status: 500, json: { code: "INTERNAL_ERROR", message: "Broken", traceId: "trace-1" } })
      : route.continue(),
  );
  const at = `${world.baseUrl}/w/${person.workspaceId}`;
  for (const [path, row] of [
    [
      "/campaigns",
      page.getByRole("row", { name: /^Spring draft 0 recipients – contacted – replied – positive replies – –/ }),
    ],
    ["/mailboxes", page.getByRole("row", { name: new RegExp(`${mailbox.email} .*connected – `) })],
  ] as const) {
    await page.goto(`${at}${path}`);
    await row.waitFor();
    await page.getByText("trace-1").first().waitFor();
    expect(await row.count()).toBe(1);
  }
  isBroken = false;
  await page.getByText("trace-1").first().waitFor({ state: "detached" });
}, 90_000);

test("a mailbox is amber after one failed read and red after three, both in the list and on its page", async () => {
  const { page, person } = await opened(async ({ workspaceId }) => {
    const { Mailbox } = scoped(workspaceId);
    for (const [email, readFailures, status] of [
      ["fine@own.test", 0, "CONNECTED"],
      ["once@own.test", 1, "PAUSED"],
      ["thrice@own.test", 3, "PAUSED"],
    ] as const) {
      const { _id } = await storedMailbox(workspaceId, { email });
      await Mailbox.updateOne({ _id }, { $set: { status, readFailures } });
    }
    return "/mailboxes?sort=-condition";
  });
  const marks = async () =>
    Promise.all((await page.locator("tbody tr .mark").all()).map((one) => one.getAttribute("class")));
  await page.getByRole("link", { name: "thrice@own.test" }).waitFor();
  expect((await marks()).filter((_, index) => index % 2 === 0)).toEqual(["mark bad", "mark waits", "mark good"]);
  await page.getByRole("link", { name: "thrice@own.test" }).click();
  await page.getByText("The last 3 connections failed.").waitFor();
  expect(await page.locator(".state .mark").getAttribute("class")).toBe("mark bad");
  const { body } = await person.rest.get("/mailboxes");
  expect(
    body.map(({ email, condition, failedTries }: Record<string, unknown>) => [email, condition, failedTries]),
  ).toEqual([
    ["thrice@own.test", "DOWN", 3],
    ["once@own.test", "FAILING", 1],
    ["fine@own.test", "GOOD", 0],
  ]);
}, 60_000);

test("a column header sorts its table and updates the address, and a table with several pages offers only sorting that the service supports", async () => {
  const { page, check } = await opened(async ({ rest }) => {
    for (const name of ["Beta", "alpha", "Gamma"]) await rest.post("/campaigns", { name });
    return "/campaigns";
  });
  const names = () => page.locator("tbody th").allInnerTexts();
  const head = (name: string) => page.getByRole("columnheader", { name });
  await page.getByRole("link", { name: "Gamma" }).waitFor();
  expect(await names()).toEqual(["Gamma", "alpha", "Beta"]);
  expect(await head("Created").getAttribute("aria-sort")).toBe("descending");
  await page.getByText("3 campaigns", { exact: true }).waitFor();
  await page.getByRole("button", { name: "Name" }).click();
  await page.waitForURL(/\?sort=name$/);
  await page.getByRole("row", { name: /^Beta/ }).and(page.locator("tbody tr").first()).waitFor();
  expect(await head("Name").getAttribute("aria-sort")).toBe("ascending");
  expect(await head("Created").getAttribute("aria-sort")).toBe("none");
  await check("a sorted table");
  // Fifty rows of seventy: what only the table could sort is not offered
  await page.route("**/console/api/v1/campaigns?*", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), total: 70 } });
  });
  await page.goto(page.url().replace("sort=name", "sort=-replyRate"));
  await page.getByText("1 to 50 of 70").waitFor();
  expect(await head("Reply rate").getAttribute("aria-sort")).toBeNull();
  expect(await head("Created").getAttribute("aria-sort")).toBe("descending");
  // The page asks again by itself: an answer that is under way when it closes would end the process
  await page.unrouteAll({ behavior: "ignoreErrors" });
}, 60_000);
