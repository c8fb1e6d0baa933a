import type { Endpoint, Out } from "../../api/call.ts";

export type CustomField = Out<"get /custom-fields">[number];

/** Endpoints to read again after a change of a field. */
export const RENEWS: readonly Endpoint[] = ["get /custom-fields", "get /custom-fields/variables"];

/** The lines of a text, each once, without empty ones. */
export function linesOf(text: string): string[] {
  return [...new Set(text.split("\n").map((line) => line.trim()))].filter(Boolean);
}
