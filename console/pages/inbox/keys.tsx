import { useEffect, useRef, useState } from "react";
import { signalOf, useSignal } from "../../api/signal.ts";
import { keep, readKept } from "../../frame/kept.ts";
import { Modal } from "../../kit/modal.tsx";
import { inboxWords } from "../../words/en/inbox.ts";
import { words } from "../../words/en.ts";

const PLACE = "outreach-single-keys";
/** Whether single-key shortcuts are on; stored in this browser. */
const areOn = signalOf(readKept(PLACE) !== "off");

/**
 * Handles the single-key shortcuts of a page. Keys are ignored with a modifier, while a person types or selects, and
 * while a dialog or menu is open.
 */
export function useKeys(deeds: Readonly<Record<string, () => void>>): void {
  const isOn = useSignal(areOn);
  const known = useRef(deeds);
  known.current = deeds;
  useEffect(() => {
    if (!isOn) return;
    const press = (event: KeyboardEvent) => {
      const deed = known.current[event.key];
      if (
        deed === undefined ||
        event.defaultPrevented ||
        event.ctrlKey ||
        event.metaKey ||
        event.altKey ||
        event.isComposing
      )
        return;
      if (isTyping(event.target) || document.querySelector("dialog[open], [popover]:popover-open") !== null) return;
      event.preventDefault();
      deed();
    };
    addEventListener("keydown", press);
    return () => removeEventListener("keydown", press);
  }, [isOn]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

/** The list of keyboard shortcuts, with a switch that turns all of them off. `?` opens it too. */
export function KeyList({ isOpen, onOpen, onClose }: { isOpen: boolean; onOpen: () => void; onClose: () => void }) {
  const says = inboxWords.keys;
  const isOn = useSignal(areOn);
  const [id] = useState("single-keys");
  const turn = (next: boolean) => {
    areOn.set(next);
    keep(PLACE, next ? "on" : "off");
  };
  return (
    <>
      <button type="button" onClick={onOpen}>
        {says.open}
      </button>
      {isOpen && (
        <Modal title={says.title} onClose={onClose}>
          <p className="tick">
            <input
              id={id}
              type="checkbox"
              checked={isOn}
              aria-describedby={`${id}-hint`}
              onChange={(event) => turn(event.currentTarget.checked)}
            />
            <label htmlFor={id}>{says.switch}</label>
          </p>
          <p id={`${id}-hint`} className="fine">
            {says.hint}
          </p>
          <table>
            <thead>
              <tr>
                <th scope="col">{says.key}</th>
                <th scope="col">{says.does}</th>
              </tr>
            </thead>
            <tbody>
              {says.lines.map(([key, does]) => (
                <tr key={key}>
                  <th scope="row">
                    <kbd>{key}</kbd>
                  </th>
                  <td>{does}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <div className="buttons">
            <button type="button" onClick={onClose}>
              {words.close}
            </button>
          </div>
        </Modal>
      )}
    </>
  );
}
