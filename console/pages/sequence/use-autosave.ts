import { useEffect, useRef, useState } from "react";
import { sessionEnded } from "../../api/session.ts";
import { useSignal } from "../../api/signal.ts";
import type { Step } from "./draft.ts";

interface Autosave {
  maySave: boolean;
  /** Milliseconds after the last change until it is saved. */
  waitMs: number;
  steps: readonly Step[];
  save: () => Promise<void>;
  /** Saves what is still waiting when the person leaves the editor. */
  flush: () => void;
}

/** Saves the steps a moment after each change. */
export function useAutosave({ maySave, waitMs, steps, save, flush }: Autosave): void {
  const later = useRef({ save, flush });
  later.current = { save, flush };
  // biome-ignore lint/correctness/useExhaustiveDependencies: each key starts the wait anew
  useEffect(() => {
    if (!maySave) return;
    const timer = setTimeout(() => void later.current.save(), waitMs);
    return () => clearTimeout(timer);
  }, [maySave, waitMs, steps]);
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
