import { useCallback, useState } from "react";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Combobox } from "../../kit/combobox.tsx";
import { Given } from "../../kit/given.tsx";
import { MailFrame } from "../../kit/mail-frame.tsx";
import { editorWords, previewWords as says, testSendWords } from "../../words/en/sequence-editor.ts";
import type { Step, Variant } from "./draft.ts";
import { TestSend } from "./test-send.tsx";
import type { Editing } from "./use-draft.ts";
import { type Previewed, type Reader, usePreview } from "./use-preview.ts";

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
  const { shown, refusal } = usePreview({
    campaignId,
    base: editing.draft.base,
    step,
    variant,
    leadId: reader?.leadId,
  });
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
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      {shown !== null && (
        <Rendered shown={shown} isText={isText} isNarrow={isNarrow} continues={step.threadMode === "SAME_THREAD"} />
      )}
      {may("campaigns:launch") && (
        <div className="buttons start">
          <button type="button" onClick={() => setTesting(true)}>
            {testSendWords.open}
          </button>
        </div>
      )}
      {isTesting && (
        <TestSend
          campaignId={campaignId}
          editing={editing}
          step={step}
          variant={variant}
          reader={reader}
          onClose={() => setTesting(false)}
        />
      )}
    </section>
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

const OFFERED = 10;
const STEPPED = 50;

/** The lead of the preview: the first recipient of the campaign until a person picks another one, else an example. */
function useReader(campaignId: string): [Reader | null, (reader: Reader | null) => void] {
  const [picked, setPicked] = useState<Reader | null | undefined>(undefined);
  const { data } = useRecipients(campaignId);
  const [first] = data?.items ?? [];
  const usual = first === undefined ? null : { leadId: first.leadId, email: first.email };
  return [picked === undefined ? usual : picked, setPicked];
}

function useRecipients(campaignId: string) {
  return useCall("get /campaigns/:campaignId/recipients", { campaignId, pageSize: STEPPED });
}

interface ReaderPickerProps {
  campaignId: string;
  reader: Reader | null;
  onPick: (reader: Reader | null) => void;
}

function ReaderPicker({ campaignId, reader, onPick }: ReaderPickerProps) {
  const [search, setSearch] = useState("");
  const found = useCall("get /leads", { search, pageSize: OFFERED }, { isOff: search === "" });
  const recipients = useRecipients(campaignId).data?.items ?? [];
  const at = recipients.findIndex(({ leadId }) => leadId === reader?.leadId);
  const step = (by: number) => {
    const next = recipients[at + by];
    if (next !== undefined) onPick({ leadId: next.leadId, email: next.email });
  };
  const options = search === "" ? [] : (found.data?.items.map(({ id, email }) => ({ value: id, text: email })) ?? null);
  const begin = useCallback((words: string) => setSearch(words.trim().slice(0, 100)), []);
  return (
    <div className="reader">
      <p>
        <Given>{says.lead(reader?.email ?? says.example)}</Given>
      </p>
      <span className="buttons">
        <button
          type="button"
          className="square"
          aria-label={says.previous}
          aria-disabled={at <= 0}
          onClick={() => step(-1)}
        >
          ‹
        </button>
        <button
          type="button"
          className="square"
          aria-label={says.next}
          aria-disabled={at >= recipients.length - 1}
          onClick={() => step(1)}
        >
          ›
        </button>
        {reader !== null && (
          <button type="button" className="quiet" onClick={() => onPick(null)}>
            {says.useExample}
          </button>
        )}
      </span>
      <Combobox
        label={says.search}
        options={options}
        onSearch={begin}
        onPick={({ value, text }) => onPick({ leadId: value, email: text })}
      />
    </div>
  );
}
