import { afterAll, beforeAll } from "@jest/globals";
import type { Page } from "playwright-core";
import { createPersonLink } from "../../operations/sign-in/links.ts";
import { ALWAYS, mail } from "../campaigns/campaign-parts.ts";
import { makeCertificate } from "../fakes/certificate.ts";
import { type Sandbox, startSandbox } from "../fakes/sandbox.ts";
import { realWorker } from "../support/real-worker.ts";
import type { Rest } from "../support/rest.ts";
import { PASSWORD } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";

export const EMAILS = ["ann@a.test", "bob@a.test", "cyd@a.test"] as const;
type Email = (typeof EMAILS)[number];

const QUICK = { windows: ALWAYS, minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 };

export let world: World;

export let sandbox: Sandbox;

export let chromium: Chromium;

/** Connects a mailbox of these tests, over the API. */
export async function connectMailbox(rest: Rest, email: Email = "ann@a.test"): Promise<string> {
  const servers = {
    smtpHost: "localhost",
    smtpPort: sandbox.smtpPort,
    imapHost: "localhost",
    imapPort: sandbox.imapPortOf(email),
  };
  const credentials = { email, password: sandbox.password, security: "SSL_TLS", ...servers };
  const { body: mailbox } = await rest.post("/mailboxes/connect", { action: "smtpConnect", credentials });
  return mailbox.id;
}

export async function draftOf(rest: Rest, name: string, emails: string[]): Promise<string> {
  const mailboxId = await connectMailbox(rest);
  const path = `/campaigns/${(await rest.post("/campaigns", { name })).body.id}`;
  await rest.patch(`${path}/settings`, { ...QUICK, mailboxIds: [mailboxId] });
  await rest.put(`${path}/sequence`, { action: "replaceSteps", steps: [mail("stp_one", `A question from ${name}`)] });
  await rest.post(`${path}/recipients`, { action: "addManual", emails });
  return path;
}

/** Opens the console as someone does who got the printed link. */
export async function signIn(page: Page, ownerId: string): Promise<void> {
  await page.goto(`${world.baseUrl}/sign-in/${await createPersonLink(ownerId, new Date())}`);
  await page.getByLabel("New password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
}

/** A row of a setting, by the label of its field. */
export const settingOf = (page: Page, name: string) =>
  page.locator(".setting").filter({ has: page.getByLabel(name, { exact: true }) });

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    const certificate = await makeCertificate();
    sandbox = await startSandbox({ mailboxes: [...EMAILS], certificate, reactionMs: { min: 20, max: 60 } });
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
}
