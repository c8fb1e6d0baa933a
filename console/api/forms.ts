import limits from "virtual:limits";
import type { WriteEndpoint } from "./call.ts";

/** The limits of a field from the reference, as attributes of an input: the browser checks them, the server decides. */
export interface FieldLimits {
  required?: true;
  minLength?: number;
  maxLength?: number;
  min?: number;
  max?: number;
}

/** The limits of a field of a request; if the request has actions, the limits of that action. */
export function limitsOf(endpoint: WriteEndpoint, field: string, action = ""): FieldLimits {
  return limits[`${endpoint} ${action}`.trim()]?.[field] ?? {};
}
