import type { Out } from "../../api/call.ts";

export type Lead = Out<"get /leads/:leadId">;
type Activity = Out<"get /leads/:leadId/activity">;
export type Happening = Extract<Activity, { view: "activity" }>["items"][number];

/** Entries of the history, or notes, that stand on one page. */
export const ENTRIES = 50;
/** Pages of it that can be turned back. */
export const DEEPEST = 50;
