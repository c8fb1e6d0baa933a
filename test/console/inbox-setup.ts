import { afterAll, beforeAll } from "@jest/globals";
import { storedMailbox } from "../campaigns/campaign-parts.ts";
import { signedIn } from "../support/signed-in.ts";
import { startWorld, type World } from "../support/world.ts";
import { type Chromium, startChromium } from "./chromium.ts";
import { builtConsole } from "./console-world.ts";
import { conversationIn, type Written } from "./inbox-parts.ts";
import { visitAs } from "./signed-in-visit.ts";

export const SOON = { deadlineMs: 20_000 };

export let world: World;

let chromium: Chromium;

export async function withMailbox() {
  const person = await signedIn(world);
  const mailbox = await storedMailbox(person.workspaceId);
  const write = (from: string, more: Partial<Written> = {}) =>
    conversationIn(person.workspaceId, mailbox._id, { from, ...more });
  return {
    ...person,
    write,
    visit: (path: string) => visitAs(person, chromium, `${world.baseUrl}/w/${person.workspaceId}${path}`),
  };
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
