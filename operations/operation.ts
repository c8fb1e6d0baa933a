import type { z } from "zod";
import type { ErrorCode } from "../domain/errors.ts";
import type { Scope } from "../domain/scopes.ts";
import type { Context } from "./context.ts";
import { type Effects, planning, planningInForm } from "./effects.ts";
import type { FileInput } from "./upload.ts";

/** The records that a job will change, as a plan shows them. */
export interface ForeseenChanges {
  changes: { what: string; deleted: number; changed: number; examples: string[] }[];
  kept: { what: string; why: string }[];
}

export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> {
  /** The OpenAPI summary and the tool description. */
  summary: string;
  /** Null: any valid credential may call it. */
  scope: Scope | null;
  /** An alternative to `scope`: a caller with either may call. */
  orScope?: Scope;
  /** Always required in addition to `scope`. */
  alsoScopes?: readonly Scope[];
  /** Further scopes that some field values require, as the summary or the fields describe. */
  sometimesScopes?: readonly Scope[];
  input: In;
  /** A call must have at least one of these fields, beyond what the schema requires. Tools show them to agents. */
  needsOneOf?: readonly string[];
  /** The schema of the response. Fields that it does not declare are never returned. */
  output: Out;
  /** The error codes of this operation, beyond those of every call, of paging and of idempotency keys. */
  errors?: readonly ErrorCode[];
  /** The operation may send emails. Create it with `sendingOperation`. */
  sends?: true;
  /** The operation requests a permit before it sends (rules/access 4). */
  asksPermit?: true;
  /**
   * The effects that the operation can have. The policy of the credential decides whether each is allowed, and whether
   * it needs a plan first (rules/access 4.7).
   */
  effects?: Effects<z.output<In>>;
  /**
   * What a plan shows instead of the records that the call itself writes, for a call whose job does the work. It changes
   * nothing.
   */
  foresees?(ctx: Context, input: z.output<In>): Promise<ForeseenChanges>;
  /** The name in the audit log of a sensitive operation. Each call leaves one entry, also a refused one. */
  audits?: string;
  /**
   * The operation stops sending. It takes precedence over all other writes of its workspace and is retried until it
   * succeeds (rules/limits 1.7).
   */
  stops?: true;
  /**
   * The person must have confirmed their password within ten minutes (rules/access 3.5). Does not apply to keys and
   * connectors.
   */
  stepUp?: true;
  /**
   * The operation checks a password, code, token or passkey. Attempts are counted before it runs, and too many are
   * refused (rules/access 2.4).
   */
  checksSecret?: true;
  /** Response fields that are shown only once: a retry with the same idempotency key does not return them. */
  showsOnce?: readonly string[];
  /**
   * The body is multipart/form-data: one file in the part `file`, which `input` declares with `uploadField`, and the
   * other fields as text.
   */
  file?: FileInput;
  run(ctx: Context, input: z.output<In>): Promise<z.input<Out>>;
}

/**
 * Defines an operation and keeps its types. An operation with effects also accepts the fields of a plan, which `run`
 * never receives.
 */
export function operation<In extends z.ZodObject, Out extends z.ZodType>(verb: Operation<In, Out>): Operation<In, Out> {
  if (Object.keys(verb.effects ?? {}).length === 0) return verb;
  const input: z.ZodObject =
    verb.file === undefined ? verb.input.safeExtend(planning) : verb.input.safeExtend(planningInForm);
  return { ...verb, input: input as In }; // the type of an extended open shape is not known
}

/** An operation of any shape, as the tables hold it. */
export interface AnyOperation {
  summary: string;
  scope: Scope | null;
  orScope?: Scope;
  alsoScopes?: readonly Scope[];
  sometimesScopes?: readonly Scope[];
  input: z.ZodObject;
  needsOneOf?: readonly string[];
  output: z.ZodType;
  errors?: readonly ErrorCode[];
  sends?: true;
  asksPermit?: true;
  effects?: Effects<never>;
  foresees?(ctx: Context, input: never): Promise<ForeseenChanges>;
  audits?: string;
  stops?: true;
  stepUp?: true;
  checksSecret?: true;
  showsOnce?: readonly string[];
  file?: FileInput;
  run(ctx: Context, input: never): Promise<unknown>;
}

/** Returns true when a call can be planned first: the operation sends emails or has another effect. */
export function isPlannable({ asksPermit, effects = {} }: Pick<AnyOperation, "asksPermit" | "effects">): boolean {
  return asksPermit === true || Object.keys(effects).length > 0;
}

/** The first scope that the operation requires and the credential lacks; null when it may call. */
export function missingScope(
  { scope, orScope, alsoScopes = [] }: Pick<AnyOperation, "scope" | "orScope" | "alsoScopes">,
  held: ReadonlySet<Scope>,
): Scope | null {
  const holdsOne = scope === null || [scope, orScope].some((one) => one !== undefined && held.has(one));
  return holdsOne ? (alsoScopes.find((one) => !held.has(one)) ?? null) : scope;
}
