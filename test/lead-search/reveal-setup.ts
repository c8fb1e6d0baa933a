import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach } from "@jest/globals";
import { grantCredits } from "../../store/credits.ts";
import { startWorld, type World } from "../support/world.ts";
import { importRows, peopleOf } from "./data.ts";

export let world: World;

export let ids: string[];

export let nobody: string;

export let workspace: Awaited<ReturnType<World["workspace"]>>;

export const grant = (amount: number) =>
  grantCredits(workspace.workspaceId, { amount, reason: "test", actor: "test", key: randomUUID() }, 0).then(
    () => undefined,
  );

export const reveal = (prospectId: string | undefined, fields?: string[]) =>
  workspace.rest.post("/lead-search/reveal", { prospectId, ...(fields && { fields }) });

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld({ apart: true });
    await importRows([...peopleOf(60), { ...peopleOf(1)[0], id: "none", email: undefined, phone: undefined }]);
    const { rest } = await world.workspace();
    const { body } = await rest.post("/lead-search/browse", { filters: {}, pageSize: 200 });
    ids = body.items
      .filter((one: { emailStatus: string }) => one.emailStatus === "not_revealed")
      .map(({ id }: { id: string }) => id);
    const { body: none } = await rest.post("/lead-search/browse", { filters: {}, pageSize: 200 });
    nobody = none.items.find((one: { emailStatus: string }) => one.emailStatus === "not_found").id;
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    workspace = await world.workspace();
  });
}
