import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useCall } from "../../api/query.ts";
import { useSignal } from "../../api/signal.ts";
import { useMay } from "../../api/workspace.ts";
import { Page, Parts } from "../../kit/page.tsx";
import { PAGE_SIZE, useView } from "../../kit/view.ts";
import { inboxWords as says } from "../../words/en/inbox.ts";
import { Filters } from "./filters.tsx";
import { KeyList, useKeys } from "./keys.tsx";
import { PARTS, RENEWS, readView, type Sorter, type View } from "./reads.ts";
import { Scheduled } from "./scheduled.tsx";
import {
  categorise,
  type Flag,
  flush,
  mark,
  moves,
  renewBy,
  resumeKept,
  type Thread,
  undo,
  undoable,
  withDecisions,
} from "./sorting.ts";
import { Suggestions } from "./suggestions.tsx";
import { ThreadInFull } from "./thread.tsx";
import { ThreadList } from "./thread-list.tsx";
import { QUICK } from "./thread-sort.tsx";
import { Undo } from "./undo.tsx";
import { lastInbound, whoOf } from "./who.ts";

const EVERY_MS = 15_000;

/**
 * The inbox: conversations with replies, which can be categorised, archived and answered by keyboard, and scheduled
 * replies.
 */
export function Inbox() {
  const [view, change] = useView(readView);
  const [isListing, setListing] = useState(false);
  const actions = (
    <>
      <Suggestions />
      <KeyList isOpen={isListing} onOpen={() => setListing(true)} onClose={() => setListing(false)} />
    </>
  );
  return (
    <Page title={says.title} actions={actions}>
      <Parts
        label={says.parts}
        parts={PARTS}
        names={{ inbox: says.title, scheduled: says.scheduled }}
        open={view.part}
        onOpen={(part) => change({ part: part === "inbox" ? null : part, open: null })}
      />
      {view.part === "scheduled" ? (
        <Scheduled />
      ) : (
        <Conversations view={view} change={change} onList={() => setListing(true)} />
      )}
    </Page>
  );
}

type Change = (change: Partial<Record<keyof View, string | number | null>>, how?: { replaces?: boolean }) => void;

