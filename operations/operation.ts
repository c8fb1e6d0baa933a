import type { z } from "zod";
import type { ErrorCode } from "../domain/errors.ts";
import type { Scope } from "../domain/scopes.ts";
import type { Context } from "./context.ts";
import { type Effects, planning, planningInForm } from "./effects.ts";
import type { FileInput } from "./upload.ts";

export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> {
  /** The OpenAPI summary and the tool description. */
  summary: string;
  /** Null: any valid credential may. */
  scope: Scope | null;
  /** A caller with this scope may call it too. */
  orScope?: Scope;
  /** Needed besides, whatever is asked. */
  alsoScopes?: readonly Scope[];
  /** Further scopes that the verb asks for, depending on the fields of a call, as its summary or fields say. */
  sometimesScopes?: readonly Scope[];
  input: In;
  /** An allow-list: what it does not name never leaves. */
  output: Out;
  /** The error codes it may answer, beyond those of every call, of a page and of an idempotency key. */
  errors?: readonly ErrorCode[];
  /** May put mail on the wire. Such a verb is made by `sendingOperation`. */
  sends?: true;
  /** Asks for a permit before it does (rules/access 4). */
  asksPermit?: true;
  /**
   * What it can cause: as the policy of the credential says, with a plan of it where that asks for one (rules/access
   * 4.7).
   */
  effects?: Effects<z.output<In>>;
  /**
   * Sensitive: each call, refused ones too, leaves one entry in the audit log, by the name that the catalogue has for
   * the verb.
   */
  audits?: string;
  /**
   * Stops mail: it goes before all other writes of its workspace and is retried until it is through (rules/limits 1.7).
   */
  stops?: true;
  /** A person must have given the password within ten minutes (rules/access 3.5); keys and connectors are not asked. */
  stepUp?: true;
  /**
   * Checks a password, code, token or passkey: tries are counted before it runs, and too many are refused (rules/access
   * 2.4).
   */
  checksSecret?: true;
  /**
   * Fields of the response that are shown only once: a repeat of the request with its idempotency key does not return
   * them.
   */
  showsOnce?: readonly string[];
  /**
   * Its body is multipart/form-data: one file in the part `file`, which `input` has by `uploadField`, and its other
   * fields as text.
   */
  file?: FileInput;
  run(ctx: Context, input: z.output<In>): Promise<z.input<Out>>;
}

/**
 * Keeps the types of one verb together. A verb with effects can be planned; `run` never sees the fields of the plan.
 */
export function operation<In extends z.ZodObject, Out extends z.ZodType>(verb: Operation<In, Out>): Operation<In, Out> {
  if (Object.keys(verb.effects ?? {}).length === 0) return verb;
  const input: z.ZodObject =
    verb.file === undefined ? verb.input.safeExtend(planning) : verb.input.safeExtend(planningInForm);
  return { ...verb, input: input as In }; // the type of an extended open shape is not known
}

/** A verb of any shape, as the tables hold it. */
export interface AnyOperation {
  summary: string;
  scope: Scope | null;
  orScope?: Scope;
  alsoScopes?: readonly Scope[];
  sometimesScopes?: readonly Scope[];
  input: z.ZodObject;
  output: z.ZodType;
  errors?: readonly ErrorCode[];
  sends?: true;
  asksPermit?: true;
  effects?: Effects<never>;
  audits?: string;
  stops?: true;
  stepUp?: true;
  checksSecret?: true;
  showsOnce?: readonly string[];
  file?: FileInput;
  run(ctx: Context, input: never): Promise<unknown>;
}

/** Whether a call of the verb can be planned first: it sends, or has another effect. */
export function isPlannable({ asksPermit, effects = {} }: Pick<AnyOperation, "asksPermit" | "effects">): boolean {
  return asksPermit === true || Object.keys(effects).length > 0;
}

/** The first scope that keeps a credential from a verb; null when it may call it. */
export function missingScope(
  { scope, orScope, alsoScopes = [] }: Pick<AnyOperation, "scope" | "orScope" | "alsoScopes">,
  held: ReadonlySet<Scope>,
): Scope | null {
  const holdsOne = scope === null || [scope, orScope].some((one) => one !== undefined && held.has(one));
  return holdsOne ? (alsoScopes.find((one) => !held.has(one)) ?? null) : scope;
}
