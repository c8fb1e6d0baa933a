import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll } from "@jest/globals";
import type { Page } from "playwright-core";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, type Look, startChromium, type Visit } from "./chromium.ts";

let folder: string;

let world: World;

let chromium: Chromium;

let person: SignedIn;

export async function specimen(look?: Look): Promise<Visit> {
  const visit = await chromium.open(look);
  await visit.context.addCookies(
    [...person.browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })),
  );
  await visit.page.goto(`${world.baseUrl}/w/${person.workspaceId}/specimen`);
  await visit.page.getByRole("heading", { name: "Specimen" }).waitFor();
  return visit;
}

export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "specimen-"));
    const env = { ...process.env, NODE_ENV: "production" };
    await promisify(execFile)(
      process.execPath,
      ["--no-warnings", "console/build.ts", join(folder, "build"), "--specimen"],
      { env },
    );
    world = await startWorld({ console: { folders: () => [join(folder, "build")], state: () => "READY" } });
    chromium = await startChromium();
    person = await signedIn(world);
  }, 120_000);
  afterAll(async () => {
    await chromium?.close();
    await world?.close();
    await rm(folder, { recursive: true, force: true });
  });
}
