import { call, type In, type Out } from "../../api/call.ts";
import { newKey } from "../../api/key.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { noteSessionEnded } from "../../api/session.ts";
import { signalOf } from "../../api/signal.ts";
import { keep, readKept } from "../../frame/kept.ts";

export type Thread = Out<"get /inbox/threads">["items"][number];
export type Flag = In<"post /inbox/threads/manage">["action"];
type Deed = { flag: Flag } | { category: string; messageId: string };

/**
 * One decision about a conversation, such as archiving or a category, from the key press until its outcome is final.
 */
export interface Move {
  /** Also the idempotency key of the request, so that a retry has no second effect. */
  id: string;
  workspaceId: string;
  userId: string;
  threadId: string;
  /** The other people in the conversation, named in the undo message. */
  who: string;
  deed: Deed;
  /** WAITING: not sent yet, so undo has no effect on the server. DONE: the server has stored it. */
  state: "WAITING" | "SENDING" | "DONE" | "REFUSED";
  refusal: Refusal | null;
  /** True for decisions that the page makes itself, such as marking as read; they offer no undo. */
  isQuiet: boolean;
  /** When the decision was made, in epoch milliseconds. */
  at: number;
}

/** Milliseconds for which a decision can be undone. */
const UNDO_MS = 10_000;
const PLACE = "outreach-sorting";
const OPPOSITE: Record<Flag, Flag> = {
  archive: "unarchive",
  unarchive: "archive",
  markRead: "markUnread",
  markUnread: "markRead",
  star: "unstar",
  unstar: "star",
};

/**
 * Decisions that may not have reached the server. Flags are sent immediately, and undone by the opposite flag. A
 * category may stop and suppress recipients, which no other category reverses, so it is sent only after the time to
 * undo it, or when the person leaves the page. A category that could not be sent is stored in the browser, and shown,
 * until it is sent.
 */
export const moves = signalOf<readonly Move[]>([]);

/** Loads the lists again after a change; the open page sets it. */
let renew: () => Promise<unknown> = async () => {};
let chain: Promise<unknown> = Promise.resolve();
const timers = new Map<string, ReturnType<typeof setTimeout>>();

export function renewBy(read: () => Promise<unknown>): void {
  renew = read;
}

interface Whose {
  workspaceId: string;
  userId: string;
}

export function mark(whose: Whose, threadId: string, who: string, flag: Flag, isQuiet = false): void {
  const move = newMove(whose, threadId, who, { flag }, "SENDING", isQuiet);
  storeMove(move);
  sendMove(move);
  forgetLater(move.id);
}

/** Sets a category. A second one within the undo time replaces the first. */
export function categorise(
  whose: Whose,
  threadId: string,
  who: string,
  deed: { category: string; messageId: string },
): void {
  for (const move of moves.get()) if (move.threadId === threadId && isWaiting(move)) dropMove(move.id);
  const move = newMove(whose, threadId, who, deed, "WAITING", false);
  storeMove(move);
  timers.set(
    move.id,
    setTimeout(() => sendMove(move), UNDO_MS),
  );
}

export function undo({ id, workspaceId, userId, threadId, who, deed, state }: Move): void {
  dropMove(id);
  if (state === "WAITING" || !("flag" in deed)) return;
  mark({ workspaceId, userId }, threadId, who, OPPOSITE[deed.flag], true);
}

/** The newest decision that can still be undone. */
export function undoable(all: readonly Move[]): Move | undefined {
  return all.findLast(
    ({ isQuiet, state, deed }) => !isQuiet && (state === "WAITING" || ("flag" in deed && state !== "REFUSED")),
  );
}

export function tryAgain(move: Move): void {
  sendMove(move);
}

export function dropMove(id: string): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  storeMoves(moves.get().filter((move) => move.id !== id));
}

/** Sends the waiting decisions immediately, for example when the person leaves the page. */
export function flush(keepalive = false): void {
  for (const move of moves.get()) if (isWaiting(move)) sendMove(move, keepalive);
}

/**
 * Sends categories that this person could not send in an earlier visit. A category that another tab may still undo is
 * checked again after its undo time.
 */
