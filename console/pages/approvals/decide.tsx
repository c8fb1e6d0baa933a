import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { limitsOf } from "../../api/forms.ts";
import { useWrite } from "../../api/query.ts";
import { Notice } from "../../kit/alert.tsx";
import { Field, TextArea } from "../../kit/field.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { approvalWords as says } from "../../words/en/approvals.ts";
import { words } from "../../words/en.ts";
import { EffectOf } from "./effect.tsx";
import type { Approval } from "./reads.ts";

export type Action = "approve" | "reject" | "edit";
const DECIDE = "post /approvals/:approvalId";
const RENEWS = [
  "get /approvals",
  "get /approvals/:approvalId",
  "get /inbox/threads/:threadId",
  "get /campaigns/:campaignId",
] as const;
/** Error codes that mean that the approval has changed. */
const CHANGED = ["VERSION_CONFLICT", "PLAN_STALE"];

/** Decides exactly the version that is shown. If the server has a newer version, shows it instead. */
export function Decide({ approval, action, onClose }: { approval: Approval; action: Action; onClose: () => void }) {
  const { id: approvalId, kind, version: expectedVersion, effect, proposedText } = approval;
  const [text, setText] = useState(proposedText ?? effect?.texts[0]?.text ?? "");
  const [note, setNote] = useState("");
  const [isChanged, setChanged] = useState(false);
  const [secret, setSecret] = useState<string | null>(null);
  const { run, isRunning, refusal, clear } = useWrite(DECIDE, { renews: RENEWS });
  const client = useQueryClient();
  const isStale = refusal !== null && CHANGED.includes(refusal.code);
  useEffect(() => {
    if (!isStale) return;
    setChanged(true);
    clear();
    void client.invalidateQueries({ predicate: ({ queryKey }) => RENEWS.some((one) => one === queryKey[0]) });
  }, [isStale, clear, client]);
  const act = async () => {
    const about = { approvalId, expectedVersion, ...(note !== "" && { note }) };
    const answer = await run(action === "edit" ? { action, ...about, text } : { action, ...about });
    if (answer === null) return;
    say(says.said[action]);
    const shown = "answer" in answer ? secretIn(answer.answer) : null;
    if (shown === null) onClose();
    else setSecret(shown);
  };
  if (secret !== null) {
    return (
      <Confirm
        title={says.shownOnce}
        effect={<code>{secret}</code>}
        act={words.close}
        onAct={onClose}
        onClose={onClose}
      />
    );
  }
  const title = { approve: says.approveTitle[kind], reject: says.rejectTitle, edit: says.editTitle }[action];
  return (
    <Confirm
      title={title}
      isWide
      isDangerous={kind === "OPT_OUT" && action === "approve"}
      effect={
        <>
          {isChanged && <Notice kind="attention">{says.changed}</Notice>}
          <p>{{ approve: says.approveEffect[kind], reject: says.rejectEffect[kind], edit: says.editEffect }[action]}</p>
          {action === "approve" && <EffectOf effect={effect} />}
          {action === "approve" && effect === null && proposedText !== null && (
            <div className="mail">
              <p className="text">
                <bdi>{proposedText}</bdi>
              </p>
            </div>
          )}
          {action === "edit" && (
            <TextArea
              label={says.text}
              name="text"
              rows={8}
              required
              limits={limitsOf(DECIDE, "text", "edit")}
              value={text}
              refusal={refusal}
              onChange={({ currentTarget: { value } }) => setText(value)}
            />
          )}
          <Field
            label={says.note}
            name="note"
            limits={limitsOf(DECIDE, "note", action)}
            value={note}
            refusal={refusal}
            onChange={({ currentTarget: { value } }) => setNote(value)}
          />
        </>
      }
      act={{ approve: says.approveAct[kind], reject: says.rejectAct, edit: says.editAct }[action]}
      isRunning={isRunning}
      isBlocked={action === "edit" && text.trim() === ""}
      refusal={isStale ? null : refusal}
      onAct={() => void act()}
      onClose={onClose}
    />
  );
}

/** Fields of the approved call's answer that are shown only once. */
const SECRETS = ["signingSecret", "key", "inviteUrl"];

function secretIn(answer: Record<string, unknown> | null): string | null {
  const found = SECRETS.map((name) => answer?.[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found : null;
}
