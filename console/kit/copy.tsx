import { useRef, useState } from "react";
import { copyWords as says } from "../words/en/shown-once.ts";

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
    setSaid(isCopied ? says.copied : says.selected);
  };
  return (
    <div className="copy">
      <textarea ref={field} readOnly rows={1} dir="ltr" spellCheck={false} aria-label={label} value={text} />
      <button type="button" aria-label={says.copyOf(label)} onClick={() => void copy()}>
        {says.copy}
      </button>
      <span className="fine" role="status">
        {said}
      </span>
    </div>
  );
}

/**
 * Copies a text. Returns false if that is impossible: on plain http there is no `navigator.clipboard`, although its
 * type says that there always is.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
