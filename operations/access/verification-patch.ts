import { z } from "zod";
import { CATCH_ALL_TREATMENTS } from "../../domain/verification-settings.ts";

/** What may be changed about the verification of addresses; a field that is absent stays as it is. */
export const VerificationPatch = z.strictObject({
  autoVerifyOnImport: z.boolean().describe("Whether the new leads of imports are verified by themselves").optional(),
  blockInvalid: z.boolean().describe("Whether nothing is sent to an address that was found INVALID").optional(),
  reverifyAfterDays: z
    .number()
    .int()
    .min(1)
    .max(365)
    .describe("How many days a result is kept before an address is checked again, 1 to 365; mail servers are asked once in 30 days at most")
    .optional(),
  treatCatchAllAs: z
    .enum(CATCH_ALL_TREATMENTS)
    .describe("How sending treats addresses whose domain takes any address: like VALID, RISKY or INVALID ones")
    .optional(),
});
