import { useCallback, useEffect, useRef } from "react";
import { signalOf, useSignal } from "../api/signal.ts";
import { words } from "../words/en.ts";
import { keepFocus } from "./keep-focus.ts";

/** What a message of success offers: taking the action back. */
interface Undo {
  name: string;
  run: () => void;
}

interface Toast {
  id: number;
  text: string;
  undo: Undo | undefined;
}

const SHOWN_MS = 8_000;
const MOST = 4;
const toasts = signalOf<readonly Toast[]>([]);
let last = 0;

/** Shows a message that an action succeeded. Errors are shown where they happened, not here. */
export function say(text: string, undo?: Undo): void {
  last++;
  toasts.set([...toasts.get(), { id: last, text, undo }].slice(-MOST));
}

/** Messages whose undo changes the state of a component. When the component is removed, they no longer offer it. */
export function useUndoable(name: string): (text: string, run: () => void) => void {
  const runs = useRef(new Set<() => void>());
  useEffect(() => {
    const own = runs.current;
    const isOwn = ({ undo }: Toast) => undo !== undefined && own.has(undo.run);
    return () => toasts.set(toasts.get().map((toast) => (isOwn(toast) ? { ...toast, undo: undefined } : toast)));
  }, []);
  return useCallback(
    (text, run) => {
      runs.current.add(run);
      say(text, { name, run });
    },
    [name],
  );
}

function dismiss(id: number): void {
  toasts.set(toasts.get().filter((toast) => toast.id !== id));
}

export function Toasts() {
  const shown = useSignal(toasts);
  return (
    <div className="toasts" role="status">
      {shown.map((toast) => (
        <ToastLine key={toast.id} {...toast} />
      ))}
    </div>
  );
}

function ToastLine({ id, text, undo }: Toast) {
  const line = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A message stays while the focus is in it, so that the keyboard reaches its buttons in time
    const end = () => line.current?.contains(document.activeElement) || dismiss(id);
    const timer = setInterval(end, SHOWN_MS);
    return () => clearInterval(timer);
  }, [id]);
  return (
    <div ref={line} className="toast">
      {text}
      {undo !== undefined && (
        <button
          type="button"
          className="quiet"
          onClick={({ currentTarget }) =>
            keepFocus(currentTarget, ".toast", () => {
              dismiss(id);
              undo.run();
            })
          }
        >
          {undo.name}
        </button>
      )}
      <button
        type="button"
        className="quiet"
        aria-label={words.dismiss}
        onClick={({ currentTarget }) => keepFocus(currentTarget, ".toast", () => dismiss(id))}
      >
        ×
      </button>
    </div>
  );
}
