import { DOORS } from "./doors.ts";
import type { Guard } from "./guard.ts";
import { READING } from "./reading.ts";
import { SENDING } from "./sending.ts";

/** The guards of all rooms. One that survives its test is a finding: the test is mended, the row stays. */
export const GUARDS: Guard[] = [...SENDING, ...READING, ...DOORS];
