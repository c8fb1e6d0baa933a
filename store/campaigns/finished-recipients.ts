import pLimit from "p-limit";
import type { Recipient } from "../../models/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Sequence } from "../../models/sequence.ts";
import { trusted } from "../../mongo/collection.ts";
import { positionOf } from "../recipients/resume.ts";
import { BEHIND, loadRoute } from "../recipients/route.ts";

/**
 * The most finished recipients of a sequence with branches that are counted: where each would go on depends on its own history, so it is
 * read one by one.
 */
const MOST_ROUTED = 2_000;
const PAGE = 200;
const routes = pLimit(8);

/** Whether the recipient has completed its sequence, and was not ended by anything else. */
export function isFinished({ status, stopReason }: Pick<Recipient, "status" | "stopReason">): boolean {
  return status === "COMPLETED" && stopReason === "SEQUENCE_FINISHED";
}

/** Whether the sequence, as it is now, has a step for a recipient that had finished (rules/states 3.7). */
export async function hasNextStep(recipient: Recipient, sequence: Sequence): Promise<boolean> {
  const { workspaceId, _id: recipientId, leadId } = recipient;
  const { Lead, Send } = scoped(workspaceId);
  const sends = await Send.find({ recipientId }, { select: { stepId: 1, state: 1, failure: 1 } });
  const position = positionOf(recipient, sequence.steps, sends);
  if (position === null || sequence.mode === "DEFAULT") return position !== null;
  const lead = await Lead.get(leadId);
  if (lead === null) return false;
  const route = await loadRoute({ ...recipient, nextStepId: position.stepId }, sequence, lead, Date.now());
  return route.kind !== "END";
}

/**
 * How many recipients had finished and have an unsent step before them now (rules/states 3.7). Null when the sequence has branches and more
 * recipients have finished than are looked at.
 */
export async function countFinishedReachable(sequence: Sequence): Promise<number | null> {
  return sequence.mode === "DEFAULT" ? countInOrder(sequence) : countOnBranches(sequence);
}

/** In a linear sequence everybody has a next step who does not have the last one behind them. */
async function countInOrder({ workspaceId, campaignId, steps }: Sequence): Promise<number> {
  const { Recipient, Send } = scoped(workspaceId);
  const last = steps.at(-1)?.stepId;
  if (last === undefined) return 0;
  const finished = finishedOf(campaignId);
  const isTried = { stepId: last, state: trusted({ $in: TRIED }) };
  // Right after a step was appended nobody has it behind them
  if ((await Send.findOne({ campaignId, ...isTried }, { select: { _id: 1 } })) === null) return Recipient.count(finished);
  const tried = { $match: { workspaceId, stepId: last, state: { $in: TRIED } } };
  const lookup = { from: "sends", localField: "_id", foreignField: "recipientId", pipeline: [tried, { $project: { _id: 1 } }], as: "last" };
  const [counted] = await Recipient.aggregate<{ count: number }>(
    { ...finished, currentStepId: { $ne: last } },
    { $project: { _id: 1 } },
    { $lookup: lookup },
    { $match: { last: [] } },
    { $count: "count" },
  );
  return counted?.count ?? 0;
}

const TRIED = [...BEHIND, "SENDING", "UNKNOWN"];

async function countOnBranches(sequence: Sequence): Promise<number | null> {
  const { Recipient } = scoped(sequence.workspaceId);
  const finished = finishedOf(sequence.campaignId);
  if ((await Recipient.count(finished)) > MOST_ROUTED) return null;
  let count = 0;
  for (let after = ""; ; ) {
    const page = await Recipient.find({ ...finished, _id: trusted({ $gt: after }) }, { sort: { _id: 1 }, limit: PAGE });
    const last = page.at(-1);
    if (last === undefined) return count;
    const found = await Promise.all(page.map((recipient) => routes(() => hasNextStep(recipient, sequence))));
    count += found.filter(Boolean).length;
    after = last._id;
  }
}

function finishedOf(campaignId: string) {
  return { campaignId, status: "COMPLETED", stopReason: "SEQUENCE_FINISHED" };
}
