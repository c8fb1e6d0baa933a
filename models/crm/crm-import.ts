import type { LeadActor } from "../../domain/lead-source.ts";
import { counter, flag, instant, mixed, type Owned, required, tenantModel, text } from "../../mongo/schema.ts";

/** A CRM segment that is imported once or every hour, into one list or none. */
export interface CrmImport extends Owned {
  connectionId: string;
  segmentId: string;
  listId: string | null;
  /** Whether the list is updated every hour from the segment. */
  isKept: boolean;
  /**
   * Pairs of a vendor's field and the lead field that it is imported into. It is no object, because a vendor's field
   * name may contain characters that a document's field name must not.
   */
  mapping: [field: string, target: string][];
  /** How many rounds were started. Each member records the last round in which it was seen. */
  round: number;
  /**
   * How many pages were stored. Storing a page and ending the connection both write this document, so the two cannot
   * both succeed.
   */
  pages: number;
  /** The job of the latest round. */
  jobId: string | null;
  actor: string;
  /** The actor as the audit log names it. Absent in imports of earlier versions. */
  by?: LeadActor | null;
  startedAt: Date | null;
  /** When a round last read the whole segment. */
  syncedAt: Date | null;
  /** The code of the reason why the list is no longer updated from the segment; null otherwise. */
  stoppedBy: string | null;
}

export const CrmImport = tenantModel<CrmImport>(
  "CrmImport",
  "crm_imports",
  {
    connectionId: required,
    segmentId: required,
    listId: text,
    isKept: flag,
    mapping: mixed,
    round: counter,
    pages: counter,
    jobId: text,
    actor: required,
    by: mixed,
    startedAt: instant,
    syncedAt: instant,
    stoppedBy: text,
  },
  [
    { fields: { workspaceId: 1, connectionId: 1, segmentId: 1, listId: 1 }, unique: true },
    // The hourly task finds the imports of all workspaces in this index
    { fields: { isKept: 1, startedAt: 1 }, where: { isKept: true } },
  ],
);
