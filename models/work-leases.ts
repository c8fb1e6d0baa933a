import type { LeaseTable } from "../mongo/lease-plan.ts";
import { type Base, counter, globalModel, instant, mixed } from "../mongo/schema.ts";

/**
 * Which process does which part of the work of the whole deployment: one document with the id `work`
 * (`mongo/leases.ts`).
 */
export interface WorkLeases extends Base, LeaseTable {}

export const WorkLeases = globalModel<WorkLeases>("WorkLeases", "work_leases", {
  version: counter,
  at: instant,
  holders: mixed,
  parts: mixed,
});