function Conversations({ view, change, onList }: { view: View; change: Change; onList: () => void }) {
  const { page, category, mailbox, campaign, search, open } = view;
  const input = {
    page,
    pageSize: PAGE_SIZE,
    ...(view.view === "archived" && { archived: "true" as const }),
    ...(view.view === "unread" && { unreadOnly: "true" as const }),
    ...(view.view === "starred" && { starredOnly: "true" as const }),
    ...(category !== null && { category }),
    ...(mailbox !== null && { mailboxIds: mailbox }),
    ...(campaign !== null && { campaignId: campaign }),
    ...(search !== "" && { search }),
  };
  const threads = useCall("get /inbox/threads", input, { every: EVERY_MS });
  const all = useSignal(moves);
  const isPutAway = view.view === "archived";
  const rows = (threads.data?.items ?? [])
    .map((thread) => withDecisions(thread, all))
    .filter(({ isArchived }) => isArchived === isPutAway);
  const sorter = useSorter();
  const list = useRef<HTMLUListElement>(null);
  /** The current position in the list. It stays when the conversation at it leaves the list. */
  const place = useRef(-1);
  const at = () => {
    const focused = rows.findIndex(
      ({ id }) => list.current?.querySelector(":focus")?.getAttribute("data-thread") === id,
    );
    const found = focused >= 0 ? focused : rows.findIndex(({ id }) => id === open);
    if (found >= 0) place.current = found;
    return found;
  };
  const here = () => rows[at()];
  const goTo = (index: number) => {
    const next = rows[Math.max(0, Math.min(index, rows.length - 1))];
    if (next === undefined) return;
    place.current = rows.indexOf(next);
    if (open === null) list.current?.querySelector<HTMLElement>(`[data-thread="${next.id}"]`)?.focus();
    else change({ open: next.id, page }, { replaces: true });
  };
  const step = (by: 1 | -1) => {
    const now = at();
    goTo(now >= 0 ? now + by : by > 0 ? Math.max(0, place.current) : place.current - 1);
  };
  const close = () => change({ open: null, page });
  /**
   * The conversation whose reply box was requested by a key and is still loading. Until it has loaded, keys do nothing.
   */
  const [awaited, setAwaited] = useState<string | null>(null);
  const isAwaiting = awaited !== null && awaited === open;
  /** Archives a conversation, which then leaves the list, and goes to the next one. */
  const putAway = (thread: Thread) => {
    const next = rows[at() + 1] ?? rows[at() - 1];
    sorter.mark(thread, thread.isArchived ? "unarchive" : "archive");
    if (next === undefined) {
      if (open !== null) close();
    } else goTo(rows.indexOf(next));
  };
  const toggle = (on: Flag, off: Flag, isOn: (thread: Thread) => boolean) => () => {
    const thread = here();
    if (thread !== undefined) sorter.mark(thread, isOn(thread) ? off : on);
  };
  const keys = {
    j: () => step(1),
    k: () => step(-1),
    "?": onList,
    ...(sorter.may && {
      e: () => {
        const thread = here();
        if (thread !== undefined) putAway(thread);
      },
      s: toggle("star", "unstar", ({ isStarred }) => isStarred),
      u: toggle("markRead", "markUnread", ({ isRead }) => isRead),
      z: () => {
        const move = undoable(moves.get());
        if (move !== undefined) undo(move);
      },
      ...Object.fromEntries(
        QUICK.map((one, index) => [
          String(index + 1),
          () => {
            const thread = here();
            if (thread !== undefined) void sorter.categorise(thread, one);
          },
        ]),
      ),
    }),
    r: () => setAwaited(open),
  };
  useKeys(isAwaiting ? {} : keys);
  const isFiltered = category !== null || mailbox !== null || campaign !== null || search !== "" || view.view !== "all";
  return (
    <>
      <div className={open === null ? "" : "aside"}>
        <Filters view={view} change={change} />
      </div>
      <div className={open === null ? "inbox" : "inbox reading"}>
        <ThreadList
          list={list}
          threads={threads}
          rows={rows}
          open={open}
          empty={isPutAway && search === "" ? says.emptyArchive : says.empty}
          onClear={
            isFiltered
              ? () => change({ view: null, category: null, mailbox: null, campaign: null, search: null })
              : undefined
          }
          onPage={(next) => change({ page: next, open: null })}
        />
        {open === null ? (
          <p className="unopened fine">{says.pick}</p>
        ) : (
          <ThreadInFull
            key={open}
            threadId={open}
            sorter={sorter}
            onPutAway={putAway}
            onClose={close}
            onReply={isAwaiting ? () => setAwaited(null) : null}
          />
        )}
      </div>
      <Undo />
    </>
  );
}

/**
 * Returns the functions that record decisions about conversations. Decisions that wait are sent when the person leaves
 * the page.
 */
function useSorter(): Sorter {
  const workspaceId = useWorkspaceId();
  const client = useQueryClient();
  const { data: person } = useCall("get /session", {});
  const userId = person?.userId ?? "";
  const may = useMay()("inbox:write");
  useEffect(() => {
    renewBy(() => client.invalidateQueries({ predicate: ({ queryKey }) => RENEWS.some((one) => one === queryKey[0]) }));
    if (userId !== "" && may) resumeKept({ workspaceId, userId });
    const leave = () => flush(true);
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      flush();
    };
  }, [client, workspaceId, userId, may]);
  const sort = useCallback(
    async (thread: Thread, category: string, messageId?: string) => {
      const id = messageId ?? (await lastInbound(client, workspaceId, thread.id));
      if (id !== null) categorise({ workspaceId, userId }, thread.id, whoOf(thread), { category, messageId: id });
    },
    [client, workspaceId, userId],
  );
  return {
    may,
    mark: (thread, flag, isQuiet) => mark({ workspaceId, userId }, thread.id, whoOf(thread), flag, isQuiet),
    categorise: sort,
  };
}
