import { z } from "zod";
import { readAddress } from "../domain/values/address.ts";

/**
 * An email address in a request, accepted in the forms people write and normalised (rules/states 1.4). Warnings are
 * dropped, because a request cannot show them.
 */
export const address = z
  .string()
  .max(320)
  .meta({ format: "email" })
  .transform((text, context) => {
    const read = readAddress(text);
    if (read !== null && read.others.length === 0) return read;
    const refusal =
      read === null
        ? { message: "is not a valid e-mail address", code: "INVALID_FORMAT" }
        : { message: `must be one e-mail address: is ${read.address} meant?`, code: "SEVERAL_ADDRESSES" };
    context.addIssue({ code: "custom", message: refusal.message, params: { code: refusal.code } });
    return z.NEVER;
  });
