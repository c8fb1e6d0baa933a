import type { Context } from "../context.ts";
import type { PlannedEffect } from "./plan.ts";

/** The effect that a verb is about to have. */
export interface Intent {
  effect(): Promise<PlannedEffect>;
  /** Emails that it takes from the credential's budget, as they are counted in the transaction of the effect. */
  cost(): Promise<number>;
}

/**
 * The permission to put mail on the wire, which the way in gives to a verb (rules/access 4). A verb reads and checks
 * first, then asks; what it does without having asked is undone.
 */
export interface Permit {
  /**
   * Runs `act`, whose one transaction makes the effect, if this call may. Null from `act` says that nothing was
   * changed.
   */
  commit<T>(intent: Intent, act: () => Promise<T>): Promise<T>;
  /** The answer of a call that changes nothing, because its target holds already or cannot be reached. */
  unchanged<T>(intent: Intent, answer: () => Promise<T>): Promise<T>;
  /** The name of this one mail in the ledger: a second run under it finds the first one's mail. Null: it has none. */
  sendKey: string | null;
  /** The approval by which it is sent; null: no one was asked. */
  approvalId: string | null;
}

/** The context of a verb that may put mail on the wire. */
export interface SendingContext extends Context {
  permit: Permit;
}
