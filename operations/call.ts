import { AppError } from "../domain/errors.ts";
import { readBy } from "../domain/issues.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import type { AuditOutcome } from "../models/access/audit-entry.ts";
import { goBehind, goFirst } from "../mongo/precedence.ts";
import { recordDenied, runAudited } from "./access/audit.ts";
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

/** A call as its door reads it: each part is asked for when its turn in the order of checks has come. */
export interface Call {
  /**
   * Reads the fields. A caller without a scope of the verb is refused before that, so that the caller learns nothing
   * and costs nothing. A verb that takes a file receives it meanwhile; null for every other verb.
   */
  fields: (receiver: Receiver | null) => unknown;
  /** The name that the caller gave this write; null when it gave none, or when the call only reads. */
  idempotencyKey?: () => WriteKey | null;
  /** Told when the stored answer, or the stored refusal, of an earlier call is given. */
  onReplay?: () => void;
}

/**
 * The one way in of every door: a scope of the verb, then its fields, the action they name and its scope, the
 * idempotency key, the fields by their schema, the run, and the answer by its allow-list. A stored answer too is given
 * only to who holds the scope.
 * @throws AppError INSUFFICIENT_SCOPE, VALIDATION_FAILED, what `fields`, `idempotencyKey` and the verb throw
 */
export async function call(
  ctx: Context,
  verb: AnyOperation | Choice,
  { fields, idempotencyKey = () => null, onReplay }: Call,
): Promise<unknown> {
  await refuseUnscoped(ctx, verb);
  const file = "file" in verb && verb.file !== undefined ? receiverOf(ctx, verb.file) : null;
  try {
    const { action, input } = await actionOf(ctx, verb, await fields(file));
    const key = isPlan(action, input) ? null : idempotencyKey();
    const { sends = false, showsOnce = [], stops = false } = action;
    return await (stops ? goFirst : goBehind)(ctx.workspaceId, async () => {
      if (key === null) return perform(ctx, action, input);
      return once(ctx, { ...key, sends, showsOnce, input }, (context) => perform(context, action, input), onReplay);
    });
  } finally {
    await file?.discard();
  }
}

/** @throws AppError INSUFFICIENT_SCOPE when the credential may do none of it. */
async function refuseUnscoped(ctx: Context, verb: AnyOperation | Choice): Promise<void> {
  const wanted = "actions" in verb ? Object.values(verb.actions) : [verb];
  const missing = wanted.map((one) => missingScope(one, ctx.scopes));
  if (missing.includes(null)) return;
  const sensitive = wanted.flatMap(({ audits = [] }) => audits);
  if (sensitive.length > 0) await recordDenied(ctx, sensitive.join(", "));
  throw lacks(missing[0] ?? "account:read");
}

/**
 * The verb itself, or the action of a choice and its own fields. @throws AppError VALIDATION_FAILED,
 * INSUFFICIENT_SCOPE, STEP_UP_REQUIRED
 */
async function actionOf(
  ctx: Context,
  verb: AnyOperation | Choice,
  raw: unknown,
): Promise<{ action: AnyOperation; input: unknown }> {
  const found = "actions" in verb ? pickAction(verb, raw) : { action: verb, input: raw };
  if ("actions" in verb) await refuseUnscoped(ctx, found.action);
  if (found.action.stepUp === true) refuseUnconfirmed(ctx);
  return found;
}

/** How long a confirmed password counts for sensitive changes (rules/access 3.5). */
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

/** The outcome of a success in the audit log. */
function outcomeOf(verb: AnyOperation, raw: unknown): (answer: unknown) => AuditOutcome {
  if (isPlan(verb, raw)) return () => "PLANNED";
  return (answer) => (isPlannable(verb) && isApproval(answer) ? "ASKED" : "DONE");
}

/** Whether a call only asked a person: the approval itself in its transaction, or the answer that shows it. */
function isApproval(answer: unknown): boolean {
  return typeof answer === "object" && answer !== null && ("requestKeys" in answer || "approval" in answer);
}

/** Whether the call only asks what would be done: then there is nothing to repeat. */
function isPlan(verb: AnyOperation, raw: unknown): boolean {
  return isPlannable(verb) && typeof raw === "object" && raw !== null && "planOnly" in raw && raw.planOnly === true;
}

async function run(ctx: Context, verb: AnyOperation, raw: unknown, through: Through = runPermitted): Promise<unknown> {
  const input = inputOf(verb, raw);
  const done = async (as: Context | SendingContext) => verb.output.parse(await verb.run(as, input as never));
  if (verb.checksSecret === true) return guess(namesOf(ctx), "wrong passwords or codes", () => done(ctx));
  if (!isPlannable(verb)) return done(ctx);
  const asked = { verb: nameOf(verb), raw, input, needsKey: Object.hasOwn(verb.input.shape, "idempotencyKey") };
  return verb.asksPermit === true
    ? through(ctx, asked, (permit) => done({ ...ctx, permit }))
    : runGated(ctx, asked, effectRunOf(verb, input));
}

/** The schema and `run` of one verb agree by `operation`. @throws AppError VALIDATION_FAILED */
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
  return { effects: verb.effects ?? {}, input, perform };
}

/** A verb with effects as a person approves it. @throws AppError VALIDATION_FAILED */
export function approvedRun(verb: AnyOperation, raw: unknown): EffectRun {
  return effectRunOf(verb, inputOf(verb, raw));
}

/**
 * What a wrong secret of a call counts against: the session or other credential that makes it, and its person,
 * whichever makes it.
 */
function namesOf({ credentialId, userId }: Context): string[] {
  return [`credential:${credentialId}`, `user:${userId}`];
}

/** How a verb that may put mail on the wire comes to its permit. */
type Through = (ctx: Context, call: SendCall, run: VerbRun) => Promise<unknown>;

/**
 * Runs a verb that another credential requested, for the person who approves it. The call that approves it has been
 * checked and is audited itself.
 */
export function runApproved(ctx: Context, verb: AnyOperation, raw: unknown, through: Through): Promise<unknown> {
  return run(ctx, verb, raw, through);
}
