import { z } from "zod";
import { settingsOf } from "../../domain/campaigns/settings.ts";
import { isOpenStatus, type StopReason } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { hasNextStep, isFinished } from "../../store/campaigns/finished-recipients.ts";
import { loadCampaign, loadSequence } from "../../store/campaigns/load.ts";
import { moveCampaign } from "../../store/campaigns/status.ts";
import { nudge } from "../../store/outbox.ts";
import { type SkipReason, skipReasons } from "../../store/recipients/enrol.ts";
import { resumeRecipient } from "../../store/recipients/resume.ts";
import { pauseRecipient } from "../../store/recipients/stop.ts";
import { loadHolds } from "../../store/suppression/open-questions.ts";
import { campaignId, loadEditable } from "../campaigns/find.ts";
import { ids } from "../fields.ts";
import { operation } from "../operation.ts";
import { runsAgain } from "../sending/causes.ts";
import { Bulk } from "./record.ts";
import { forgetStats } from "./stats.ts";

const PAGE = 50;
const input = z.strictObject({ campaignId, recipientIds: ids.describe("1 to 1,000 recipients") });

export const pauseRecipients = operation({
  summary: "Send nothing to some recipients until they are resumed",
  scope: "recipients:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  input,
  output: Bulk,
  async run({ workspaceId }, { campaignId, recipientIds }) {
    await loadEditable(workspaceId, campaignId, undefined);
    return forEach(workspaceId, campaignId, recipientIds, async () => async (recipient) => {
      if (!isOpenStatus(recipient.status)) return "REFUSED";
      // A recipient that waits for an approval would continue once approved, so it is paused too
      if (recipient.status === "PAUSED" && recipient.pauseReason !== "APPROVAL_REQUIRED") return "UNCHANGED";
      await pauseRecipient(workspaceId, recipient._id, "MANUAL", null);
      return "CHANGED";
    });
  },
});

const finished = z
  .boolean()
  .default(false)
  .describe(
    "Whether recipients that completed the sequence (COMPLETED, SEQUENCE_FINISHED) also continue, at the first step they did not get; default false. Anyone now suppressed, blocked or open in another campaign is refused, with the reason",
  );

export const resumeRecipients = operation({
  summary:
    "Resume recipients that were paused, or ended by a reply, a failure or a suppression, at their next unsent step; with `finished`, also those that completed the sequence before a step was added. If a recipient waits for an approval, this approves it and the email is sent",
  scope: "recipients:write",
  errors: ["CAMPAIGN_NOT_FOUND", "INVALID_STATE_TRANSITION"],
  effects: { SENDS: runsAgain },
  input: input.extend({ finished }),
  output: Bulk,
  async run(
    { workspaceId, credentialId: actor, policy: { SENDS: way } },
    { campaignId, recipientIds, finished: takesFinished },
  ) {
    const mayApprove = way === "DIRECT" || way === "PLAN";

    await loadEditable(workspaceId, campaignId, undefined);
    const changeOf: ChangeOf = async (page) => {
      const sequence = await loadSequence(workspaceId, campaignId);
      const ended = takesFinished ? page.filter(isFinished) : [];
      const reasons = await reasonsAgainst(workspaceId, campaignId, ended);
      const holds = await loadHolds(
        workspaceId,
        page.map(({ email }) => email),
      );
      return async (recipient) => {
        if (recipient.status === "PENDING" || recipient.status === "IN_PROGRESS") return "UNCHANGED";
        if (holds.has(recipient.email)) return "OPT_OUT_ASKED";
        if (recipient.pauseReason === "APPROVAL_REQUIRED" && !mayApprove) return "REFUSED";
        if (ended.includes(recipient)) {
          const reason = reasons.get(recipient.email);
          if (reason !== undefined) return reason;
          if (!(await hasNextStep(recipient, sequence))) return "NO_STEP_LEFT";
        } else if (!RESUMABLE.includes(recipient.status) || STAYS.includes(recipient.stopReason)) return "REFUSED";
        return (await resumeRecipient(workspaceId, recipient, sequence.steps, actor)) ? "CHANGED" : "REFUSED";
      };
    };
    return forEach(workspaceId, campaignId, recipientIds, changeOf, () => reopen(workspaceId, campaignId, actor));
  },
});

/**
 * The reasons why finished recipients may not be contacted again: the same reasons that would exclude them from joining
 * the campaign now.
 */
