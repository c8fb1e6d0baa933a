import { z } from "zod";
import type { Effect } from "../domain/access/policy.ts";
import type { Context } from "./context.ts";
import { yesNo } from "./fields.ts";

/** Whether a call causes an effect, by its fields and by what it finds: `true` is always. */
type Trigger<In> = true | ((ctx: Context, input: In) => boolean | Promise<boolean>);
/** The effects of a verb that is no sending one. A verb that only stops sending has none. */
export type Effects<In> = { readonly [E in Effect]?: Trigger<In> };

/** The fields by which every verb with an effect is planned first and committed later (rules/access 4.2). */
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

/** The same in a form, whose fields are text. */
export const planningInForm = { ...planning, planOnly: yesNo.optional().describe(planning.planOnly.description ?? "") };
