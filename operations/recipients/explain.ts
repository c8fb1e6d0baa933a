import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { FORESEEN, type Foreseen, RULE_CODES } from "../../domain/recipients/explain.ts";
import { stopsOf } from "../../domain/recipients/stop-rules.ts";
import { STEP_TYPES, type Step, stepOf } from "../../domain/sequences/sequence.ts";
import { drawOf } from "../../domain/sequences/variant.ts";
import { isOpenStatus, RECIPIENT_STATUSES, SEND_PHASES, SEND_STATES } from "../../domain/states.ts";
import { verificationSettingsOf } from "../../domain/verification.ts";
import type { RecipientIds } from "../../domain/workflow-contract.ts";
import { ACT_STATES } from "../../models/recipients/step-execution.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { forecastRecipient } from "../../store/recipients/forecast.ts";
import { loadSituation, type Situation } from "../../store/recipients/recipient-state.ts";
import { campaignId } from "../campaigns/find.ts";
import { describedIds } from "../described-ids.ts";
import { nullable, optionalTime, time } from "../fields.ts";
import { operation } from "../operation.ts";

const { mailboxId, recipientId, sendId, stepId, variantId } = describedIds;

const optionalText = nullable(z.string());
const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);
const Rule = z
  .object({
    code: z.enum(RULE_CODES).describe("The code of the rule"),
    text: z.string().describe("The rule as a sentence"),
    values: z.record(z.string(), value).describe("The values that the rule uses"),
  })
  .meta({ id: "ExplainedRule", description: "A rule that applies, with its values" });
const Event = z
  .object({
    event: z.enum(FORESEEN).describe("What would happen"),
    at: time.describe("When it would happen"),
    isEarliest: z.boolean().describe("true: the earliest time, it may be later; false: the exact, booked time"),
    stepId: nullable(stepId),
    reason: optionalText.describe("The reason"),
  })
  .meta({ id: "ForeseenEvent", description: "An event that happens if no other event comes first" });

const Drawn = z.object({
  by: z.enum(["ONLY_VARIANT", "WEIGHTS", "WINNER", "EXPLORATION"]).describe("How the variant was chosen"),
  label: optionalText.describe("The variant's letter or name"),
  weights: z.record(z.string(), z.number()).describe("The weight of each variant"),
});

const Sent = z
  .object({
    sendId,
    stepId: nullable(stepId),
    stepOrder: nullable(z.number().int()).describe("The current position of the step; null if removed"),
    variantId: nullable(variantId),
    drawn: nullable(Drawn).describe("Why this variant was chosen"),
    state: z.enum(SEND_STATES).describe("The status"),
    phase: nullable(z.enum(SEND_PHASES)).describe("While SENDING: CLAIMED before the content is sent, then DATA"),
    generation: z.number().int().describe("Increases when someone sends the email again"),
    slotAt: optionalTime.describe("The booked time"),
    claimedAt: optionalTime.describe("When sending began"),
    sentAt: optionalTime.describe("When it was sent"),
    unknownAt: optionalTime.describe("When its outcome became unknown"),
    mailboxId: nullable(mailboxId),
    mailbox: optionalText.describe("The address of the mailbox"),
    messageId: optionalText.describe("Its Message-ID"),
    subject: optionalText.describe("Its subject"),
    checks: nullable(z.record(z.string(), z.unknown())).describe("The checks before sending, with their results"),
    response: optionalText.describe("The response of the server"),
    evidence: optionalText.describe("Evidence of the email that was found afterwards"),
    attempts: z.number().int().describe("The number of attempts"),
    softFailures: z.number().int().describe("The number of temporary refusals"),
    failure: nullable(
      z.object({
        reason: z.string().describe("The reason of the failure"),
        code: optionalText.describe("The status code from the receiving server"),
        text: optionalText.describe("The text from the receiving server"),
      }),
    ).describe("Why it failed"),
  })
  .meta({ id: "ExplainedSend", description: "An email, with its variant and the checks before it was sent" });

const Acted = z
  .object({
    stepId,
    type: z.enum(STEP_TYPES).describe("What the step does"),
    state: z.enum(ACT_STATES).describe("The status"),
    doneAt: optionalTime.describe("When it was done"),
    attempts: z.number().int().describe("The number of attempts"),
    failure: optionalText.describe("Why it failed"),
  })
  .meta({ id: "ExplainedStep", description: "A step other than an email, and its result" });

