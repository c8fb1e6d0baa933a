import { Context } from "@temporalio/activity";
import { leadSearchProvider } from "../../connectors/lead-search.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import type { LeadSearchAccess } from "../../domain/lead-search/source.ts";
import type { JobItem } from "../../models/job.ts";
import type { ChunkDone, JobKind } from "../../store/jobs.ts";
import { loadContacts } from "../../store/lead-search/dataset.ts";
import { revealParametersOf, revealResultOf, revealSumsOf } from "../../store/lead-search/job-parameters.ts";
import { whileKnowing } from "../../store/lead-search/known.ts";
import { type RevealEnd, type RevealOrder, type Settled, settleReveals } from "../../store/lead-search/reveal.ts";
import { assertWorkspaceStands } from "../../store/workspace-stands.ts";
import { revealByProvider } from "./ask-provider.ts";

export interface RevealJobDeps {
  egress: Egress;
  leadSearch: LeadSearchAccess | null;
  creditsPerMonth: number;
}

/**
 * Reveals contact data of many people. The data of a chunk, its cost and the job's progress are stored in one
 * transaction, so a worker that dies leaves all of them or nothing, and a retry pays nothing twice (rules/lead-search
 * 4.4).
 */
export function revealJob({ egress, leadSearch, creditsPerMonth }: RevealJobDeps): JobKind {
  return {
    async open(job) {
      const { workspaceId, _id: by } = job;
      const { fields, actor, maxCredits } = revealParametersOf(job);
      return async ({ rows, firstRow, state, signal }, record) => {
        await assertWorkspaceStands(workspaceId);
        const prospectIds = rows.filter((row) => typeof row === "string");
        const before = revealSumsOf(state);
        const mostCredits = maxCredits === null ? null : Math.max(0, maxCredits - before.creditsUsed);
        const order: RevealOrder = { workspaceId, fields, actor, creditsPerMonth, by, isJob: true, mostCredits };
        const recordSettled = (settled: Settled) => record(doneOf(prospectIds, firstRow, state, settled));
        if (leadSearch !== null) {
          const ends = AbortSignal.any([signal, Context.current().cancellationSignal]);
          await revealByProvider(leadSearchProvider(egress, leadSearch, ends), order, prospectIds, recordSettled);
          return;
        }
        await whileKnowing(async () =>
          recordSettled(await settleReveals(order, await loadContacts(prospectIds), prospectIds)),
        );
      };
    },
    resultOf: revealResultOf,
  };
}

/** What the caller reads when no new data was found for a person. */
const SENTENCES: Partial<Record<RevealEnd, string>> = {
  CREDITS_EXHAUSTED: "there are not enough credits",
  MAX_CREDITS: "maxCredits was reached",
  PROSPECT_NOT_FOUND: "no prospect has this id",
  NOT_FOUND: "no contact data was found",
};
const FAILED: readonly RevealEnd[] = ["CREDITS_EXHAUSTED", "PROSPECT_NOT_FOUND", "MAX_CREDITS"];

function doneOf(
  prospectIds: string[],
  firstRow: number,
  state: Record<string, unknown>,
  { outcomes, creditsUsed }: Settled,
): ChunkDone {
  const ends = prospectIds.map((id) => outcomes.get(id)?.end ?? "PROSPECT_NOT_FOUND");
  const items = ends.flatMap((end, at): JobItem[] => {
    const message = SENTENCES[end];
    if (message === undefined) return [];
    const status = FAILED.includes(end) ? "FAILED" : "SKIPPED";
    return [
      {
        row: firstRow + at,
        email: null,
        status,
        code: end,
        message: `${prospectIds[at]}: ${message}`,
        mailboxId: null,
      },
    ];
  });
  const failed = ends.filter((end) => FAILED.includes(end)).length;
  const before = revealSumsOf(state);
  const count = (end: RevealEnd) => ends.filter((one) => one === end).length;
  const sums = {
    creditsUsed: before.creditsUsed + creditsUsed,
    revealed: before.revealed + count("REVEALED"),
    alreadyRevealed: before.alreadyRevealed + count("ALREADY_REVEALED"),
    notFound: before.notFound + count("NOT_FOUND"),
  };
  return { succeeded: ends.length - failed, failed, items, state: { ...sums } };
}
