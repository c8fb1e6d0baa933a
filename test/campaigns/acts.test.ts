import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { moveCampaign } from "../../store/campaigns/status.ts";
import { executeStepOnce } from "../../store/recipients/non-mail-step.ts";
import { activeCampaign, somebodyDue } from "../recipients/waiting-parts.ts";
import { startWorld, type World } from "../support/world.ts";

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.close());

/**
 * A recipient at a step, as a worker has read it just before it acts; `act` counts how often the effect was committed.
 */
async function aboutToAct() {
  const { workspaceId } = await world.workspace();
  const db = scoped(workspaceId);
  const { campaignId, ...rest } = await activeCampaign(workspaceId);
  const { recipientId } = await somebodyDue({ campaignId, ...rest });
  const [campaign, sequence, recipient] = await Promise.all([
    db.Campaign.get(campaignId),
    db.Sequence.findOne({ campaignId }),
    db.Recipient.get(recipientId),
  ]);
  const step = sequence?.steps[0];
  if (!campaign || !sequence || !recipient || !step) throw new Error("Something was not stored");
  const effect = () => db.Lead.updateOne({ _id: recipient.leadId }, { $addToSet: { tags: "acted" } }).then(() => {});
  const act = () => executeStepOnce({ campaign, sequence, recipient, step }, effect);
  const hasActed = async () => (await db.Lead.get(recipient.leadId))?.tags.includes("acted");
  const pause = () =>
    inTransaction(() => moveCampaign(workspaceId, campaignId, { from: ["ACTIVE"], to: "PAUSED", actor: null }));
  return { act, hasActed, pause, db, recipientId };
}

test("when a campaign is paused just before a step acts, the step does not act and leaves no effect", async () => {
  const { act, hasActed, pause, db, recipientId } = await aboutToAct();
  await pause();
  expect([await act(), await hasActed(), await db.StepExecution.count({ recipientId })]).toEqual([false, false, 0]);
});

test("a step acts once for a recipient, however many workers run the step at the same time", async () => {
  const { act, hasActed, db, recipientId } = await aboutToAct();
  const acted = await Promise.all([act(), act(), act()]);
  expect(acted.filter(Boolean)).toHaveLength(1);
  expect([await hasActed(), await db.StepExecution.count({ recipientId })]).toEqual([true, 1]);
});
