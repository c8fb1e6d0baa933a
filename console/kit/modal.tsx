import { type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";
import type { Refusal } from "../api/refusal.ts";
import { words } from "../words/en.ts";
import { RefusalAlert } from "./alert.tsx";
import { AsksBefore } from "./unsaved.tsx";

interface ModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  isWide?: boolean;
  /** A sheet fills the lower part of a phone. */
  isSheet?: boolean;
}

/**
 * A modal dialog. The browser keeps the focus inside it; Esc closes it, and the focus then returns to the element that
 * had it before. If a form in it has unsaved input, closing asks first.
 */
export function Modal({ title, onClose, children, isWide = false, isSheet = false }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const asks = useRef<((leave: () => void) => boolean) | null>(null);
  const id = useId();
  /**
   * On a second Esc in a row, the browser closes the dialog even if the page prevents it, so the dialog is opened
   * again.
   */
  const reopened = () => {
    if (dialog.current === null) return;
    dialog.current.showModal();
    close();
  };
  const close = () => asks.current?.(onClose) || onClose();
  useEffect(() => {
    const { current } = dialog;
    if (current === null || current.open) return;
    const before = document.activeElement;
    current.showModal();
    return () => {
      current.close();
      // If the dialog deleted the record, the button that opened it no longer exists
      const isBack = before instanceof HTMLElement && before.isConnected;
      // The dialog below, which closes at the same time, may have returned the focus already
      const isLost = document.activeElement === null || document.activeElement === document.body;
      const back = isBack ? before : isLost ? document.querySelector("main") : null;
      back?.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      className={isSheet ? "sheet" : isWide ? "wide" : ""}
      aria-labelledby={id}
      onCancel={withoutDefault(close)}
      onClose={reopened}
    >
      <h2 id={id}>{title}</h2>
      <AsksBefore value={asks}>{children}</AsksBefore>
    </dialog>
  );
}

/** The page decides whether the dialog is open, so the browser does not close it by itself. */
function withoutDefault(then: () => void) {
  return (event: { preventDefault(): void }): void => {
    event.preventDefault();
    then();
  };
}

interface ConfirmProps {
  title: string;
  /** Exactly what will happen; never just "Are you sure?". */
  effect: ReactNode;
  /** The label of the button, a verb. */
  act: string;
  isDangerous?: boolean;
  isRunning?: boolean;
  /** Disables the button, for example while the effect is being determined. */
  isBlocked?: boolean;
  refusal?: Refusal | null;
  onAct: () => void;
  onClose: () => void;
  isWide?: boolean;
}

/**
 * Shows the effect of an action and asks for confirmation. The focus begins on Cancel, so that Enter pressed by mistake
 * does nothing.
 */
export function Confirm(props: ConfirmProps) {
  const {
    title,
    effect,
    act,
    isDangerous = false,
    isRunning = false,
    isBlocked = false,
    refusal = null,
    onAct,
    onClose,
    isWide = false,
  } = props;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isRunning && !isBlocked) onAct();
  };
  return (
    <Modal title={title} onClose={onClose} isWide={isWide}>
      <form onSubmit={submit}>
        <div className="effect">{effect}</div>
        {refusal !== null && <RefusalAlert refusal={refusal} />}
        <div className="buttons">
          <button type="button" onClick={onClose}>
            {words.notYet}
          </button>
          <button type="submit" className={isDangerous ? "danger" : "primary"} aria-disabled={isRunning || isBlocked}>
            <ActText act={act} isRunning={isRunning} />
          </button>
        </div>
      </form>
    </Modal>
  );
}

/**
 * The label of a button, or "Working" while it runs. The width stays, so that a double click cannot hit another button.
 */
export function ActText({ act, isRunning }: { act: string; isRunning: boolean }) {
  return (
    <span className="act-text">
      <span hidden={isRunning}>{act}</span>
      <span hidden={!isRunning}>{words.working}</span>
    </span>
  );
}
