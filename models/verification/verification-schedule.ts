import { CADENCES, type Cadence } from "../../domain/verification/results.ts";
import { instant, type Owned, oneOf, required, tenantModel } from "../../mongo/schema.ts";

/** A lead list whose members are verified repeatedly. `_id` has the prefix `vsc`. */
export interface VerificationSchedule extends Owned {
  listId: string;
  cadence: Cadence;
  enabled: boolean;
  lastRunAt: Date | null;
  nextRunAt: Date | null;
}

export const VerificationSchedule = tenantModel<VerificationSchedule>(
  "VerificationSchedule",
  "verification_schedules",
  {
    listId: required,
    cadence: oneOf(CADENCES, CADENCES[0]),
    enabled: { type: Boolean, required: true, default: true },
    lastRunAt: instant,
    nextRunAt: instant,
  },
  [
    { fields: { workspaceId: 1, listId: 1 }, unique: true },
    { fields: { workspaceId: 1, _id: -1 } },
    // Due schedules of all workspaces are found in this index
    { fields: { nextRunAt: 1 }, name: "due", where: { enabled: true } },
  ],
);
