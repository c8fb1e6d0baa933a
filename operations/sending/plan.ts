import { createHash } from "node:crypto";
import { z } from "zod";
import { EFFECTS } from "../../domain/access/policy.ts";
import { Validation } from "../campaigns/record.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, time } from "../fields.ts";
import { EditPlan } from "../sequences/edit-plan.ts";

const { mailboxId, stepId, variantId } = describedIds;

const count = z.number().int();

const PlannedMail = z.object({
  to: z.string().describe("The address of the recipient"),
  cc: z.array(z.string()).default([]).describe("Addresses that get a copy"),
  bcc: z.array(z.string()).default([]).describe("Addresses that get a hidden copy"),
  subject: z.string().describe("Its subject"),
  text: z.string().describe("Its plain text"),
  html: nullable(z.string()).describe("Its HTML; null for plain text only"),
  fileNames: z.array(z.string()).default([]).describe("The names of the attached files"),
  stepId: nullable(stepId).describe(
    "The step of the campaign; null for a reply, and for a placement test without a campaign",
  ),
  variantId: nullable(variantId).describe("The variant of the step; null for a reply"),
});

const EFFECT_KINDS = ["LAUNCH", "RESUME", "TEST_SEND", "PLACEMENT_TEST", "REPLY", "SCHEDULED_REPLY", "CHANGE"] as const;

const Changed = z.object({
  what: z.string().describe("The kind of record: `leads`, `recipients`, `webhooks`, ..."),
  created: count.describe("How many would be created"),
  changed: count.describe("How many would change"),
  deleted: count.describe("How many would be deleted"),
  fields: z.array(z.string()).describe("Names of the fields that would change"),
  examples: z.array(z.string()).describe("The names or addresses of the first ten"),
});

const Shown = z.object({ subject: z.string().describe("Its subject"), text: z.string().describe("Its plain text") });

const Difference = z.object({
  to: z.string().describe("The address of the recipient"),
  before: nullable(Shown).describe("The person's next email now; null: none, or it cannot be rendered"),
  after: nullable(Shown).describe("The same email after the call"),
});

const Lacking = z.object({
  name: z.string().describe("The name of the variable"),
  count: count.describe("How many people lack the variable"),
  hasFallback: z
    .boolean()
    .describe("true: a fallback replaces it; false: people without it do not get the emails that use it"),
});

export const Effect = z
  .object({
    kind: z.enum(EFFECT_KINDS).describe("The kind of call; CHANGE for every call that is none of the others"),
    causes: z
      .array(z.enum(EFFECTS))
      .default(["SENDS"])
      .describe("The effects that the call would have; a credential's policy allows or denies each"),
    changes: z.array(Changed).default([]).describe("For a CHANGE: the records to create, change and delete"),
    differences: z
      .array(Difference)
      .default([])
      .describe("For a CHANGE: the next email of three people before and after, where it differs"),
    kept: z
      .array(
        z.object({
          what: z.string().describe("The kind of record"),
          why: z.string().describe("Why these records are kept"),
        }),
      )
      .default([])
      .describe("For the erasure of a person or the undo of an import: what is kept"),
    destinations: z
      .array(z.string())
      .default([])
      .describe("For a CHANGE that discloses data: the destinations, as the call names them"),
    edit: nullable(EditPlan)
      .default(null)
      .describe("For an edit of a launched campaign: who gets which emails from then on, and when; null otherwise"),
    isDone: z.boolean().default(false).describe("Whether the call would change nothing, because this is already done"),
    people: count.describe("How many open people would be contacted; people suppressed by then get nothing"),
    heldOut: count
      .default(0)
      .describe("How many people of a campaign would be held out and never contacted; `people` excludes them"),
    lacking: z
      .array(Lacking)
      .default([])
      .describe("Variables of the campaign's emails that people lack, among the first 1,000 who would be contacted"),
    mails: count.describe("The most emails that would be sent to them, if no one replies or is stopped"),
    cost: count.describe(
      "The cost in the credential's daily budget: 1 for a reply or a test email, 1 for each email of a placement test, 1 for each person of a launch or anyone else who would be contacted",
    ),
    firstSendAt: optionalTime.describe("When the first email would leave; null: immediately, or not known"),
    lastSendAt: optionalTime.describe("When the last email would leave; null: immediately, or not known"),
    mailboxes: z
      .array(z.object({ id: mailboxId, email: z.string().describe("The address of the mailbox") }))
      .describe("The mailboxes that would send"),
    recipients: z.array(z.string()).describe("The addresses of the first ten people"),
    texts: z
      .array(PlannedMail)
      .describe(
        "The rendered emails; for a campaign every variant of each step, as the first three people would get it; at most 60",
      ),
    validation: nullable(Validation).describe(
      "For a launch: the check that it must pass, with its launch card; null otherwise",
    ),
  })
  .meta({ id: "PlannedEffect", description: "The effect that a call would have" });

const Plan = z
  .object({
    effect: Effect,
    budget: nullable(
      z.object({
        limit: count.describe("Emails that this credential can send in one day (workspace time zone)"),
        left: count.describe("How many emails are left today"),
      }),
    ).describe("The credential's daily budget; null when it has none"),
    expiresAt: time.describe("When the plan token expires, 15 minutes after it was issued"),
  })
  .meta({ id: "Plan", description: "The effect of the call, and how long it can be committed" });

export const Planned = z
  .object({
    plan: Plan,
    planToken: z.string().describe("Send it with the same request to do exactly this, once"),
  })
  .meta({ id: "Planned", description: "The response to `planOnly`: nothing was done" });

/**
 * The effect of a call: the fields to show, and the identity that distinguishes it from another effect. Times that pass
 * by themselves are not part of the identity.
 */
export interface PlannedEffect {
  shown: Omit<z.input<typeof Effect>, "cost">;
  identity: unknown;
  /** Addresses of people whose data the texts contain, besides those that are shown. */
  about?: string[];
}

export function digestOf(value: unknown): string {
  return createHash("sha256").update(JSON.stringify(value)).digest("base64url");
}
