import { afterAll, beforeAll } from "@jest/globals";
import { realWorker } from "../support/real-worker.ts";
import { startWorld, type World } from "../support/world.ts";

export let world: World;

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld({ worker: realWorker() });
  }, 60_000);
  afterAll(() => world.close());
}
