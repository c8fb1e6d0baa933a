import { useEffect, useRef, useState } from "react";
import { sessionEnded } from "../../api/session.ts";
import { useSignal } from "../../api/signal.ts";
import type { Step } from "./draft.ts";

/** Milliseconds after the last key until the draft of a campaign that has not been launched is saved. */
const AUTOSAVE_MS = 1_000;
/** Milliseconds until a save is tried again while the service does not respond. */
const RETRY_MS = 5_000;

interface Autosave {
  maySave: boolean;
  /** Whether the last save of these steps failed. */
  isRetry: boolean;
  steps: readonly Step[];
  save: () => Promise<void>;
  /** Saves what is still waiting when the person leaves the editor. */
  flush: () => void;
}

/** Saves the steps a moment after each change. */
export function useAutosave({ maySave, isRetry, steps, save, flush }: Autosave): void {
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

/** Lets the browser ask before the page is left. */
export function useQuestionBeforeLeaving(isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return;
    const ask = (event: Event) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isAsked]);
}
