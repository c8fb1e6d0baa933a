import { afterAll, beforeAll } from "@jest/globals";
import { readyCampaign } from "../campaigns/campaign-parts.ts";
import type { PersonBrowser } from "../support/person.ts";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, type Look, startChromium, type Visit } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";

export let world: World;

export let chromium: Chromium;

/** A window in which this person is signed in, at one of their pages. */
export async function visit({ browser }: { browser: PersonBrowser }, path: string, look?: Look): Promise<Visit> {
  const opened = await chromium.open(look);
  await opened.context.addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })));
  await opened.page.goto(`${world.baseUrl}${path}`);
  return opened;
}

export async function withCampaign(): Promise<SignedIn & { campaignId: string }> {
  const person = await signedIn(world);
  const { campaignId } = await readyCampaign(person.rest, person.workspaceId, [
    "ada@example.test",
    "grace@example.test",
  ]);
  return { ...person, campaignId };
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld({ console: await builtConsole(), settings: { trustProxy: 1 } });
    chromium = await startChromium();
  }, 120_000);
  afterAll(async () => {
    await chromium?.close();
    await world?.close();
  });
}
