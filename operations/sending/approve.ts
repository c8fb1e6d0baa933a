import { AppError } from "../../domain/errors.ts";
import type { Approval, SendRequest } from "../../models/campaigns/approval.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { approvedRun, refuseUnconfirmed, runApproved } from "../call.ts";
import type { Context } from "../context.ts";
import type { AnyOperation } from "../operation.ts";
import { askedFields, sealFields, shownRequest, whatIsShown } from "./ask.ts";
import { intentOf, runBoarded, type VerbRun } from "./boarding.ts";
import { openAccount } from "./budget.ts";
import type { ChangeEffect } from "./change-effect.ts";
import { type Decision, decisionOf, IsDecided, isPending, openFilterOf } from "./decision.ts";
import { verbNamed } from "./named-verbs.ts";
import type { Intent } from "./permit.ts";
import type { PlannedEffect } from "./plan.ts";
import { runWatched } from "./rehearse.ts";

/**
 * Runs the call that a credential requested, once, if its effect still matches the approval (rules/access 4.5). The
 * decision commits in the transaction of the effect, so after a crash both exist or neither. If it was approved before,
 * this only waits for the outcome. Returns the response of a call that sends nothing, and null for all others.
 * @throws AppError PLAN_STALE {plan, version} after the approval was updated to the new effect, and errors of the
 * operation
 */
export async function approveRequest(ctx: Context, approval: Approval, decision: Decision): Promise<unknown> {
  const { request } = approval;
  if (approval.kind === "CHANGE" && approval.status !== "PENDING") return null; // only its approver got the response
  const verb = request === null || request === undefined ? undefined : verbNamed(request.verb);
  if (request === null || request === undefined || verb === undefined)
    throw new AppError("INVALID_STATE_TRANSITION", "The request for approval no longer exists", {
      from: approval.status,
      action: "approve",
    });
  const isOpen = approval.status === "PENDING";
  if (verb.asksPermit !== true) return approveChange(ctx, approval, request, verb, decision);
  if (!isOpen && (BEGINS_WORK.includes(approval.kind) || approval.status !== "APPROVED")) return null;
  const given = askedFields(ctx, approval, request);
  const fields = fieldsOf(given, isOpen ? decision.text : undefined);
  const asked = { ...request, fields: sealFields(ctx, approval._id, JSON.stringify(fields)) };
  let would: SendRequest["effect"] | null = null;
  try {
    if (isOpen && decision.text !== undefined)
      await runApproved(ctx, verb, fieldsOf(given), (_ctx, _call, run) => compare(approval, request, run));
    await runApproved(ctx, verb, fields, (_ctx, _call, run) =>
      runDecided(ctx, approval, asked, decision, run, (effect) => {
        would = effect;
      }),
    );
  } catch (err) {
    // Another person approved it concurrently, or the email was refused after the decision: the approval contains the
    // outcome
    if (
      err instanceof IsDecided ||
      (err instanceof AppError && err.code !== "PLAN_STALE" && !(await isPending(approval)))
    )
      return null;
    throw err;
  }
  if (await isPending(approval)) await settleUnchanged(ctx, approval, decision, would);
  return null;
}

/** Runs a requested call that sends nothing. The decision is part of its transaction. */
async function approveChange(
  ctx: Context,
  approval: Approval,
  request: SendRequest,
  verb: AnyOperation,
  decision: Decision,
): Promise<unknown> {
  if (verb.stepUp === true) refuseUnconfirmed(ctx);
  const { credentialId, limit } = request;
  const spend = await openAccount({ workspaceId: ctx.workspaceId, credentialId, limit });
  const { perform, ...change } = approvedRun(verb, askedFields(ctx, approval, request));
  const { Approval } = scoped(ctx.workspaceId);
  const performOpen = async (as: Context) => {
    if ((await Approval.count(openFilterOf(approval))) === 0) throw new IsDecided();
    return perform(as);
  };
  try {
    return await runWatched(ctx, { ...change, perform: performOpen }, async (effect) => {
      if (shownRequest(effect, effect.cost).digest !== request.digest) throw new IsOther(effect);
      // A call that deletes a person expires all approvals about that person, including this one
      const { _id, version = 1 } = approval;
      const open = { _id, version, status: trusted({ $in: ["PENDING", "EXPIRED"] as const }) };
      if ((await Approval.updateOne(open, { $set: decisionOf(ctx, decision) })) === 0) throw new IsDecided();
      await spend(effect.cost);
    });
  } catch (err) {
    if (err instanceof IsOther) await refuseOther(approval, request, err.effect, err.effect.cost);
    if (err instanceof IsDecided) return null;
    throw err;
  }
}

