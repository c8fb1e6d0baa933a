import { type ReactNode, useEffect, useRef, useState } from "react";
import type { PlanAnswer } from "../../../api/routes.ts";
import type { Refusal } from "../../api/refusal.ts";
import { Notice } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Confirm } from "../../kit/modal.tsx";
import { plannedWords as says } from "../../words/en/campaign-setup/setup.ts";
import { EffectOf } from "../approvals/effect.tsx";

interface Writing {
  isRunning: boolean;
  refusal: Refusal | null;
  clear(): void;
}

interface PlannedProps {
  title: string;
  act: string;
  /** The change in words, above its effect. */
  intro?: ReactNode;
  plan: Writing & { ask(): Promise<PlanAnswer | null> };
  commit: Writing & { run(planToken: string): Promise<boolean> };
  /** Called after the change was made. */
  onDone: () => void;
  onClose: () => void;
}

/**
 * Shows the effect of a change on a launched campaign. The button makes exactly this change, by the token of the plan.
 * If something else changed since, the new effect is shown instead.
 */
export function Planned({ title, act, intro, plan, commit, onDone, onClose }: PlannedProps) {
  const [answer, setAnswer] = useState<PlanAnswer | null>(null);
  const [isStale, setStale] = useState(false);
  const latest = useRef(plan);
  latest.current = plan;
  const look = async () => setAnswer(await latest.current.ask());
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the dialog opens
  useEffect(() => void look(), []);
  const wasStale = commit.refusal?.code === "PLAN_STALE";
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each plan that is out of date
  useEffect(() => {
    if (!wasStale) return;
    setStale(true);
    setAnswer(null);
    commit.clear();
    void look();
  }, [wasStale]);
  const send = async () => {
    if (answer !== null && (await commit.run(answer.planToken))) onDone();
  };
  return (
    <Confirm
      title={title}
      isWide
      effect={
        <>
          {intro}
          {isStale && <Notice kind="attention">{says.stale}</Notice>}
          {answer === null ? <Looking isLooking={plan.isRunning} /> : <EffectOf effect={answer.plan.effect} />}
        </>
      }
      act={act}
      isRunning={commit.isRunning}
      isBlocked={answer === null}
      refusal={plan.refusal ?? (wasStale ? null : commit.refusal)}
      onAct={() => void send()}
      onClose={onClose}
    />
  );
}
