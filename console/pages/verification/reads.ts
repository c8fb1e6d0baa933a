import type { Endpoint, ItemOf } from "../../api/call.ts";
import { useCall } from "../../api/query.ts";
import { useMay } from "../../api/workspace.ts";
import { verificationWords as says } from "../../words/en/leads/verification.ts";

export type VerificationJob = ItemOf<"get /verification/jobs">;
export type Schedule = ItemOf<"get /verification/schedules">;

/** Endpoints to read again after a change of jobs or of schedules. */
export const JOBS: readonly Endpoint[] = ["get /verification/jobs", "get /verification/usage", "get /jobs"];
export const SCHEDULES: readonly Endpoint[] = ["get /verification/schedules"];

/** The lists of the workspace. People who may not see lists get none. */
export function useLists() {
  const { data = [] } = useCall("get /lead-lists", {}, { isOff: !useMay()("lead_lists:read") });
  const names = new Map(data.map(({ id, name }) => [id, name]));
  return { lists: data, nameOf: (listId: string) => names.get(listId) ?? says.deletedList };
}
