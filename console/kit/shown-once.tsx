import { useId, useRef, useState } from "react";
import { onceWords as says } from "../words/en/shown-once.ts";
import { copyText } from "./copy.tsx";

interface ShownOnceProps {
  label: string;
  /** Undefined where the answer that had it never arrived: then that is said. */
  text: string | undefined;
  /** Lines of a text that has several. */
  rows?: number;
}

/**
 * A text that nothing shows again, with a button that copies it. Plain http has no clipboard: then the text is marked
 * for whoever copies it.
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
