import { afterAll, beforeAll } from "@jest/globals";
import { startWorld, type World } from "../support/world.ts";

export let world: World;

/** Registers what both files of these tests do before and after them. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
}
