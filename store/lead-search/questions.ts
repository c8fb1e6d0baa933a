import { type KeyRing, open, seal } from "../../domain/access/seal.ts";
import type { CompanyFilters, LookupKind, ProspectFilters } from "../../domain/lead-search/filters.ts";
import type { QuestionIds } from "../../domain/lead-search/question.ts";
import type { Place } from "../../domain/lead-search/source.ts";
import { scoped } from "../../models/scoped.ts";
import type { RevealOrder } from "./reveal.ts";

/** A request to a provider while a caller waits. */
export type Question =
  | { kind: "browse"; filters: ProspectFilters; place: Place }
  | { kind: "companies"; filters: CompanyFilters; place: Place }
  | { kind: "lookups"; lookup: LookupKind; query: string | null; limit: number }
  | { kind: "find"; prospectIds: readonly string[] }
  | { kind: "reveal"; prospectId: string; order: RevealOrder };

const [QUESTION, ANSWER] = [0, 1];

/** Stores a request, because workflows carry only ids. */
export function storeQuestion(ring: KeyRing, ids: QuestionIds, question: Question): Promise<void> {
  return putAnswerRows(ring, ids, QUESTION, question);
}

/** The stored request. Null when it no longer exists, because no one waits for the answer any more. */
export function loadQuestion(ring: KeyRing, ids: QuestionIds): Promise<Question | null> {
  return takeAnswerRows<Question>(ring, ids, QUESTION);
}

export function storeAnswer(ring: KeyRing, ids: QuestionIds, answer: unknown): Promise<void> {
  return putAnswerRows(ring, ids, ANSWER, answer);
}

/** The stored answer to a request; null when there is none. */
export function loadAnswer<T>(ring: KeyRing, ids: QuestionIds): Promise<T | null> {
  return takeAnswerRows<T>(ring, ids, ANSWER);
}

export async function dropQuestion({ workspaceId, questionId }: QuestionIds): Promise<void> {
  await scoped(workspaceId).JobChunk.deleteMany({ jobId: questionId });
}

async function putAnswerRows(
  ring: KeyRing,
  { workspaceId, questionId }: QuestionIds,
  number: number,
  value: unknown,
): Promise<void> {
  const _id = `${questionId}:${number}`;
  const rows = seal(ring, answerRowsPlace(workspaceId, _id), JSON.stringify(value));
  const { JobChunk } = scoped(workspaceId);
  await JobChunk.deleteOne({ _id }); // An earlier attempt may have written it
  await JobChunk.insert({ _id, jobId: questionId, number, count: 0, firstRow: 1, rows });
}

async function takeAnswerRows<T>(
  ring: KeyRing,
  { workspaceId, questionId }: QuestionIds,
  number: number,
): Promise<T | null> {
  const chunk = await scoped(workspaceId).JobChunk.get(`${questionId}:${number}`);
  return chunk === null ? null : JSON.parse(open(ring, answerRowsPlace(workspaceId, chunk._id), chunk.rows)); // only `putAnswerRows` writes them
}

function answerRowsPlace(workspaceId: string, documentId: string) {
  return { workspaceId, collection: "job_chunks", documentId, field: "rows" };
}
