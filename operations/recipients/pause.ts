import { z } from "zod";
import { isOpenStatus } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadCampaign, loadSequence } from "../../store/campaigns/load.ts";
import { moveCampaign } from "../../store/campaigns/status.ts";
import { nudge } from "../../store/outbox.ts";
import { resumeRecipient } from "../../store/recipients/resume.ts";
import { pauseRecipient } from "../../store/recipients/stop.ts";
import { campaignId, loadEditable } from "../campaigns/find.ts";
import { ids } from "../fields.ts";
import { operation } from "../operation.ts";
import { Bulk } from "./record.ts";
import { forgetStats } from "./stats.ts";

const PAGE = 50;
const input = z.strictObject({ campaignId, recipientIds: ids.describe("1 to 1,000 recipients") });

export const pauseRecipients = operation({
  summary: "Stop writing to some recipients until they are resumed",
  scope: "recipients:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  input,
  output: Bulk,
  async run({ workspaceId }, { campaignId, recipientIds }) {
    await loadEditable(workspaceId, campaignId, undefined);
    return forEach(workspaceId, campaignId, recipientIds, async (recipient) => {
      if (!isOpenStatus(recipient.status)) return "REFUSED";
      // A recipient that waits for an approval would continue with it, so it is paused too
      if (recipient.status === "PAUSED" && recipient.pauseReason !== "APPROVAL_REQUIRED") return "UNCHANGED";
      await pauseRecipient(workspaceId, recipient._id, "MANUAL", null);
      return "CHANGED";
    });
  },
});

export const resumeRecipients = operation({
  summary:
    "Continue with recipients that were paused, or ended by a reply, a failure or a suppression, at their next unsent step. A recipient that waits for an approval is approved by this, and that mail is sent",
  scope: "recipients:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  input,
  output: Bulk,
  async run({ workspaceId, credentialId: actor }, { campaignId, recipientIds }) {
    await loadEditable(workspaceId, campaignId, undefined);
    const { steps } = await loadSequence(workspaceId, campaignId);
    const answer = await forEach(workspaceId, campaignId, recipientIds, async (recipient) => {
      if (recipient.status === "PENDING" || recipient.status === "IN_PROGRESS") return "UNCHANGED";
      if (!RESUMABLE.includes(recipient.status) || recipient.stopReason === "REMOVED") return "REFUSED";
      return (await resumeRecipient(workspaceId, recipient, steps, actor)) ? "CHANGED" : "REFUSED";
    });
    if (answer.changed > 0) await wake(workspaceId, campaignId, actor);
    return answer;
  },
});

/** Opens a finished campaign again for the resumed recipients (rules/states 2.2). */
function wake(workspaceId: string, campaignId: string, actor: string): Promise<void> {
  return inTransaction(async () => {
    const { status, completedReason } = await loadCampaign(workspaceId, campaignId);
    if (status === "COMPLETED" && completedReason === "FINISHED") {
      await moveCampaign(workspaceId, campaignId, { from: ["COMPLETED"], to: "ACTIVE", actor });
    } else await nudge(workspaceId, "CAMPAIGN", { campaignId });
  });
}

const RESUMABLE: readonly string[] = ["PAUSED", "REPLIED", "FAILED", "SKIPPED", "SUPPRESSED"];

type Outcome = "CHANGED" | "UNCHANGED" | "REFUSED";

/** Changes recipients page by page, each page in a transaction; returns after the last (rules/sending 7.3). */
async function forEach(
  workspaceId: string,
  campaignId: string,
  recipientIds: string[],
  change: (recipient: Recipient) => Promise<Outcome>,
) {
  const wanted = [...new Set(recipientIds)];
  const outcomes = new Map<string, { outcome: Outcome; from: string }>();
  for (let start = 0; start < wanted.length; start += PAGE) {
    const page = await inTransaction(async () => {
      const found = await scoped(workspaceId).Recipient.find({ _id: trusted({ $in: wanted.slice(start, start + PAGE) }), campaignId });
      const results: [string, { outcome: Outcome; from: string }][] = [];
      for (const recipient of found) results.push([recipient._id, { outcome: await change(recipient), from: recipient.status }]);
      return results;
    });
    for (const [id, result] of page) outcomes.set(id, result);
  }
  forgetStats(campaignId);
  const items = [...outcomes].map(([id, { outcome, from }]) => ({
    id,
    ok: outcome !== "REFUSED",
    error: outcome === "REFUSED" ? { code: "INVALID_STATE_TRANSITION", message: `A recipient that is ${from} cannot do this` } : null,
  }));
  const changed = [...outcomes.values()].filter(({ outcome }) => outcome === "CHANGED").length;
  return { matched: outcomes.size, changed, notFound: wanted.filter((id) => !outcomes.has(id)), items };
}
