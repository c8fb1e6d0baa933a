import type { Out } from "../../api/call.ts";

export type Factor = Out<"get /second-factor">;

/** What another second factor changes. */
export const RENEWS = ["get /second-factor", "get /session"] as const;
