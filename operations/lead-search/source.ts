import { AppError } from "../../domain/errors.ts";
import { QUESTION, type QuestionIds, type QuestionOutcome } from "../../domain/lead-search/question.ts";
import type { LeadSearchSource } from "../../domain/lead-search/source.ts";
import { newId } from "../../mongo/ids.ts";
import { hasDataset } from "../../store/lead-search/dataset.ts";
import { dropQuestion, loadAnswer, type Question, storeQuestion } from "../../store/lead-search/questions.ts";
import { leadSearchRun } from "../../temporal/runs.ts";
import type { Context } from "../context.ts";
import { datasetSource } from "./dataset.ts";

export const SOURCE_ERRORS = ["PROVIDER_NOT_CONFIGURED"] as const;

/**
 * The source of the lead search: the provider if one is configured, else the data set. @throws AppError
 * PROVIDER_NOT_CONFIGURED
 */
export function sourceOf(ctx: Context): LeadSearchSource {
  if (ctx.services.settings.hasLeadSearchProvider) return asking(ctx);
  return whereThereIs(datasetSource);
}

/** Checks only after an empty result whether the data set exists at all. */
function whereThereIs(source: LeadSearchSource): LeadSearchSource {
  const orMissing = async <T>(found: T, isEmpty: boolean) => {
    if (isEmpty) await assertDataset();
    return found;
  };
  return {
    async browse(filters, place) {
      const found = await source.browse(filters, place);
      return orMissing(found, found.items.length === 0);
    },
    async companies(filters, place) {
      const found = await source.companies(filters, place);
      return orMissing(found, found.items.length === 0);
    },
    async lookups(kind, query, limit) {
      const found = await source.lookups(kind, query, limit);
      return orMissing(found, found.length === 0);
    },
    async find(prospectIds) {
      const found = await source.find(prospectIds);
      return orMissing(found, found.length === 0);
    },
  };
}

/** @throws AppError PROVIDER_NOT_CONFIGURED */
export async function assertDataset(): Promise<void> {
  if (await hasDataset()) return;
  const message =
    "This deployment has no lead search: LEAD_SEARCH_URL is not set, and no data set was imported (npm run prospects:import)";
  throw new AppError("PROVIDER_NOT_CONFIGURED", message, { setting: "LEAD_SEARCH_URL" });
}

/**
 * Lets a worker query the provider, and waits for the response. `questionId` is the id of the workflow run. @throws
 * AppError SERVICE_UNAVAILABLE, PROVIDER_NOT_CONFIGURED
 */
export async function ask<T>(
  { workspaceId, services }: Context,
  question: Question,
  questionId: string = newId("job"),
): Promise<T> {
  const { engine, keyRing } = services;
  // Checks Temporal before anything is stored, because this may run in the transaction of an idempotency key
  if (!(await engine.isReachable())) throw unavailable("The workflow engine cannot be reached: try again", 5);
  const ids: QuestionIds = { v: 1, workspaceId, questionId };
  try {
    await storeQuestion(keyRing, ids, question);
    const outcome = await engine.execute<QuestionOutcome>(leadSearchRun(ids), QUESTION.callerMs);
    if (outcome.kind !== "answered") throw refusalOf(outcome);
    const answer = await loadAnswer<T>(keyRing, ids);
    if (answer === null) throw unavailable("The lead search did not answer: try again", 5);
    return answer;
  } finally {
    await dropQuestion(ids);
  }
}

function asking(ctx: Context): LeadSearchSource {
  return {
    browse: (filters, place) => ask(ctx, { kind: "browse", filters, place }),
    companies: (filters, place) => ask(ctx, { kind: "companies", filters, place }),
    lookups: (lookup, query, limit) => ask(ctx, { kind: "lookups", lookup, query, limit }),
    find: (prospectIds) => ask(ctx, { kind: "find", prospectIds }),
  };
}

/** The refusal in our own words: messages of a provider are not passed on. */
function refusalOf({ code, retryAfterSeconds }: QuestionOutcome & { kind: "trouble" }): AppError {
  const wait = retryAfterSeconds ?? 5;
  if (code === "RATE_LIMITED")
    return unavailable("The lead search provider limits requests: try again later", Math.max(1, wait));
  if (code === "KEY_REFUSED") {
    return new AppError("PROVIDER_NOT_CONFIGURED", "The lead search provider refuses the key of this deployment", {
      setting: "LEAD_SEARCH_KEY",
    });
  }
  if (code === "UNAVAILABLE")
    return unavailable("The lead search provider did not answer: try again", Math.max(1, wait));
  return unavailable("The lead search provider sent a response that cannot be used: tell your operator", 60);
}

function unavailable(message: string, retryAfterSeconds: number): AppError {
  return new AppError("SERVICE_UNAVAILABLE", message, { retryAfterSeconds });
}
