import type { z } from "zod";
import type { ErrorCode } from "../domain/errors.ts";
import type { Scope } from "../domain/scopes.ts";
import type { Context } from "./context.ts";
import type { FileInput } from "./upload.ts";

export interface Operation<In extends z.ZodObject = z.ZodObject, Out extends z.ZodType = z.ZodType> {
  /** The OpenAPI summary and the tool description. */
  summary: string;
  /** Null: any valid credential may. */
  scope: Scope | null;
  /** Whoever holds this scope may too. */
  orScope?: Scope;
  input: In;
  /** An allow-list: what it does not name never leaves. */
  output: Out;
  /** The error codes it may answer, beyond those of every call, of a page and of an idempotency key. */
  errors?: readonly ErrorCode[];
  /** May put mail on the wire. Such a verb is made by `sendingOperation`. */
  sends?: true;
  /** Asks for a permit before it does (rules/access 4). */
  asksPermit?: true;
  /** Lets mail go on in a way that no plan can show: only for who sends directly (rules/access 4.1). */
  directOnly?: true;
  /** Sensitive: each call, refused ones too, leaves one entry in the audit log, by the name that the catalogue has for the verb. */
  audits?: string;
  /** A person must have given the password within ten minutes (rules/access 3.5); keys and connectors are not asked. */
  stepUp?: true;
  /** Checks a password, code, token or passkey: tries are counted before it runs, and too many are refused (rules/access 2.4). */
  checksSecret?: true;
  /** Fields of the answer that whoever repeats the request by its idempotency key does not read: nothing shows them again. */
  showsOnce?: readonly string[];
  /** Its body is multipart/form-data: one file in the part `file`, which `input` has by `uploadField`, and its other fields as text. */
  file?: FileInput;
  run(ctx: Context, input: z.output<In>): Promise<z.input<Out>>;
}

/** Keeps the types of one verb together. */
export function operation<In extends z.ZodObject, Out extends z.ZodType>(verb: Operation<In, Out>): Operation<In, Out> {
  return verb;
}

/** A verb of any shape, as the tables hold it. */
export interface AnyOperation {
  summary: string;
  scope: Scope | null;
  orScope?: Scope;
  input: z.ZodObject;
  output: z.ZodType;
  errors?: readonly ErrorCode[];
  sends?: true;
  asksPermit?: true;
  directOnly?: true;
  audits?: string;
  stepUp?: true;
  checksSecret?: true;
  showsOnce?: readonly string[];
  file?: FileInput;
  run(ctx: Context, input: never): Promise<unknown>;
}