export function resumeKept(whose: Whose): void {
  const ownIds = new Set(moves.get().map(({ id }) => id));
  const { workspaceId, userId } = whose;
  const left = readMoves().filter(
    (move) => !ownIds.has(move.id) && move.workspaceId === workspaceId && move.userId === userId,
  );
  const isOld = ({ at }: Move) => Date.now() - at > UNDO_MS;
  for (const move of left.filter(isOld)) {
    storeMove({ ...move, state: "SENDING", refusal: null, isQuiet: true });
    sendMove(move);
  }
  if (!left.every(isOld)) setTimeout(() => resumeKept(whose), UNDO_MS);
}

/** A conversation as it will be once the server has stored the decisions. */
export function withDecisions<T extends Pick<Thread, "id" | "isArchived" | "isRead" | "isStarred" | "category">>(
  thread: T,
  all: readonly Move[],
): T {
  const mine = all.filter(({ threadId, state }) => threadId === thread.id && state !== "DONE" && state !== "REFUSED");
  return Object.assign(
    { ...thread },
    ...mine.map(({ deed }) => ("flag" in deed ? AFTER[deed.flag] : { category: deed.category })),
  );
}

const AFTER: Record<Flag, Partial<Thread>> = {
  archive: { isArchived: true },
  unarchive: { isArchived: false },
  markRead: { isRead: true },
  markUnread: { isRead: false },
  star: { isStarred: true },
  unstar: { isStarred: false },
};

function newMove(
  whose: Whose,
  threadId: string,
  who: string,
  deed: Deed,
  state: Move["state"],
  isQuiet: boolean,
): Move {
  return { id: newKey(), ...whose, threadId, who, deed, state, refusal: null, isQuiet, at: Date.now() };
}

function isWaiting({ state }: Move): boolean {
  return state === "WAITING";
}

function storeMove(move: Move): void {
  storeMoves([...moves.get().filter(({ id }) => id !== move.id), move]);
}

/**
 * Sends decisions one after another, so that the last decision about a conversation arrives last. When the page closes,
 * it sends them all immediately.
 */
function sendMove(move: Move, keepalive = false): void {
  clearTimeout(timers.get(move.id));
  change(move.id, { state: "SENDING", refusal: null });
  const go = () => deliver(move, keepalive);
  if (keepalive) void go();
  else chain = chain.then(go);
}

async function deliver({ id, workspaceId, threadId, deed }: Move, keepalive: boolean): Promise<void> {
  const how = { workspaceId, key: id, keepalive };
  try {
    if ("flag" in deed) await call("post /inbox/threads/manage", { action: deed.flag, threadIds: [threadId] }, how);
    else await call("post /inbox/messages/:messageId/category", deed, how);
    await renew();
    change(id, { state: "DONE" });
    if (!timers.has(`forget ${id}`)) dropMove(id);
  } catch (err) {
    const refusal = refusalOf(err);
    if (refusal.status === 401) noteSessionEnded();
    change(id, { state: "REFUSED", refusal });
  }
}

/** Removes a decision after its undo time, unless it has not reached the server. */
function forgetLater(id: string): void {
  const name = `forget ${id}`;
  const timer = setTimeout(() => {
    timers.delete(name);
    const move = moves.get().find((one) => one.id === id);
    if (move?.state === "DONE") dropMove(id);
  }, UNDO_MS);
  timers.set(name, timer);
}

function change(id: string, to: Partial<Move>): void {
  storeMoves(moves.get().map((move) => (move.id === id ? { ...move, ...to } : move)));
}

/**
 * Stores the decisions. Categories are also stored in the browser until they have arrived, so that a crash loses none.
 */
function storeMoves(next: readonly Move[]): void {
  moves.set(next);
  const mine = next.filter(({ deed, state }) => !("flag" in deed) && state !== "DONE");
  const ids = new Set(next.map(({ id }) => id));
  const others = readMoves().filter(({ id }) => !ids.has(id) && !written.has(id));
  for (const { id } of mine) written.add(id);
  keep(PLACE, JSON.stringify([...others, ...mine.map((move) => ({ ...move, refusal: null }))]));
}

/** The ids that this page stored in the browser. Other entries there belong to another tab or an earlier visit. */
const written = new Set<string>();

function readMoves(): Move[] {
  try {
    const entries: unknown = JSON.parse(readKept(PLACE) ?? "[]");
    return Array.isArray(entries) ? entries : [];
  } catch {
    return [];
  }
}
