import { expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { saveCheck } from "../../store/deliverability/domains.ts";
import { invited, signedIn } from "../support/signed-in.ts";
import { EMAIL, stored, useSetup, visit, world } from "./mailboxes-setup.ts";

useSetup();

const SPF = "v=spf1 include:_spf.sender.test ~all";
const CHECKED = {
  findings: [
    { check: "MX", verdict: "PASS", reason: "MX_FOUND", detail: "The domain receives email.", found: [], publish: [] },
    {
      check: "SPF",
      verdict: "FAIL",
      reason: "SPF_MISSING",
      detail: "The domain has no SPF record.",
      found: [],
      publish: [{ type: "TXT", name: "sender.test", value: SPF }],
    },
  ],
  listings: [{ list: { zone: "list.test", of: "DOMAIN" }, subject: "sender.test", status: "LISTED" }],
  isAligned: null,
};

/** An open alert about a mailbox. */
async function alerted(workspaceId: string, subjectId: string): Promise<string> {
  const _id = newId("alr");
  await scoped(workspaceId).DeliverabilityAlert.insert({
    _id,
    type: "BOUNCE_RATE",
    severity: "CRITICAL",
    status: "OPEN",
    subjectType: "MAILBOX",
    subjectId,
    message: "6 of 100 emails bounced",
    numbers: null,
    openedAt: new Date(),
  });
  return _id;
}

test("the page of deliverability shows what is wrong with each domain and what to publish, checks it again, and alerts are marked as seen", async () => {
  const person = await signedIn(world);
  const { page, check } = await visit(person, "/deliverability");
  await page.getByText("No sending domains yet").waitFor();
  await check("no domain");
  const mailboxId = await stored(person.workspaceId);
  // Stored as a daily check stores it
  await saveCheck(person.workspaceId, "sender.test", CHECKED as never, new Date());
  const alertId = await alerted(person.workspaceId, mailboxId);
  await page.reload();
  await page.getByText("1 listing").waitFor();
  await page.getByRole("button", { name: "Show the records of sender.test" }).click();
  await page.getByText("sender.test is on the block list list.test.").waitFor();
  expect(await page.getByLabel("TXT Value, sender.test", { exact: true }).inputValue()).toBe(SPF);
  await check("an open domain");
  await page.getByRole("button", { name: "Alerts" }).click();
  await page.getByText("Many bounces").waitFor();
  await page.getByText("6 of 100 emails bounced").waitFor();
  await check("alerts");
  const viewer = await visit(
    await invited(world, person, `viewer-${person.userId}@acme.test`, "VIEWER"),
    "/deliverability?part=alerts",
    { theme: "dark", width: 380 },
  );
  await viewer.page.getByRole("link", { name: EMAIL }).waitFor();
  expect(await viewer.page.getByRole("button", { name: "Mark as seen" }).count()).toBe(0);
  await viewer.check("alerts of a viewer on a phone");
  await viewer.page.goto(`${world.baseUrl}/w/${person.workspaceId}/deliverability?domain=sender.test`);
  await viewer.page.getByText("sender.test is on the block list").waitFor();
  expect(await viewer.page.getByRole("button", { name: "Check again" }).count()).toBe(0);
  await viewer.check("an open domain of a viewer on a phone");

  await page.getByRole("button", { name: "Mark as seen" }).click();
  await page.getByText("Marked as seen.").waitFor();
  const { items } = (await person.rest.get("/deliverability/alerts")).body;
  expect(items).toMatchObject([{ id: alertId, status: "ACKNOWLEDGED" }]);
  await page.getByLabel("Status").selectOption({ label: "open" });
  await page.getByText("Nothing matches.").waitFor();

  // The domain is still open. The DNS server of this test has no SPF record either, but another advice for it
  await page.getByRole("button", { name: "Domains" }).click();
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByText("The check is running").waitFor();
  await page.getByText("so receivers do not know which hosts send its email").first().waitFor();
}, 120_000);

test("a link opens the domain that it names, also one of another page", async () => {
  const person = await signedIn(world);
  await stored(person.workspaceId);
  for (let number = 0; number < 51; number++)
    await stored(person.workspaceId, { email: `ann@d${number}.test`, username: `ann@d${number}.test` });
  await saveCheck(person.workspaceId, "sender.test", CHECKED as never, new Date());
  const { page, check } = await visit(person, "/deliverability?domain=sender.test");
  await page.getByText("sender.test is on the block list list.test.").waitFor();
  expect(await page.getByRole("row").count()).toBe(51);
  await check("a domain of another page");
}, 120_000);
