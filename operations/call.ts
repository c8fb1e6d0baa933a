import { suspendedError, unconfirmedError } from "../domain/access/suspension.ts";
import { AppError } from "../domain/errors.ts";
import { readBy } from "../domain/issues.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import type { AuditOutcome } from "../models/access/audit-entry.ts";
import { goBehind, goFirst } from "../mongo/precedence.ts";
import { createCallPlaces } from "../store/call-places.ts";
import { findSuspension, mustConfirm } from "../store/workspace-stands.ts";
import { recordDenied, runAudited } from "./access/audit.ts";
import { engineWithoutPlace } from "./access/call-rate.ts";
import { type Choice, pickAction } from "./choice.ts";
import { type Context, lacks } from "./context.ts";
import { once, type WriteKey } from "./idempotency.ts";
import { type AnyOperation, isPlannable, missingScope } from "./operation.ts";
import type { SendCall, VerbRun } from "./sending/boarding.ts";
import { runGated } from "./sending/gate.ts";
import { nameOf } from "./sending/named-verbs.ts";
import type { SendingContext } from "./sending/permit.ts";
import { runPermitted } from "./sending/permitted.ts";
import type { EffectRun } from "./sending/rehearse.ts";
import { guess } from "./sign-in/attempts.ts";
import { type Receiver, receiverOf } from "./upload.ts";

/** A call from the API or the tool server. Each part is read only when the order of checks reaches it. */
export interface Call {
  /**
   * Reads the fields. Called only after the scope check, so that a caller without the scope learns nothing and costs
   * nothing. The receiver accepts the file of an operation that takes one; null for all others.
   */
  fields: (receiver: Receiver | null) => unknown;
  /** The idempotency key of this write; null without one, or when the call only reads. */
  idempotencyKey?: () => WriteKey | null;
  /** Called when the stored response or refusal of an earlier call is returned. */
  onReplay?: () => void;
}

/**
 * Runs a call; all callers go through here. In this order: checks the scope, reads the fields, selects the action and
 * checks its scope, reads the idempotency key, validates the fields, runs the operation, and reduces the response to
 * its schema. A stored response is also returned only to a caller with the scope.
 * @throws AppError INSUFFICIENT_SCOPE, VALIDATION_FAILED, and errors of `fields`, `idempotencyKey` and the operation
 */
export async function call(
  ctx: Context,
  verb: AnyOperation | Choice,
  { fields, idempotencyKey = () => null, onReplay }: Call,
): Promise<unknown> {
  await refuseUnscoped(ctx, verb);
  const file = "file" in verb && verb.file !== undefined ? receiverOf(ctx, verb.file) : null;
  try {
    const { action, name, input } = await actionOf(ctx, verb, await fields(file));
    const key = isPlan(action, input) ? null : idempotencyKey();
    const { sends = false, showsOnce = [], stops = false } = action;
    const { workspaceId, services } = ctx;
    const work = async () => {
      const own = { ...ctx, services: { ...services, engine: engineWithoutPlace(services.engine) } };
      if (key === null) return perform(own, action, input);
      // The fields of an action do not name it, so two actions with the same fields would count as one request
      const asked = repeatableOf(ctx, input);
      const request = name === null ? asked : { action: name, input: asked };
      return once(own, { ...key, sends, showsOnce, request }, (context) => perform(context, action, input), onReplay);
    };
    if (stops) return await goFirst(workspaceId, work);
    const kind = action.scope?.endsWith(":read") === true ? "READ" : "WRITE";
    return await inPlace(workspaceId, kind, (signal) => goBehind(workspaceId, work, signal));
  } finally {
    await file?.discard();
  }
}

const inPlace = createCallPlaces();

/**
 * The fields that a repetition must equal. When a person agrees to a plan, the caller repeats the same call with its
 * token.
 */
function repeatableOf({ showsPlan }: Context, input: unknown): unknown {
  if (showsPlan !== true || typeof input !== "object" || input === null) return input;
  const { planToken: _, ...asked }: Record<string, unknown> = { ...input };
  return asked;
}

/** @throws AppError INSUFFICIENT_SCOPE when the credential may call none of the actions */
async function refuseUnscoped(ctx: Context, verb: AnyOperation | Choice): Promise<void> {
  const wanted = "actions" in verb ? Object.values(verb.actions) : [verb];
  const missing = wanted.map((one) => missingScope(one, ctx.scopes));
  if (missing.includes(null)) return;
  const sensitive = wanted.flatMap(({ audits = [] }) => audits);
  if (sensitive.length > 0) await recordDenied(ctx, sensitive.join(", "));
  throw lacks(missing[0] ?? "account:read");
}

/**
 * The operation itself, or the selected action with its own fields. @throws AppError VALIDATION_FAILED,
 * INSUFFICIENT_SCOPE, STEP_UP_REQUIRED
 */
async function actionOf(
  ctx: Context,
  verb: AnyOperation | Choice,
  raw: unknown,
): Promise<{ action: AnyOperation; name: string | null; input: unknown }> {
  const found = "actions" in verb ? pickAction(verb, raw) : { action: verb, name: null, input: raw };
  if ("actions" in verb) await refuseUnscoped(ctx, found.action);
  if (found.action.stepUp === true) refuseUnconfirmed(ctx);
  return found;
}

