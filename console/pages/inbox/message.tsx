import { useState } from "react";
import { call } from "../../api/call.ts";
import { useWorkspaceId } from "../../api/path-id.ts";
import { useCall } from "../../api/query.ts";
import { type Refusal, refusalOf } from "../../api/refusal.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { MailFrame } from "../../kit/mail-frame.tsx";
import { When } from "../../kit/when.tsx";
import { threadWords as says } from "../../words/en/inbox.ts";
import { formatCount } from "../../words/format.ts";
import { formatBytes } from "../../words/format-bytes.ts";
import type { Message } from "./reads.ts";

/** One email: its text, its HTML in a frame, and its files for download. */
export function MessageShown({ message, isNewest }: { message: Message; isNewest: boolean }) {
  const [isOpen, setOpen] = useState(isNewest);
  const [wasNewest, setWasNewest] = useState(isNewest);
  // A new email that arrives while the page is open is expanded too; emails that are expanded stay expanded
  if (isNewest && !wasNewest) {
    setWasNewest(true);
    setOpen(true);
  }
  const { direction, from, to, cc, kind, sentAt } = message;
  const note = says.kinds[kind];
  const names = (people: Message["to"]) => people.map(({ name, address }) => (name === "" ? address : name)).join(", ");
  return (
    <details
      className={`message ${direction === "INBOUND" ? "in" : "out"}`}
      open={isOpen}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>
        <bdi>{from === null ? says.us : names([from])}</bdi>{" "}
        <span className="fine">
          {to.length > 0 && <bdi>{says.to(names(to))}</bdi>}
          {sentAt !== null && (
            <>
              {" · "}
              <When at={String(sentAt)} />
            </>
          )}
          {note !== "" && ` · ${note}`}
        </span>
      </summary>
      {isOpen && (
        <>
          {cc.length > 0 && (
            <p className="fine">
              <bdi>{says.copies(names(cc))}</bdi>
            </p>
          )}
          {message.isDoubtful && <p className="fine">{says.doubtful}</p>}
          {message.isDisputed && <p className="fine">{says.disputed}</p>}
          {message.hiddenCharacters > 0 && <p className="fine">{says.hidden(formatCount(message.hiddenCharacters))}</p>}
          <Body message={message} />
          <Files message={message} />
        </>
      )}
    </details>
  );
}

function Body({ message }: { message: Message }) {
  const { id: messageId, bodyHtml, bodyText, subject, hasImages } = message;
  const [isText, setText] = useState(bodyHtml === null);
  const [wantsImages, setWantsImages] = useState(false);
  const withImages = useCall("get /inbox/messages/:messageId", { messageId, images: "true" }, { isOff: !wantsImages });
  const html = withImages.data?.bodyHtml ?? bodyHtml;
  if (bodyHtml === null && bodyText === null) return <p className="fine">{says.noText}</p>;
  return (
    <>
      {isText || html === null ? (
        <Text message={message} />
      ) : (
        <MailFrame
          title={says.frame(subject ?? "")}
          html={html}
          quoted={says.quoted}
          hasImages={withImages.data !== undefined}
        />
      )}
      {withImages.refusal !== null && <RefusalAlert refusal={withImages.refusal} again={withImages.again} />}
      {hasImages && !isText && !wantsImages && (
        <p className="fine">
          <button type="button" onClick={() => setWantsImages(true)}>
            {says.images}
          </button>{" "}
          {says.imagesNote}
        </p>
      )}
      {bodyHtml !== null && bodyText !== null && (
        <button type="button" className="quiet" aria-pressed={isText} onClick={() => setText(!isText)}>
          {says.asText}
        </button>
      )}
    </>
  );
}

/** The text without quotes; the whole email with its quotes can be expanded. */
function Text({ message: { bodyText, replyText } }: { message: Message }) {
  const whole = bodyText ?? "";
  const own = replyText === null || replyText.trim() === "" ? whole : replyText;
  return (
    <>
      <p className="text">
        <bdi>{own}</bdi>
      </p>
      {own.trim() !== whole.trim() && (
        <details>
          <summary>{says.whole}</summary>
          <p className="text">
            <bdi>{whole}</bdi>
          </p>
        </details>
      )}
    </>
  );
}

function Files({ message: { id: messageId, attachments } }: { message: Message }) {
  const workspaceId = useWorkspaceId();
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  if (attachments.length === 0) return null;
  /** Downloads a file. The URL is valid for ten minutes, so it is requested only on a click. */
  const fetchFile = async (attachmentId: string) => {
    setRefusal(null);
    try {
      const { downloadUrl } = await call(
        "get /inbox/messages/:messageId/attachments/:attachmentId",
        { messageId, attachmentId },
        { workspaceId },
      );
      location.assign(downloadUrl);
    } catch (err) {
      setRefusal(refusalOf(err));
    }
  };
  return (
    <section aria-label={says.files}>
      {refusal !== null && <RefusalAlert refusal={refusal} />}
      <ul className="plain">
        {attachments.map(({ id, fileName, size }) => (
          <li key={id}>
            <button type="button" onClick={() => void fetchFile(id)}>
              <bdi>{says.download(fileName, formatBytes(size))}</bdi>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
