import { useId, useRef, useState } from "react";
import { copyWords, onceWords } from "../words/en/shown-once.ts";

/**
 * A text with a button that copies it. If the page cannot access the clipboard, as on plain http, the text is selected
 * instead.
 */
export function Copy({ label, text }: { label: string; text: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [said, setSaid] = useState("");
  const copy = async () => {
    const isCopied = await copyText(text);
    if (!isCopied) field.current?.focus();
    if (!isCopied) field.current?.select();
    setSaid(isCopied ? copyWords.copied : copyWords.selected);
  };
  return (
    <div className="copy">
      <textarea ref={field} readOnly rows={1} dir="ltr" spellCheck={false} aria-label={label} value={text} />
      <button type="button" aria-label={copyWords.copyOf(label)} onClick={() => void copy()}>
        {copyWords.copy}
      </button>
      <span className="fine" role="status">
        {said}
      </span>
    </div>
  );
}

interface ShownOnceProps {
  label: string;
  /** Undefined if the answer with the text never arrived; the page then says so. */
  text: string | undefined;
  /** The number of lines of a text that has several. */
  rows?: number;
}

/**
 * A text that is shown only once, with a button that copies it. Without access to the clipboard, as on plain http, the
 * text is selected instead.
 */
export function ShownOnce({ label, text, rows = 2 }: ShownOnceProps) {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [told, setTold] = useState("");
  if (text === undefined) return <p className="wrong">{onceWords.lost}</p>;
  const copy = async () => {
    const isCopied = await copyText(text);
    if (!isCopied) field.current?.focus();
    setTold(isCopied ? onceWords.copied : onceWords.cannotCopy);
  };
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <textarea
        ref={field}
        id={id}
        className="once"
        rows={rows}
        readOnly
        dir="ltr"
        spellCheck={false}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <div className="chips">
        <button type="button" onClick={() => void copy()}>
          {onceWords.copy}
        </button>
        <span role="status">{told}</span>
      </div>
    </div>
  );
}

/**
 * Copies a text. Returns false if that is impossible: on plain http there is no `navigator.clipboard`, although its
 * type says that there always is.
 */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
