import { afterAll, beforeAll } from "@jest/globals";
import { type SignedIn, signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";

export let world: World;

export let chromium: Chromium;

export async function opened(path: (person: SignedIn) => string | Promise<string>) {
  const person = await signedIn(world);
  const visit = await chromium.open();
  await visit.context.addCookies(
    [...person.browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })),
  );
  const address = `${world.baseUrl}/w/${person.workspaceId}${await path(person)}`;
  await visit.page.goto(address);
  return { ...visit, person };
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld({ console: await builtConsole() });
    chromium = await startChromium();
  }, 120_000);
  afterAll(async () => {
    await chromium?.close();
    await world?.close();
  });
}
