import { useBlocker } from "@tanstack/react-router";
import { createContext, type RefObject, useContext, useEffect, useRef, useState } from "react";
import type { Refusal } from "../api/refusal.ts";
import { formWords } from "../words/en/form.ts";

/** Asks before something is left; false when there is nothing to ask about. */
type Asks = (leave: () => void) => boolean;

/** What a dialog asks before it closes: the form in it sets it. */
export const AsksBefore = createContext<RefObject<Asks | null>>({ current: null });

interface Question {
  onStay: () => void;
  onLeave: () => void;
  /** The way that loses nothing. */
  safe: RefObject<HTMLButtonElement | null>;
}

interface Unsaved {
  /** The question, while it stands: what would be lost, and both ways. */
  question: Question | null;
  /** Goes, or asks first. */
  leave(then: () => void): void;
  /** Something was typed. */
  note(): void;
  /** What the form holds now goes to the server. */
  sent(): void;
}

/**
 * Whatever leaves a form in which something was typed asks first: Esc and Cancel of its dialog, a link, the history,
 * the tab. What was sent counts as saved, unless it was refused.
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
    // It may stand there already
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
    // The open row is a part of the page that goes when another one opens; filters and pages of a list are not
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

/** Stands in the form that would be lost. The focus is on what loses nothing. */
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

/** Everything in the form, to compare; a file by its name and size. */
function formContent(form: HTMLFormElement | null): string {
  if (form === null) return "";
  const fields = [...new FormData(form)].map(([name, value]) => [
    name,
    typeof value === "string" ? value : `${value.name} ${value.size}`,
  ]);
  return JSON.stringify(fields);
}
