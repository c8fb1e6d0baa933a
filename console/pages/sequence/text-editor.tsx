import { type RefObject, useId, useRef, useState } from "react";
import { useCall } from "../../api/query.ts";
import { Given } from "../../kit/given.tsx";
import { keepFocus } from "../../kit/keep-focus.ts";
import { Menu } from "../../kit/menu.tsx";
import { say } from "../../kit/toast.tsx";
import { insertWords, editorWords as says } from "../../words/en/sequence-editor.ts";
import { formatBytes } from "../../words/format-bytes.ts";
import type { Template } from "../templates/reads.ts";
import { type Step, type Variant, withPresentIds } from "./draft.ts";
import { changeVariant, takeTextBack } from "./edits.ts";
import { InsertTemplate } from "./insert-template.tsx";
import type { Editing } from "./use-draft.ts";

interface TextEditorProps {
  editing: Editing;
  step: Step;
  variant: Variant;
}

type TextField = HTMLInputElement | HTMLTextAreaElement;

/** The subject and the body of one variant, with a list of variables to insert. */
export function TextEditor({ editing: { change, latest, undoable }, step, variant }: TextEditorProps) {
  const { order, variants } = step;
  const subjectId = useId();
  const bodyId = useId();
  const { variantId, subject, bodyHtml, bodyText, attachments } = variant;
  const [format, setFormat] = useState<"html" | "text">(bodyHtml === null ? "text" : "html");
  const body = useRef<HTMLTextAreaElement>(null);
  /** The field that had the focus last, into which a variable goes. */
  const last = useRef<TextField | null>(null);
  const note = ({ currentTarget }: { currentTarget: TextField }) => {
    last.current = currentTarget;
  };
  const set = (text: Partial<Variant>) => change((steps) => changeVariant(steps, variantId, text));
  const insert = (template: Template) => {
    const at = variants.indexOf(variant);
    const { bodyHtml: html, bodyText: text } = template;
    const inserted = { subject: template.subject ?? subject, bodyHtml: html, bodyText: text };
    set(inserted);
    setFormat(template.bodyHtml === null ? "text" : "html");
    undoable(insertWords.inserted(template.name), () => {
      const now = latest();
      const id = withPresentIds(now, [step])[0]?.variants[at]?.variantId ?? variantId;
      const back = takeTextBack(now.steps, id, inserted, { subject, bodyHtml, bodyText });
      if (back === null) return say(insertWords.changedSince);
      setFormat(format);
      change(() => back);
    });
  };
  return (
    <>
      <div className="field">
        <label htmlFor={subjectId}>{says.subject}</label>
        <input
          id={subjectId}
          dir="auto"
          autoComplete="off"
          value={subject ?? ""}
          onFocus={note}
          onChange={({ currentTarget: { value } }) => set({ subject: value })}
          aria-describedby={order > 1 ? `${subjectId}-hint` : undefined}
        />
        {order > 1 && <small id={`${subjectId}-hint`}>{says.subjectHint}</small>}
      </div>
      <div className="editor-tools">
        <fieldset className="chips">
          <legend className="hidden">{says.bodyFormat}</legend>
          {FORMATS.map((one) => (
            <button key={one} type="button" aria-pressed={format === one} onClick={() => setFormat(one)}>
              {says[one]}
            </button>
          ))}
        </fieldset>
        <span className="buttons">
          <InsertTemplate variant={variant} onInsert={insert} />
          <VariableList
            onPick={(token) => insertText(last.current?.isConnected ? last.current : body.current, token)}
          />
        </span>
      </div>
      <div className="field">
        <label htmlFor={bodyId}>{says.body}</label>
        <textarea
          key={format}
          ref={body}
          id={bodyId}
          className="source"
          dir="auto"
          rows={12}
          spellCheck={format === "text"}
          value={(format === "html" ? bodyHtml : bodyText) ?? ""}
          onFocus={note}
          onChange={({ currentTarget: { value } }) =>
            set(format === "html" ? { bodyHtml: value } : { bodyText: value })
          }
          aria-describedby={`${bodyId}-hint`}
        />
        <small id={`${bodyId}-hint`}>
          {format === "html" ? says.htmlHint : says.textHint} {says.spintaxHint}
        </small>
      </div>
      {attachments.length > 0 && (
        <>
          <h3>{says.files}</h3>
          <ul className="plain">
            {attachments.map((file) => (
              <li key={file.id}>
                <Given>{file.fileName}</Given> <span className="fine">{formatBytes(file.size)}</span>{" "}
                <button
                  type="button"
                  className="quiet"
                  onClick={({ currentTarget }) =>
                    keepFocus(currentTarget, "section", () =>
                      set({ attachments: attachments.filter(({ id }) => id !== file.id) }),
                    )
                  }
                >
                  {says.removeFile(file.fileName)}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

const FORMATS = ["html", "text"] as const;

function VariableList({ onPick }: { onPick: (token: string) => void }) {
  const { data = [] } = useCall("get /custom-fields/variables", {});
  const items = data.map(({ label, token }) => ({ name: `${label} ${token}`, run: () => onPick(token) }));
  return <Menu label={says.insert} items={items} />;
}

/** Inserts at the caret as if it was typed, so that the browser's undo takes it back. */
function insertText(field: RefObject<TextField>["current"] | null, token: string): void {
  if (field === null) return;
  field.focus();
  if (document.execCommand("insertText", false, token)) return;
  field.setRangeText(token, field.selectionStart ?? 0, field.selectionEnd ?? 0, "end");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}