/** The call would have another effect than the approval shows. */
class IsOther extends Error {
  readonly effect: ChangeEffect;
  constructor(effect: ChangeEffect) {
    super("The effect of the call is not the one that was shown");
    this.effect = effect;
  }
}

/**
 * Records the decision about a call that would change nothing, because its result already exists.
 * @throws AppError CAMPAIGN_NOT_VALID when the call would change nothing because the campaign cannot be launched
 */
async function settleUnchanged(
  ctx: Context,
  approval: Approval,
  decision: Decision,
  would: SendRequest["effect"] | null,
): Promise<void> {
  if (would?.["isDone"] !== true)
    throw new AppError("CAMPAIGN_NOT_VALID", "The campaign cannot be launched as it is", {
      validation: would?.["validation"] ?? null,
    });
  await scoped(ctx.workspaceId).Approval.updateOne(openFilterOf(approval), { $set: decisionOf(ctx, decision) });
}

/** Checks that the approved call would still have the shown effect. @throws AppError PLAN_STALE */
async function compare(approval: Approval, request: SendRequest, run: VerbRun): Promise<void> {
  const intent = await intentOf(run);
  await refuseOther(approval, request, await intent.effect(), await intent.cost());
}

/** If the effect has changed, stores the new effect in the approval, which stays open, and refuses. */
async function refuseOther(
  approval: Approval,
  request: SendRequest,
  effect: PlannedEffect,
  cost: number,
): Promise<void> {
  const now = shownRequest(effect, cost);
  if (now.digest === request.digest) return;
  const change = { $set: { request: { ...request, ...now }, ...whatIsShown(effect) }, $inc: { version: 1 } };
  const { Approval } = scoped(approval.workspaceId);
  // A concurrent check may have stored the new effect first
  const after = (await Approval.findOneAndUpdate(openFilterOf(approval), change)) ?? (await Approval.get(approval._id));
  if (after?.status !== "PENDING") throw new IsDecided();
  const plan = { effect: now.effect, expiresAt: after.expiresAt, budget: null };
  throw new AppError(
    "PLAN_STALE",
    "The effect has changed since it was shown: nothing was done, and the approval shows the new effect",
    {
      plan,
      version: after.version ?? 1,
    },
  );
}

/**
 * Runs the operation with its permit. The decision, the effect and the cost to the requester are stored in one
 * transaction.
 */
async function runDecided(
  ctx: Context,
  approval: Approval,
  request: SendRequest,
  decision: Decision,
  run: VerbRun,
  look: (effect: SendRequest["effect"]) => void,
): Promise<unknown> {
  const { workspaceId } = ctx;
  const { _id: approvalId } = approval;
  const { credentialId, limit } = request;
  let kept: Partial<Approval> = { request };
  const check = async (intent: Intent) => {
    const effect = await intent.effect();
    const cost = await intent.cost();
    if (decision.text === undefined && approval.status === "PENDING")
      await refuseOther(approval, request, effect, cost);
    const shown = shownRequest(effect, cost);
    kept = { request: { ...request, ...shown }, ...whatIsShown(effect) };
    look(shown.effect);
  };
  const note = async () => {
    const done = { $set: { ...decisionOf(ctx, decision), ...kept } };
    if ((await scoped(workspaceId).Approval.updateOne(openFilterOf(approval), done)) === 0) throw new IsDecided();
  };
  const spend = await openAccount({ workspaceId, credentialId, limit });
  return runBoarded({ sendKey: `approval/${approvalId}`, approvalId, spend, check, note }, run);
}

/** The kinds of approvals that are complete once approved. For others, the call waits until the email is sent. */
const BEGINS_WORK: readonly Approval["kind"][] = ["LAUNCH", "PLACEMENT_TEST"];

/** The fields of the requested call. If the approver changed the text, the proposed HTML is omitted. */
function fieldsOf({ html, ...asked }: Record<string, unknown>, text?: string): Record<string, unknown> {
  if (text !== undefined) return { ...asked, text };
  return html === undefined ? asked : { ...asked, html };
}
