import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/send.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { addressesOf, type ClaimRefusal, ClaimRefused, type ClaimRequest } from "./claim-conditions.ts";
import { writeClaims } from "./claim-transaction.ts";

/** `send` is the send after the claim, `request` is needed for the last look at it. */
export type ClaimResult = { kind: "claimed"; send: Send; request: ClaimRequest } | ClaimRefusal;

interface Waiting {
  request: ClaimRequest;
  resolve(result: ClaimResult): void;
  reject(error: unknown): void;
}

/** The most claims of one process in a transaction: more of them conflict so often that nothing is gained (rules/sending 6). */
const GROUP = 8;
const waiting: Waiting[] = [];
let isBusy = false;

/**
 * The only way to the wire (rules/sending 6): one transaction in which every check is a write, so that each stop conflicts with it. After
 * it has committed, the send is SENDING, CLAIMED and ours until the lease ends; if it is refused, nothing has changed. Claims that arrive
 * while one is in progress share the next transaction, which costs each a third of one.
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

/** The first waiting claim, and those behind it that share its workspace but none of the documents that a claim must have for itself. */
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

/** One refusal undoes the transaction for its whole group, so each claim then runs alone and gets its own result. */
async function settle(group: Waiting[]): Promise<void> {
  if (group.length === 1) return answer(group, ({ request }) => alone(request));
  try {
    const sends = await committed(group.map(({ request }) => request));
    await answer(group, async ({ request }) => ({ kind: "claimed", send: claimedOf(sends, request), request }));
  } catch (error) {
    const wasUndone = error instanceof ClaimRefused;
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
    if (error instanceof ClaimRefused) return error.refusal;
    const result = await ours(request);
    if (result === null) throw error;
    return result;
  }
}

/** If the response to a commit was lost, the row shows whether the claim is ours. */
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
