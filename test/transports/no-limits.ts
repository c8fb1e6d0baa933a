import type { CallQuota } from "../../connectors/bearer-call.ts";

/** For tests of single requests, which no limit concerns. */
export const NO_LIMITS: CallQuota = {
  begin: async () => async () => {},
  block: async () => {},
  as: () => NO_LIMITS,
};
