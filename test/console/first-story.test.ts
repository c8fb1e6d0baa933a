import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { MAIL_DEADLINE, until } from "../fakes/wait.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { PASSWORD } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";

const EMAIL = "ann@a.test";
const QUICK = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };

let world: World;
let sandbox: Sandbox;
let chromium: Chromium;

beforeAll(async () => {
  const certificate = await makeCertificate();
  sandbox = await startSandbox({ mailboxes: [EMAIL], certificate, reactionMs: { min: 20, max: 60 } });
  world = await startWorld({
    worker: realWorker({ extraCa: certificate.cert }),
    settings: { egressAllow: "localhost:*,127.0.0.1:*" },
    console: await builtConsole(),
  });
  chromium = await startChromium();
}, 180_000);
afterAll(async () => {
  await chromium?.close();
  await world?.close();
  await sandbox?.close();
}, 30_000);

async function draftOf(rest: Rest, name: string, emails: string[]): Promise<string> {
  const servers = { smtpHost: "localhost", smtpPort: sandbox.smtpPort, imapHost: "localhost", imapPort: sandbox.imapPortOf(EMAIL) };
  const credentials = { email: EMAIL, password: sandbox.password, security: "SSL_TLS", ...servers };
  const { body: mailbox } = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
  const path = `/campaigns/${(await rest.post("/campaigns", { name })).body.id}`;
  await rest.patch(`${path}/settings`, { ...QUICK, mailboxIds: [mailbox.id] });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [mail("stp_one", `A question from ${name}`)] });
  await rest.post(`${path}/recipients`, { action: "addManual", emails });
  return path;
}

test("from the printed link to a launch that sends to exactly whom the card named", async () => {
  const { ownerId, rest } = await world.workspace();
  const people = ["reply1@one.test", "plain1@one.test", "plain2@one.test"];
  const path = await draftOf(rest, "Q4 founders", people);
  const { page, check } = await chromium.open();

  await page.goto(`${world.baseUrl}/sign-in/${await createPersonLink(ownerId, new Date())}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Start", level: 1 }).waitFor();
  await page.getByText("A mailbox that can send").waitFor();
  await check("the start page");

  await page.getByRole("link", { name: "Campaigns" }).click();
  await page.getByRole("cell", { name: "Not launched yet" }).waitFor();
  expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
  expect(await page.title()).toContain("Campaigns");
  await check("the list of campaigns");

  await page.getByRole("link", { name: "Q4 founders" }).click();
  await page.getByRole("button", { name: "Launch…" }).click();
  const card = page.getByRole("dialog", { name: "Launch Q4 founders?" });
  await card.getByText("Will be written to: 3 people").waitFor();
  const named = await card.getByRole("listitem").allInnerTexts();
  expect(named.filter((text) => text.includes("@")).toSorted()).toEqual(people.toSorted());
  await check("the launch card");

  // A double click launches once
  await card.getByRole("button", { name: "Send to 3 people" }).dblclick();
  await card.waitFor({ state: "detached" });
  const isDone = async () => (await rest.get(path)).body.status === "COMPLETED";
  await until(isDone, { ...MAIL_DEADLINE, what: "the end of the campaign" });
  expect(sandbox.ledger.flatMap(({ to }) => to).toSorted()).toEqual(people.toSorted());
  await page.getByText("replied", { exact: false }).first().waitFor();
  await check("the campaign that has sent");
}, 180_000);

test("a card that no longer holds sends nothing, and comes again with whom it would reach now", async () => {
  const { ownerId, rest } = await world.workspace();
  const path = await draftOf(rest, "Partner", ["one@two.test"]);
  const { page, check } = await chromium.open();
  await page.goto(`${world.baseUrl}/sign-in/${await createPersonLink(ownerId, new Date())}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("link", { name: "Partner" }).click();
  await page.getByRole("button", { name: "Launch…" }).click();
  const card = page.getByRole("dialog", { name: "Launch Partner?" });
  await card.getByText("Will be written to: 1 person").waitFor();

  await rest.post(`${path}/recipients`, { action: "addManual", emails: ["other@two.test"] });
  await card.getByRole("button", { name: "Send to 1 person" }).click();
  await card.getByText("Something changed since this card was made").waitFor();
  await card.getByText("Will be written to: 2 people").waitFor();
  expect((await rest.get(path)).body.status).toBe("DRAFT");
  await check("the card that came again");
  await page.keyboard.press("Escape");
  await card.waitFor({ state: "detached" });
  expect(await page.evaluate("document.activeElement.textContent")).toBe("Launch…");
  expect((await rest.get(path)).body.status).toBe("DRAFT");
}, 120_000);
