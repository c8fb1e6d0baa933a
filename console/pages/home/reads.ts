import type { Out } from "../../api/call.ts";

/** What Home shows. A part is absent without its scopes, and null if it could not be read in time. */
export type HomeRead = Out<"get /home">;
export type Campaign = NonNullable<HomeRead["campaigns"]>[number];
