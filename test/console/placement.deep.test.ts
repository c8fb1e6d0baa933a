import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type PlacementWorld, QUICK, SEEDS, SENDERS, startPlacementWorld } from "../deliverability/placement-world.ts";
import { invited, type SignedIn, signedIn } from "../support/signed-in.ts";
import { type Chromium, type Look, startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { visitAs } from "./signed-in-visit.ts";

let placing: PlacementWorld;
let chromium: Chromium;
beforeAll(async () => {
  // Long enough that the test which is cancelled still runs
  const limits = { ...QUICK, missingAfterMs: 20_000 };
  placing = await startPlacementWorld({ console: await builtConsole(), limits });
  chromium = await startChromium();
}, 120_000);
afterAll(async () => {
  await chromium?.close();
  await placing?.close();
}, 60_000);

const PATH = "/deliverability?part=placement";
const [ANN = ""] = SENDERS;
const [INBOX = "", JUNK = "", NEVER = ""] = SEEDS;

const visit = (person: SignedIn, look?: Look) =>
  visitAs(person, chromium, `${placing.world.baseUrl}/w/${person.workspaceId}${PATH}`, look);

test.each<Look>([
  { theme: "light", width: 1280 },
  { theme: "dark", width: 380 },
])(
  "test mailboxes are chosen, a test shows its effect before it sends, and each email's place is shown: %p",
  async (look) => {
    const person = await signedIn(placing.world);
    const { rest, workspaceId } = person;
    const ids = await placing.mailboxesIn(workspaceId);
    const { page, check } = await visit(person, look);
    await page.getByText("Choose the mailboxes that receive test emails first.").waitFor();
    expect(await page.getByRole("button", { name: "New placement test" }).count()).toBe(0);
    await check("no test mailboxes");
    await page.getByRole("button", { name: "Change test mailboxes" }).click();
    const dialog = page.getByRole("dialog");
    for (const seed of SEEDS) await dialog.getByLabel(seed).check();
    await check("the choice of test mailboxes");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("The test mailboxes are saved.").waitFor();
    const settings = (await rest.get("/deliverability/settings")).body;
    expect(settings).toMatchObject({ placementSchedule: null });
    expect(new Set(settings.testMailboxIds)).toEqual(new Set(SEEDS.map((seed) => ids[seed])));

    await page.getByRole("button", { name: "New placement test" }).click();
    // A test mailbox is not offered as a sender
    expect(await dialog.getByLabel(INBOX).count()).toBe(0);
    await dialog.getByLabel(ANN).check();
    await dialog.getByText("1 × 3: 3 emails at most.").waitFor();
    await dialog.getByLabel("Name").fill("Before the launch");
    await check("a new test");
    await dialog.getByRole("button", { name: "Continue" }).click();
    const asked = page.getByRole("dialog", { name: "Start this placement test?" });
    await asked.getByText("The emails count towards the daily limits").waitFor();
    const send = asked.getByRole("button", { name: "Send test emails" });
    await asked.locator('button[aria-disabled="false"]').filter({ hasText: "Send test emails" }).waitFor();
    await check("the effect of a test");
    expect((await rest.get("/deliverability/placement-tests")).body.total).toBe(0);
    await send.click();
    await page.getByText("The placement test has started.").waitFor();
    const row = page.getByRole("row", { name: /Before the launch/ });
    await row.getByText(/^33\S*\s?% inbox, 33\S*\s?% Junk, 33\S*\s?% missing$/).waitFor();
    await row.getByRole("button", { name: "Show the emails of Before the launch" }).click();
    await page.getByRole("row", { name: new RegExp(`${INBOX}.*Inbox`) }).waitFor();
    await page.getByRole("row", { name: new RegExp(`${JUNK}.*Junk`) }).waitFor();
    await page.getByRole("row", { name: new RegExp(`${NEVER}.*not found`) }).waitFor();
    await check("the result of a test");
    await page.reload();
    await page.getByRole("row", { name: new RegExp(`${JUNK}.*Junk`) }).waitFor();
  },
  180_000,
);

test("a running test is cancelled, and a viewer reads tests and cannot start, change or cancel one", async () => {
  const owner = await signedIn(placing.world);
  const { rest, workspaceId } = owner;
  const ids = await placing.mailboxesIn(workspaceId);
  const placement = { testMailboxIds: [ids[NEVER]] };
  await rest.post("/workspace", { action: "update", patch: { deliverability: { placement } } });
  const { body } = await rest.post("/deliverability/placement-tests", { mailboxIds: [ids[ANN]], name: "Lost" });
  const { page } = await visit(owner);
  await page.getByRole("button", { name: "Cancel" }).click();
  const asked = page.getByRole("dialog", { name: "Cancel" });
  await asked.getByRole("button", { name: "Cancel test" }).click();
  await page.getByText("The placement test is cancelled.").waitFor();
  expect((await rest.get(`/deliverability/placement-tests/${body.id}`)).body.status).toBe("CANCELLED");
  const viewer = await invited(placing.world, owner, `viewer-${owner.userId}@acme.test`.toLowerCase(), "VIEWER");
  const seen = await visit(viewer);
  await seen.page.getByRole("row", { name: /Lost/ }).waitFor();
  expect(
    await seen.page
      .getByRole("main")
      .getByRole("button", { name: /New placement|Change|Cancel/ })
      .count(),
  ).toBe(0);
}, 120_000);
