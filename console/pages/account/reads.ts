import type { Out } from "../../api/call.ts";

export type Factor = Out<"get /second-factor">;

/** Endpoints to read again after a second factor changes. */
export const RENEWS = ["get /second-factor", "get /session"] as const;
