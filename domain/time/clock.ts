import { z } from "zod";

/**
 * A local time at which something begins. For a text that is not a time, later checks are skipped, such as the
 * comparison with the end.
 */
export const clock = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, { error: "must be a time like 09:00, from 00:00 to 23:59", abort: true })
  .meta({ examples: ["09:00"] });

/** A local time at which something ends; 24:00 is the end of the day. */
export const closing = z
  .string()
  .regex(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, {
    error: "must be a time like 17:00, from 00:00 to 24:00",
    abort: true,
  })
  .meta({ examples: ["17:00"] });
