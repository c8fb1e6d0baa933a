import { counter, flag, instant, mixed, type Owned, required, tenantModel, text } from "../../mongo/schema.ts";

/** A CRM segment that is imported once or every hour, into one list or none. */
export interface CrmImport extends Owned {
  connectionId: string;
  segmentId: string;
  listId: string | null;
  /** Whether the list is kept in step with the segment. */
  isKept: boolean;
  /**
   * The vendor's fields and what they become, as pairs. A vendor's field name may contain characters that a document's
   * field name must not.
   */
  mapping: [field: string, target: string][];
  /** How often it was begun. A member belongs to the round in which it was last seen. */
  round: number;
  /**
   * How many pages were stored. Each page writes this, so that a page and the end of the connection cannot both
   * succeed.
   */
  pages: number;
  /** The job of the last round. */
  jobId: string | null;
  actor: string;
  startedAt: Date | null;
  /** When a round last went through the whole segment. */
  syncedAt: Date | null;
  /** The code of the reason why the list is no longer kept in step; null otherwise. */
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
    startedAt: instant,
    syncedAt: instant,
    stoppedBy: text,
  },
  [
    { fields: { workspaceId: 1, connectionId: 1, segmentId: 1, listId: 1 }, unique: true },
    // The hourly round looks for the imports of all workspaces
    { fields: { isKept: 1, startedAt: 1 }, where: { isKept: true } },
  ],
);
