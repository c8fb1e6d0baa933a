import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { asAppError } from "../api/errors.ts";
import { AppError } from "../domain/errors.ts";
import type { Scope } from "../domain/scopes.ts";
import { call } from "../operations/call.ts";
import { actionNamed } from "../operations/choice.ts";
import type { Context } from "../operations/context.ts";
import type { ToolRow } from "../operations/declaration.ts";
import { detail, paging, skipOf, textOffset } from "../operations/fields.ts";
import { idempotencyKey } from "../operations/inbox/reply-draft.ts";
import { type AnyOperation, missingScope } from "../operations/operation.ts";
import { readArguments } from "../operations/read-arguments.ts";
import { exampleOf } from "./example-call.ts";
import { type Fitted, fitRows, fitText } from "./fit.ts";
import { type AgentView, prepare, withMarks } from "./strangers.ts";
import { actionsOf, isChoice, takesKey, takesOffset } from "./tool.ts";

export interface ToolAnswer {
  text: string;
  isError: boolean;
  isTruncated: boolean;
  isReplay: boolean;
  /** The code of the refusal. */
  code: string | null;
  /** The refusal with all its details, of which the text may have lost some. */
  error?: AppError;
  /** The internal error, for the log. */
  cause?: unknown;
}

const LONGEST_MS = 30_000;
/** How long a call waits for another call with the same idempotency key (rules/tools 5.3). */
const IN_PROGRESS_MS = 25_000;
const POLL_MS = 200;

/** Calls a tool. Every failure becomes a tool result with our own message, within the size limit. */
export async function callTool(ctx: Context, name: string, tool: ToolRow, args: unknown): Promise<ToolAnswer> {
  const seen = { isReplay: false };
  try {
    const { offset, isLow, given } = ownOf(tool, args ?? {});
    const whole = await withinTime(answerOf(ctx, name, tool, given, seen));
    const value = isLow ? inLowDetail(whole) : whole;
    const { text, isTruncated } = shownValue(tool, value, offset, readArguments(given));
    return { text, isTruncated, isReplay: seen.isReplay, isError: false, code: null };
  } catch (err) {
    const error = asAppError(err);
    const { code, message, cause, status } = error;
    const details = code === "VALIDATION_FAILED" ? withExample(ctx, error.details, tool, args) : error.details;
    const { text, isTruncated } = fitText({
      code,
      message,
      traceId: ctx.traceId,
      ...(details !== undefined && { details }),
    });
    return { text, isTruncated, isReplay: seen.isReplay, isError: true, code, error, ...(status >= 500 && { cause }) };
  }
}

/** The details of a refused call with a valid call of the same operation, where the reference has an example. */
function withExample(ctx: Context, details: AppError["details"], tool: ToolRow, args: unknown): AppError["details"] {
  const picked = verbOf(tool, args);
  const example = picked === null ? null : exampleOf(picked.verb);
  if (picked === null || example === null) return details;
  const { operation } = tool;
  const by = isChoice(operation) && typeof operation.by === "string" ? { [operation.by]: picked.action } : {};
  return { ...details, example: { ...askedOf(ctx, picked.verb), ...example, ...by } };
}

/** The fields that a call needs besides its own: a plan, where the policy asks for one, or the key of a send. */
function askedOf({ policy }: Context, verb: AnyOperation): Record<string, unknown> {
  const effects = verb.asksPermit === true ? ["SENDS"] : Object.keys(verb.effects ?? {});
  if (Object.entries(policy).some(([effect, way]) => effects.includes(effect) && way === "PLAN"))
    return { planOnly: true };
  return verb.asksPermit === true ? { idempotencyKey: "your-new-key" } : {};
}

/** The longest text that an entry in low detail has. */
const LOW_TEXT = 100;

/** A page whose entries have only their ids, names, states, numbers and times. */
function inLowDetail(value: unknown): unknown {
  if (!isRecord(value) || !Array.isArray(value["items"])) return value;
  const items = value["items"].map((item: unknown) =>
    isRecord(item) ? Object.fromEntries(Object.entries(item).filter(([, inner]) => isShort(inner))) : item,
  );
  return { ...value, items };
}