export const explain = operation({
  summary:
    "Explain a recipient: the emails so far and why, the next step and its time, the rules and values that decide it, the expected events, and what could stop the sequence",
  scope: "recipients:read",
  errors: ["RECIPIENT_NOT_FOUND"],
  input: z.strictObject({ campaignId, recipientId }),
  output: z.object({
    recipientId,
    campaignId,
    email: z.string().describe("The address"),
    status: z.enum(RECIPIENT_STATUSES).describe("The status of the recipient"),
    explainedAt: time.describe("The time that this explanation describes"),
    sent: z.array(Sent).describe("The emails so far"),
    acted: z.array(Acted).describe("The other steps so far"),
    waitsFor: nullable(
      z.object({
        stepId,
        order: z.number().int().describe("The position of the step"),
        type: z.enum(STEP_TYPES).describe("The type of the step"),
      }),
    ).describe("The step that is next"),
    until: optionalTime.describe("When the next step is due"),
    rules: z.array(Rule).describe("The rules that decide when it is due"),
    next: nullable(Event).describe("The next event, if no other comes first"),
    afterwards: z.array(Event).describe("The events after that"),
    couldStop: z.array(Rule).describe("What could end the sequence earlier"),
  }),
  // Reads one snapshot of the database, so that an email sent meanwhile cannot make history and forecast inconsistent
  run: ({ workspaceId }, { campaignId, recipientId }) =>
    inTransaction(() => answer({ v: 1, workspaceId, campaignId, recipientId })),
});

async function answer(ids: RecipientIds) {
  const now = Date.now();
  const { workspaceId, campaignId, recipientId } = ids;
  const { StepExecution, Send } = scoped(workspaceId);
  const situation = await loadSituation(ids);
  if (situation === null) throw new AppError("RECIPIENT_NOT_FOUND", "No recipient of this campaign has this id");
  const { recipient } = situation;
  const { rules, events } = await forecastRecipient(situation, now);
  const [next = null, ...afterwards] = events.map(shown);
  const sends = await Send.find({ recipientId }, { sort: { _id: 1 }, select: { content: 0 } });
  return {
    recipientId,
    campaignId,
    email: recipient.email,
    status: recipient.status,
    explainedAt: new Date(now),
    sent: await told(situation, sends),
    acted: await StepExecution.find({ recipientId }, { sort: { _id: 1 } }),
    waitsFor: waitsFor(situation, next?.stepId ?? null),
    until: next === null ? null : next.at,
    rules,
    next,
    afterwards,
    couldStop: isOpenStatus(recipient.status) ? couldStop(situation, now) : [],
  };
}

function shown({ at, ...event }: Foreseen) {
  return { ...event, at: new Date(at) };
}

function waitsFor({ sequence, recipient, step }: Situation, stepId: string | null): Step | null {
  if (!isOpenStatus(recipient.status)) return null;
  const first = recipient.sentCount === 0 && recipient.admittedAt === null ? sequence.steps[0] : undefined;
  return stepOf(sequence.steps, stepId) ?? step ?? first ?? null;
}

function couldStop({ recipient, campaign, settings, lead, send, workspace }: Situation, now: number) {
  return stopsOf(settings, {
    companyDomain: recipient.companyDomain,
    verificationStatus: lead.verificationStatus,
    verification: verificationSettingsOf(workspace.verification),
    softFailures: send?.softFailures ?? 0,
    policyRefusals: send?.policyRefusals ?? 0,
    guardOverrideUntil: campaign.guardOverrideUntil,
    unsendableSince: campaign.unsendableSince,
    now,
  });
}

/** The sends to the recipient, each with the reason for its variant and the mailbox that sent it. */
async function told({ sequence, recipient }: Situation, sends: readonly Send[]) {
  const ids = [...new Set(sends.flatMap(({ mailboxId }) => mailboxId ?? []))];
  const mailboxes = await scoped(recipient.workspaceId).Mailbox.find(
    { _id: trusted({ $in: ids }) },
    { select: { email: 1 } },
  );
  const emails = new Map(mailboxes.map(({ _id, email }) => [_id, email]));
  return sends.map((send) => {
    const step = stepOf(sequence.steps, send.stepId);
    return {
      ...send,
      sendId: send._id,
      stepOrder: step?.order ?? null,
      mailbox: send.mailboxId === null ? null : (emails.get(send.mailboxId) ?? null),
      drawn: step === null || send.variantId === null ? null : drawOf(step, send.variantId),
    };
  });
}
