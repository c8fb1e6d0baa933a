import { withRider } from "../../mongo/transaction.ts";
import type { Spend } from "./budget.ts";
import type { Intent, Permit } from "./permit.ts";
import { digestOf } from "./plan.ts";

/** A call of a verb that may put mail on the wire. */
export interface SendCall {
  /** The verb by its name in the audit log. */
  verb: string;
  /** Its fields as they came and as they were read, and whether the verb needs a name for its mail. */
  raw: unknown;
  input: Record<string, unknown>;
  needsKey: boolean;
}

/** Runs the verb of a call with a permit. */
export type VerbRun = (permit: Permit) => Promise<unknown>;

export interface Boarding {
  sendKey: string | null;
  approvalId?: string;
  /** Takes what it costs from a budget, in the transaction of the effect. */
  spend: Spend;
  /** Looks at what the verb means to do, before it does. */
  check?: (intent: Intent) => Promise<void>;
  /** Notes the effect, in its transaction. */
  note?: () => Promise<void>;
}

/**
 * Runs a verb. Whatever it changes commits together with its note and what it costs, and nothing for which it has not
 * asked.
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
 * What the verb would do: it runs up to where it asks, and no further. Where it would change nothing, that is its
 * intent too.
 */
export async function intentOf(run: VerbRun): Promise<Intent> {
  const found = await intentOrAnswer(run, { sendKey: null, unchanged: show });
  if ("intent" in found) return found.intent;
  throw new Error("A verb that sends has not asked for its permit");
}

/** The same, or the answer of a call that would change nothing. */
export async function intentOrAnswer(
  run: VerbRun,
  permit: Pick<Permit, "sendKey" | "unchanged">,
): Promise<{ intent: Intent } | { answer: unknown }> {
  const refuse = async () => {
    throw new Error("A verb that sends has changed something before it was permitted");
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

/** A digest of the fields that say what is asked, apart from how. */
export function askedDigest({ input }: SendCall): string {
  const { planOnly: _only, planToken: _token, idempotencyKey: _key, ...asked } = input;
  return digestOf(asked);
}
