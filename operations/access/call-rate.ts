import { createRateLimit, type Rate } from "../../mongo/rate-limit.ts";

/** POSTs to the tool server in a minute, per credential (rules/tools 5.1). */
export const CALLS_PER_MINUTE = 240;

/** Counts one call of a credential. A connector is counted by its grant, so that a fresh token does not begin anew. */
export const countCall: (credentialId: string) => Promise<Rate> = createRateLimit("tools", CALLS_PER_MINUTE, 60);
