import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { DeedFacts } from "../models/access/audit-deed.ts";
import type { AuditEntry } from "../models/access/audit-entry.ts";
import { AuditHead } from "../models/access/audit-head.ts";
import { Workspace } from "../models/access/workspace.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import { goFirst } from "../mongo/precedence.ts";
import { inTransaction, outsideTransaction } from "../mongo/transaction.ts";

/** The maximum number of deeds that are added to the chain in one transaction. */
const MOST_AT_ONCE = 200;
/**
 * How many milliseconds a call waits until its deeds are in the chain. They are added even if the call stops waiting.
 */
const WAITS_MS = 1_000;

/** The action of the entry that says which entries a retention deleted (store/audit-retention.ts). */
export const RETAINED = "audit.retain";

export interface NewEntry {
  _id: string;
  facts: DeedFacts;
}

/** Appends entries to the chain, in the running transaction. */
export async function writeAtEnd(workspaceId: string, added: readonly NewEntry[]): Promise<void> {
  const { AuditEntry, AuditHead } = scoped(workspaceId);
  const moved = { $inc: { seq: added.length }, $setOnInsert: { hash: "" } };
  const head = await AuditHead.changeOne({ _id: workspaceId }, moved, { upsert: true });
  if (head === null) throw new Error("The audit chain has no head");
  let { hash } = head;
  const entries = added.map(({ _id, facts }, index) => {
    const linked = { ...facts, seq: head.seq - added.length + 1 + index, prevHash: hash };
    hash = hashOf(linked);
    return { _id, ...linked, hash };
  });
  await AuditEntry.storeAll(entries);
  await AuditHead.wrote({ _id: workspaceId }, { $set: { hash } });
}

const running = new Map<string, Promise<void>>();
const next = new Map<string, Promise<void>>();

/**
 * Adds all waiting deeds of a workspace to its chain. Concurrent calls share one transaction. If a process dies first,
 * the next call adds the deeds.
 */
function linkDeeds(workspaceId: string): Promise<void> {
  const waiting = next.get(workspaceId);
  if (waiting !== undefined) return waiting;
  const before = running.get(workspaceId);
  if (before === undefined) return startLinking(workspaceId);
  // The running transaction may have read before this deed was committed
  const after = before
    .catch(() => {})
    .then(() => {
      next.delete(workspaceId);
      return startLinking(workspaceId);
    });
  next.set(workspaceId, after);
  return after;
}

function startLinking(workspaceId: string): Promise<void> {
  const linking = goFirst(workspaceId, () => outsideTransaction(() => linkAll(workspaceId))).finally(() =>
    running.delete(workspaceId),
  );
  running.set(workspaceId, linking);
  return linking;
}

async function linkAll(workspaceId: string): Promise<void> {
  const { AuditDeed } = scoped(workspaceId);
  const isWaiting = async () => (await AuditDeed.read({}, { select: { _id: 1 }, limit: 1 })).length > 0;
  while (await isWaiting()) {
    await inTransaction(async () => {
      const deeds = await AuditDeed.read({}, { sort: { _id: 1 }, limit: MOST_AT_ONCE });
      if (deeds.length === 0) return;
      await writeAtEnd(workspaceId, deeds);
      await AuditDeed.deleteMany({ _id: trusted({ $in: deeds.map(({ _id }) => _id) }) });
    });
  }
}

/**
 * Adds waiting deeds to the chain, but returns after a second at the latest, because a stop must not wait for the
 * chain.
 */
export async function linkSoon(workspaceId: string): Promise<void> {
  const ending = new AbortController();
  const late = delay(WAITS_MS, undefined, { signal: ending.signal, ref: false }).catch(() => {});
  const linked = linkDeeds(workspaceId).catch(() => {});
  await Promise.race([linked, late]);
  ending.abort();
}

