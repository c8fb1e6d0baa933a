import { afterAll, beforeAll } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { type KnownNetworks, settleHits } from "../../store/tracking/settle-hits.ts";
import { startWorld, type World } from "../support/world.ts";

export let world: World;

export const NOWHERE: KnownNetworks = { scanners: [], relays: [] };

export async function settleAll(networks = NOWHERE) {
  while ((await settleHits(networks)) > 0) {
    // As long as any are due
  }
}

export const toldOf = async ({ workspaceId, recipientId }: Send) =>
  (await scoped(workspaceId).ActivityEvent.find({ recipientId }, { sort: { type: -1, _id: 1 } })).filter(({ type }) =>
    TOLD.includes(type),
  );

const TOLD = ["OPEN", "CLICK"];

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld({ apart: true });
  });
  afterAll(() => world.close());
}
