import { useCall } from "../../api/query.ts";
import { To } from "../../kit/to.tsx";
import { threadWords as says } from "../../words/en/inbox.ts";
import { formatShare } from "../../words/format.ts";
import { wordFor } from "../../words/states.ts";
import { takeIntoReply } from "./drafts.ts";
import type { Conversation } from "./reads.ts";

/** What the inbox agent proposes for a conversation and why, until someone has decided about it. */
export function Agent({ thread: { id: threadId, agent } }: { thread: Conversation }) {
  const approvalId = agent?.approvalId ?? null;
  const { data } = useCall(
    "get /approvals/:approvalId",
    { approvalId: approvalId ?? "" },
    { isOff: approvalId === null },
  );
  if (agent === null) return null;
  if (data === undefined || data.status !== "PENDING" || data.proposedText === null) {
    const result = agent.result === null ? null : wordFor({}, agent.result);
    return (
      <p className="fine">{agent.status === "QUEUED" || result === null ? says.agentWaits : says.agentSaid(result)}</p>
    );
  }
  const { proposedText, reason, confidence, kind } = data;
  return (
    <aside className="alert plain" aria-labelledby="proposal">
      <p id="proposal">{says.proposal}</p>
      {kind === "REPLY" && (
        <p className="text">
          <bdi>{proposedText}</bdi>
        </p>
      )}
      {reason !== null && (
        <p className="fine">
          {says.why} <bdi>{reason}</bdi>
        </p>
      )}
      {confidence !== null && <p className="fine">{says.confidence(formatShare(confidence))}</p>}
      <div className="buttons start">
        {kind === "REPLY" && (
          <button type="button" onClick={() => takeIntoReply(threadId, proposedText)}>
            {says.take}
          </button>
        )}
        <To page="/approvals" view={{ open: data.id }} className="button">
          {says.decide}
        </To>
      </div>
    </aside>
  );
}
