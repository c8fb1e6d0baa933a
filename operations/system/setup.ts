import { z } from "zod";
import { SETUP_STATUSES } from "../../domain/readiness.ts";
import { nullable, time } from "../fields.ts";
import { operation } from "../operation.ts";
import { loadOperator } from "../sign-in/session-verbs.ts";

const Finding = z.object({
  check: z.string().describe("What was checked"),
  status: z.enum(SETUP_STATUSES).describe("How the check ended"),
  found: z.string().describe("What was found, as part of a sentence"),
  advice: nullable(z.string()).describe("What to do, as part of a sentence; null if nothing is to be done"),
});

/** The checks of `npm run doctor`, from the process that answers (rules/console 4.5). */
export const checkSetup = operation({
  summary: "Check the set-up of the deployment, for operators",
  scope: null,
  errors: ["ROLE_NOT_ALLOWED"],
  input: z.strictObject({}),
  output: z.object({
    at: time.describe("When the checks ended"),
    checks: z.array(Finding).describe("The checks in the order of `npm run doctor`"),
  }),
  async run(ctx) {
    await loadOperator(ctx, "Only operators check the set-up of the deployment");
    const checks = await ctx.services.checkSetup();
    return { at: new Date(), checks };
  },
});
