import { useState } from "react";
import { Given } from "../../kit/given.tsx";
import { MailFrame } from "../../kit/mail-frame.tsx";
import { variantWords as says } from "../../words/en/sequence.ts";
import { formatShare } from "../../words/format.ts";
import { formatBytes } from "../../words/format-bytes.ts";
import { Opens } from "./opens.tsx";
import type { Step } from "./reads.ts";

type Variant = Step["variants"][number];

interface VariantShownProps {
  step: Step;
  variant: Variant;
  /** Its share of the recipients, 0 to 1; null while unknown. */
  share: number | null;
  isOpen: boolean;
  /** The campaign version that the variant is from; undefined for the current one. */
  version: number | undefined;
}

/** One variant of an email as it was written, with variables not filled in. */
export function VariantShown({ step, variant, share, isOpen, version }: VariantShownProps) {
  const { variantId, label, subject, enabled, attachments } = variant;
  const { winner, order } = step;
  const isWinner = winner["mode"] === "AUTO" && winner["winnerVariantId"] === variantId && enabled;
  const summary = (isOpened: boolean) => (
    <>
      <Given>{says.name(label)}</Given>
      {share !== null && enabled && <span className="fine"> {says.share(formatShare(share))}</span>}
      {!enabled && <span className="chip"> {says.disabled}</span>}
      {isWinner && <span className="chip"> {says.winner}</span>}
      {!isOpened && <span className="cut fine">{subject ?? says.noSubject}</span>}
    </>
  );
  return (
    <Opens summary={summary} isOpenFirst={isOpen}>
      <dl className="written">
        <dt>{says.subject}</dt>
        <dd dir="auto">{subject ?? <span className="fine">{says.noSubject}</span>}</dd>
        <dt>{says.text}</dt>
        <dd>
          <Body variant={variant} title={says.frame(order, label, version)} />
        </dd>
        {attachments.length > 0 && (
          <>
            <dt>{says.files}</dt>
            {attachments.map(({ id, fileName, size }) => (
              <dd key={id}>
                <Given>{says.file(fileName, formatBytes(size))}</Given>
              </dd>
            ))}
          </>
        )}
      </dl>
    </Opens>
  );
}

/**
 * The body of a variant. HTML is shown in the frame for emails, which runs no scripts and loads nothing (rules/console
 * 1.4).
 */
function Body({ variant: { bodyHtml, bodyText }, title }: { variant: Variant; title: string }) {
  const [isText, setText] = useState(false);
  if (bodyHtml === null) return bodyText === null ? <p className="fine">{says.noText}</p> : <Text text={bodyText} />;
  return (
    <>
      {isText && bodyText !== null ? (
        <Text text={bodyText} />
      ) : (
        <div className="mail">
          <MailFrame title={title} html={bodyHtml} quoted={says.quoted} hasImages={false} />
        </div>
      )}
      {!isText && /<img\b/i.test(bodyHtml) && <p className="fine">{says.images}</p>}
      {bodyText !== null && (
        <button type="button" className="quiet" aria-pressed={isText} onClick={() => setText(!isText)}>
          {says.asText}
        </button>
      )}
      <Opens summary={() => says.source}>
        <pre>{bodyHtml}</pre>
      </Opens>
    </>
  );
}

function Text({ text }: { text: string }) {
  return (
    <p className="mail text" dir="auto">
      {text}
    </p>
  );
}
