import { type Base, counter, globalModel, instant } from "../mongo/schema.ts";

/**
 * A restore from a backup, which is carried out once. `_id` is the backup's instant (`RESTORED_FROM`), RFC 3339 UTC.
 */
export interface Restoration extends Base {
  /**
   * The number of transactions that took part. Each of them writes this document, so that none commits after `begunAt`.
   */
  steps: number;
  /** When every campaign was paused and every mailbox was listed for its comparison. */
  begunAt: Date | null;
  /** When the last run of a recipient from before the restore had ended. */
  runsEndedAt: Date | null;
}

export const Restoration = globalModel<Restoration>("Restoration", "restorations", {
  steps: counter,
  begunAt: instant,
  runsEndedAt: instant,
});
