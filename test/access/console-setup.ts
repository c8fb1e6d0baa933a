import { afterAll, beforeAll } from "@jest/globals";
import { startWorld, type World } from "../support/world.ts";

export let world: World;

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
}
