import { AppError } from "../domain/errors.ts";
import { audited, denied } from "./access/audit.ts";
import { type Choice, chosen } from "./choice.ts";
import { type Context, lacks } from "./context.ts";
import { issuesOf } from "./issues.ts";
import type { AnyOperation } from "./operation.ts";

/** The one way in. REST, the tool server, the console and the tests all come through here. */
export async function perform(verb: AnyOperation | Choice, ctx: Context, raw: unknown): Promise<unknown> {
  await refuseUnscoped(verb, ctx);
  if ("actions" in verb) {
    const { action, input } = chosen(verb, raw);
    return perform(action, ctx, input);
  }
  return verb.audits === undefined ? run(verb, ctx, raw) : audited(ctx, verb.audits, raw, () => run(verb, ctx, raw));
}

/** @throws AppError INSUFFICIENT_SCOPE when the credential may do none of it. */
export async function refuseUnscoped(verb: AnyOperation | Choice, ctx: Context): Promise<void> {
  const wanted = "actions" in verb ? Object.values(verb.actions) : [verb];
  if (wanted.some(({ scope }) => scope === null || ctx.scopes.has(scope))) return;
  const sensitive = wanted.flatMap(({ audits = [] }) => audits);
  if (sensitive.length > 0) await denied(ctx, sensitive.join(", "));
  throw lacks(wanted[0]?.scope ?? "account:read");
}

async function run(verb: AnyOperation, ctx: Context, raw: unknown): Promise<unknown> {
  const input = verb.input.safeParse(raw, { reportInput: true }); // an issue tells a missing value from a wrong one
  if (!input.success && input.error.issues.some(({ path, input }) => path[0] === "idempotencyKey" && input === undefined))
    throw new AppError("IDEMPOTENCY_KEY_REQUIRED", "`idempotencyKey` is required: 8 to 128 characters of A-Za-z0-9._:-");
  if (!input.success) throw new AppError("VALIDATION_FAILED", "The request is not valid", { issues: issuesOf(input.error) });
  return verb.output.parse(await verb.run(ctx, input.data as never)); // the schema and `run` of one verb agree by `operation`
}
