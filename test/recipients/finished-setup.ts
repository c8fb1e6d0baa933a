import { afterAll, beforeAll } from "@jest/globals";
import { MockActivityEnvironment } from "@temporalio/testing";
import { campaignActivities } from "../../activities/campaigns/feeder.ts";
import { OPEN } from "../../domain/states.ts";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { endRecipient } from "../../store/recipients/stop.ts";
import { startWorld, type World } from "../support/world.ts";
import type { runningCampaign } from "./finished-parts.ts";

export let world: World;

export const PEOPLE = ["ada@example.test", "bob@example.test", "cleo@example.test"];

export type Running = Awaited<ReturnType<typeof runningCampaign>>;

const activities = campaignActivities({
  validate: async () => ({ valid: true, errors: [] }),
  findProviders: () => async () => [],
  log: { warn: () => {} },
});

export const complete = ({ workspaceId, campaignId }: Running): Promise<boolean> =>
  new MockActivityEnvironment().run(activities.checkCompletion, { v: 1 as const, workspaceId, campaignId });

export const reply = ({ workspaceId }: Running, recipientId: string) =>
  inTransaction(() =>
    endRecipient(workspaceId, recipientId, { status: "REPLIED", stopReason: "REPLIED", from: [...OPEN, "COMPLETED"] }),
  );

export async function statusesOf({ workspaceId, campaignId }: Running): Promise<string[]> {
  return (await scoped(workspaceId).Recipient.find({ campaignId }, { sort: { _id: 1 } })).map(({ status }) => status);
}

/** The steps that each recipient was sent, in the order of the people. */
export async function mailsOf({ workspaceId, campaignId, ids }: Running): Promise<(string | null)[][]> {
  const sends = await scoped(workspaceId).Send.find({ campaignId, state: "SENT" }, { sort: { sentAt: 1, _id: 1 } });
  return ids.map((id) => sends.filter(({ recipientId }) => recipientId === id).map(({ stepId }) => stepId));
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
}
