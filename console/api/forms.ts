import limits from "virtual:limits";
import type { WriteEndpoint } from "./call.ts";

/**
 * The limits of a field from the API reference, as attributes of an input. The browser checks them for convenience; the
 * server enforces them.
 */
export interface FieldLimits {
  required?: true;
  minLength?: number;
  maxLength?: number;
  min?: number;
  max?: number;
}

/** The limits of a field of a request. If the request has several actions, name the action. */
export function limitsOf(endpoint: WriteEndpoint, field: string, action = ""): FieldLimits {
  return limits[`${endpoint} ${action}`.trim()]?.[field] ?? {};
}
