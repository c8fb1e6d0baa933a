import { afterAll, beforeAll, beforeEach, expect } from "@jest/globals";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { hourGoesOn } from "../fakes/wait.ts";
import { startWorld, type World } from "../support/world.ts";
import { readyCampaign } from "./campaign-parts.ts";

export let world: World;

export const TWO_STEPS = [
  { subject: "One", body: "1" },
  { body: "2", delay: 7 },
];

export async function active(steps: object[] | null = null, emails = ["ada@example.test", "bob@example.test"]) {
  const { rest, workspaceId } = await world.workspace();
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, emails);
  if (steps !== null) await rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  await rest.post(`${path}/control`, { action: "launch" });
  const { Mailbox, MailboxDay, CampaignDay, Recipient, ThrottleCount } = scoped(workspaceId);
  const status = async (settings: object = {}) => {
    expect(await rest.patch(`${path}/settings`, settings)).toMatchObject({ status: 200 });
    return (await rest.get(path)).body.sendingStatus;
  };
  const code = async (settings: object = {}) => (await status(settings)).code;
  const mailboxIs = (fields: Partial<Mailbox>) => Mailbox.updateOne({ _id: mailbox._id }, { $set: fields });
  return {
    rest,
    path,
    workspaceId,
    campaignId,
    mailbox,
    status,
    code,
    mailboxIs,
    MailboxDay,
    CampaignDay,
    Recipient,
    ThrottleCount,
  };
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());
  // Hour and day are the same from the first line of a test to its last
  beforeEach(() => hourGoesOn(20_000));
}
