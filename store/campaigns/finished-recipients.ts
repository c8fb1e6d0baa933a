import pLimit from "p-limit";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Sequence } from "../../models/sequences/sequence.ts";
import { trusted } from "../../mongo/collection.ts";
import { hadWith, positionOf } from "../recipients/resume.ts";
import { loadRoute } from "../recipients/route.ts";

/**
 * The maximum number of finished recipients that are counted in a sequence with branches, because the next step depends
 * on each recipient's own history.
 */
const MOST_ROUTED = 2_000;
const PAGE = 200;
const routes = pLimit(8);

/** Whether the recipient has completed its sequence, and did not end for another reason. */
export function isFinished({ status, stopReason }: Pick<Recipient, "status" | "stopReason">): boolean {
  return status === "COMPLETED" && stopReason === "SEQUENCE_FINISHED";
}

/** Whether the current sequence has another step for a recipient that had finished (rules/states 3.7). */
export async function hasNextStep(recipient: Recipient, sequence: Sequence): Promise<boolean> {
  const { workspaceId, _id: recipientId, leadId } = recipient;
  const { Lead, Send } = scoped(workspaceId);
  const sends = await Send.find(
    { recipientId },
    { select: { stepId: 1, state: 1, phase: 1, failure: 1, sentAt: 1, updatedAt: 1 } },
  );
  const had = hadWith(recipient, sends);
  const position = positionOf(recipient, sequence.steps, had, sends);
  if (position === null || sequence.mode === "DEFAULT") return position !== null;
  const lead = await Lead.get(leadId);
  if (lead === null) return false;
  const route = await loadRoute({ ...recipient, had }, sequence, lead, Date.now());
  return route.kind !== "END";
}

/**
 * How many finished recipients have a further step in the current sequence (rules/states 3.7). Null when the sequence
 * has branches and more than `MOST_ROUTED` recipients have finished.
 */
export async function countFinishedReachable(sequence: Sequence): Promise<number | null> {
  return sequence.mode === "DEFAULT" ? countInOrder(sequence) : countOnBranches(sequence);
}

/** In a linear sequence, a finished recipient that lacks any of the steps has a next step. */
function countInOrder({ workspaceId, campaignId, steps }: Sequence): Promise<number> {
  const ids = steps.map(({ stepId }) => stepId);
  return ids.length === 0
    ? Promise.resolve(0)
    : scoped(workspaceId).Recipient.count({
        ...finishedOf(campaignId),
        "had.stepId": trusted({ $not: { $all: ids } }),
      });
}

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