async function reasonsAgainst(
  workspaceId: string,
  campaignId: string,
  ended: readonly Recipient[],
): Promise<Map<string, SkipReason>> {
  if (ended.length === 0) return new Map();
  const campaign = await loadCampaign(workspaceId, campaignId);
  return skipReasons(
    campaign,
    settingsOf(campaign.settings),
    ended.map(({ email }) => email),
  );
}

/**
 * Reopens a finished campaign for resumed recipients (rules/states 2.2). It always writes the campaign. A concurrent
 * completion that found no open recipient then conflicts with this transaction and cannot end the resumed ones.
 */
export async function reopen(workspaceId: string, campaignId: string, actor: string): Promise<void> {
  const { status, completedReason } = await loadCampaign(workspaceId, campaignId);
  if (status === "COMPLETED" && completedReason === "FINISHED") {
    await moveCampaign(workspaceId, campaignId, { from: ["COMPLETED"], to: "ACTIVE", actor });
    return;
  }
  await scoped(workspaceId).Campaign.touch(campaignId);
  await nudge(workspaceId, "CAMPAIGN", { campaignId });
}

const RESUMABLE: readonly string[] = ["PAUSED", "REPLIED", "FAILED", "SKIPPED", "SUPPRESSED"];
/** A removed recipient returns only when added again; one that was held out never returns (rules/tracking 6.1). */
const STAYS: readonly (StopReason | null)[] = ["REMOVED", "HOLD_OUT"];

type Outcome = "CHANGED" | "UNCHANGED" | "REFUSED" | "NO_STEP_LEFT" | "OPT_OUT_ASKED" | SkipReason;

/** Creates the change for each recipient of a page, given the whole page. */
type ChangeOf = (page: readonly Recipient[]) => Promise<(recipient: Recipient) => Promise<Outcome>>;

/**
 * Changes recipients page by page, each page in one transaction. If any recipient of a page changed, `follow` runs in
 * the same transaction. Resolves after the last page (rules/sending 7.3).
 */
async function forEach(
  workspaceId: string,
  campaignId: string,
  recipientIds: string[],
  changeOf: ChangeOf,
  follow: () => Promise<void> = async () => {},
) {
  const wanted = [...new Set(recipientIds)];
  const outcomes = new Map<string, { outcome: Outcome; from: string }>();
  for (let start = 0; start < wanted.length; start += PAGE) {
    const page = await inTransaction(async () => {
      const found = await scoped(workspaceId).Recipient.find({
        _id: trusted({ $in: wanted.slice(start, start + PAGE) }),
        campaignId,
      });
      const change = await changeOf(found);
      const results: [string, { outcome: Outcome; from: string }][] = [];
      for (const recipient of found)
        results.push([recipient._id, { outcome: await change(recipient), from: recipient.status }]);
      if (results.some(([, { outcome }]) => outcome === "CHANGED")) await follow();
      return results;
    });
    for (const [id, result] of page) outcomes.set(id, result);
  }
  forgetStats(campaignId);
  const items = [...outcomes].map(([id, { outcome, from }]) => {
    const error = refusalOf(outcome, from);
    return { id, ok: error === null, error };
  });
  const changed = [...outcomes.values()].filter(({ outcome }) => outcome === "CHANGED").length;
  return { matched: outcomes.size, changed, notFound: wanted.filter((id) => !outcomes.has(id)), items };
}

/** Why a recipient was not changed; null when it was not refused. */
function refusalOf(outcome: Outcome, from: string): { code: string; message: string } | null {
  switch (outcome) {
    case "CHANGED":
    case "UNCHANGED":
      return null;
    case "REFUSED":
      return { code: "INVALID_STATE_TRANSITION", message: `This is not possible while the recipient is ${from}` };
    case "NO_STEP_LEFT":
      return { code: outcome, message: "The sequence has no further step for this recipient" };
    case "OPT_OUT_ASKED":
      return {
        code: outcome,
        message: "The person may have opted out: decide the approval of kind OPT_OUT first",
      };
    default:
      return { code: outcome, message: AGAINST[outcome] };
  }
}

const AGAINST: Record<SkipReason, string> = {
  INVALID: "The address cannot receive email",
  SUPPRESSED: "The address is suppressed",
  BLOCK_LISTED: "The address or its domain is on the block list",
  IN_OTHER_CAMPAIGN: "The lead is open in another active campaign",
};
