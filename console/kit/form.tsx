import { type FormEvent, type ReactNode, useEffect, useRef } from "react";
import type { Refusal } from "../api/refusal.ts";
import { words } from "../words/en.ts";
import { RefusalAlert } from "./alert.tsx";
import { ActText } from "./modal.tsx";
import { UnsavedQuestion, useUnsaved } from "./unsaved.tsx";

interface FormProps {
  act: string;
  isRunning: boolean;
  refusal: Refusal | null;
  /** Names of the fields that show their own errors. */
  fields: readonly string[];
  /** Receives the typed values by field name. */
  onSubmit: (values: FormValues) => void;
  onCancel?: () => void;
  /** If true, leaving the form with unsaved input does not ask for confirmation. */
  mayBeLost?: boolean;
  children: ReactNode;
}

export interface FormValues {
  /** The text of a field; empty if nothing was typed. */
  text(name: string): string;
  /** The text of a field; undefined if nothing was typed. */
  given(name: string): string | undefined;
  isTicked(name: string): boolean;
  all(name: string): string[];
}

/**
 * A form. The server validates it; its messages appear beside the fields, and the first invalid field gets the focus.
 */
export function Form({ act, isRunning, refusal, fields, onSubmit, onCancel, mayBeLost = false, children }: FormProps) {
  const form = useRef<HTMLFormElement>(null);
  const unsaved = useUnsaved(form, refusal, mayBeLost);
  useEffect(() => {
    if (refusal !== null) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [refusal]);
  const isBeside =
    refusal !== null &&
    refusal.issues.length > 0 &&
    refusal.issues.every(({ path }) => fields.includes(path.split(".")[0] ?? ""));
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (isRunning) return;
    unsaved.sent();
    onSubmit(valuesOf(new FormData(event.currentTarget)));
  };
  return (
    <form ref={form} onSubmit={submit} onInput={unsaved.note}>
      {refusal !== null && !isBeside && <RefusalAlert refusal={refusal} />}
      {children}
      {unsaved.question !== null && <UnsavedQuestion {...unsaved.question} />}
      <div className="buttons">
        {onCancel !== undefined && (
          <button type="button" onClick={() => unsaved.leave(onCancel)}>
            {words.cancel}
          </button>
        )}
        <button type="submit" className="primary" aria-disabled={isRunning}>
          <ActText act={act} isRunning={isRunning} />
        </button>
      </div>
    </form>
  );
}

function valuesOf(data: FormData): FormValues {
  const text = (name: string) => {
    const value = data.get(name);
    return typeof value === "string" ? value : "";
  };
  return {
    text,
    given: (name) => (text(name) === "" ? undefined : text(name)),
    isTicked: (name) => data.has(name),
    all: (name) => data.getAll(name).filter((value) => typeof value === "string"),
  };
}
