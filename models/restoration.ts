import { type Base, counter, globalModel, instant } from "../mongo/schema.ts";

/**
 * A restore from a backup, which is carried out once. `_id` is the backup's instant (`RESTORED_FROM`), RFC 3339 UTC.
 */
export interface Restoration extends Base {
  /**
   * How many transactions of the restore were committed. Each of them writes this document, so that none commits after
   * `begunAt`.
   */
  steps: number;
  /** When every campaign had been paused and every mailbox had been listed for the check of its Sent folder. */
  begunAt: Date | null;
  /** When the last workflow run from before the restore had ended. */
  runsEndedAt: Date | null;
}

export const Restoration = globalModel<Restoration>("Restoration", "restorations", {
  steps: counter,
  begunAt: instant,
  runsEndedAt: instant,
});
