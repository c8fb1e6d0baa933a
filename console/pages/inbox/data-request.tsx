import { isAnswerable } from "../../../domain/inbox/answerable.ts";
import { DATA_REQUEST } from "../../../domain/inbox/category.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { dataRequestWords as says } from "../../words/en/inbox.ts";
import { useReplyText } from "./drafts.ts";
import type { Conversation, Message } from "./reads.ts";

const EVERY_MS = 15_000;

/**
 * What a person asks about their own data, and the actions that help to answer, until someone has replied. No action
 * sends anything by itself.
 */
export function DataRequest({ thread: { id: threadId, messages } }: { thread: Conversation }) {
  const may = useMay();
  const isOff = !messages.some(asksForData) || !may("leads:read");
  const { data } = useCall("get /inbox/threads/:threadId/data-request", { threadId }, { isOff, every: EVERY_MS });
  const request = data?.request ?? null;
  if (isOff || request === null || request.answeredAt !== null) return null;
  const { sentences, sourceAnswer } = request;
  const mayReply = may("inbox:send") && messages.some(isAnswerable);
  return (
    <aside className="alert attention" aria-labelledby="data-request">
      <p id="data-request">{says.title}</p>
      {sentences.length > 0 && (
        <ul>
          {sentences.map((sentence) => (
            <li key={sentence}>
              <bdi>{sentence}</bdi>
            </li>
          ))}
        </ul>
      )}
      {sourceAnswer === null && <p className="fine">{says.noLead}</p>}
      <div className="buttons start">
        {sourceAnswer !== null && mayReply && <DraftAnswer threadId={threadId} text={sourceAnswer} />}
      </div>
    </aside>
  );
}

function asksForData({ direction, category, suggestedCategory }: Message): boolean {
  return direction === "INBOUND" && (category ?? suggestedCategory?.category) === DATA_REQUEST;
}

/** Puts an answer into the reply box, below the text that is there already. */
function DraftAnswer({ threadId, text }: { threadId: string; text: string }) {
  const reply = useReplyText(threadId);
  const isOff = !reply.isKnown || reply.text.includes(text);
  return (
    <button type="button" aria-disabled={isOff} onClick={() => !isOff && reply.add(text)}>
      {says.draftSource}
    </button>
  );
}
