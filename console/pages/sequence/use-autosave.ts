import { useBlocker } from "@tanstack/react-router";
import { type ComponentProps, useEffect, useRef, useState } from "react";
import { call, type In } from "../../api/call.ts";
import { newKey } from "../../api/key.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import type { Refusal } from "../../api/refusal.ts";
import { sessionEnded } from "../../api/session.ts";
import { useSignal } from "../../api/signal.ts";
import type { UnsavedQuestion } from "../../kit/unsaved.tsx";
import { dropCopy } from "./copies.ts";
import type { Step } from "./draft.ts";

/** Milliseconds after the last key until the draft of a campaign that has not been launched is saved. */
const AUTOSAVE_MS = 1_000;
/** Milliseconds until a save is tried again while the service does not respond. */
const RETRY_MS = 5_000;

interface Autosave {
  /** Whether there is something to save, and nothing but a refusal speaks against it. */
  isPossible: boolean;
  refusal: Refusal | null;
  /** The steps that the server has refused; null if none. */
  refused: readonly Step[] | null;
  steps: readonly Step[];
  body: In<"put /campaigns/:campaignId/sequence">;
  save: () => Promise<void>;
  /** Where this browser keeps unsaved changes. */
  place: string;
  /** Reads the campaign again. */
  renew: () => void;
}

/** Saves the steps a moment after each change, and immediately when the person leaves the editor. */
export function useAutosave({ isPossible, refusal, refused, steps, body, save, place, renew }: Autosave): void {
  const workspaceId = useWorkspaceId();
  const mayPass = refusal === null || refusal.mayPass || refusal.status === 401;
  const maySave = isPossible && (refused !== steps || mayPass);
  const isRetry = refusal !== null && refused === steps;
  /** A person who leaves the tab within the second before a save loses nothing; the copy stays until it is saved. */
  const flush = () => {
    if (!maySave || refusal !== null) return;
    void call("put /campaigns/:campaignId/sequence", body, { workspaceId, key: newKey() })
      .then(() => dropCopy(place))
      .then(renew, () => {});
  };
  const later = useRef({ save, flush });
  later.current = { save, flush };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key starts the wait anew
  useEffect(() => {
    if (!maySave) return;
    const timer = setTimeout(() => void later.current.save(), isRetry ? RETRY_MS : AUTOSAVE_MS);
    return () => clearTimeout(timer);
  }, [maySave, isRetry, steps]);
  useEffect(() => () => later.current.flush(), []);
}

/**
 * Whether the person of this page is signed in. After the session has ended, that is only known when the page has read
 * again who is signed in. `readAt` is when it last did, in epoch milliseconds.
 */
export function useSamePerson(readAt: number): boolean {
  const isSignedOut = useSignal(sessionEnded);
  const [endedAt, setEndedAt] = useState(0);
  useEffect(() => {
    if (isSignedOut) setEndedAt(Date.now());
  }, [isSignedOut]);
  return !isSignedOut && readAt >= endedAt;
}

export type Leaving = ComponentProps<typeof UnsavedQuestion>;

/** Asks before the editor is left: by a link, by the browser's history, or by closing the tab. */
export function useQuestionBeforeLeaving(isAsked: boolean): Leaving | null {
  const safe = useRef<HTMLButtonElement>(null);
  const { proceed, reset } = useBlocker({
    shouldBlockFn: ({ current, next }) => isAsked && pageOf(current) !== pageOf(next),
    enableBeforeUnload: isAsked,
    withResolver: true,
  });
  return proceed === undefined ? null : { onLeave: proceed, onStay: reset, safe };
}

/** What of an address decides whether the editor is shown. */
function pageOf({ pathname, search }: { pathname: string; search: object }): string {
  const values = new Map(Object.entries(search));
  return JSON.stringify([pathname, values.get("part"), values.get("view"), values.get("version")]);
}
