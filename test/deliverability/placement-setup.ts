import { afterAll, beforeAll } from "@jest/globals";
import { type PlacementWorld, SEEDS, SENDERS, startPlacementWorld } from "./placement-world.ts";

export let placing: PlacementWorld;

export const PATH = "/deliverability/placement-tests";

export const among = (ids: Record<string, string>, emails: readonly string[]) =>
  emails.map((email) => ids[email] ?? "");

export const [ANN = "", BOB = ""] = SENDERS;

export const [INBOX = "", JUNK = "", NEVER = ""] = SEEDS;

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    placing = await startPlacementWorld();
  }, 90_000);
  afterAll(() => placing.close(), 60_000);
}
