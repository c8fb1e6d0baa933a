import { useRef, useState } from "react";
import { copyWords as says } from "../words/en/copy.ts";

/** A text to take elsewhere, with a button that copies it. Without a clipboard, as on plain http, it is selected for the keyboard. */
export function Copy({ label, text }: { label: string; text: string }) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [said, setSaid] = useState("");
  const select = () => {
    field.current?.focus();
    field.current?.select();
    setSaid(says.selected);
  };
  const copy = async () => {
    const clipboard: Clipboard | undefined = navigator.clipboard;
    if (clipboard === undefined) return select();
    await clipboard.writeText(text).then(() => setSaid(says.copied), select);
  };
  return (
    <div className="copy">
      <textarea ref={field} readOnly rows={Math.min(4, Math.ceil(text.length / 60))} aria-label={label} value={text} />
      <button type="button" aria-label={says.copyOf(label)} onClick={() => void copy()}>
        {says.copy}
      </button>
      <span className="fine" role="status">
        {said}
      </span>
    </div>
  );
}
