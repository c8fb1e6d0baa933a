import { Link } from "@tanstack/react-router";
import type { RefObject } from "react";
import type { Called } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Pager } from "../../kit/pager.tsx";
import type { PageOf } from "../../kit/table.tsx";
import { To } from "../../kit/to.tsx";
import { When } from "../../kit/when.tsx";
import { categoryWord } from "../../words/en/categories.ts";
import { inboxWords as says } from "../../words/en/inbox.ts";
import { nouns } from "../../words/en/nouns.ts";
import { words } from "../../words/en.ts";
import type { Thread } from "./sorting.ts";
import { whoOf } from "./who.ts";

interface ThreadListProps {
  list: RefObject<HTMLUListElement | null>;
  threads: Called<PageOf<Thread>>;
  /** The conversations with the pending decisions applied. */
  rows: readonly Thread[];
  open: string | null;
  empty: string;
  onClear: (() => void) | undefined;
  onPage: (page: number) => void;
}

/** One page of conversations, newest first. Each is a link, so it can be opened in a new tab. */
export function ThreadList({
  list,
  threads: { data, refusal, isLooking, again },
  rows,
  open,
  empty,
  onClear,
  onPage,
}: ThreadListProps) {
  if (data === undefined) {
    return (
      <section aria-label={says.list} className="threads">
        {refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} again={again} />}
      </section>
    );
  }
  return (
    <section aria-label={says.list} className="threads" aria-busy={isLooking}>
      {refusal !== null && <RefusalAlert refusal={refusal} again={again} />}
      {rows.length === 0 ? (
        <Nothing empty={empty} onClear={onClear} />
      ) : (
        <ul ref={list}>
          {rows.map((thread) => (
            <Row key={thread.id} thread={thread} isOpen={thread.id === open} />
          ))}
        </ul>
      )}
      <Looking isLooking={isLooking} />
      <Pager {...data} nouns={nouns.conversations} onPage={onPage} />
    </section>
  );
}

function Nothing({ empty, onClear }: { empty: string; onClear: (() => void) | undefined }) {
  return (
    <div className="empty">
      <p>{onClear === undefined ? empty : words.nothingFound}</p>
      {onClear === undefined && (
        <To page="/mailboxes" className="button">
          {words.navigation.mailboxes}
        </To>
      )}
      {onClear !== undefined && (
        <button type="button" onClick={onClear}>
          {words.clearFilter}
        </button>
      )}
    </div>
  );
}

function Row({ thread, isOpen }: { thread: Thread; isOpen: boolean }) {
  const { id, subject, snippet, category, isRead, isStarred, hasAttachments, lastMessageAt } = thread;
  return (
    <li className={isRead ? "" : "unread"}>
      <Link
        to="."
        search={(before: Record<string, unknown>) => ({ ...before, open: id })}
        resetScroll={false}
        data-thread={id}
        {...(isOpen && { "aria-current": "true" as const })}
      >
        <span className="line">
          <span className="who">
            {!isRead && <span className="hidden">{says.unread} </span>}
            <bdi>{whoOf(thread)}</bdi>
          </span>
          <When at={String(lastMessageAt)} />
        </span>
        <span className="subject">
          <bdi>{subject === "" ? says.noSubject : subject}</bdi>
        </span>
        <span className="line">
          <span className="snippet">
            <bdi>{snippet}</bdi>
          </span>
          {hasAttachments && <span className="fine">{says.files}</span>}
          {isStarred && (
            <span>
              <span aria-hidden="true">★</span>
              <span className="hidden">{says.starred}</span>
            </span>
          )}
          {category !== null && <span className="chip">{categoryWord(category)}</span>}
        </span>
      </Link>
    </li>
  );
}
