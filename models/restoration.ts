import { type Base, counter, globalModel, instant } from "../mongo/schema.ts";

/** A restore from a backup, done once: `_id` is the backup's instant (`RESTORED_FROM`), RFC 3339 UTC. */
export interface Restoration extends Base {
  /** How many transactions took part: each writes this document, so that none commits after `begunAt`. */
  steps: number;
  /** Since when every campaign is paused and every mailbox is listed for its comparison. */
  begunAt: Date | null;
  /** Since when no run of a recipient is left from before. */
  runsEndedAt: Date | null;
}

export const Restoration = globalModel<Restoration>("Restoration", "restorations", {
  steps: counter,
  begunAt: instant,
  runsEndedAt: instant,
});