function isShort(value: unknown): boolean {
  return typeof value === "string"
    ? value !== "" && value.length <= LOW_TEXT
    : value !== null && typeof value !== "object";
}

/** The most characters of each long text, largest first. The first that lets a whole row fit is used. */
const WINDOWS = [6_000, 3_000, 1_500, 750, 400, 200];

/** The windows of a tool. Texts of a record are shown whole if the record fits; each body of a thread has a limit. */
function windowsOf(tool: ToolRow): readonly number[] {
  if (tool.hasLongTexts === true) return [Number.POSITIVE_INFINITY, ...WINDOWS];
  return tool.hasBodies === true ? WINDOWS : WINDOWS.slice(0, 1);
}

function shownValue(tool: ToolRow, value: unknown, offset: number, given: Record<string, unknown>): Fitted {
  const listing = { ...(tool.rows !== undefined && { rows: tool.rows }), given };
  const ofEveryText = tool.hasLongTexts === true;
  const asMarked = (shown: unknown) => (tool.untrusted === true ? { untrusted: true, ...asRecord(shown) } : shown);
  let prepared: AgentView = { value, next: null, cuts: [] };
  for (const most of windowsOf(tool)) {
    prepared = prepare(value, { offset, most, ofEveryText });
    const fitted = fitRows(asMarked(withMarks(prepared)), listing);
    if (fitted !== null) return { ...fitted, isTruncated: fitted.isTruncated || prepared.cuts.length > 0 };
  }
  // Texts and lists lose their ends, so no offset reads on from here
  return fitText(asMarked(prepared.value), { ...listing, cuts: prepared.cuts });
}

/** The operation that a call selects, whatever its other arguments are; null when it selects none. */
export function verbOf({ operation }: ToolRow, args: unknown): { action: string | null; verb: AnyOperation } | null {
  if (!isChoice(operation)) return { action: null, verb: operation };
  const action = actionNamed(operation, args);
  const verb = action === null ? undefined : operation.actions[action];
  return verb === undefined ? null : { action, verb };
}

/**
 * The scope that the selected operation needs and this credential lacks. Null when the credential has it, or when no
 * operation is selected.
 */
export function lackedScope(tool: ToolRow, args: unknown, held: ReadonlySet<Scope>): Scope | null {
  const verb = verbOf(tool, args)?.verb;
  return verb === undefined ? null : missingScope(verb, held);
}

/**
 * Returns true when a credential sees the tool in the list: it holds the tool's scope, or may call one of its actions
 * (rules/tools 3.1).
 */
export function isListed(tool: ToolRow, held: ReadonlySet<Scope>): boolean {
  const { scope } = tool.operation;
  return scope === null || held.has(scope) || actionsOf(tool).some(([, verb]) => missingScope(verb, held) === null);
}

async function answerOf(
  ctx: Context,
  name: string,
  tool: ToolRow,
  args: unknown,
  seen: { isReplay: boolean },
): Promise<unknown> {
  const given = readArguments(args);
  const verb = verbOf(tool, given)?.verb;
  const isPaged = tool.paged === true && verb?.output._zod.def.type === "array";
  const page = isPaged ? pageOf(given) : null;
  const key = verb === undefined ? null : keyOf(tool, verb, given);
  const fields = withoutOwn(given, { isPaged, hasKey: actionsOf(tool).some(([, one]) => takesKey(tool, one)), verb });
  const run = () =>
    call(ctx, tool.operation, {
      fields: () => fields,
      idempotencyKey: () => (key === null ? null : { key, place: ["tool", name] }),
      onReplay() {
        seen.isReplay = true;
      },
    });
  const value = key === null ? await run() : await untilDone(run);
  if (page !== null && Array.isArray(value)) return pageFrom(value, page);
  // Operations whose idempotency key is stored with their sends report this themselves
  return key === null ? value : { ...asRecord(value), idempotentReplay: seen.isReplay };
}

