import { Context } from "@temporalio/activity";
import { CrmTrouble } from "../../connectors/crm/vendor.ts";
import { CRM_VENDORS } from "../../connectors/crm/vendors.ts";
import { CRM_SEGMENTS, type CrmConnectionIds, type CrmSegmentsOutcome } from "../../domain/crm/contract.ts";
import { MOST_SEGMENTS } from "../../domain/crm/limits.ts";
import { scoped } from "../../models/scoped.ts";
import { type CrmDeps, CrmLost, type CrmSessions } from "./sessions.ts";

export interface CrmSegmentActivities {
  fetchCrmSegments(ids: CrmConnectionIds): Promise<CrmSegmentsOutcome>;
}

const LONGEST_NAME = 200;
const MORE_WAIT_S = 5;

/** The activity that reads the segments of a connection while an API caller waits, and stores them for that caller. */
export function crmSegmentActivities(sessions: CrmSessions, { log }: Pick<CrmDeps, "log">): CrmSegmentActivities {
  async function fetchCrmSegments({ workspaceId, connectionId }: CrmConnectionIds): Promise<CrmSegmentsOutcome> {
    const signal = AbortSignal.any([AbortSignal.timeout(CRM_SEGMENTS.readMs), Context.current().cancellationSignal]);
    try {
      const found = await sessions.within({ workspaceId, connectionId }, signal, (call, { provider }) =>
        CRM_VENDORS[provider].listSegments(call),
      );
      const segments = found
        .slice(0, MOST_SEGMENTS)
        .map(({ name, ...rest }) => ({ ...rest, name: name.slice(0, LONGEST_NAME) }));
      const set = { segments, readAt: new Date() };
      await scoped(workspaceId).CrmSegments.updateOne({ _id: connectionId }, { $set: set }, { upsert: true });
      return { kind: "read" };
    } catch (error) {
      Context.current().cancellationSignal.throwIfAborted();
      const refusedOutcome = (
        code: Extract<CrmSegmentsOutcome, { kind: "refused" }>["code"],
        waitMs: number | null = null,
      ) => {
        return { kind: "refused", code, waitSeconds: Math.ceil((waitMs ?? MORE_WAIT_S * 1_000) / 1_000) } as const;
      };
      if (error instanceof CrmLost) return refusedOutcome("LOST");
      if (signal.aborted) return refusedOutcome("AWAY");
      if (!(error instanceof CrmTrouble)) throw error;
      log.info(
        { workspaceId, connectionId, fault: error.fault, reasons: error.reasons },
        "segments of a CRM could not be read",
      );
      if (error.fault === "FORBIDDEN" || error.fault === "REFUSED" || error.fault === "NOT_FOUND")
        return refusedOutcome("FORBIDDEN");
      if (error.fault === "RATE_LIMITED" || error.fault === "DAY_USED_UP")
        return refusedOutcome("RATE_LIMITED", error.waitMs);
      return refusedOutcome("AWAY");
    }
  }

  return { fetchCrmSegments };
}
