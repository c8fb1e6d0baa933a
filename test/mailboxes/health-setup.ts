import { afterAll, beforeAll } from "@jest/globals";
import type { Rest } from "../support/rest.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;

export let workspaceId: string;

export let rest: Rest;

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld();
    ({ workspaceId, rest } = await world.workspace());
  });
  afterAll(() => world.close());
}
