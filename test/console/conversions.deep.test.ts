import { expect, test } from "@jest/globals";
import { DAY_MS } from "../../domain/time/durations.ts";
import { scoped } from "../../models/scoped.ts";
import { invited, signedIn } from "../support/signed-in.ts";
import { trackedCampaign } from "../tracking/tracked.ts";
import type { Look } from "./chromium.ts";
import { useSetup, visit, world } from "./leads-setup.ts";

useSetup();

async function withRecipient() {
  const person = await signedIn(world);
  const sentAt = new Date(Date.now() - DAY_MS);
  const { recipients, campaignId } = await trackedCampaign(world, { owner: person, send: { sentAt } });
  await scoped(person.workspaceId).Recipient.updateMany({ campaignId }, { $set: { lastSentAt: sentAt } });
  return { person, campaignId, cid: recipients[0]?.cid ?? "" };
}

async function report(...events: object[]) {
  const response = await fetch(`${world.baseUrl}/capi/v1/events`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ events }),
  });
  expect(response.status).toBe(200);
}

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 380 },
])(
  "conversions are tested without a record, reported by the copied code, and listed with their reasons: %p",
  async (look) => {
    const { person, campaignId, cid } = await withRecipient();
    const { rest, workspaceId } = person;
    const { page, check } = await visit(person, `/w/${workspaceId}/conversions`, look);
    await page.getByText("No conversions yet.").waitFor();
    await check("no conversions");
    await page.getByRole("main").getByRole("button", { name: "Set up" }).last().click();
    const script = await page.getByRole("textbox", { name: "Script" }).inputValue();
    expect(script).toContain(`<script async src="${world.baseUrl}/svc.js"></script>`);
    expect((await fetch(`${world.baseUrl}/svc.js`)).status).toBe(200);
    await check("the code for a site");
    const picture = await page.getByRole("textbox", { name: "Picture" }).inputValue();

    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByLabel("cid").fill("nobody00000000");
    await page.getByRole("button", { name: "Test event" }).click();
    await page.getByText("No recipient of this workspace has this cid.").waitFor();
    await page.getByLabel("cid").fill(` ${cid} `);
    await page.getByLabel("Value").fill("a lot");
    await page.getByRole("button", { name: "Test event" }).click();
    await page.getByText("The value is not a number from 0").waitFor();
    await page.getByLabel("Value").fill("1.049,90");
    await page.getByLabel("Currency").fill("EUR");
    await page.getByLabel("Event id").fill("order-1");
    await page.getByRole("button", { name: "Test event" }).click();
    await page.getByText("This event would count.").waitFor();
    await page.getByText("1049.9 is added to the recipient's revenue.").waitFor();
    await check("an event that would count");
    expect((await rest.get("/conversions")).body.total).toBe(0);

    const address = /src="([^"]*)"/.exec(picture)?.[1]?.replace("cid=CID", `cid=${cid}`) ?? "";
    expect((await fetch(address)).status).toBe(200);
    const user_data = { cid };
    await report(
      { event_name: "PURCHASE", event_id: "order-1042", user_data },
      { event_name: "SIGNUP", event_id: "account-1", user_data },
      { event_name: "Bought", event_id: "order-2", user_data },
    );
    await page.getByRole("button", { name: "Events", exact: true }).click();
    await page.getByRole("row", { name: /Purchase.*49.9 EUR.*counted.*Pixel/ }).waitFor();
    await page.getByRole("row", { name: /duplicate.*The same event was counted before/ }).waitFor();
    await page.getByRole("row", { name: /unknown.*rejected.*The event name is unknown/ }).waitFor();
    await check("conversions");
    await page.getByLabel("Result").selectOption("rejected");
    await page.getByRole("row", { name: /Sign-up/ }).waitFor({ state: "detached" });
    expect(await page.getByRole("row").count()).toBe(2);
    const link = page.getByRole("link", { name: "Open campaign" });
    expect(await link.getAttribute("href")).toContain(`/campaigns/${campaignId}`);
    await page.getByRole("button", { name: "Test", exact: true }).click();
    await page.getByLabel("cid").fill(cid);
    await page.getByLabel("Event id").fill("order-1042");
    await page.getByRole("button", { name: "Test event" }).click();
    await page.getByText("An event with this id was counted before").waitFor();
  },
  120_000,
);

test("a conversion that arrives appears by itself, and a viewer sees it too", async () => {
  const { person, cid } = await withRecipient();
  const { page } = await visit(person, `/w/${person.workspaceId}/conversions`);
  await page.getByText("No conversions yet.").waitFor();
  await report({ event_name: "Schedule", event_id: "call-1", user_data: { cid } });
  await page.getByRole("row", { name: /Meeting booked/ }).waitFor();
  const viewer = await invited(world, person, `viewer-${person.userId}@acme.test`.toLowerCase(), "VIEWER");
  const seen = await visit(viewer, `/w/${person.workspaceId}/conversions`);
  await seen.page.getByRole("row", { name: /Meeting booked/ }).waitFor();
}, 120_000);
