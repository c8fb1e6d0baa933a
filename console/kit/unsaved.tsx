import { useBlocker } from "@tanstack/react-router";
import { createContext, type RefObject, useContext, useEffect, useRef, useState } from "react";
import type { Refusal } from "../api/refusal.ts";
import { formWords } from "../words/en/form.ts";

/** Asks before a form is left; false if there is nothing to ask about. */
type Asks = (leave: () => void) => boolean;

/** The question that a dialog asks before it closes; the form in it sets it. */
export const AsksBefore = createContext<RefObject<Asks | null>>({ current: null });

interface Question {
  onStay: () => void;
  onLeave: () => void;
  /** Stays in the form, which loses nothing. */
  safe: RefObject<HTMLButtonElement | null>;
}

interface Unsaved {
  /** The open question: what would be lost, and the two choices. */
  question: Question | null;
  /** Leaves, or asks first. */
  leave(then: () => void): void;
  /** A person typed something. */
  note(): void;
  /** The current input of the form goes to the server. */
  sent(): void;
}

/**
 * Every way of leaving a form with unsaved input asks first: Esc and Cancel of its dialog, a link, the history, closing
 * the tab. Sent input counts as saved, unless the server refused it.
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
    // The open row is part of the page and closes when another row opens; filters and pages of a list are not part of
    // the form
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

/** Appears in the form that would be lost. The focus is on the choice that loses nothing. */
export function UnsavedQuestion({ onStay, onLeave, safe }: Question) {
  return (
    <div className="alert attention unsaved" role="alert">
      <p>{formWords.unsaved}</p>
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
