import { setTimeout as delay } from "node:timers/promises";
import { Context } from "@temporalio/activity";
import type { Logger } from "pino";
import { leadSearchProvider } from "../../connectors/lead-search.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { whyUnreached } from "../../connectors/net/why-unreached.ts";
import type { KeyRing } from "../../domain/access/seal.ts";
import { QUESTION, type QuestionIds, type QuestionOutcome } from "../../domain/lead-search/question.ts";
import { type LeadSearchAccess, type LeadSearchProvider, LeadSearchTrouble } from "../../domain/lead-search/source.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { loadQuestion, type Question, storeAnswer } from "../../store/lead-search/questions.ts";
import { releaseHolds } from "../../store/lead-search/reveal.ts";
import { assertWorkspaceStands } from "../../store/workspace-stands.ts";
import { Busy, revealByProvider } from "./ask-provider.ts";

export interface LeadSearchDeps {
  egress: Egress;
  keyRing: KeyRing;
  /** Address and key of the lead search provider; null if none is configured. */
  leadSearch: LeadSearchAccess | null;
  log: Pick<Logger, "warn">;
}

export interface LeadSearchActivities {
  answerQuestion(ids: QuestionIds): Promise<QuestionOutcome>;
}

const BUSY_MS = 300;

/**
 * The activity that asks a lead search provider while an API caller waits. An error is returned as an outcome, not
 * thrown.
 */
export function leadSearchActivities({ egress, keyRing, leadSearch, log }: LeadSearchDeps): LeadSearchActivities {
  async function answerQuestion(ids: QuestionIds): Promise<QuestionOutcome> {
    const question = await loadQuestion(keyRing, ids);
    if (question === null || leadSearch === null)
      return { kind: "trouble", code: "UNAVAILABLE", retryAfterSeconds: null };
    const signal = AbortSignal.any([AbortSignal.timeout(QUESTION.timeoutMs), Context.current().cancellationSignal]);
    try {
      const answer = await answerQuestionAt(leadSearchProvider(egress, leadSearch, signal), question, signal);
      await storeAnswer(keyRing, ids, answer);
      return { kind: "answered" };
    } catch (err) {
      if (!(err instanceof LeadSearchTrouble) && !(err instanceof Busy)) throw err;
      const { code, retryAfterSeconds } =
        err instanceof LeadSearchTrouble ? err : { code: "UNAVAILABLE", retryAfterSeconds: 1 };
      log.warn(
        { err, code, question: question.kind, workspaceId: ids.workspaceId, why: whyUnreached(err) },
        "the lead search did not answer",
      );
      return { kind: "trouble", code, retryAfterSeconds };
    }
  }

  return { answerQuestion };
}

async function answerQuestionAt(
  provider: LeadSearchProvider,
  question: Question,
  signal: AbortSignal,
): Promise<unknown> {
  switch (question.kind) {
    case "browse":
      return provider.browse(question.filters, question.place);
    case "companies":
      return provider.companies(question.filters, question.place);
    case "lookups":
      return provider.lookups(question.lookup, question.query, question.limit);
    case "find":
      return provider.find(question.prospectIds);
    case "reveal":
      return revealOne(provider, question, signal);
  }
}

/** Reveals one person. While another request for that person is running, it waits, then finds the stored value. */
async function revealOne(
  provider: LeadSearchProvider,
  { order, prospectId }: Question & { kind: "reveal" },
  signal: AbortSignal,
) {
  await assertWorkspaceStands(order.workspaceId);
  for (;;) {
    try {
      const { outcomes, creditsUsed, creditsRemaining } = await revealByProvider(provider, order, [prospectId]);
      return { revealed: outcomes.get(prospectId) ?? null, creditsUsed, creditsRemaining };
    } catch (error) {
      if (!(error instanceof Busy)) {
        await inTransaction(() => releaseHolds(order, [prospectId]));
        throw error;
      }
      await delay(BUSY_MS, undefined, { signal }).catch(() => {
        throw error;
      });
    }
  }
}
