import { afterAll, beforeAll, expect } from "@jest/globals";
import type { Page } from "playwright-core";
import { HOUR_MS } from "../../domain/time/durations.ts";
import { Session } from "../../models/sign-in/session.ts";
import { until } from "../fakes/wait.ts";
import type { SignedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, type Look, startChromium, type Visit } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { visitAs } from "./signed-in-visit.ts";

export let world: World;

export let chromium: Chromium;

/** A browser gives passkeys to `localhost` and to https alone, and the service takes them for its own address. */
export let base: string;

export function visit(person: SignedIn, page: string, look?: Look): Promise<Visit> {
  return visitAs(person, chromium, `${base}/w/${person.workspaceId}${page}`, look);
}

export async function statusWith(key: string): Promise<number> {
  return (await fetch(`${world.baseUrl}/api/v1/whoami`, { headers: { Authorization: `Bearer ${key}` } })).status;
}

/** Makes the password so old that sensitive actions ask for it. */
export async function makeOld({ userId, browser }: SignedIn): Promise<void> {
  await Session.updateMany({ userId }, { $set: { confirmedAt: new Date(Date.now() - HOUR_MS) } });
  // The service remembers a session for a second
  const isOld = async () =>
    Date.parse((await browser.console(null).get("/session")).body.confirmedAt) < Date.now() - HOUR_MS / 2;
  await until(isOld, { deadlineMs: 30_000, what: "a session that was confirmed long ago" });
}

/** The text that is shown once, after its button was pressed where no page may copy. */
export async function shownOnce(page: Page, label: string): Promise<string> {
  await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  // The dialog before it may have such a button too
  await page.getByLabel(label, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Copy" }).click();
  await page.getByText("The text is selected").waitFor();
  const text = await page.getByLabel(label, { exact: true }).inputValue();
  expect(
    await page.evaluate(
      "document.activeElement.value.slice(document.activeElement.selectionStart, document.activeElement.selectionEnd)",
    ),
  ).toBe(text);
  return text;
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld({ console: await builtConsole() });
    base = world.baseUrl.replace("127.0.0.1", "localhost");
    Object.assign(world.services.settings, { publicUrl: base });
    chromium = await startChromium();
  }, 120_000);
  afterAll(async () => {
    await chromium?.close();
    await world?.close();
  });
}
