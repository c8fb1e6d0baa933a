import { z } from "zod";

/** The fields by which every verb with an effect is planned first and committed later (rules/access 4.2). */
export const planning = {
  planOnly: z
    .boolean()
    .optional()
    .describe("true: changes nothing, and answers what would be done with a `planToken` that commits exactly that. Default false"),
  planToken: z
    .string()
    .max(9_000)
    .optional()
    .describe(
      "The token of a plan of this very request, made by this credential within 15 minutes: does what it showed, or 409 PLAN_STALE",
    ),
};
