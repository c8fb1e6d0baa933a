import { createHash } from "node:crypto";
import { AppError } from "../../domain/errors.ts";
import type { AuditEntry, AuditOutcome } from "../../models/audit-entry.ts";
import { AuditHead } from "../../models/audit-head.ts";
import { scoped } from "../../models/scoped.ts";
import { Workspace } from "../../models/workspace.ts";
import { newId } from "../../mongo/ids.ts";
import { currentSession, inTransaction, outsideTransaction, withRider } from "../../mongo/transaction.ts";
import type { Context } from "../context.ts";
import { changeBy, NOTHING_CHANGED } from "./audit-change.ts";

type Actor = AuditEntry["actor"];

export interface Deed {
  workspaceId: string;
  actor: Actor;
  /** Noun and verb, such as `leads.suppress`. */
  action: string;
  input: unknown;
  ip?: string | null;
  traceId?: string | null;
}

/**
 * Runs a sensitive operation so that it leaves exactly one audit entry (rules/security 6.1): DONE, in the transaction of its first effect,
 * so
 * that no effect exists without it, or FAILED with the code when nothing was done. `outcome` is what a success is called.
 */
export function runAudited<T>(
  ctx: Context,
  action: string,
  input: unknown,
  run: () => Promise<T>,
  outcome: AuditOutcome = "DONE",
): Promise<T> {
  const deed = deedOf(ctx, action, input);
  // Inside the transaction of an idempotency key, the entry commits together with the stored response
  const done = (answer: unknown) => appendAuditEntry(deed, outcome, null, answer);
  if (currentSession() !== null) return noted(deed, run, done);
  return withRider(done, (isWritten) => noted(deed, run, (answer) => inTransaction(async () => answer ?? {}), isWritten));
}

async function noted<T>(deed: Deed, run: () => Promise<T>, done: (answer: T) => Promise<unknown>, isWritten = () => false): Promise<T> {
  try {
    const result = await run();
    if (!isWritten()) await done(result);
    return result;
  } catch (err) {
    // A fault on our side could not write an entry either, and the call may be repeated
    const isRefused = err instanceof AppError && err.status < 500 && !isWritten();
    if (isRefused) await outsideTransaction(() => appendAuditEntry(deed, "FAILED", err.code));
    throw err;
  }
}

/** Records that a sensitive operation was called with a credential that lacks its scope. */
export function recordDenied(ctx: Context, action: string): Promise<void> {
  return appendAuditEntry(deedOf(ctx, action, {}), "DENIED", "INSUFFICIENT_SCOPE");
}

/**
 * Appends one entry to the chain, in the running transaction or in one of its own. `answer` is the result of the transaction or of the
 * operation.
 */
export function appendAuditEntry(deed: Deed, outcome: AuditOutcome, code: string | null, answer: unknown = null): Promise<void> {
  const { workspaceId, actor, action, input, ip = null, traceId = null } = deed;
  return inTransaction(async () => {
    const change = outcome === "DONE" ? await changeBy(workspaceId, action, input, answer) : NOTHING_CHANGED;
    const { AuditEntry, AuditHead } = scoped(workspaceId);
    const head = await AuditHead.changeOne({ _id: workspaceId }, { $inc: { seq: 1 }, $setOnInsert: { hash: "" } }, { upsert: true });
    if (head === null) throw new Error("The audit chain has no head");
    const link = { seq: head.seq, at: new Date(), prevHash: head.hash };
    const facts = { ...link, actor, action, ...namedIn(input), outcome, code, ...change, ip, traceId };
    const hash = hashOf(facts);
    await AuditEntry.store({ _id: newId("aud"), ...facts, hash });
    await AuditHead.wrote({ _id: workspaceId }, { $set: { hash } });
  });
}

/** Every workspace that has an audit chain or might have one, oldest first; a chain outlives its workspace. */
export async function findChainedWorkspaces(): Promise<string[]> {
  const workspaces = await Workspace.find({}, { _id: 1 }).lean<{ _id: string }[]>();
  const heads = await AuditHead.find({}, { _id: 1 }, { acrossWorkspaces: true }).lean<{ _id: string }[]>();
  return [...new Set([...workspaces, ...heads].map(({ _id }) => _id))].sort();
}

export interface ChainVerdict {
  entries: number;
  /** The first entry that does not follow from the one before it; null when the chain is intact. */
  brokenAt: number | null;
}

/** Verifies a workspace's audit chain from its beginning to its head. */
export async function verifyChain(workspaceId: string): Promise<ChainVerdict> {
  const { AuditEntry, AuditHead } = scoped(workspaceId);
  let [entries, prevHash] = [0, ""];
  for await (const entry of AuditEntry.stream({}, { sort: { seq: 1 }, maxTimeMs: 0 })) {
    const isNext = entry.seq === entries + 1 && entry.prevHash === prevHash && entry.hash === hashOf(entry);
    if (!isNext) return { entries, brokenAt: entries + 1 };
    entries++;
    prevHash = entry.hash;
  }
  const head = await AuditHead.get(workspaceId);
  const isWhole = head === null ? entries === 0 : head.seq === entries && head.hash === prevHash;
  return { entries, brokenAt: isWhole ? null : entries + 1 };
}

/** A session ends with the day, so of a person who is signed in the entry names the person. */
function deedOf({ workspaceId, kind, credentialId, userId, ip, traceId }: Context, action: string, input: unknown): Deed {
  return { workspaceId, actor: { kind, id: kind === "CONSOLE" ? userId : credentialId }, action, input, ip, traceId };
}

/** Ids are recorded; of all other fields only the name, so that no address, text or credential enters the chain. */
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

type Facts = Omit<AuditEntry, "_id" | "workspaceId" | "createdAt" | "updatedAt" | "hash">;

function hashOf({ seq, at, actor, action, target, fields, outcome, code, before, after, changed, ip, traceId, prevHash }: Facts): string {
  const ordered = Object.entries(target).sort(([one], [other]) => (one < other ? -1 : 1));
  const told = [seq, at.toISOString(), actor.kind, actor.id, action, ordered, fields, outcome, code, ip, traceId, prevHash];
  // Entries from before the digests existed have none of the three
  const all = before === undefined ? told : [...told, before, after, changed];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex");
}
