import { AppError } from "../../domain/errors.ts";
import type { DeedFacts } from "../../models/access/audit-deed.ts";
import type { AuditEntry, AuditOutcome } from "../../models/access/audit-entry.ts";
import { scoped } from "../../models/scoped.ts";
import { newId } from "../../mongo/ids.ts";
import { isFirst } from "../../mongo/precedence.ts";
import { afterCommit, currentSession, inTransaction, outsideTransaction, withRider } from "../../mongo/transaction.ts";
import { linkSoon, writeAtEnd } from "../../store/audit-chain.ts";
import { countRefusal } from "../../store/audit-refusals.ts";
import { actorOf, type Context } from "../context.ts";
import { changeBy, NOTHING_CHANGED } from "./audit-change.ts";

type Actor = AuditEntry["actor"];

export interface Deed {
  workspaceId: string;
  actor: Actor;
  /** The operation's name, for example `leads.suppress`. */
  action: string;
  input: unknown;
  /** Why an operator acts. Unlike the other values of a call, it enters the log, because members must be able to read it. */
  reason?: string;
  /** What an operator limits, and to how many a day; null: no limit. Members read it too. */
  limit?: { what: string; most: number | null };
  ip?: string | null;
  traceId?: string | null;
}

/**
 * Runs a sensitive operation so that it leaves exactly one audit entry (rules/security 6.1). The entry commits in the
 * transaction of the first effect, so no effect exists without it. If nothing was done, the refusal is counted.
 * `outcome` maps a successful response to the outcome in the log.
 */
export function runAudited<T>(
  ctx: Context,
  action: string,
  input: unknown,
  run: () => Promise<T>,
  outcome: (answer: unknown) => AuditOutcome = () => "DONE",
): Promise<T> {
  const deed = deedOf(ctx, action, input);
  // In the transaction of an idempotency key, the entry commits together with the stored response
  const done = (answer: unknown) => appendAuditEntry(deed, outcome(answer), null, answer);
  if (currentSession() !== null) return noted(deed, run, done);
  return withRider(done, (isWritten) =>
    noted(deed, run, (answer) => inTransaction(async () => answer ?? {}), isWritten),
  );
}

async function noted<T>(
  deed: Deed,
  run: () => Promise<T>,
  done: (answer: T) => Promise<unknown>,
  isWritten = () => false,
): Promise<T> {
  try {
    const result = await run();
    if (!isWritten()) await done(result);
    return result;
  } catch (err) {
    // After an internal error the entry could probably not be written either, and the caller may retry
    const isRefused = err instanceof AppError && err.status < 500 && !isWritten();
    if (isRefused) await outsideTransaction(() => recordRefusal(deed, "FAILED", err.code));
    throw err;
  }
}

/** Records that a sensitive operation was called with a credential that lacks its scope. */
export function recordDenied(ctx: Context, action: string): Promise<void> {
  return recordRefusal(deedOf(ctx, action, {}), "DENIED", "INSUFFICIENT_SCOPE");
}

/**
 * Records a refused call. The first refusal of a credential, operation and minute gets an entry in the chain; the
 * following ones are only counted (rules/security 6.3).
 */
export async function recordRefusal(deed: Deed, outcome: "DENIED" | "FAILED", code: string): Promise<void> {
  const { workspaceId } = deed;
  const facts = factsOf(deed, outcome, code);
  const isNew = await countRefusal(workspaceId, facts, code, async () => {
    await scoped(workspaceId).AuditDeed.store({ _id: newId("aud"), facts });
  });
  if (isNew) await linkSoon(workspaceId);
}

/**
 * Appends one entry to the chain, in the running transaction or in its own. The entry of a stop joins the chain after
 * its commit, so that it does not compete with other calls for the head. `answer` is the result of the transaction or
 * of the operation.
 */
export function appendAuditEntry(
  deed: Deed,
  outcome: AuditOutcome,
  code: string | null,
  answer: unknown = null,
): Promise<void> {
  const { workspaceId, action, input } = deed;
  return inTransaction(async () => {
    const change = outcome === "DONE" ? await changeBy(workspaceId, action, input, answer) : NOTHING_CHANGED;
    const entry = { _id: newId("aud"), facts: { ...factsOf(deed, outcome, code), ...change } };
    if (!isFirst()) return writeAtEnd(workspaceId, [entry]);
    await scoped(workspaceId).AuditDeed.store(entry);
    afterCommit(() => linkSoon(workspaceId));
  });
}

function factsOf(
  { actor, action, input, reason, limit, ip = null, traceId = null }: Deed,
  outcome: AuditOutcome,
  code: string | null,
): DeedFacts {
  const { target, fields } = namedIn(input);
  const said = { ...target, ...(reason !== undefined && { reason }), ...limit };
  return { at: new Date(), actor, action, target: said, fields, outcome, code, ...NOTHING_CHANGED, ip, traceId };
}

function deedOf(ctx: Context, action: string, input: unknown): Deed {
  const { workspaceId, ip, traceId } = ctx;
  return { workspaceId, actor: actorOf(ctx), action, input, ip, traceId };
}

/**
 * Records the values of ids and only the names of all other fields, so that no address, text or credential enters the
 * chain.
 */
function namedIn(input: unknown): Pick<AuditEntry, "target" | "fields"> {
  const given = typeof input === "object" && input !== null ? Object.entries(input) : [];
  const isTarget = ([name, value]: [string, unknown]) => /^ids?$|Ids?$/.test(name) && isShort(value);
  return {
    target: Object.fromEntries(given.filter(isTarget)),
    fields: given
      .filter((field) => !isTarget(field))
      .map(([name]) => name)
      .sort(),
  };
}

function isShort(value: unknown): boolean {
  const isId = (one: unknown) => typeof one === "string" && /^[a-z]{2,5}_[0-9A-Za-z]{1,58}$/.test(one);
  return Array.isArray(value) ? value.length <= 1_000 && value.every(isId) : isId(value);
}
