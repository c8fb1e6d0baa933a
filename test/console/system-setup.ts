import { afterAll, beforeAll } from "@jest/globals";
import { type FakeSubscriber, startSubscriber } from "../fakes/subscriber.ts";
import { realWorker } from "../support/real-worker.ts";
import type { SignedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, type Look, startChromium, type Visit } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";

export const RUNS = "http://127.0.0.1:8233/namespaces/default/workflows";

export let world: World;

let chromium: Chromium;

export let receiver: FakeSubscriber;

/** What the subscriber answers. */
export const subscriber = { status: 200 };

export async function visit({ browser, workspaceId }: SignedIn, path: string, look?: Look): Promise<Visit> {
  const opened = await chromium.open(look);
  await opened.context.addCookies([...browser.cookies].map(([name, value]) => ({ name, value, url: world.baseUrl })));
  await opened.page.goto(`${world.baseUrl}/w/${workspaceId}${path}`);
  return opened;
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    receiver = await startSubscriber({
      answer: () => ({ status: subscriber.status, body: subscriber.status === 200 ? "" : "<b>down</b>" }),
    });
    world = await startWorld({
      console: await builtConsole(),
      worker: realWorker(),
      settings: { engineRunsUrl: RUNS },
    });
    chromium = await startChromium();
  }, 120_000);
  afterAll(async () => {
    await chromium?.close();
    await world?.close();
    await receiver?.close();
  });
}
