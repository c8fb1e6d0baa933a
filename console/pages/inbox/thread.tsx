import { useEffect, useRef, useState } from "react";
import { isAnswerable } from "../../../domain/inbox/answerable.ts";
import { useCall } from "../../api/query.ts";
import { useSignal } from "../../api/signal.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { To } from "../../kit/to.tsx";
import { When } from "../../kit/when.tsx";
import { inboxWords, threadWords as says } from "../../words/en/inbox.ts";
import { Agent } from "./agent.tsx";
import { DataRequest } from "./data-request.tsx";
import { MessageShown } from "./message.tsx";
import type { Conversation, Sorter } from "./reads.ts";
import { Reply } from "./reply.tsx";
import { moves, type Thread, withDecisions } from "./sorting.ts";
import { ThreadSort } from "./thread-sort.tsx";
import { whoOf } from "./who.ts";

const EVERY_MS = 15_000;
/** How many emails are read at first, and the most that the service returns. */
const [STEP, MOST] = [20, 100];

interface ThreadInFullProps {
  threadId: string;
  sorter: Sorter;
  onPutAway: (thread: Thread) => void;
  onClose: () => void;
  /** Set when the person requested the reply box; called once it is shown or cannot be shown. */
  onReply: (() => void) | null;
}

/** One conversation: its participants, its mailbox, the emails with the newest expanded, and the reply box below. */
export function ThreadInFull({ threadId, sorter, onPutAway, onClose, onReply }: ThreadInFullProps) {
  const [limit, setLimit] = useState(STEP);
  const read = useCall("get /inbox/threads/:threadId", { threadId, messageLimit: limit }, { every: EVERY_MS });
  const all = useSignal(moves);
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, refusal, isLooking, again } = read;
  const isThere = data !== undefined;
  useEffect(() => {
    if (isThere) heading.current?.focus({ preventScroll: true });
  }, [isThere]);
  useReadOnce(data, sorter);
  const reply = useRef<HTMLDivElement>(null);
  // Loaded together with the conversation, because the reply box accepts keys only once the saved draft is known
  const draft = useCall("get /inbox/threads/:threadId/draft", { threadId }, { isOff: !useMay()("inbox:send") });
  const isSettled = refusal !== null || (isThere && !(draft.isLooking && draft.data === undefined));
  useEffect(() => {
    if (onReply === null || !isSettled) return;
    reply.current?.querySelector("textarea")?.focus();
    onReply();
  }, [onReply, isSettled]);
  return (
    <section className="thread" aria-labelledby="thread-subject" aria-busy={isLooking}>
      <p className="back">
        <button type="button" onClick={onClose}>
          {inboxWords.back}
        </button>
      </p>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {data === undefined && (
        <h2 id="thread-subject" className="fine">
          {refusal === null ? says.loading : inboxWords.title}
        </h2>
      )}
      {data !== undefined && (
        <>
          <h2 id="thread-subject" ref={heading} tabIndex={-1}>
            <bdi>{data.subject === "" ? inboxWords.noSubject : data.subject}</bdi>
          </h2>
          <About thread={data} />
          {sorter.may && (
            <ThreadSort
              thread={withDecisions(data, all)}
              messageId={newestIn(data)?.id ?? null}
              suggested={newestIn(data)?.suggestedCategory ?? null}
              sorter={sorter}
              onPutAway={onPutAway}
            />
          )}
          <Promises promises={data.promises} />
          <Mails thread={data} limit={limit} onMore={() => setLimit(Math.min(MOST, limit + STEP))} />
          <Agent thread={data} />
          <DataRequest thread={data} />
          <div ref={reply}>
            <Reply thread={data} answered={data.messages.find(isAnswerable) ?? null} />
          </div>
        </>
      )}
    </section>
  );
}

function newestIn({ messages }: Conversation) {
  return messages.find(({ direction }) => direction === "INBOUND");
}

/** Marks a conversation as read when it is opened, but only once, so that a person can mark it as unread afterwards. */
function useReadOnce(thread: Conversation | undefined, sorter: Sorter): void {
  const isDone = useRef(false);
  useEffect(() => {
    if (thread === undefined || isDone.current) return;
    isDone.current = true;
    if (sorter.may && !thread.isRead) sorter.mark(thread, "markRead", true);
  }, [thread, sorter]);
}

/** The participants, the mailbox, the campaign and the lead of a conversation. */
function About({ thread }: { thread: Conversation }) {
  const may = useMay();
  const { mailboxId, campaignId, leadId } = thread;
  const mailbox = useCall("get /mailboxes/:mailboxId", { mailboxId }, { isOff: !may("mailboxes:read") });
  const isAsked = campaignId !== null && may("campaigns:read");
  const campaign = useCall("get /campaigns/:campaignId", { campaignId: campaignId ?? "" }, { isOff: !isAsked });
  const { participants } = thread;
  const addresses = participants.map(({ address }) => address).join(", ");
  return (
    <p className="fine">
      {says.with} <bdi>{whoOf(thread)}</bdi>
      {addresses !== whoOf(thread) && <bdi> ({addresses})</bdi>}
      {mailbox.data !== undefined && (
        <>
          {" · "}
          {says.in} {mailbox.data.email}
        </>
      )}
      {leadId !== null && may("leads:read") && (
        <>
          {" · "}
          <To page="/leads/$leadId" ids={{ leadId }}>
            {says.lead}
          </To>
        </>
      )}
      {campaignId !== null && (
        <>
          {" · "}
          {says.campaign}{" "}
          <To page="/campaigns/$campaignId" ids={{ campaignId }}>
            <bdi>{campaign.data?.name ?? (campaign.isLooking ? "…" : campaignId)}</bdi>
          </To>
        </>
      )}
    </p>
  );
}

function Promises({ promises }: { promises: Conversation["promises"] }) {
  if (promises.length === 0) return null;
  return (
    <aside className="alert plain" aria-labelledby="promises">
      <p id="promises">{says.promises}</p>
      <ul>
        {promises.map(({ id, sentence, dueAt }) => (
          <li key={id}>
            <bdi>{sentence}</bdi>
            {dueAt !== null && (
              <span className="fine">
                {" "}
                {says.dueAt} <When at={String(dueAt)} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </aside>
  );
}

/** Older emails are collapsed at the top; the newest is expanded right above the reply. */
function Mails({
  thread: { messages, hasEarlier },
  limit,
  onMore,
}: {
  thread: Conversation;
  limit: number;
  onMore: () => void;
}) {
  return (
    <section aria-label={says.messages}>
      {hasEarlier &&
        (limit < MOST ? (
          <button type="button" onClick={onMore}>
            {says.earlier}
          </button>
        ) : (
          <p className="fine">{says.earliest}</p>
        ))}
      {messages.toReversed().map((message, index) => (
        <MessageShown key={message.id} message={message} isNewest={index === messages.length - 1} />
      ))}
    </section>
  );
}
