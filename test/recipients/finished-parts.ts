import { randomUUID } from "node:crypto";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import type { RecipientIds } from "../../domain/workflow-contract.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { bookNext } from "../../store/recipients/book-next-step.ts";
import { checkDue } from "../../store/recipients/due-step.ts";
import { loadSituation } from "../../store/recipients/recipient-state.ts";
import { claim } from "../../store/sending/claim.ts";
import { lastLook } from "../../store/sending/last-look.ts";
import { recordSent, recordWithdrawn } from "../../store/sending/record.ts";
import { mail, readyCampaign } from "../campaigns/campaign-parts.ts";
import type { World } from "../support/world.ts";

/** Looks at one recipient before it is given up: more than any sequence of these tests has steps. */
const MOST_LOOKS = 40;

/** An active campaign without gaps, whose steps are due at once and whose people have been admitted. */
export async function runningCampaign(
  world: World,
  emails: string[],
  steps = [mail("one", "One")],
  mode: "DEFAULT" | "VISUAL" = "DEFAULT",
) {
  const { rest, workspaceId, withScopes } = await world.workspace();
  const { path, campaignId, mailbox } = await readyCampaign(rest, workspaceId, emails);
  await rest.patch(`${path}/settings`, { minGapSeconds: 0, maxGapSeconds: 0, perMailboxDailyLimit: 0 });
  const { Mailbox, Recipient } = scoped(workspaceId);
  await Mailbox.updateOne({ _id: mailbox._id }, { $set: { dailySendLimit: 0 } });
  const put = (steps: object[]) => rest.put(`${path}/sequence`, { action: "replaceSteps", steps });
  if (mode === "VISUAL") await rest.put(`${path}/sequence`, { action: "setMode", mode });
  const { body } = await put(steps);
  await rest.post(`${path}/control`, { action: "launch" });
  const admitted = {
    admittedAt: new Date(),
    mailboxId: mailbox._id,
    nextStepId: body.steps[0].stepId,
    nextSendAt: new Date(),
  };
  await Recipient.updateMany({ campaignId }, { $set: admitted });
  const people = await Recipient.find({ campaignId }, { sort: { _id: 1 } });
  const ids = people.map(({ _id }) => _id);
  const resume = (recipientIds: string[], more: object = {}) =>
    rest.post(`${path}/recipients`, { action: "resumeRecipients", recipientIds, ...more });
  /** Does the work that the runs of all these people would do now. */
  const run = async (recipientIds = ids, beforeRecord?: () => Promise<unknown>) => {
    for (const recipientId of recipientIds) await runOne({ v: 1, workspaceId, campaignId, recipientId }, beforeRecord);
  };
  return { rest, withScopes, workspaceId, path, campaignId, ids, people, put, resume, run };
}

/** Does in memory what a recipient's workflow does until it waits or ends: everything but the transmission. */
async function runOne(ids: RecipientIds, beforeRecord = async (): Promise<unknown> => null): Promise<void> {
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const situation = await loadSituation(ids);
    if (situation === null) return;
    const found = await checkDue(situation);
    if (found.kind === "replan" && found.at <= Date.now() + 50) continue;
    if (found.kind !== "due") return;
    const { campaign, recipient, sequence, step } = situation;
    const { mailbox } = found;
    const claimed = await claim({
      send: found.send,
      mailbox,
      attemptId: randomUUID(),
      messageId: `<${randomUUID()}@a.test>`,
      campaign: {
        campaignId: campaign._id,
        fence: campaign.fence,
        settings: settingsOf(campaign.settings),
        shard: recipient.shard,
      },
      bytesHash: "",
      mailRef: newId("snd"),
      subject: "",
      content: { text: "", html: null },
      tracking: null,
      variantId: null,
      checks: {},
    });
    if (claimed.kind !== "claimed") {
      if (claimed.kind === "replan") continue;
      return;
    }
    const { send, request } = claimed;
    if ((await lastLook(request)) !== null) {
      await recordWithdrawn(send, request.attemptId);
      continue;
    }
    await beforeRecord();
    await recordSent({
      send,
      recipient,
      attemptId: request.attemptId,
      response: "250",
      serverMessageId: null,
      copied: null,
      sentAt: new Date(),
      thread: { subject: "", ids: [] },
      sequence: { ...sequence, steps: step === null ? [] : sequence.steps },
      bookNext: (sent, nextStepId) => bookNext.after(situation, mailbox, sent, nextStepId),
    });
  }
}
