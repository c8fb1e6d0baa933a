import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { addressesOf, type ClaimRequest, type Refusal, Refused } from "./claim-conditions.ts";
import { writeClaims } from "./claim-transaction.ts";

/** `send` as it is now, `request` for the last look at it. */
export type ClaimResult = { kind: "claimed"; send: Send; request: ClaimRequest } | Refusal;

interface Waiting {
  request: ClaimRequest;
  resolve(result: ClaimResult): void;
  reject(error: unknown): void;
}

/** Claims in flight per process: more of them abort each other more than they gain (security.md 8.2). */
const GROUP = 8;
const waiting: Waiting[] = [];
let isBusy = false;

/**
 * The only door to the wire (security.md 8.2): one transaction whose every check is a write, so that each stop meets it as a
 * write conflict. After it commits the send is SENDING, CLAIMED and ours until the lease ends; refused, nothing has changed.
 * Claims that arrive while one is under way go together in the next transaction, which costs them a third of one each.
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
  while (waiting.length > 0) await settle(nextGroup());
  isBusy = false;
}

/** The first that waits, and those behind it that share its workspace and no document that each claim has to itself. */
function nextGroup(): Waiting[] {
  const [first] = waiting;
  const taken = new Set<string>();
  const group: Waiting[] = [];
  for (const one of [...waiting]) {
    const { send, mailbox } = one.request;
    const own = [send._id, ...addressesOf(one.request), mailbox._id, send.recipientId ?? send._id];
    if (send.workspaceId !== first?.request.send.workspaceId || own.some((id) => taken.has(id))) continue;
    for (const id of own) taken.add(id);
    waiting.splice(waiting.indexOf(one), 1);
    if (group.push(one) === GROUP) break;
  }
  return group;
}

/** One refusal undoes the transaction for all of its group, so each then goes alone and learns its own answer. */
async function settle(group: Waiting[]): Promise<void> {
  if (group.length === 1) return answer(group, ({ request }) => alone(request));
  try {
    const sends = await committed(group.map(({ request }) => request));
    await answer(group, async ({ request }) => ({ kind: "claimed", send: claimedOf(sends, request), request }));
  } catch (error) {
    const wasUndone = error instanceof Refused;
    await answer(group, async ({ request }) => (wasUndone ? null : await ours(request)) ?? alone(request));
  }
}

async function answer(group: Waiting[], result: (one: Waiting) => Promise<ClaimResult>): Promise<void> {
  await Promise.all(group.map((one) => result(one).then(one.resolve, one.reject)));
}

async function alone(request: ClaimRequest): Promise<ClaimResult> {
  try {
    return { kind: "claimed", send: claimedOf(await committed([request]), request), request };
  } catch (error) {
    if (error instanceof Refused) return error.refusal;
    const result = await ours(request);
    if (result === null) throw error;
    return result;
  }
}

/** When the answer to a commit was lost, the row tells whether the claim is ours. */
async function ours(request: ClaimRequest): Promise<ClaimResult | null> {
  const { send, attemptId } = request;
  const row = await scoped(send.workspaceId).Send.get(send._id);
  return row?.state === "SENDING" && row.attemptId === attemptId ? { kind: "claimed", send: row, request } : null;
}

function claimedOf(sends: Send[], { send }: ClaimRequest): Send {
  const claimed = sends.find(({ _id }) => _id === send._id);
  if (claimed === undefined) throw new Error("A claim without its send");
  return claimed;
}

function committed(requests: ClaimRequest[]): Promise<Send[]> {
  return inTransaction(() => writeClaims(requests));
}
