import pLimit from "p-limit";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { type ClaimRefusal, ClaimRefused, type ClaimRequest, claimAddresses } from "./claim-conditions.ts";
import { writeClaims } from "./claim-transaction.ts";
import { measureTransaction, sendTransactions } from "./transaction-times.ts";

/** `send` is the send after the claim; `request` and `timing` are needed for the looks at it. */
export type ClaimResult = { kind: "claimed"; send: Send; request: ClaimRequest; timing: ClaimTiming } | ClaimRefusal;

/**
 * When the transaction of a claim began, by the monotonic clock of this process, and how long it took, in milliseconds.
 */
export interface ClaimTiming {
  begunAt: number;
  tookMs: number;
}

interface Waiting {
  request: ClaimRequest;
  resolve(result: ClaimResult): void;
  reject(error: unknown): void;
}

/**
 * The most claims of one process in a transaction: more of them conflict so often that nothing is gained (rules/sending
 * 6).
 */
const GROUP = 8;
/**
 * The same while the database is slow: a transaction then takes as long as its commands, however many claims share it.
 */
const GROUP_WHILE_SLOW = 16;
const SLOW_MS = 500;
const waiting: Waiting[] = [];
let isBusy = false;

/**
 * The only way to the wire (rules/sending 6): one transaction in which every check is a write, so that each stop
 * conflicts with it. After it has committed, the send is SENDING, CLAIMED and ours until the lease ends; if it is
 * refused, nothing has changed. Claims that arrive while one is in progress share the next transaction, which costs
 * each a third of one.
 */
export function claim(request: ClaimRequest): Promise<ClaimResult> {
  return new Promise((resolve, reject) => {
    waiting.push({ request, resolve, reject });
    void drain();
  });
}

async function drain(): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  while (waiting.length > 0) await claimGroup(nextGroup());
  isBusy = false;
}

/**
 * The first waiting claim, and those behind it that share its workspace but no document that a claim must have for
 * itself.
 */
function nextGroup(): Waiting[] {
  const [first] = waiting;
  const most = (sendTransactions.p95(performance.now()) ?? 0) > SLOW_MS ? GROUP_WHILE_SLOW : GROUP;
  const taken = new Set<string>();
  const group: Waiting[] = [];
  for (const one of [...waiting]) {
    const { send, mailbox } = one.request;
    const own = [send._id, ...claimAddresses(one.request), mailbox._id, send.recipientId ?? send._id];
    if (send.workspaceId !== first?.request.send.workspaceId || own.some((id) => taken.has(id))) continue;
    for (const id of own) taken.add(id);
    waiting.splice(waiting.indexOf(one), 1);
    if (group.push(one) === most) break;
  }
  return group;
}

/** Another transaction holds a document that one claim of the group needs. */
class Contended extends Error {}

/** One refusal undoes the transaction of its whole group, so each claim then runs alone and gets its own result. */
async function claimGroup(group: Waiting[]): Promise<void> {
  if (group.length === 1) return resolveGroup(group, ({ request }) => claimAlone(request));
  const begunAt = performance.now();
  try {
    const sends = await commitClaims(group.map(({ request }) => request));
    await resolveGroup(group, async ({ request }) => claimedAs(claimedOf(sends, request), request, begunAt));
  } catch (error) {
    const wasUndone = error instanceof ClaimRefused || error instanceof Contended;
    await resolveGroup(
      group,
      async ({ request }) => (wasUndone ? null : await findOwnClaim(request, begunAt)) ?? claimAlone(request),
    );
  }
}

async function resolveGroup(group: Waiting[], result: (one: Waiting) => Promise<ClaimResult>): Promise<void> {
  const few = pLimit(GROUP);
  await Promise.all(group.map((one) => few(() => result(one)).then(one.resolve, one.reject)));
}

async function claimAlone(request: ClaimRequest): Promise<ClaimResult> {
  const begunAt = performance.now();
  try {
    return claimedAs(claimedOf(await commitClaims([request]), request), request, begunAt);
  } catch (error) {
    if (error instanceof ClaimRefused) return error.refusal;
    const result = await findOwnClaim(request, begunAt);
    if (result === null) throw error;
    return result;
  }
}

/** If the response to a commit was lost, the row shows whether the claim is ours. */
async function findOwnClaim(request: ClaimRequest, begunAt: number): Promise<ClaimResult | null> {
  const { send, attemptId } = request;
  const row = await scoped(send.workspaceId).Send.get(send._id);
  return row?.state === "SENDING" && row.attemptId === attemptId ? claimedAs(row, request, begunAt) : null;
}

function claimedAs(send: Send, request: ClaimRequest, begunAt: number): ClaimResult {
  return { kind: "claimed", send, request, timing: { begunAt, tookMs: performance.now() - begunAt } };
}

function claimedOf(sends: Send[], { send }: ClaimRequest): Send {
  const claimed = sends.find(({ _id }) => _id === send._id);
  if (claimed === undefined) throw new Error("A claim without its send");
  return claimed;
}

/** @throws Contended when a group has met a conflict and the database is too slow to try the whole group again */
function commitClaims(requests: ClaimRequest[]): Promise<Send[]> {
  const begunAt = performance.now();
  let attempts = 0;
  return measureTransaction(() =>
    inTransaction(() => {
      if (++attempts > 1 && requests.length > 1 && performance.now() - begunAt > SLOW_MS) throw new Contended();
      return writeClaims(requests);
    }),
  );
}
