import { forgetTotals } from "./page.ts";
import { forgetSummary } from "./summary.ts";

/**
 * Drops cached counts after this process has changed threads, so that the caller reads the new counts.
 */
export function forgetInbox(workspaceId: string): void {
  forgetTotals(workspaceId);
  forgetSummary(workspaceId);
}
