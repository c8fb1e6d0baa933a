import { z } from "zod";
import { readZone } from "./zone.ts";

/** The error for an unknown time zone, with a suggestion if there is one. */
export function zoneRefusal(suggestion: string | null): { message: string; code: "UNKNOWN_TIMEZONE" } {
  const more =
    suggestion === null ? "write an IANA name like Europe/Berlin, or an offset like UTC+2" : `is ${suggestion} meant?`;
  return { message: `is not a known time zone: ${more}`, code: "UNKNOWN_TIMEZONE" };
}

/** A time zone in a request: IANA and Windows names, offsets and cities, stored as IANA. */
export const zoneField = z
  .string()
  .max(200)
  .transform((text, context) => {
    const { zone, ...unread } = { suggestion: null, ...readZone(text) };
    if (zone !== null) return zone;
    const { message, code } = zoneRefusal(unread.suggestion);
    context.addIssue({ code: "custom", message, params: { code } });
    return z.NEVER;
  });
