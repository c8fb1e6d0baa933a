import { useEffect } from "react";
import { call, type Out } from "../../api/call.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { type Called, useCall } from "../../api/query.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { noteSessionEnded } from "../../api/session.ts";
import { signalOf, useSignal } from "../../api/signal.ts";
import { useMay } from "../../api/workspace.ts";

type Saved = NonNullable<Out<"get /inbox/threads/:threadId/draft">["draft"]>;

/** The reply that a person types in one conversation. */
interface Typed {
  text: string;
  /** Addresses as they were typed. */
  copies: string;
  /** Who wrote the draft. A draft of the agent counts as the agent's until a person changes it. */
  source: Saved["source"];
  /** TYPED: not on the server yet. */
  state: "TYPED" | "SAVING" | "SAVED";
  savedAt: string | null;
  refusal: Refusal | null;
}

const EMPTY: Typed = { text: "", copies: "", source: "USER", state: "SAVED", savedAt: null, refusal: null };
/** Milliseconds after the last key until a draft is saved, and until a failed save is tried again. */
const [SAVE_MS, AGAIN_MS] = [800, 5_000];

/**
 * The typed replies by conversation. They are kept until the tab is closed, even if the session ends or the network
 * fails.
 */
const typed = signalOf<ReadonlyMap<string, Typed>>(new Map());
const timers = new Map<string, ReturnType<typeof setTimeout>>();
let chain: Promise<unknown> = Promise.resolve();
/** The workspace of each conversation with a typed reply. */
const places = new Map<string, string>();

export interface Draft extends Typed {
  isKnown: boolean;
  read: Called<unknown>;
  type(change: Partial<Pick<Typed, "text" | "copies">>): void;
  /** Deletes the draft here and on the server, because it was sent or discarded. */
  discard(): Promise<void>;
}

/**
 * The draft of a conversation: the text typed here, or else the draft on the server. It is saved a moment after the
 * last key, and when the person leaves.
 */
export function useDraft(threadId: string): Draft {
  const workspaceId = useWorkspaceId();
  const may = useMay()("inbox:write");
  const { now, read, isKnown } = useTyped(threadId);
  useEffect(() => {
    places.set(threadId, workspaceId);
    const leave = () => flush(threadId, true);
    addEventListener("pagehide", leave);
    return () => {
      removeEventListener("pagehide", leave);
      flush(threadId);
      // After a draft was discarded here, another browser or the agent may have begun a new one
      if (typed.get().get(threadId) === EMPTY) typed.set(new Map([...typed.get()].filter(([id]) => id !== threadId)));
    };
  }, [threadId, workspaceId]);
  return {
    ...now,
    isKnown,
    read,
    type: (change) => write(threadId, { ...now, ...change, source: "USER", state: "TYPED", refusal: null }, may),
    discard: async () => {
      await discard(threadId, workspaceId, may);
      read.again();
    },
  };
}

function useTyped(threadId: string) {
  const mine = useSignal(typed).get(threadId);
  const read = useCall("get /inbox/threads/:threadId/draft", { threadId });
  const saved = read.data?.draft ?? null;
  const now = mine ?? (saved === null ? EMPTY : typedOf(saved));
  return { now, read, isKnown: mine !== undefined || read.data !== undefined };
}

/** The text of the open reply box, and a function that adds a paragraph below it. */
export function useReplyText(threadId: string) {
  const may = useMay()("inbox:write");
  const { now, isKnown } = useTyped(threadId);
  const add = (paragraph: string) => {
    const text = now.text.trim() === "" ? paragraph : `${now.text.trimEnd()}\n\n${paragraph}`;
    write(threadId, { ...now, text, source: "USER", state: "TYPED", refusal: null }, may);
  };
  return { text: now.text, isKnown, add };
}

/** Replaces the typed text. */
export function takeIntoReply(threadId: string, text: string): void {
  write(
    threadId,
    { ...(typed.get().get(threadId) ?? EMPTY), text, source: "USER", state: "TYPED", refusal: null },
    true,
  );
}

function typedOf({ text, cc, source, updatedAt }: Saved): Typed {
  return { ...EMPTY, text, copies: cc.join(", "), source, savedAt: String(updatedAt) };
}

/** Splits typed addresses at spaces, commas and semicolons. */
export function copiesOf(text: string): string[] {
  return text.split(/[\s,;]+/).filter((one) => one !== "");
}

function write(threadId: string, next: Typed, isSaved: boolean): void {
  storeDraft(threadId, next);
  if (isSaved) saveIn(threadId, SAVE_MS);
}

function saveIn(threadId: string, ms: number): void {
  clearTimeout(timers.get(threadId));
  timers.set(
    threadId,
    setTimeout(() => save(threadId), ms),
  );
}

/** Saves a draft immediately if it is waiting to be saved. */
function flush(threadId: string, keepalive = false): void {
  if (timers.has(threadId)) save(threadId, keepalive);
}

function save(threadId: string, keepalive = false): void {
  clearTimeout(timers.get(threadId));
  timers.delete(threadId);
  const go = () => deliver(threadId, keepalive);
  if (keepalive) void go();
  else chain = chain.then(go);
}

async function deliver(threadId: string, keepalive: boolean): Promise<void> {
  const now = typed.get().get(threadId);
  const workspaceId = places.get(threadId);
  if (now === undefined || workspaceId === undefined || now.state === "SAVED") return;
  const { text, copies } = now;
  change(threadId, now, { state: "SAVING" });
  try {
    const { draft } = await call(
      "put /inbox/threads/:threadId/draft",
      { threadId, text, cc: copiesOf(copies) },
      { workspaceId, keepalive },
    );
    change(threadId, now, { state: "SAVED", savedAt: draft === null ? null : String(draft.updatedAt), refusal: null });
  } catch (err) {
    const refusal = refusalOf(err);
    if (refusal.status === 401) noteSessionEnded();
    change(threadId, now, { state: "TYPED", refusal });
    if (refusal.mayPass || refusal.status === 401) saveIn(threadId, AGAIN_MS);
  }
}

/** Stores the result of saving a text, unless a newer text has replaced it meanwhile. */
function change(threadId: string, { text, copies }: Typed, to: Partial<Typed>): void {
  const now = typed.get().get(threadId);
  if (now !== undefined && now.text === text && now.copies === copies) storeDraft(threadId, { ...now, ...to });
}

async function discard(threadId: string, workspaceId: string, isSaved: boolean): Promise<void> {
  clearTimeout(timers.get(threadId));
  timers.delete(threadId);
  storeDraft(threadId, EMPTY);
  if (!isSaved) return;
  // Runs after a save that is in progress. If it fails, the draft stays on the server, does no harm there, and can be
  // discarded again
  const go = () => call("delete /inbox/threads/:threadId/draft", { threadId }, { workspaceId }).catch(() => null);
  chain = chain.then(go);
  await chain;
}

function storeDraft(threadId: string, next: Typed): void {
  typed.set(new Map([...typed.get(), [threadId, next]]));
}
