import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { advancePage, type JobAtWork } from "../jobs.ts";
import { assertStill, type CrmImportParameters, type CrmImportState, noteSynced, takeOffList } from "./import-page.ts";

const PAGE = 500;

/**
 * Takes those off the list who left the segment: whom a round that went through all of it has not seen. Their leads stay, and so does
 * whoever stands in the segment by another contact.
 */
export async function leaveList(job: JobAtWork, parameters: CrmImportParameters, state: CrmImportState): Promise<void> {
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
