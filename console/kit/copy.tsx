import { useRef, useState } from "react";
import { copyWords as says } from "../words/en/shown-once.ts";

/**
 * A text with a button that copies it. Without a clipboard, as on plain http, the text is selected for copying by
 * keyboard.
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
 * Copies a text; false if that is impossible. The types say that every page has a clipboard, but on plain http there is
 * none.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