/**
 * The idempotency key of a write whose operation has no such field itself. A send needs one, and a plan has none.
 * @throws AppError IDEMPOTENCY_KEY_REQUIRED, VALIDATION_FAILED
 */
function keyOf(tool: ToolRow, verb: AnyOperation, given: Record<string, unknown>): string | null {
  if (!takesKey(tool, verb) || given["planOnly"] === true) return null;
  if (given["idempotencyKey"] === undefined && verb.asksPermit !== true) return null;
  if (given["idempotencyKey"] === undefined)
    throw new AppError(
      "IDEMPOTENCY_KEY_REQUIRED",
      "`idempotencyKey` is required: 8 to 128 characters of A-Za-z0-9._:-",
    );
  return readArguments(given, z.object({ idempotencyKey: idempotencyKey.unwrap() })).idempotencyKey;
}

function withoutOwn(
  given: Record<string, unknown>,
  { isPaged, hasKey, verb }: { isPaged: boolean; hasKey: boolean; verb: AnyOperation | undefined },
): Record<string, unknown> {
  const isOwn = hasKey && (verb === undefined || !Object.hasOwn(verb.input.shape, "idempotencyKey"));
  const own = [...(isPaged ? ["page", "pageSize"] : []), ...(isOwn ? ["idempotencyKey"] : [])];
  return Object.fromEntries(Object.entries(given).filter(([name]) => !own.includes(name)));
}

/** Waits until another call with the same key has ended, and returns its stored response. */
async function untilDone(run: () => Promise<unknown>): Promise<unknown> {
  for (const until = Date.now() + IN_PROGRESS_MS; ; ) {
    try {
      return await run();
    } catch (err) {
      if (!(err instanceof AppError) || err.code !== "IDEMPOTENCY_IN_PROGRESS" || Date.now() >= until) throw err;
      await delay(POLL_MS);
    }
  }
}

/**
 * Separates the arguments that the tool server reads itself from those of the operation: `offset`, where the long texts
 * in the result start, and `detail`. @throws AppError VALIDATION_FAILED
 */
function ownOf(tool: ToolRow, args: unknown): { offset: number; isLow: boolean; given: unknown } {
  const shape = { ...(takesOffset(tool) && textOffset), ...(tool.detail === true && detail) };
  if (Object.keys(shape).length === 0) return { offset: 0, isLow: false, given: args };
  const all = Object.entries(readArguments(args));
  const own = all.filter(([name, value]) => Object.hasOwn(shape, name) && value !== undefined);
  const read = readArguments(Object.fromEntries(own), Own);
  const given = Object.fromEntries(all.filter(([name]) => !Object.hasOwn(shape, name)));
  return { offset: read.offset, isLow: read.detail === "low", given };
}

const Own = z.object({ ...textOffset, ...detail });
const Page = z.object(paging);

function pageOf(given: Record<string, unknown>): z.output<typeof Page> {
  const { page, pageSize } = given;
  return readArguments({ ...(page !== undefined && { page }), ...(pageSize !== undefined && { pageSize }) }, Page);
}

function pageFrom(all: unknown[], { page, pageSize }: z.output<typeof Page>) {
  const skip = skipOf({ page, pageSize });
  return { items: all.slice(skip, skip + pageSize), total: all.length, page, pageSize };
}

async function withinTime<T>(work: Promise<T>): Promise<T> {
  const ending = new AbortController();
  const late = delay(LONGEST_MS, undefined, { signal: ending.signal, ref: false }).then(() => {
    throw new AppError("SERVICE_UNAVAILABLE", "The call took longer than 30 s: try again", { retryAfterSeconds: 5 });
  });
  late.catch(() => {});
  work.catch(() => {}); // an error after the time-out must not be an unhandled rejection
  try {
    return await Promise.race([work, late]);
  } finally {
    ending.abort();
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return isRecord(value) ? { ...value } : { items: value };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
