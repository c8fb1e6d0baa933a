import { afterAll, beforeAll } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { startWorld, type World } from "../support/world.ts";

export let world: World;

export const deeds = async (workspaceId: string) =>
  (await scoped(workspaceId).AuditEntry.find({}, { sort: { seq: 1 } })).map(
    ({ action, outcome }) => `${action} ${outcome}`,
  );

/** Registers what both files of these tests do before and after them. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
}
