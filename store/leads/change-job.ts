import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { JobAtWork, JobKind } from "../jobs.ts";
import { type BulkAction, pageChangeOf } from "./bulk-change.ts";

/** The parameters that the job of a bulk action stores, besides the ids of the leads. */
export interface ChangeParameters {
  bulk: BulkAction;
  actor: string;
}

interface Sums {
  matched: number;
  changed: number;
}

/**
 * A bulk action over the leads that a filter found, with one transaction per chunk. A lead that was deleted meanwhile
 * is left out.
 */
export const leadChange: JobKind = {
  async open(job) {
    const { bulk, actor } = parametersOf(job);
    const change = pageChangeOf(bulk, actor);
    const { workspaceId } = job;
    return async ({ rows, firstRow, state }, record) => {
      const leadIds = rows.filter((row) => typeof row === "string");
      await inTransaction(async () => {
        const done = await change(await scoped(workspaceId).Lead.find({ _id: trusted({ $in: leadIds }) }));
        const { matched, changed } = sumsOf(state);
        const outcomes = [...done.values()];
        const items = leadIds.flatMap((id, at) => {
          const error = done.get(id)?.error ?? null;
          if (error === null) return [];
          return [
            {
              row: firstRow + at,
              email: null,
              status: "FAILED",
              code: error.code,
              message: `${id}: ${error.message}`,
              mailboxId: null,
            },
          ];
        });
        const sums = {
          matched: matched + outcomes.length,
          changed: changed + outcomes.filter((outcome) => outcome.changed).length,
        };
        await record({ succeeded: leadIds.length - items.length, failed: items.length, items, state: sums });
      });
    };
  },
  resultOf(job) {
    const { action } = parametersOf(job).bulk;
    const { matched, changed } = sumsOf(job.state);
    return action === "undoImport"
      ? { action, removed: changed, kept: matched - changed }
      : { action, matched, changed };
  },
};

function parametersOf({ parameters }: JobAtWork): ChangeParameters {
  return parameters as unknown as ChangeParameters; // only `changeInJob` writes them
}

function sumsOf(state: Record<string, unknown>): Sums {
  return "matched" in state ? (state as unknown as Sums) : { matched: 0, changed: 0 }; // New, or the sums of an earlier chunk of this job
}
