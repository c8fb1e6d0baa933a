import { CATEGORY, categoryWord } from "../../words/en/categories.ts";
import { inboxWords, threadWords as says } from "../../words/en/inbox.ts";
import { formatShare } from "../../words/format.ts";
import type { Message, Sorter } from "./reads.ts";
import type { Thread } from "./sorting.ts";

/** The most used categories, in the order of their shortcut keys. */
export const QUICK = ["INTERESTED", "MEETING_REQUEST", "NOT_NOW", "NOT_INTERESTED", "WRONG_PERSON"] as const;

interface ThreadSortProps {
  thread: Thread;
  /** The newest inbound email; null if there is none. */
  messageId: string | null;
  /** The category that the server suggests for that email. */
  suggested: Message["suggestedCategory"];
  sorter: Sorter;
  onPutAway: (thread: Thread) => void;
}

/** The category of a conversation, and the buttons to archive it, star it and mark it as read. */
export function ThreadSort({ thread, messageId, suggested, sorter, onPutAway }: ThreadSortProps) {
  const { category, isArchived, isRead, isStarred } = thread;
  const acts = inboxWords.acts;
  const isQuick = category === null || QUICK.some((one) => one === category);
  const sort = (next: string) => messageId !== null && next !== "" && void sorter.categorise(thread, next, messageId);
  return (
    <>
      <div className="buttons start">
        <button type="button" aria-keyshortcuts="e" onClick={() => onPutAway(thread)}>
          {isArchived ? acts.unarchive : acts.archive}
        </button>
        <button type="button" aria-keyshortcuts="s" onClick={() => sorter.mark(thread, isStarred ? "unstar" : "star")}>
          {isStarred ? acts.unstar : acts.star}
        </button>
        <button
          type="button"
          aria-keyshortcuts="u"
          onClick={() => sorter.mark(thread, isRead ? "markUnread" : "markRead")}
        >
          {isRead ? acts.markUnread : acts.markRead}
        </button>
      </div>
      {messageId === null ? (
        <p className="fine">{says.nothingToSort}</p>
      ) : (
        <>
          {suggested !== null && suggested.category !== category && (
            <p className="fine">
              {says.suggested(categoryWord(suggested.category), formatShare(suggested.confidence))}{" "}
              <button type="button" onClick={() => sort(suggested.category)}>
                {says.confirm}
              </button>
            </p>
          )}
          <fieldset className="chips">
            <legend className="hidden">{says.sort}</legend>
            {QUICK.map((one, index) => (
              <button
                key={one}
                type="button"
                aria-pressed={category === one}
                aria-keyshortcuts={String(index + 1)}
                onClick={() => sort(one)}
              >
                <kbd>{index + 1}</kbd> {says.quick[one]}
              </button>
            ))}
            <select
              aria-label={says.other}
              value={isQuick ? "" : (category ?? "")}
              onChange={({ currentTarget: { value } }) => sort(value)}
            >
              <option value="">{says.other}</option>
              {Object.keys(CATEGORY)
                .filter((one) => !QUICK.some((quick) => quick === one))
                .map((one) => (
                  <option key={one} value={one}>
                    {categoryWord(one)}
                  </option>
                ))}
              {!isQuick && category !== null && CATEGORY[category] === undefined && (
                <option value={category}>{category}</option>
              )}
            </select>
          </fieldset>
        </>
      )}
    </>
  );
}
