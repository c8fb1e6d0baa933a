import { forgetTotals } from "./page.ts";
import { forgetSummary } from "./summary.ts";

/** Threads of the workspace were changed here: whoever changed them reads the new counts. */
export function forgetInbox(workspaceId: string): void {
  forgetTotals(workspaceId);
  forgetSummary(workspaceId);
}
