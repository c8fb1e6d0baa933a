import { type FormEvent, type ReactNode, useEffect, useId, useRef } from "react";
import type { Refusal } from "../api/refusal.ts";
import { words } from "../words/en.ts";
import { ActText } from "./act-text.tsx";
import { RefusalAlert } from "./alert.tsx";

interface ModalProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
  isWide?: boolean;
}

/** A dialog above everything. The browser keeps the focus in it, Esc closes it, and the focus goes back to where it was. */
export function Modal({ title, onClose, children, isWide = false }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const { current } = dialog;
    if (current === null || current.open) return;
    const before = document.activeElement;
    current.showModal();
    return () => {
      current.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, []);
  return (
    <dialog ref={dialog} className={isWide ? "wide" : ""} aria-labelledby={id} onCancel={prevented(onClose)}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}

/** The page decides whether the dialog is there, so the browser does not close it by itself. */
function prevented(then: () => void) {
  return (event: { preventDefault(): void }): void => {
    event.preventDefault();
    then();
  };
}

interface ConfirmProps {
  title: string;
  /** What exactly happens: never "are you sure?". */
  effect: ReactNode;
  /** What the button does, as a verb. */
  act: string;
  isDangerous?: boolean;
  isRunning?: boolean;
  /** Keeps the button from being pressed, such as while the effect is being worked out. */
  isBlocked?: boolean;
  refusal?: Refusal | null;
  onAct: () => void;
  onClose: () => void;
  isWide?: boolean;
}

/** Shows the effect first, then does only that. Enter does nothing by accident: the focus begins on the way out. */
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
