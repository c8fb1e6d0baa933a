import { proxyActivities } from "@temporalio/workflow";
import type { LeadSearchActivities } from "../activities/lead-search/answer.ts";
import { QUESTION, type QuestionIds, type QuestionOutcome } from "../domain/lead-search/question.ts";

const { answerQuestion } = proxyActivities<LeadSearchActivities>({
  taskQueue: "jobs",
  startToCloseTimeout: QUESTION.startToCloseTimeout,
  retry: { maximumAttempts: 1 },
});

/** Asks the lead search provider once, while a caller waits. */
export async function askLeadSearch(ids: QuestionIds): Promise<QuestionOutcome> {
  return answerQuestion(ids);
}
