import { forgetTotals } from "./page.ts";
import { forgetSummary } from "./summary.ts";

/**
 * Drops cached counts after this process has changed threads, so that the caller who made the change reads new ones.
 */
export function forgetInbox(workspaceId: string): void {
  forgetTotals(workspaceId);
  forgetSummary(workspaceId);
}
