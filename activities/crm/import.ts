import { CrmTrouble } from "../../connectors/crm/vendor.ts";
import { CRM_VENDORS } from "../../connectors/crm/vendors.ts";
import type { CrmPage } from "../../domain/crm/contact.ts";
import { awayWait, LONGEST_IMPORT_MS, MOST_AWAY, MOST_CONTACTS, MOST_RESTARTS } from "../../domain/crm/limits.ts";
import { AppError } from "../../domain/errors.ts";
import { loadConnection } from "../../store/crm/connections.ts";
import {
  crmParametersOf,
  crmStateOf,
  loadPageOrder,
  noteState,
  removeDeparted,
  resultOf,
} from "../../store/crm/import-job.ts";
import { type CrmImportParameters, type CrmImportState, storeCrmPage } from "../../store/crm/import-page.ts";
import { stopKeeping } from "../../store/crm/imports.ts";
import { type JobAtWork, JobWaits, type PagedJobKind } from "../../store/jobs.ts";
import { type CrmDeps, CrmLost, type CrmSessions } from "./sessions.ts";

/** Imports a segment page by page; the next page is read while the current one is stored (rules/crm 3). */
export function crmImport(sessions: CrmSessions, { waits, log }: Pick<CrmDeps, "waits" | "log">): PagedJobKind {
  return {
    async openPages(job) {
      const { workspaceId } = job;
      const parameters = crmParametersOf(job);
      const { connectionId, segmentId } = parameters;
      const { provider } = await loadConnection(workspaceId, connectionId);
      const order = await loadPageOrder(job, provider);
      const fields = [...order.columns.mapping.keys()];
      let ahead: { cursor: string | null; page: Promise<CrmPage> } | null = null;

      function readPage(cursor: string | null, signal: AbortSignal): Promise<CrmPage> {
        const place = { segmentId, fields, cursor };
        return sessions.within({ workspaceId, connectionId }, signal, (call) =>
          CRM_VENDORS[provider].readPage(call, place),
        );
      }

      function readAhead(cursor: string, signal: AbortSignal): void {
        const page = readPage(cursor, signal);
        page.catch(() => {}); // the caller that awaits the page gets the error
        ahead = { cursor, page };
      }

      return async (now, signal) => {
        const state = crmStateOf(now);
        if (state.phase === "LEAVING") return removeDeparted(now, parameters, state);
        try {
          const taken = ahead?.cursor === state.cursor ? ahead.page : null;
          ahead = null;
          const page = await (taken ?? readPage(state.cursor, signal));
          if (page.next === state.cursor && page.next !== null) throw new CrmTrouble("ANSWER_INVALID");
          if (state.rows + page.contacts.length > MOST_CONTACTS) {
            throw new AppError("LIMIT_EXCEEDED", `An import has at most ${MOST_CONTACTS} contacts`, {
              limit: MOST_CONTACTS,
            });
          }
          if (page.next !== null) readAhead(page.next, signal);
          await storeCrmPage(now, order, state, page);
        } catch (error) {
          ahead = null;
          signal.throwIfAborted();
          throw await handleFault(error, now, parameters, state);
        }
      };
    },
    resultOf,
  };

  /** Decides what an error does to the job: it waits, starts over, or ends with an error that the caller may read. */
  async function handleFault(
    error: unknown,
    job: JobAtWork,
    parameters: CrmImportParameters,
    state: CrmImportState,
  ): Promise<unknown> {
    const { workspaceId } = job;
    const { importId, connectionId } = parameters;
    if (error instanceof CrmLost) {
      return new AppError(
        "CRM_CONNECTION_FAILED",
        "The CRM connection needs a person: connect it again, then import again",
        {
          connectionId,
        },
      );
    }
    if (!(error instanceof CrmTrouble)) return error;
    const { fault, reasons } = error;
    log.info({ workspaceId, jobId: job._id, fault, reasons }, "a page of a CRM could not be read");
    switch (fault) {
      case "RATE_LIMITED":
      case "DAY_USED_UP":
        if (Date.now() - job.createdAt.getTime() > LONGEST_IMPORT_MS) break;
        return new JobWaits(error.waitMs ?? (fault === "RATE_LIMITED" ? waits.rateMs : waits.dailyMs));
      case "PLACE_LOST":
        if (state.restarts >= MOST_RESTARTS) break;
        await noteState(job, { ...state, cursor: null, restarts: state.restarts + 1 });
        return new JobWaits(0);
      case "NOT_FOUND":
        await stopKeeping(workspaceId, importId, "SEGMENT_NOT_FOUND");
        return new AppError("SEGMENT_NOT_FOUND", "The CRM has no segment with this id; it may have been deleted");
      case "FORBIDDEN":
      case "REFUSED":
      case "FIELD_UNKNOWN":
        return new AppError("CRM_CONNECTION_FAILED", WORDS[fault], { connectionId });
      case "AWAY":
      case "ANSWER_INVALID":
        if (state.away >= MOST_AWAY) break;
        await noteState(job, { ...state, away: state.away + 1 });
        return new JobWaits(awayWait(waits, state.away));
      case "EXPIRED":
        break;
    }
    return new AppError(
      "CRM_CONNECTION_FAILED",
      "The CRM did not answer, or refused because of its limits, for too long: import again later",
      {
        connectionId,
      },
    );
  }
}

const WORDS = {
  FORBIDDEN:
    "The CRM does not let this connection read the segment: connect it again and grant every requested permission",
  REFUSED: "The CRM refused to read the segment",
  FIELD_UNKNOWN: "The CRM does not know one of the fields of `fieldMapping`, or hides it from this connection",
} as const;
