import { z } from "zod";
import type { Effect } from "../domain/access/policy.ts";
import type { Context } from "./context.ts";
import { yesNo } from "./fields.ts";

/** Whether a call causes an effect: decided from its fields and the stored data. `true` means always. */
type Trigger<In> = true | ((ctx: Context, input: In) => boolean | Promise<boolean>);
/** The effects of an operation that sends nothing. An operation that only stops sending has none. */
export type Effects<In> = { readonly [E in Effect]?: Trigger<In> };

/** The fields with which an operation that has effects is first planned and then committed (rules/access 4.2). */
export const planning = {
  planOnly: z
    .boolean()
    .optional()
    .describe(
      "true: changes nothing; the response shows the effects, and a `planToken` to carry out exactly that. Default false",
    ),
  planToken: z
    .string()
    .max(9_000)
    .optional()
    .describe(
      "The token of a plan of this same request, at most 15 minutes old, by this credential: does what the plan showed, or fails with 409 PLAN_STALE",
    ),
};

/** The plan fields in a multipart form, whose values are text. */
export const planningInForm = { ...planning, planOnly: yesNo.optional().describe(planning.planOnly.description ?? "") };
