import { z } from "zod";
import { normalizeAddress } from "../domain/mail/message.ts";

/** An e-mail address in a request, normalised (rules/states 1.4). */
export const address = z
  .string()
  .max(320)
  .meta({ format: "email" })
  .transform((text, context) => {
    const read = normalizeAddress(text);
    if (read === null) context.addIssue({ code: "custom", message: "is not a valid e-mail address", params: { code: "INVALID_FORMAT" } });
    return read ?? z.NEVER;
  });
