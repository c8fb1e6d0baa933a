import type { Out } from "../../api/call.ts";

export type Lead = Out<"get /leads/:leadId">;
type Activity = Out<"get /leads/:leadId/activity">;
export type Happening = Extract<Activity, { view: "activity" }>["items"][number];

/** Entries of the history, or notes, on one page. */
export const ENTRIES = 50;
/** How many pages of entries or notes can be opened. */
export const DEEPEST = 50;
