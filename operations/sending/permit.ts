import type { Context } from "../context.ts";
import type { PlannedEffect } from "./plan.ts";

/** The effect that an operation is about to have. */
export interface Intent {
  effect(): Promise<PlannedEffect>;
  /** Emails taken from the credential's budget, counted in the transaction of the effect. */
  cost(): Promise<number>;
}

/**
 * The permission to send emails that a call gives its operation (rules/access 4). An operation first reads and checks,
 * then requests it. Changes without it are rolled back.
 */
export interface Permit {
  /**
   * Runs `act`, which makes the effect in one transaction, if this call may. `act` returns null when it changed
   * nothing.
   */
  commit<T>(intent: Intent, act: () => Promise<T>): Promise<T>;
  /**
   * Returns the response of a call that changes nothing, because the requested state already exists or cannot be
   * reached.
   */
  unchanged<T>(intent: Intent, answer: () => Promise<T>): Promise<T>;
  /** The idempotency key of this one email: a second call with it finds the email of the first. Null without a key. */
  sendKey: string | null;
  /** The approval by which the email is sent; null when no approval was required. */
  approvalId: string | null;
}

/** The context of an operation that may send emails. */
export interface SendingContext extends Context {
  permit: Permit;
}
