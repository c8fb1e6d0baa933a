import { useState } from "react";
import type { PlanAnswer } from "../../../api/routes.ts";
import { isUnderWay } from "../../../domain/job.ts";
import type { Endpoint, In, ItemOf, Out } from "../../api/call.ts";
import { useRenewal, useWrite } from "../../api/query.ts";
import { RefusalAlert } from "../../kit/alert.tsx";
import { Looking } from "../../kit/looking.tsx";
import { Modal } from "../../kit/modal.tsx";
import { say } from "../../kit/toast.tsx";
import { faultInWords } from "../../words/codes.ts";
import { bulkWords as says } from "../../words/en/leads/bulk.ts";
import { words } from "../../words/en.ts";
import { useJob } from "../leads-import/reads.ts";

export type Lead = ItemOf<"get /leads">;
/** The filter of a bulk action, as the API takes it. */
export type LeadFilter = NonNullable<In<"post /leads/suppress">["filter"]>;

/** The leads of a bulk action: those that a person ticked, or all that match the filter of the list. */
export type Target = { rows: readonly Lead[] } | { filter: LeadFilter; total: number };

export function countOf(target: Target): number {
  return "rows" in target ? target.rows.length : target.total;
}

/** The leads as fields of a request. */
export function whichOf(target: Target): { ids: string[] } | { filter: LeadFilter } {
  return "rows" in target ? { ids: target.rows.map(({ id }) => id) } : { filter: target.filter };
}

export const RENEWS: readonly Endpoint[] = [
  "get /leads",
  "get /leads/tags",
  "get /leads/:leadId",
  "get /lead-lists",
  "get /jobs",
  "get /campaigns/:campaignId",
  "get /campaigns/:campaignId/recipients",
];

/** A write that is first planned and then made. */
export function useBulkWrite<E extends "post /leads/manage" | "post /lead-lists/manage" | "post /leads/suppress">(
  endpoint: E,
) {
  return { plan: useWrite(endpoint, { renews: [] }), commit: useWrite(endpoint, { renews: RENEWS }) };
}

/** Whether a plan shows that emails may be sent because of the change. */
export function sends({ plan }: PlanAnswer): boolean {
  return plan.effect.causes.includes("SENDS");
}

type Answer =
  | Out<"post /leads/manage", { action: "bulkDelete" }>
  | Out<"post /lead-lists/manage", { action: "addMembers" }>
  | Out<"post /leads/suppress", { action: "suppress" }>;

export interface Outcome {
  said: (changed: number) => string;
  /** Takes the change back; null if that is not possible for exactly these leads. */
  undo?: ((changed: number) => (() => void) | null) | undefined;
}

/**
 * Says what a change did. A job that still runs is shown with its progress; `job` is then its dialog, and `onClose` is
 * called when that is closed.
 */
export function useOutcome(onClose: (isDone: boolean) => void) {
  const [running, setRunning] = useState<{ id: string; said: Outcome["said"] } | null>(null);
  const note = (answer: Answer, { said, undo }: Outcome) => {
    if ("progress" in answer && isUnderWay(answer.status)) return setRunning({ id: answer.id, said });
    report(answer, said, undo);
    onClose(true);
  };
  const job = running && <RunningJob jobId={running.id} said={running.said} onClose={() => onClose(true)} />;
  return { note, job };
}

function report(answer: Answer, said: Outcome["said"], undo?: Outcome["undo"]): void {
  const { changed, failed, why } = resultOf(answer);
  const texts = [
    ...(changed > 0 || failed === 0 ? [changed === 0 ? says.nothingChanged : said(changed)] : []),
    ...(failed > 0 ? [why === null ? says.failed(failed) : says.failedHere(failed, why)] : []),
  ];
  const run = failed === 0 && changed > 0 ? (undo?.(changed) ?? null) : null;
  say(texts.join(" "), ...(run === null ? [] : [{ name: says.undo, run }]));
}

function resultOf(answer: Answer): { changed: number; failed: number; why: string | null } {
  if ("progress" in answer) {
    const changed = answer.result?.["changed"];
    return { changed: typeof changed === "number" ? changed : 0, failed: answer.progress.failed, why: null };
  }
  if ("items" in answer) {
    const refused = answer.items.filter(({ ok }) => !ok);
    return { changed: answer.changed, failed: refused.length, why: refused[0]?.error?.message ?? null };
  }
  return { changed: "changed" in answer ? answer.changed : 0, failed: 0, why: null };
}

/** A job with its progress, and how many leads it has changed once it ends. */
function RunningJob({ jobId, said, onClose }: { jobId: string; said: Outcome["said"]; onClose: () => void }) {
  const { data: job, refusal, again, isDone } = useJob(jobId, "get /jobs/:jobId");
  const cancel = useWrite("post /jobs/:jobId/cancel", { renews: ["get /jobs", "get /jobs/:jobId"] });
  useRenewal(isDone, RENEWS.filter((one) => one.startsWith("get ")) as Parameters<typeof useRenewal>[1]); // all of them are reads
  const shown = cancel.refusal ?? refusal;
  const changed = job?.result?.["changed"];
  return (
    <Modal title={says.jobTitle} onClose={onClose}>
      {shown !== null && <RefusalAlert refusal={shown} again={again} />}
      {job === undefined && <Looking isLooking={refusal === null} />}
      {job !== undefined && !isDone && (
        <>
          <progress value={job.progress.processed} max={job.progress.total} aria-label={says.progressLabel} />
          <p role="status">{says.progress(job.progress.processed, job.progress.total)}</p>
          <p className="fine">{says.canLeave}</p>
        </>
      )}
      {job !== undefined && isDone && (
        <>
          {job.error !== null && <p>{faultInWords(job.error)}</p>}
          <p role="status">
            {typeof changed !== "number"
              ? ""
              : job.status === "CANCELLED"
                ? says.cancelled(changed)
                : changed === 0
                  ? says.nothingChanged
                  : said(changed)}
          </p>
          {job.progress.failed > 0 && <p>{says.failed(job.progress.failed)}</p>}
        </>
      )}
      <div className="buttons">
        {job !== undefined && !isDone && (
          <button
            type="button"
            className="danger"
            aria-disabled={cancel.isRunning}
            onClick={() => !cancel.isRunning && void cancel.run({ jobId })}
          >
            {says.cancelJob}
          </button>
        )}
        <button type="button" className="primary" onClick={onClose}>
          {words.close}
        </button>
      </div>
    </Modal>
  );
}
