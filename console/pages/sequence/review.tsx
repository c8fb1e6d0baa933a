import { type ReactNode, useEffect, useState } from "react";
import type { Refusal } from "../../api/refusal.ts";
import { Notice } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { reviewWords as says } from "../../words/en/sequence-editor.ts";
import { EffectOf } from "../approvals/effect.tsx";
import type { Editing, Planned } from "./use-draft.ts";

interface ReviewDialogProps {
  editing: Editing;
  onClose: () => void;
}

/** Shows what the changes of a launched campaign would do to its recipients, and applies exactly that. */
export function ReviewDialog({ editing, onClose }: ReviewDialogProps) {
  const { draft, isSaving } = editing;
  const { version } = draft.base;
  const [firstVersion] = useState(version);
  const [keepsBooked, setKeepsBooked] = useState(false);
  const hasOtherDelay = draft.steps.some(({ stepId, delay }) => {
    const before = draft.base.steps.find((step) => step.stepId === stepId)?.delay;
    return before !== undefined && (before.value !== delay.value || before.unit !== delay.unit);
  });
  return (
    <PlannedEdit
      title={says.title}
      act={says.act}
      of={`${version} ${keepsBooked}`}
      isNews={version !== firstVersion}
      plan={() => editing.plan(keepsBooked)}
      commit={(planToken) => editing.commit(keepsBooked, planToken)}
      refusal={editing.refusal}
      isRunning={isSaving}
      said={says.applied}
      onClose={onClose}
    >
      {hasOtherDelay && (
        <>
          <label className="choice">
            <input
              type="checkbox"
              checked={keepsBooked}
              aria-disabled={isSaving}
              onChange={({ currentTarget: { checked } }) => !isSaving && setKeepsBooked(checked)}
            />{" "}
            {says.keepBooked}
          </label>
          <p className="fine">{says.keepBookedHint}</p>
        </>
      )}
    </PlannedEdit>
  );
}

interface PlannedEditProps {
  title: string;
  act: string;
  /** What the plan depends on. When it changes, the edit is planned again. */
  of?: string;
  /** Whether the sequence has changed since the dialog opened. */
  isNews?: boolean;
  plan: () => Promise<Planned | null>;
  /** Answers with true when the edit was made. */
  commit: (planToken: string) => Promise<boolean>;
  refusal: Refusal | null;
  isRunning: boolean;
  /** The message after the commit. */
  said: string;
  onClose: () => void;
  children?: ReactNode;
}

/**
 * Plans an edit, shows its effect and commits the plan by its token. If something has changed since, the new effect is
 * shown instead.
 */
export function PlannedEdit(props: PlannedEditProps) {
  const { title, act, of = "", isNews = false, plan, commit, refusal, isRunning, said, onClose, children } = props;
  const [answer, setAnswer] = useState<{ of: string; planned: Planned | null } | null>(null);
  const [wasStale, setWasStale] = useState(false);
  // A plan for another version is neither shown nor committed
  const planned = answer?.of === of ? answer.planned : null;
  const look = async () => setAnswer({ of, planned: await plan() });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each version and choice
  useEffect(() => void look(), [of]);
  const isStale = refusal?.code === "PLAN_STALE";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each stale plan
  useEffect(() => {
    if (!isStale) return;
    setWasStale(true);
    setAnswer(null);
    void look();
  }, [isStale]);
  const apply = async () => {
    if (planned === null || !(await commit(planned.planToken))) return;
    say(said);
    onClose();
  };
  const effect = planned?.plan.effect ?? null;
  return (
    <Confirm
      title={title}
      isWide
      effect={
        <>
          {(wasStale || isNews) && <Notice kind="attention">{says.stale}</Notice>}
          {effect === null ? (
            <Looking isLooking={refusal === null} />
          ) : effect.isDone ? (
            <p>{says.unchanged}</p>
          ) : (
            <EffectOf effect={effect} />
          )}
          {!isStale && <Findings refusal={refusal} />}
          {children}
        </>
      }
      act={planned === null && isRunning ? says.planning : act}
      isRunning={planned !== null && isRunning}
      isBlocked={planned === null || effect?.isDone === true}
      refusal={isStale ? null : refusal}
      onAct={() => void apply()}
      onClose={onClose}
    />
  );
}

/** Why a running campaign could not continue with these steps. */
function Findings({ refusal }: { refusal: Refusal | null }) {
  const validation = refusal?.details["validation"];
  if (typeof validation !== "object" || validation === null || !("errors" in validation)) return null;
  const messages: unknown[] = Array.isArray(validation.errors) ? validation.errors : [];
  return (
    <ul>
      {messages.map((error) => {
        const text = typeof error === "object" && error !== null && "message" in error ? String(error.message) : "";
        return text === "" ? null : <li key={text}>{text}</li>;
      })}
    </ul>
  );
}
