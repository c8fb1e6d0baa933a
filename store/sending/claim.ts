import pLimit from "p-limit";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { type ClaimRefusal, ClaimRefused, type ClaimRequest } from "./claim-conditions.ts";
import { createClaimQueue } from "./claim-queue.ts";
import { writeClaims } from "./claim-transaction.ts";
import { measureTransaction, sendTransactions } from "./transaction-times.ts";

/** `send` is the send after the claim. The last check before transmission needs `request` and `timing`. */
export type ClaimResult = { kind: "claimed"; send: Send; request: ClaimRequest; timing: ClaimTiming } | ClaimRefusal;

/** When the transaction of a claim began, by this process's monotonic clock, and how long it took, in milliseconds. */
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
 * The maximum number of claims of one process in a transaction. A larger group would conflict so often that nothing is
 * gained (rules/sending 6).
 */
const GROUP = 8;
/** The maximum while the database is slow. Then a transaction takes the same time however many claims share it. */
const GROUP_WHILE_SLOW = 16;
const SLOW_MS = 500;
const waiting = createClaimQueue<Waiting>();
let isBusy = false;

/**
 * The only way to send an email (rules/sending 6): one transaction in which every check is a write, so that every stop
 * conflicts with it. After the commit, the send is SENDING and CLAIMED, and belongs to this attempt until the lease
 * ends. When the claim is refused, nothing changes. Claims that arrive while a transaction is running share the next
 * one, which makes each claim three times cheaper.
 */
export function claim(request: ClaimRequest): Promise<ClaimResult> {
  return new Promise((resolve, reject) => {
    waiting.add({ request, resolve, reject });
    void drain();
  });
}

async function drain(): Promise<void> {
  if (isBusy) return;
  isBusy = true;
  for (let group = waiting.next(mostOfGroup()); group.length > 0; group = waiting.next(mostOfGroup()))
    await claimGroup(group);
  isBusy = false;
}

function mostOfGroup(): number {
  return (sendTransactions.p95(performance.now()) ?? 0) > SLOW_MS ? GROUP_WHILE_SLOW : GROUP;
}

/** Thrown when another transaction holds a document that a claim of the group needs. */
class Contended extends Error {}

/**
 * Runs the claims of a group in one transaction. A single refusal rolls back all of them, so each claim then runs alone
 * and gets its own result.
 */
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

/**
 * The claim, if the stored send shows that it was committed although the response to the commit was lost; otherwise
 * null.
 */
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

/** @throws Contended when a group has met a conflict and the database is too slow to repeat the whole group */
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
