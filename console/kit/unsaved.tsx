import { useBlocker } from "@tanstack/react-router";
import { createContext, type RefObject, useContext, useEffect, useRef, useState } from "react";
import type { Refusal } from "../api/refusal.ts";
import { formWords } from "../words/en/form.ts";

/** Asks before a form is left. Returns false if no question is needed. */
type Asks = (leave: () => void) => boolean;

/** Called by a dialog before it closes; a form inside the dialog sets it. */
export const AsksBefore = createContext<RefObject<Asks | null>>({ current: null });

interface Question {
  onStay: () => void;
  onLeave: () => void;
  /** The button that stays in the form, so that nothing is lost. */
  safe: RefObject<HTMLButtonElement | null>;
}

interface Unsaved {
  /** The question that is shown; null if none. */
  question: Question | null;
  /** Leaves the form, after asking if it has unsaved input. */
  leave(then: () => void): void;
  /** Must be called when a person types something. */
  note(): void;
  /** Must be called when the form's input is sent to the server. */
  sent(): void;
}

/**
 * Asks before a form with unsaved input is left in any way: Esc and Cancel of its dialog, a link, the browser's
 * history, closing the tab. Input that was sent counts as saved, unless the server refused it.
 */
export function useUnsaved(
  form: RefObject<HTMLFormElement | null>,
  refusal: Refusal | null,
  mayBeLost: boolean,
): Unsaved {
  const saved = useRef({ now: "", before: "" });
  const wasTyped = useRef(false);
  const [leaving, setLeaving] = useState<(() => void) | null>(null);
  const safe = useRef<HTMLButtonElement>(null);
  const dialog = useContext(AsksBefore);
  useEffect(() => {
    saved.current.now = formContent(form.current);
  }, [form]);
  useEffect(() => {
    if (refusal !== null) saved.current.now = saved.current.before;
  }, [refusal]);
  const isUnsaved = () => !mayBeLost && wasTyped.current && formContent(form.current) !== saved.current.now;
  const asks = useRef<Asks>(() => false);
  asks.current = (leave) => {
    if (!isUnsaved()) return false;
    setLeaving(() => leave);
    // The question may be open already
    safe.current?.focus();
    return true;
  };
  useEffect(() => {
    dialog.current = (leave) => asks.current(leave);
    return () => {
      dialog.current = null;
    };
  }, [dialog]);
  const blocked = useBlocker({
    // Opening another row would close the form, so a change of the open row asks; a change of filters or pages does not
    shouldBlockFn: ({ current, next }) =>
      isUnsaved() && (current.pathname !== next.pathname || openOf(current) !== openOf(next)),
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  const stay = () => {
    setLeaving(null);
    blocked.reset?.();
  };
  const leaveNow = leaving ?? blocked.proceed ?? null;
  return {
    question: leaveNow === null ? null : { onStay: stay, onLeave: leaveNow, safe },
    leave: (then) => asks.current(then) || then(),
    note: () => {
      wasTyped.current = true;
    },
    sent: () => {
      saved.current = { now: formContent(form.current), before: saved.current.now };
    },
  };
}

/**
 * Asks before a page is left on which work would be lost: by a link, the browser's history, or closing the tab. Returns
 * the question that is shown; null if none. `isLostOnClose` decides for closing the tab, which also stops what is being
 * sent.
 */
export function useLeaveQuestion(isLost: () => boolean, isLostOnClose = isLost): Question | null {
  const safe = useRef<HTMLButtonElement>(null);
  const blocked = useBlocker({
    shouldBlockFn: ({ current, next }) => isLost() && current.pathname !== next.pathname,
    enableBeforeUnload: isLostOnClose,
    withResolver: true,
  });
  if (blocked.status !== "blocked") return null;
  return { onStay: blocked.reset, onLeave: blocked.proceed, safe };
}

/** The question, shown inside the form. The focus is on the button that keeps the input. */
export function UnsavedQuestion({ text = formWords.unsaved, onStay, onLeave, safe }: Question & { text?: string }) {
  return (
    <div className="alert attention unsaved" role="alert">
      <p>{text}</p>
      <div className="buttons">
        <button type="button" className="danger" onClick={onLeave}>
          {formWords.leave}
        </button>
        {/* biome-ignore lint/a11y/noAutofocus: the question came from a key or a link elsewhere on the page, which did not happen */}
        <button ref={safe} type="button" className="primary" autoFocus onClick={onStay}>
          {formWords.stay}
        </button>
      </div>
    </div>
  );
}

function openOf({ search }: { search: object }): unknown {
  return new Map(Object.entries(search)).get("open");
}

/** All values of the form, for comparison; a file by its name and size. */
function formContent(form: HTMLFormElement | null): string {
  if (form === null) return "";
  const fields = [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === "string" ? value : `${value.name} ${value.size}`,
  ]);
  return JSON.stringify(fields);
}
