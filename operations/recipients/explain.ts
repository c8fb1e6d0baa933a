import { z } from "zod";
import { AppError } from "../../domain/errors.ts";
import { FORESEEN, type Foreseen, RULE_CODES } from "../../domain/recipients/explain.ts";
import { stopsOf } from "../../domain/recipients/stop-rules.ts";
import { STEP_TYPES, type Step, stepOf } from "../../domain/sequences/sequence.ts";
import { drawOf } from "../../domain/sequences/variant.ts";
import { isOpenStatus, RECIPIENT_STATUSES, SEND_PHASES, SEND_STATES } from "../../domain/states.ts";
import type { RecipientIds } from "../../domain/workflow-contract.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/send.ts";
import { ACT_STATES } from "../../models/step-execution.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { forecastRecipient } from "../../store/recipients/forecast.ts";
import { loadSituation, type Situation } from "../../store/recipients/recipient-state.ts";
import { campaignId } from "../campaigns/find.ts";
import { nullable, optionalTime, time } from "../fields.ts";
import { operation } from "../operation.ts";

const optionalText = nullable(z.string());
const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);
const Rule = z
  .object({ code: z.enum(RULE_CODES), text: z.string(), values: z.record(z.string(), value) })
  .meta({ id: "ExplainedRule", description: "A rule that decides, with the values it decides by" });
const Event = z
  .object({
    event: z.enum(FORESEEN),
    at: time,
    isEarliest: z.boolean(),
    stepId: optionalText,
    reason: optionalText,
  })
  .meta({ id: "ForeseenEvent", description: "Something that happens if nothing else does first" });

const Drawn = z.object({
  by: z.enum(["ONLY_VARIANT", "WEIGHTS", "WINNER", "EXPLORATION"]),
  label: optionalText,
  weights: z.record(z.string(), z.number()),
});

const Sent = z
  .object({
    sendId: z.string(),
    stepId: optionalText,
    stepOrder: nullable(z.number().int()),
    variantId: optionalText,
    drawn: nullable(Drawn),
    state: z.enum(SEND_STATES),
    phase: nullable(z.enum(SEND_PHASES)),
    generation: z.number().int(),
    slotAt: optionalTime,
    claimedAt: optionalTime,
    sentAt: optionalTime,
    unknownAt: optionalTime,
    mailboxId: optionalText,
    mailbox: optionalText,
    messageId: optionalText,
    subject: optionalText,
    checks: nullable(z.record(z.string(), z.unknown())),
    response: optionalText,
    evidence: optionalText,
    attempts: z.number().int(),
    softFailures: z.number().int(),
    failure: nullable(z.object({ reason: z.string(), code: optionalText, text: optionalText })),
  })
  .meta({ id: "ExplainedSend", description: "A mail, by which variant and which checks it went out" });

const Acted = z
  .object({
    stepId: z.string(),
    type: z.enum(STEP_TYPES),
    state: z.enum(ACT_STATES),
    doneAt: optionalTime,
    attempts: z.number().int(),
    failure: optionalText,
  })
  .meta({ id: "ExplainedStep", description: "A step that is no mail, and how it went" });

export const explain = operation({
  summary:
    "Explain a recipient: what was sent and why, what waits and until when, by which rules with which values, what happens next if nothing else does, and what could stop it",
  scope: "recipients:read",
  errors: ["RECIPIENT_NOT_FOUND"],
  input: z.strictObject({ campaignId, recipientId: z.string().max(64) }),
  output: z.object({
    recipientId: z.string(),
    campaignId: z.string(),
    email: z.string(),
    status: z.enum(RECIPIENT_STATUSES),
    explainedAt: time,
    sent: z.array(Sent),
    acted: z.array(Acted),
    waitsFor: nullable(z.object({ stepId: z.string(), order: z.number().int(), type: z.enum(STEP_TYPES) })),
    until: optionalTime,
    rules: z.array(Rule),
    next: nullable(Event),
    afterwards: z.array(Event),
    couldStop: z.array(Rule),
  }),
  // One snapshot of the database, so that past and forecast do not differ by a mail that is sent meanwhile
  run: ({ workspaceId }, { campaignId, recipientId }) => inTransaction(() => answer({ v: 1, workspaceId, campaignId, recipientId })),
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
    ...{ recipientId, campaignId, email: recipient.email, status: recipient.status, explainedAt: new Date(now) },
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

function couldStop({ recipient, campaign, settings, lead, send }: Situation, now: number) {
  return stopsOf(settings, {
    companyDomain: recipient.companyDomain,
    verificationStatus: lead.verificationStatus,
    softFailures: send?.softFailures ?? 0,
    guardOverrideUntil: campaign.guardOverrideUntil,
    unsendableSince: campaign.unsendableSince,
    now,
  });
}

/** The sends of the recipient, each with the reason for its variant and the mailbox that sent it. */
async function told({ sequence, recipient }: Situation, sends: readonly Send[]) {
  const ids = [...new Set(sends.flatMap(({ mailboxId }) => mailboxId ?? []))];
  const mailboxes = await scoped(recipient.workspaceId).Mailbox.find({ _id: trusted({ $in: ids }) }, { select: { email: 1 } });
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
