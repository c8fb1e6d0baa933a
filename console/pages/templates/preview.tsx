import { useEffect, useState } from "react";
import { call, type Out } from "../../api/call.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Given } from "../../kit/given.tsx";
import { MailFrame } from "../../kit/mail-frame.tsx";
import { templateWords as says } from "../../words/en/templates.ts";

/** The text of a template, as the form has it. */
export interface Content {
  subject: string | null;
  bodyHtml: string | null;
  bodyText: string | null;
}

/** Milliseconds after the last key until the service renders the text. */
const TYPED_MS = 400;

/** The text as a person would read it, with example values, and the variables that it uses. Nothing is saved. */
export function Preview({ content }: { content: Content }) {
  const { shown, refusal } = usePreview(content);
  return (
    <section className="card" aria-label={says.previewOf}>
      <h3>{says.previewOf}</h3>
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      {shown !== undefined && (
        <>
          {content.subject !== null && (
            <p>
              <b>
                <Given>{shown.subject === "" ? says.noSubject : shown.subject}</Given>
              </b>
            </p>
          )}
          {content.bodyHtml !== null && shown.html !== null ? (
            <MailFrame title={says.preview} html={shown.html} quoted={says.quoted} hasImages={false} />
          ) : (
            <pre className="plain">{shown.text}</pre>
          )}
          <p className="fine" role="status">
            {shown.usedVariables.length === 0 ? says.usesNone : says.uses(shown.usedVariables.join(", "))}
          </p>
          {shown.unknownVariables.map(({ name, meant }) => (
            <p key={name} className="mark waits">
              {says.notKnown(name, meant)}
            </p>
          ))}
        </>
      )}
    </section>
  );
}

interface Rendered {
  shown: Out<"post /templates/preview"> | undefined;
  refusal: Refusal | null;
}

/** The last text that could be rendered stays visible while a newer one cannot be. */
function usePreview({ subject, bodyHtml, bodyText }: Content): Rendered {
  const workspaceId = useWorkspaceId();
  const [rendered, setRendered] = useState<Rendered>({ shown: undefined, refusal: null });
  useEffect(() => {
    const { signal, abort } = cancellable();
    const timer = setTimeout(() => {
      call("post /templates/preview", { subject, bodyHtml, bodyText }, { workspaceId, signal }).then(
        (shown) => setRendered({ shown, refusal: null }),
        (err: unknown) => !signal.aborted && setRendered(({ shown }) => ({ shown, refusal: refusalOf(err) })),
      );
    }, TYPED_MS);
    return () => {
      clearTimeout(timer);
      abort();
    };
  }, [subject, bodyHtml, bodyText, workspaceId]);
  return rendered;
}

function cancellable() {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}
