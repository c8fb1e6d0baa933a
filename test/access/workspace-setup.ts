import { afterAll, beforeAll } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { startWorld, type World } from "../support/world.ts";

export let world: World;

export const deeds = async (workspaceId: string) =>
  (await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: 1 } })).map(
    ({ action, outcome }) => `${action} ${outcome}`,
  );

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
}