/** Every workspace that has or may have an audit chain, oldest first. The chain of a deleted workspace is kept. */
export async function findChainedWorkspaces(): Promise<string[]> {
  const workspaces = await Workspace.find({}, { _id: 1 }).lean<{ _id: string }[]>();
  const heads = await AuditHead.find({}, { _id: 1 }, { acrossWorkspaces: true }).lean<{ _id: string }[]>();
  return [...new Set([...workspaces, ...heads].map(({ _id }) => _id))].sort();
}

export interface ChainVerdict {
  entries: number;
  /** The number of the first entry that does not match the hash of the entry before; null when the chain is intact. */
  brokenAt: number | null;
}

/**
 * Verifies a workspace's audit chain from its oldest to its newest entry. The head is read first. Entries never change,
 * so the entries up to that head are the chain at that instant, whatever is appended meanwhile. A database snapshot
 * would expire before a long chain is read. If a retention deletes entries meanwhile, the verification starts again.
 */
export async function verifyChain(workspaceId: string): Promise<ChainVerdict> {
  await linkSoon(workspaceId);
  const { AuditHead } = scoped(workspaceId);
  for (;;) {
    const head = await AuditHead.get(workspaceId);
    const verdict = await verifyFrom(workspaceId, head);
    const after = verdict.brokenAt === null ? head : await AuditHead.get(workspaceId);
    if ((after?.deletedSeq ?? 0) === (head?.deletedSeq ?? 0)) return verdict;
  }
}

async function verifyFrom(workspaceId: string, head: AuditHead | null): Promise<ChainVerdict> {
  const { seq: headSeq = 0, hash: headHash = "", deletedSeq = 0, deletedHash = "" } = head ?? {};
  let [seq, prevHash] = [deletedSeq, deletedHash];
  // Without an entry that says so, no retention deleted the beginning
  let isWhole = deletedSeq === 0;
  const verdict = (brokenAt: number | null): ChainVerdict => ({ entries: seq - deletedSeq, brokenAt });
  const entries = scoped(workspaceId).AuditEntry.stream({}, { sort: { seq: 1 }, maxTimeMs: 0 });
  for await (const entry of entries) {
    if (seq === headSeq) {
      if (await isAppended(entry)) break;
      return verdict(seq + 1);
    }
    const isNext = entry.seq === seq + 1 && entry.prevHash === prevHash && entry.hash === hashOf(entry);
    if (!isNext) return verdict(seq + 1);
    const { action, target } = entry;
    isWhole ||= action === RETAINED && target["deletedSeq"] === deletedSeq && target["deletedHash"] === deletedHash;
    seq++;
    prevHash = entry.hash;
  }
  if (!isWhole) return verdict(deletedSeq + 1);
  return verdict(headSeq === seq && headHash === prevHash ? null : seq + 1);
}

/**
 * Whether an entry with a higher number than the head was appended after the head was read. The head is updated in the
 * transaction that adds the entry.
 */
async function isAppended({ workspaceId, seq }: AuditEntry): Promise<boolean> {
  const head = await scoped(workspaceId).AuditHead.get(workspaceId);
  return head !== null && head.seq >= seq;
}

type Linked = DeedFacts & Pick<AuditEntry, "seq" | "prevHash">;

function hashOf({
  seq,
  at,
  actor,
  action,
  target,
  fields,
  outcome,
  code,
  before,
  after,
  changed,
  ip,
  traceId,
  prevHash,
}: Linked): string {
  const ordered = Object.entries(target).sort(([one], [other]) => (one < other ? -1 : 1));
  const entryFields = [
    seq,
    at.toISOString(),
    actor.kind,
    actor.id,
    action,
    ordered,
    fields,
    outcome,
    code,
    ip,
    traceId,
    prevHash,
  ];
  // Entries that were written before the digests existed have none of the three
  const all = before === undefined ? entryFields : [...entryFields, before, after, changed];
  return createHash("sha256").update(JSON.stringify(all)).digest("hex");
}