/** How long a password confirmation is valid for sensitive changes (rules/access 3.5). */
const CONFIRMED_MS = 10 * MINUTE_MS;

/** @throws AppError STEP_UP_REQUIRED */
export function refuseUnconfirmed({ kind, session }: Context): void {
  if (kind !== "CONSOLE" || (session !== undefined && Date.now() - session.confirmedAt.getTime() <= CONFIRMED_MS))
    return;
  throw new AppError("STEP_UP_REQUIRED", "Confirm your password first: POST /session/confirm");
}

function perform(ctx: Context, verb: AnyOperation, raw: unknown): Promise<unknown> {
  if (verb.audits === undefined) return run(ctx, verb, raw);
  return runAudited(ctx, verb.audits, raw, () => run(ctx, verb, raw), outcomeOf(verb, raw));
}

/** The outcome of a successful call in the audit log. */
function outcomeOf(verb: AnyOperation, raw: unknown): (answer: unknown) => AuditOutcome {
  if (isPlan(verb, raw)) return () => "PLANNED";
  return (answer) => (isPlannable(verb) && isApproval(answer) ? "ASKED" : "DONE");
}

/** Returns true when a call only requested an approval: its result is the approval itself, or contains it. */
function isApproval(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && ("requestKeys" in answer || "approval" in answer);
}

/** Returns true when the call only requests a plan, which needs no idempotency key. */
function isPlan(verb: AnyOperation, raw: unknown): boolean {
  return isPlannable(verb) && typeof raw === "object" && raw !== null && "planOnly" in raw && raw.planOnly === true;
}

async function run(
  caller: Context,
  verb: AnyOperation,
  raw: unknown,
  through: Through = runPermitted,
): Promise<unknown> {
  const input = inputOf(verb, raw);
  const ctx = await underBars(caller, verb);
  const done = async (as: Context | SendingContext) => verb.output.parse(await verb.run(as, input as never));
  if (verb.checksSecret === true) return guess(namesOf(ctx), "wrong passwords or codes", () => done(ctx));
  if (!isPlannable(verb)) return done(ctx);
  const asked = { verb: nameOf(verb), raw, input, needsKey: Object.hasOwn(verb.input.shape, "idempotencyKey") };
  return verb.asksPermit === true
    ? through(ctx, asked, (permit) => done({ ...ctx, permit }))
    : runGated(ctx, asked, effectRunOf(verb, input));
}

/**
 * While a workspace is suspended, none of its credentials may send or change what is sent, whatever their policies
 * (rules/access 7.2). The same holds until an owner has confirmed the address, where the service can email a link
 * (2.7).
 */
async function underBars(ctx: Context, { asksPermit, effects = {} }: AnyOperation): Promise<Context> {
  if (asksPermit !== true && effects.SENDS === undefined && effects.CHANGES_SENDING === undefined) return ctx;
  const suspension = await findSuspension(ctx.workspaceId);
  const isUnconfirmed = await mustConfirm(ctx.workspaceId, ctx.services.settings);
  if (suspension === null && !isUnconfirmed) return ctx;
  const barred = suspension === null ? unconfirmedError() : suspendedError(suspension);
  return { ...ctx, barred, policy: { ...ctx.policy, SENDS: "NONE", CHANGES_SENDING: "NONE" } };
}

/** The validated input. `operation` guarantees that the schema fits `run`. @throws AppError VALIDATION_FAILED */
function inputOf(verb: AnyOperation, raw: unknown): Record<string, unknown> {
  const input = readBy(verb.input, raw);
  if (!input.success) throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues: input.issues });
  return input.data;
}

function effectRunOf(
  verb: AnyOperation,
  { planOnly: _only, planToken: _token, ...input }: Record<string, unknown>,
): EffectRun {
  const perform = async (as: Context) => verb.output.parse(await verb.run(as, input as never));
  const foresee = verb.foresees?.bind(verb);
  return {
    effects: verb.effects ?? {},
    input,
    perform,
    ...(foresee !== undefined && { foresee: (as: Context) => foresee(as, input as never) }),
  };
}

/** Prepares an operation with effects that a person approves. @throws AppError VALIDATION_FAILED */
export function approvedRun(verb: AnyOperation, raw: unknown): EffectRun {
  return effectRunOf(verb, inputOf(verb, raw));
}

/**
 * The names under which a wrong secret is counted: the credential of the call, and its person across all credentials.
 */
function namesOf({ credentialId, userId }: Context): string[] {
  return [`credential:${credentialId}`, `user:${userId}`];
}

/** How an operation that may send emails gets its permit. */
type Through = (ctx: Context, call: SendCall, run: VerbRun) => Promise<unknown>;

/**
 * Runs an operation that another credential requested, for the person who approves it. The approving call has already
 * been checked and is audited itself.
 */
export function runApproved(ctx: Context, verb: AnyOperation, raw: unknown, through: Through): Promise<unknown> {
  return run(ctx, verb, raw, through);
}
