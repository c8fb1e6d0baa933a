import { countHeldBack } from "../../store/backlog.ts";
import { countOverdue } from "../../store/recipients/overdue.ts";
import { CostAwareCache } from "../cost-aware-cache.ts";

const counts = new CostAwareCache<number>(() => true);

/**
 * The number of overdue recipients in the whole deployment (rules/sending 7.5): zero while everything works. The count
 * is cached for frequent callers.
 */
export function recipientsOverdue(): Promise<number> {
  return counts.of("installation", "recipients", () => countOverdue(Date.now()));
}

/**
 * The number of emails that are held back because the database is slow, in all workspaces (rules/sending 5.9). The
 * count is cached too.
 */
export function emailsHeldBack(): Promise<number> {
  return counts.of("installation", "emails", () => countHeldBack(Date.now()));
}
