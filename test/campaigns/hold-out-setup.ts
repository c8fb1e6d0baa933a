import { afterAll, beforeAll } from "@jest/globals";
import { isHeldOut } from "../../domain/campaigns/hold-out.ts";
import { scoped } from "../../models/scoped.ts";
import { startWorld, type World } from "../support/world.ts";
import { campaignOf } from "./round-parts.ts";

let world: World;

export const SHARE = 0.2;

/**
 * A campaign of this many people, of whom the share draws at least one: the draw follows new ids, and of twenty people
 * no one is drawn once in a hundred times.
 */
export async function heldOutCampaign(
  people: number,
  settings: object = { holdOut: SHARE },
): ReturnType<typeof anyCampaign> {
  const made = await anyCampaign(people, settings);
  return (await made.drawn()).length > 0 ? made : heldOutCampaign(people, settings);
}

async function anyCampaign(people: number, settings: object) {
  const leads = Object.fromEntries(Array.from({ length: people }, (_, index) => [`p${index}@x.test`, {}]));
  const parts = await campaignOf(world, leads, settings);
  const { Recipient, Send } = scoped(parts.workspaceId);
  const all = () => Recipient.find({ campaignId: parts.campaignId }, { sort: { _id: 1 } });
  const drawn = async () =>
    (await all()).filter(({ _id, campaignId }) => isHeldOut(campaignId, _id, SHARE)).map(({ _id }) => _id);
  const heldOut = async () => (await all()).filter(({ stopReason }) => stopReason === "HOLD_OUT").map(({ _id }) => _id);
  const explain = async (id: string) => (await parts.rest.get(`${parts.path}/recipients/${id}/explain`)).body;
  return { ...parts, Recipient, Send, all, drawn, heldOut, explain };
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    // No worker acts on what is started here
    world = await startWorld({ temporal: true });
  }, 60_000);
  afterAll(() => world.close());
}
