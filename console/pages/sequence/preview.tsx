import { lazy, Suspense, useState } from "react";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Given } from "../../kit/given.tsx";
import { Looking } from "../../kit/looking.tsx";
import { MailFrame } from "../../kit/mail-frame.tsx";
import { editorWords, previewWords as says, testSendWords } from "../../words/en/sequence-editor.ts";
import { keyOf, type Step, type Variant } from "./draft.ts";
import { ReaderPicker, useReader } from "./reader.tsx";
import type { Editing } from "./use-draft.ts";
import { type Asked, type Previewed, usePreview } from "./use-preview.ts";

const TestSend = lazy(async () => ({ default: (await import("./test-send.tsx")).TestSend }));

interface PreviewProps {
  campaignId: string;
  editing: Editing;
  step: Step;
  variant: Variant;
}

/** The email as one lead would read it, a moment after the last key. */
export function Preview({ campaignId, editing, step, variant }: PreviewProps) {
  const may = useMay();
  const [reader, setReader] = useReader(campaignId);
  const [isText, setText] = useState(false);
  const [isNarrow, setNarrow] = useState(false);
  const [isTesting, setTesting] = useState(false);
  const { draft } = editing;
  return (
    <section className="step preview" aria-labelledby="preview">
      <h2 id="preview">{says.title}</h2>
      <ReaderPicker campaignId={campaignId} reader={reader} onPick={setReader} />
      <fieldset className="chips">
        <legend className="hidden">{says.parts}</legend>
        <button type="button" aria-pressed={!isText} onClick={() => setText(false)}>
          {says.html}
        </button>
        <button type="button" aria-pressed={isText} onClick={() => setText(true)}>
          {says.text}
        </button>
        <button type="button" aria-pressed={isNarrow} onClick={() => setNarrow(!isNarrow)}>
          {says.phone}
        </button>
      </fieldset>
      <Rendering
        // The email of another variant or lead is never shown, not even while this one is being rendered
        key={`${keyOf(draft, variant.variantId)} ${reader?.leadId}`}
        campaignId={campaignId}
        base={draft.base}
        step={step}
        variant={variant}
        leadId={reader?.leadId}
        isText={isText}
        isNarrow={isNarrow}
      />
      {may("campaigns:launch") && (
        <div className="buttons start">
          <button type="button" onClick={() => setTesting(true)}>
            {testSendWords.open}
          </button>
        </div>
      )}
      {isTesting && (
        <Suspense fallback={null}>
          <TestSend
            campaignId={campaignId}
            editing={editing}
            step={step}
            variant={variant}
            reader={reader}
            onClose={() => setTesting(false)}
          />
        </Suspense>
      )}
    </section>
  );
}

interface RenderingProps extends Asked {
  isText: boolean;
  isNarrow: boolean;
}

function Rendering({ isText, isNarrow, ...asked }: RenderingProps) {
  const { shown, refusal } = usePreview(asked);
  if (shown === null) return refusal === null ? <Looking isLooking={true} /> : <RefusalAlert refusal={refusal} />;
  const continues = asked.step.threadMode === "SAME_THREAD";
  return (
    <>
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      <Rendered shown={shown} isText={isText} isNarrow={isNarrow} continues={continues} />
    </>
  );
}

interface RenderedProps {
  shown: Previewed;
  isText: boolean;
  isNarrow: boolean;
  /** Whether a blank subject continues the thread of the email before. */
  continues: boolean;
}

function Rendered({ shown, isText, isNarrow, continues }: RenderedProps) {
  const { subject, html, text, mailboxEmail, missingVariables, lacking, lookedAt, warnings, contentScore } = shown;
  const words = text.split(/\s+/).filter((word) => word !== "").length;
  return (
    <>
      <p className="fine">{mailboxEmail === null ? says.noMailbox : <Given>{says.from(mailboxEmail)}</Given>}</p>
      <p className="headline">
        <Given>{subject === "" ? (continues ? editorWords.noSubject : says.noSubject) : subject}</Given>
      </p>
      <div className={isNarrow ? "mail phone-width" : "mail"}>
        {html === null || isText ? (
          <p className="text" dir="auto">
            {text}
          </p>
        ) : (
          <MailFrame title={says.frame} html={html} quoted={says.quoted} hasImages={false} />
        )}
      </div>
      <p className="fine">{says.length(words, [...text].length)}</p>
      {missingVariables.length > 0 && (
        <div className="alert attention" role="note">
          <p>{says.missing(missingVariables.join(", "))}</p>
        </div>
      )}
      {lookedAt > 0 && (
        <>
          <h3>{says.lackingTitle}</h3>
          {lacking.length === 0 ? (
            <p className="fine">{says.noneLacking(lookedAt)}</p>
          ) : (
            <>
              <p className="fine">{says.lackingText(lookedAt)}</p>
              <ul className="plain">
                {lacking.map(({ name, count }) => (
                  <li key={name}>{says.lacking(name, count, lookedAt)}</li>
                ))}
              </ul>
            </>
          )}
        </>
      )}
      {warnings.length > 0 && (
        <>
          <h3>{says.warnings}</h3>
          <ul className="plain">
            {warnings.map(({ code, message }) => (
              <li key={`${code} ${message}`}>{message}</li>
            ))}
          </ul>
        </>
      )}
      {contentScore !== null && (
        <p className="fine">{says.score(contentScore.score.toFixed(1), contentScore.required.toFixed(1))}</p>
      )}
    </>
  );
}
