import { countHeldBack } from "../../store/backlog.ts";
import { countOverdue } from "../../store/recipients/overdue.ts";
import { CostAwareCache } from "../cost-aware-cache.ts";

const counts = new CostAwareCache<number>(() => true);

/**
 * How many recipients the installation has forgotten (rules/sending 7.5): zero while all is well. Frequent callers get
 * a cached count.
 */
export function recipientsOverdue(): Promise<number> {
  return counts.of("installation", "recipients", () => countOverdue(Date.now()));
}

/** How many emails the slow database holds back now, in all workspaces (rules/sending 5.9), likewise cached. */
export function emailsHeldBack(): Promise<number> {
  return counts.of("installation", "emails", () => countHeldBack(Date.now()));
}
