import { type ReactNode, useCallback, useEffect, useState } from "react";
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
  campaignId: string;
  onClose: () => void;
}

/** Shows what the changes of a launched campaign would do to its recipients, and applies exactly that. */
export function ReviewDialog({ editing, onClose }: ReviewDialogProps) {
  const { draft } = editing;
  const [keepsBooked, setKeepsBooked] = useState(false);
  const hasOtherDelay = draft.steps.some(({ stepId, delay }) => {
    const before = draft.base.steps.find((step) => step.stepId === stepId)?.delay;
    return before !== undefined && (before.value !== delay.value || before.unit !== delay.unit);
  });
  return (
    <PlannedEdit
      key={String(keepsBooked)}
      title={says.title}
      act={says.act}
      plan={() => editing.plan(keepsBooked)}
      commit={(planToken) => editing.commit(keepsBooked, planToken)}
      refusal={editing.refusal}
      isRunning={editing.isSaving}
      said={says.applied}
      onClose={onClose}
    >
      {hasOtherDelay && (
        <>
          <label className="choice">
            <input
              type="checkbox"
              checked={keepsBooked}
              onChange={({ currentTarget: { checked } }) => setKeepsBooked(checked)}
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
export function PlannedEdit({
  title,
  act,
  plan,
  commit,
  refusal,
  isRunning,
  said,
  onClose,
  children,
}: PlannedEditProps) {
  const [planned, setPlanned] = useState<Planned | null>(null);
  const [wasStale, setWasStale] = useState(false);
  const look = useCallback(async () => setPlanned(await plan()), [plan]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens
  useEffect(() => void look(), []);
  const isStale = refusal?.code === "PLAN_STALE";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each stale plan
  useEffect(() => {
    if (!isStale) return;
    setWasStale(true);
    setPlanned(null);
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
          {wasStale && <Notice kind="attention">{says.stale}</Notice>}
          {effect === null ? (
            <Looking isLooking={isRunning && refusal === null} />
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
