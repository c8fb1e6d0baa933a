import { withRider } from "../../mongo/transaction.ts";
import type { Spend } from "./budget.ts";
import type { Intent, Permit } from "./permit.ts";
import { digestOf } from "./plan.ts";

/** A call of an operation that may send emails. */
export interface SendCall {
  /** The operation's name in the audit log. */
  verb: string;
  /** The fields as received (`raw`) and validated (`input`). `needsKey`: the email requires an idempotency key. */
  raw: unknown;
  input: Record<string, unknown>;
  needsKey: boolean;
}

/** Runs the operation of a call with a permit. */
export type VerbRun = (permit: Permit) => Promise<unknown>;

export interface Boarding {
  sendKey: string | null;
  approvalId?: string;
  /** Takes the cost from a budget, in the transaction of the effect. */
  spend: Spend;
  /** Checks the intended effect before it happens. */
  check?: (intent: Intent) => Promise<void>;
  /** Records the effect, in its transaction. */
  note?: () => Promise<void>;
}

/**
 * Runs an operation. All its changes commit together with the record of the effect and its cost. Changes without a
 * permit are rolled back.
 */
export async function runBoarded(
  { sendKey, approvalId, spend, check, note }: Boarding,
  run: VerbRun,
): Promise<unknown> {
  let asked: Intent | null = null;
  const permit: Permit = {
    sendKey,
    approvalId: approvalId ?? null,
    async commit(intent, act) {
      await check?.(intent);
      asked = intent;
      return act();
    },
    async unchanged(intent, answer) {
      await check?.(intent);
      return answer();
    },
  };
  const board = async () => {
    if (asked === null) throw new Error("A verb that sends has not asked for its permit");
    const intent: Intent = asked;
    await note?.();
    await spend(() => intent.cost());
  };
  return withRider(board, () => run(permit));
}

class IsShown extends Error {
  readonly intent: Intent;
  constructor(intent: Intent) {
    super("This call changes nothing");
    this.intent = intent;
  }
}

/**
 * Determines the effect of a call: runs the operation until it requests its permit, and no further. An operation that
 * would change nothing reports its effect too.
 */
export async function intentOf(run: VerbRun): Promise<Intent> {
  const found = await intentOrAnswer(run, { sendKey: null, unchanged: show });
  if ("intent" in found) return found.intent;
  throw new Error("A verb that sends has not asked for its permit");
}

/** Like `intentOf`, or returns the response of a call that would change nothing. */
export async function intentOrAnswer(
  run: VerbRun,
  permit: Pick<Permit, "sendKey" | "unchanged">,
): Promise<{ intent: Intent } | { answer: unknown }> {
  const refuse = async () => {
    throw new Error("An operation that sends has changed something before it had its permit");
  };
  try {
    return { answer: await withRider(refuse, () => run({ ...permit, approvalId: null, commit: show })) };
  } catch (err) {
    if (err instanceof IsShown) return { intent: err.intent };
    throw err;
  }
}

async function show(intent: Intent): Promise<never> {
  throw new IsShown(intent);
}

/** A digest of the fields that define the request, without those of the plan and the idempotency key. */
export function askedDigest({ input }: SendCall): string {
  const { planOnly: _only, planToken: _token, idempotencyKey: _key, ...asked } = input;
  return digestOf(asked);
}
