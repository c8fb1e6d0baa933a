import { type FormEvent, type KeyboardEvent, useState } from "react";
import { limitsOf } from "../../api/forms.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { Notice, RefusalAlert } from "../../kit/alert.tsx";
import { Field, TextArea } from "../../kit/field.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { When } from "../../kit/when.tsx";
import { replyWords as says } from "../../words/en/inbox.ts";
import { formatInstant } from "../../words/format.ts";
import { copiesOf, type Draft, useDraft } from "./drafts.ts";
import { LaterCard } from "./later.tsx";
import { type Letter, type Planned, type Sent, useSending } from "./letter.ts";
import type { Conversation, Message } from "./reads.ts";
import { ScheduledHere } from "./scheduled-here.tsx";

const SEND = "post /inbox/threads/:threadId/reply";

/** The reply box of a conversation. */
export function Reply({ thread, answered }: { thread: Conversation; answered: Message | null }) {
  const may = useMay();
  return (
    <section className="reply" aria-labelledby="reply">
      <h3 id="reply">{says.title}</h3>
      <ScheduledHere thread={thread} />
      {!may("inbox:send") ? (
        <p className="fine">{says.viewer}</p>
      ) : answered === null ? (
        <p className="fine">{says.notAnswerable}</p>
      ) : (
        <Box thread={thread} answered={answered} />
      )}
    </section>
  );
}

/** The panel that is open above the reply box. */
type Asking = { kind: "elsewhere"; planned: Planned } | { kind: "later" } | { kind: "discard" } | null;

function Box({ thread: { id: threadId, mailboxId }, answered }: { thread: Conversation; answered: Message }) {
  const may = useMay();
  const draft = useDraft(threadId);
  const sending = useSending();
  const mailbox = useCall("get /mailboxes/:mailboxId", { mailboxId }, { isOff: !may("mailboxes:read") });
  const [asking, setAsking] = useState<Asking>(null);
  const [isEmpty, setEmpty] = useState(false);
  const [outcome, setOutcome] = useState<Sent["status"] | null>(null);
  const from = answered.from?.address ?? "";
  const { text, copies } = draft;
  const letter: Letter = { threadId, text, cc: copiesOf(copies), inReplyToMessageId: answered.id };
  const { isUncertain } = sending;

  const done = (finished: { sent: Sent | null } | null) => {
    setAsking(null);
    if (finished?.sent === null || finished === null) return;
    setOutcome(finished.sent.status === "SENT" ? null : finished.sent.status);
    if (finished.sent.status === "SENT") say(says.said.SENT);
    void draft.discard();
  };
  const send = async () => {
    if (isUncertain) return done(await sending.repeat());
    setEmpty(text.trim() === "");
    if (text.trim() === "") return;
    setOutcome(null);
    const planned = await sending.plan(letter, null);
    if (planned === null) return;
    // The email may have a different Reply-To address; the person must see it before the reply is sent
    if (planned.to.toLowerCase() === from.toLowerCase()) done(await sending.commit(planned));
    else setAsking({ kind: "elsewhere", planned });
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!sending.isRunning) void send();
  };
  const press = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!sending.isRunning) void send();
  };
  const change = (to: { text?: string; copies?: string }) => {
    setEmpty(false);
    draft.type(to);
  };
  const { refusal } = sending;
  return (
    <>
      <form onSubmit={submit} onKeyDown={press}>
        <p className="fine">
          <bdi>{says.to(from)}</bdi>
          {mailbox.data !== undefined && `, ${says.fromMailbox(mailbox.data.email)}`}
        </p>
        {draft.source === "AGENT" && text !== "" && <Notice>{says.byAgent}</Notice>}
        {draft.read.refusal !== null && <RefusalAlert refusal={draft.read.refusal} again={draft.read.again} />}
        <TextArea
          label={says.text}
          name="text"
          rows={6}
          maxLength={limitsOf(SEND, "text").maxLength}
          value={text}
          readOnly={isUncertain || !draft.isKnown}
          aria-keyshortcuts="r"
          refusal={refusal}
          onChange={({ currentTarget: { value } }) => change({ text: value })}
        />
        {isEmpty && (
          <p className="wrong" role="alert">
            {says.empty}
          </p>
        )}
        <details open={copies !== "" || undefined}>
          <summary>{says.copies}</summary>
          <Field
            label={says.copies}
            name="cc"
            hint={says.copiesHint}
            value={copies}
            readOnly={isUncertain}
            refusal={refusal}
            onChange={({ currentTarget: { value } }) => change({ copies: value })}
          />
        </details>
        {isUncertain && <Notice kind="attention">{says.uncertain}</Notice>}
        {refusal !== null && asking === null && <RefusalAlert refusal={refusal} />}
        {outcome !== null && <Notice kind="attention">{says.said[outcome]}</Notice>}
        <div className="buttons start">
          <button
            type="submit"
            className="primary"
            aria-disabled={sending.isRunning}
            aria-keyshortcuts="Control+Enter"
            title={says.sendHint}
          >
            {isUncertain ? says.tryAgain : says.send}
          </button>
          {!isUncertain && (
            <>
              <button
                type="button"
                onClick={() => (text.trim() === "" ? setEmpty(true) : setAsking({ kind: "later" }))}
              >
                {says.later}
              </button>
              {text !== "" && (
                <button type="button" className="quiet" onClick={() => setAsking({ kind: "discard" })}>
                  {says.discard}
                </button>
              )}
            </>
          )}
          <Saving draft={draft} />
        </div>
      </form>
      {asking?.kind === "elsewhere" && (
        <Confirm
          title={says.elsewhereTitle}
          effect={
            <>
              <p>{says.elsewhere(asking.planned.to, from)}</p>
              {letter.cc.length > 0 && <p>{says.alsoTo(letter.cc.length)}</p>}
            </>
          }
          act={says.sendTo(asking.planned.to)}
          isRunning={sending.isRunning}
          refusal={refusal}
          onAct={() => void sending.commit(asking.planned).then(done)}
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.kind === "later" && (
        <LaterCard
          letter={letter}
          onDone={(sendAt) => {
            setAsking(null);
            say(says.saidLater(formatInstant(sendAt)));
            void draft.discard();
          }}
          onClose={() => setAsking(null)}
        />
      )}
      {asking?.kind === "discard" && (
        <Confirm
          title={says.discard}
          effect={<p>{says.discardEffect}</p>}
          act={says.discard}
          isDangerous
          onAct={() => {
            setAsking(null);
            sending.clear();
            void draft.discard();
          }}
          onClose={() => setAsking(null)}
        />
      )}
    </>
  );
}

/** Whether the typed text is already saved on the server. */
function Saving({ draft: { state, savedAt, refusal, text } }: { draft: Draft }) {
  if (refusal !== null) return <span className="wrong">{says.unsaved}</span>;
  if (state !== "SAVED") return <span className="fine">{says.saving}</span>;
  if (savedAt === null || text === "") return null;
  return (
    <span className="fine">
      {says.saved} <When at={savedAt} />
    </span>
  );
}
