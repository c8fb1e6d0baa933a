import limits from "virtual:limits";
import type { WriteEndpoint } from "./call.ts";

/**
 * What the reference says of one field, as attributes of an input: the browser checks what they say, the server
 * decides.
 */
export interface FieldLimits {
  required?: true;
  minLength?: number;
  maxLength?: number;
  min?: number;
  max?: number;
}

/** The limits of a field of a request; of a choice, those of the action. */
export function limitsOf(endpoint: WriteEndpoint, field: string, action = ""): FieldLimits {
  return limits[`${endpoint} ${action}`.trim()]?.[field] ?? {};
}
