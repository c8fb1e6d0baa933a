import { EMAIL_FIELD } from "../../domain/crm/contact.ts";
import type { CrmProviderName } from "../../domain/crm/provider.ts";
import { readMapping } from "../../domain/leads/columns.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { advancePage, type JobAtWork, JobMoved } from "../jobs.ts";
import { loadDeclaredFields } from "../leads/declared-fields.ts";
import { noSums, summaryOf } from "../leads/import-work.ts";
import {
  assertStill,
  type CrmImportParameters,
  type CrmImportState,
  type CrmPageOrder,
  noteSynced,
  takeOffList,
} from "./import-page.ts";

/** The part of an import's result that the API returns. */
export function resultOf(job: JobAtWork): Record<string, unknown> {
  const { sums, left } = crmStateOf(job);
  return { ...summaryOf(sums), left };
}

export function crmParametersOf({ parameters }: JobAtWork): CrmImportParameters {
  return parameters as unknown as CrmImportParameters; // only `beginCrmImport` writes them
}

export function crmStateOf({ state }: JobAtWork): CrmImportState {
  const fresh: CrmImportState = {
    phase: "READING",
    cursor: null,
    rows: 0,
    sums: noSums(),
    left: 0,
    restarts: 0,
    away: 0,
  };
  return { ...fresh, ...(state as Partial<CrmImportState>) }; // Written only by earlier pages of this job
}

/** How the fields of a job's pages are imported. */
export async function loadPageOrder(job: JobAtWork, provider: CrmProviderName): Promise<CrmPageOrder> {
  const parameters = crmParametersOf(job);
  const declared = await loadDeclaredFields(job.workspaceId);
  const columns = {
    mapping: readMapping(Object.fromEntries(parameters.mapping), false),
    declared: new Map(declared.map((field) => [field.key, field])),
    dayOrders: new Map<string, never>(),
    isOfSheet: false,
  };
  const emailField = [...columns.mapping].find(([, { kind }]) => kind === "email")?.[0] ?? EMAIL_FIELD[provider];
  return { columns, emailField, parameters };
}

/**
 * Changes the state of a job without processing a page: the job starts again, or counts a failed request to the CRM.
 * @throws JobMoved
 */
export async function noteState({ workspaceId, _id, nextChunk }: JobAtWork, state: CrmImportState): Promise<void> {
  const moved = await scoped(workspaceId).Job.updateOne(
    { _id, status: "RUNNING", nextChunk },
    { $set: { state: { ...state } } },
  );
  if (moved === 0) throw new JobMoved();
}

const PAGE = 500;

/**
 * Removes from the list the contacts that left the segment, which are those that the last complete round has not seen.
 * Their leads are kept. A lead that is in the segment through another contact stays in the list.
 */
export async function removeDeparted(
  job: JobAtWork,
  parameters: CrmImportParameters,
  state: CrmImportState,
): Promise<void> {
  const { workspaceId } = job;
  const { importId, round } = parameters;
  await inTransaction(async () => {
    await assertStill(workspaceId, importId);
    const { CrmMember } = scoped(workspaceId);
    const gone = await CrmMember.read({ importId, round: { $lt: round } }, { limit: PAGE });
    const emails = gone.flatMap(({ email }) => (email === null ? [] : [email]));
    const left = await takeOffList(workspaceId, parameters, emails);
    await CrmMember.deleteMany({ _id: trusted({ $in: gone.map(({ _id }) => _id) }) });
    const isLast = gone.length < PAGE;
    if (isLast) await noteSynced(workspaceId, parameters);
    const after: CrmImportState = { ...state, left: state.left + left };
    await advancePage(job, { count: 0, isLast, succeeded: 0, failed: 0, items: [], state: { ...after } });
  });
}
