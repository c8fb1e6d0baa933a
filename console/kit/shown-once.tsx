import { useId, useRef, useState } from "react";
import { onceWords as says } from "../words/en/shown-once.ts";
import { copyText } from "./copy.tsx";

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
  if (text === undefined) return <p className="wrong">{says.lost}</p>;
  const copy = async () => {
    const isCopied = await copyText(text);
    if (!isCopied) field.current?.focus();
    setTold(isCopied ? says.copied : says.cannotCopy);
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
          {says.copy}
        </button>
        <span role="status">{told}</span>
      </div>
    </div>
  );
}
