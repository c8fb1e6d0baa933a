import { ApplicationFailure, Context } from "@temporalio/activity";
import { EgressError } from "../../connectors/net/connect.ts";
import type { Egress } from "../../connectors/net/egress.ts";
import { configOf } from "../../domain/sequences/step-config.ts";
import type { HistoryEvent } from "../../domain/states.ts";
import { USER_AGENT } from "../../domain/webhook.ts";
import { POST_STEP, type RecipientIds, retryDelayMs, type StepOutcome } from "../../domain/workflow-contract.ts";
import type { StepExecution } from "../../models/recipients/step-execution.ts";
import { emit } from "../../store/outbox.ts";
import { checkDue, noteLook } from "../../store/recipients/due-step.ts";
import { beginPost, endPost, notePostFailure, type Turn } from "../../store/recipients/non-mail-step.ts";
import { loadSituation, type Situation } from "../../store/recipients/recipient-state.ts";

export interface PostActivities {
  postStep(ids: RecipientIds): Promise<StepOutcome>;
}

const TIMEOUT_MS = 15_000;
const READ_BYTES = 1_024;
/**
 * Status codes below 500 that may be temporary. Any other refusal is permanent, so the sequence continues immediately.
 */
const PASSING = [408, 425, 429];

/** The outcome of one request; `isFinal` is true when a retry would fail in the same way. */
type Posted = { ok: true; statusCode: number } | { ok: false; failure: string; isFinal: boolean };

/**
 * The activities for a recipient's WEBHOOK steps. Each step is posted at least once, always with the same idempotency
 * key, through the egress connector, which checks addresses (rules/security 4.1).
 */
export function postActivities(egress: Egress): PostActivities {
  return {
    /** Posts a step that is due. Returns when to continue. Throws when a retry may succeed. */
    async postStep(ids) {
      const situation = await loadSituation(ids);
      if (situation === null) return { kind: "stop", reason: "GONE" };
      const due = await checkDue(situation);
      if (due.kind === "due") return { kind: "over", to: "mail" };
      const { campaign, sequence, recipient, step } = situation;
      // If the recipient has just moved to this step, it is not loaded yet: the workflow runs the activity again
      if (due.kind !== "over" || due.to !== "post" || step?.type !== "WEBHOOK") return due;
      const turn = { campaign, sequence, recipient, step };
      const row = await beginPost(turn);
      if (row === null) return { kind: "replan", at: Date.now(), why: "a second look" };
      await recordPost(turn, row, await post(egress, situation, turn, row));
      const next = await loadSituation(ids);
      if (next === null) return { kind: "stop", reason: "GONE" };
      const after = await checkDue(next);
      return after.kind === "due" ? { kind: "over", to: "mail" } : after;
    },
  };
}

async function post(egress: Egress, situation: Situation, { step }: Turn, row: StepExecution): Promise<Posted> {
  const body = JSON.stringify(postBodyOf(situation, step.stepId));
  const headers = { "Content-Type": "application/json", "User-Agent": USER_AGENT, "Idempotency-Key": row._id };
  const signal = Context.current().cancellationSignal;
  try {
    const request = {
      method: "POST",
      headers,
      body,
      timeoutMs: TIMEOUT_MS,
      bodyTimeoutMs: 2_000,
      maxBodyBytes: READ_BYTES,
      signal,
    } as const;
    const { statusCode } = await egress.request(configOf("WEBHOOK", step).url, request);
    if (statusCode >= 200 && statusCode < 300) return { ok: true, statusCode };
    return { ok: false, failure: `HTTP_${statusCode}`, isFinal: statusCode < 500 && !PASSING.includes(statusCode) };
  } catch (error) {
    if (!(error instanceof EgressError)) throw error;
    return { ok: false, failure: error.reason, isFinal: error.reason === "ADDRESS_BLOCKED" };
  }
}

/**
 * Records a step that was accepted or has failed permanently, with its event. Otherwise it stores the failure and
 * throws, so that Temporal retries the request.
 */
async function recordPost(turn: Turn, row: StepExecution, posted: Posted): Promise<void> {
  const data = { stepId: turn.step.stepId, attempts: row.attempts };
  if (posted.ok) {
    await endPost(turn, "DONE", null, () =>
      emitStepEvent(turn, "WEBHOOK_CALLED", { ...data, statusCode: posted.statusCode }),
    );
    return;
  }
  const { failure, isFinal } = posted;
  if (isFinal || row.attempts >= POST_STEP.retry.maximumAttempts) {
    await endPost(turn, "FAILED", failure, () => emitStepEvent(turn, "WEBHOOK_FAILED", { ...data, failure }));
    return;
  }
  await notePostFailure(row, failure);
  await noteLook(turn.recipient, Date.now() + retryDelayMs(Context.current().info.attempt));
  throw ApplicationFailure.retryable(`Request ${row.attempts}: ${failure}`, "WebhookRefused");
}

async function emitStepEvent({ recipient }: Turn, type: HistoryEvent, data: Record<string, unknown>): Promise<void> {
  const { workspaceId, _id: recipientId, campaignId, leadId } = recipient;
  await emit(workspaceId, { type, leadId, campaignId, recipientId, data });
}

/** The body that the receiver gets: ids, and the lead's current fields. */
function postBodyOf({ campaign, recipient, lead }: Situation, stepId: string) {
  const {
    firstName,
    lastName,
    fullName,
    company,
    website,
    jobTitle,
    phone,
    city,
    state,
    country,
    timezone,
    tags,
    customFields,
  } = lead;
  return {
    type: "SEQUENCE_STEP",
    timestamp: new Date().toISOString(),
    stepId,
    campaignId: campaign._id,
    campaignName: campaign.name,
    recipientId: recipient._id,
    leadId: lead._id,
    email: recipient.email,
    lead: {
      firstName,
      lastName,
      fullName,
      company,
      website,
      jobTitle,
      phone,
      city,
      state,
      country,
      timezone,
      tags,
      customFields,
    },
  };
}
