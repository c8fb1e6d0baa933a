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
    code: z.enum(RULE_CODES).describe("The rule"),
    text: z.string().describe("The rule as a sentence"),
    values: z.record(z.string(), value).describe("The values it decides by"),
  })
  .meta({ id: "ExplainedRule", description: "A rule that decides, with the values it decides by" });
const Event = z
  .object({
    event: z.enum(FORESEEN).describe("What would happen"),
    at: time.describe("When"),
    isEarliest: z.boolean().describe("Whether it may also be later: a booked instant is exact"),
    stepId: nullable(stepId),
    reason: optionalText.describe("Why"),
  })
  .meta({ id: "ForeseenEvent", description: "Something that happens if nothing else does first" });

const Drawn = z.object({
  by: z.enum(["ONLY_VARIANT", "WEIGHTS", "WINNER", "EXPLORATION"]).describe("What decided for the variant"),
  label: optionalText.describe("The variant's letter or name"),
  weights: z.record(z.string(), z.number()).describe("The weight of each variant"),
});

const Sent = z
  .object({
    sendId,
    stepId: nullable(stepId),
    stepOrder: nullable(z.number().int()).describe("The place of the step now; null when it was removed"),
    variantId: nullable(variantId),
    drawn: nullable(Drawn).describe("Why this variant"),
    state: z.enum(SEND_STATES).describe("Its status"),
    phase: nullable(z.enum(SEND_PHASES)).describe("While SENDING: CLAIMED before the content, DATA from then on"),
    generation: z.number().int().describe("Grows when someone sends it again"),
    slotAt: optionalTime.describe("When it was booked for"),
    claimedAt: optionalTime.describe("When the sending began"),
    sentAt: optionalTime.describe("When it was sent"),
    unknownAt: optionalTime.describe("Since when its outcome is unknown"),
    mailboxId: nullable(mailboxId),
    mailbox: optionalText.describe("The address of the mailbox"),
    messageId: optionalText.describe("Its Message-ID"),
    subject: optionalText.describe("Its subject"),
    checks: nullable(z.record(z.string(), z.unknown())).describe("What was asked before it was sent, with the answers"),
    response: optionalText.describe("What the server answered"),
    evidence: optionalText.describe("What was found of it afterwards"),
    attempts: z.number().int().describe("How often it was tried"),
    softFailures: z.number().int().describe("How often it was refused for the moment"),
    failure: nullable(
      z.object({
        reason: z.string().describe("What was wrong"),
        code: optionalText.describe("The status code of the other server"),
        text: optionalText.describe("Its words"),
      }),
    ).describe("Why it failed"),
  })
  .meta({ id: "ExplainedSend", description: "An email, with the variant and the checks by which it was sent" });

const Acted = z
  .object({
    stepId,
    type: z.enum(STEP_TYPES).describe("What the step does"),
    state: z.enum(ACT_STATES).describe("Its status"),
    doneAt: optionalTime.describe("When it was done"),
    attempts: z.number().int().describe("How often it was tried"),
    failure: optionalText.describe("Why it failed"),
  })
  .meta({ id: "ExplainedStep", description: "A step that is no mail, and how it went" });

export const explain = operation({
  summary:
    "Explain a recipient: what was sent and why, what waits and until when, by which rules with which values, what happens next if nothing else does, and what could stop it",
  scope: "recipients:read",
  errors: ["RECIPIENT_NOT_FOUND"],
  input: z.strictObject({ campaignId, recipientId }),
  output: z.object({
    recipientId,
    campaignId,
    email: z.string().describe("The address"),
    status: z.enum(RECIPIENT_STATUSES).describe("Where the recipient is"),
    explainedAt: time.describe("The instant that this answer is about"),
    sent: z.array(Sent).describe("The emails so far"),
    acted: z.array(Acted).describe("The other steps so far"),
    waitsFor: nullable(
      z.object({
        stepId,
        order: z.number().int().describe("Its place"),
        type: z.enum(STEP_TYPES).describe("What it does"),
      }),
    ).describe("The step that is next"),
    until: optionalTime.describe("When that is"),
    rules: z.array(Rule).describe("The rules that decide it"),
    next: nullable(Event).describe("What happens next, if nothing else does"),
    afterwards: z.array(Event).describe("What happens then"),
    couldStop: z.array(Rule).describe("What could end the sequence before"),
  }),
  // One snapshot of the database, so that past and forecast do not differ by an email that is sent meanwhile
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

/** The sends of the recipient, each with the reason for its variant and the mailbox that sent it. */
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
