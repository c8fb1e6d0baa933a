import type { WarmupStatus } from "./enrolment.ts";

export type WarmupAction = "start" | "pause" | "stop" | "reconnect";

/** Where an action leads from each state; null stands for a mailbox that never enrolled, or was removed (rules/warmup 1.2). */
const MOVES: Record<WarmupAction, { from: readonly (WarmupStatus | null)[]; to: WarmupStatus }> = {
  start: { from: [null, "STOPPED", "PAUSED"], to: "ACTIVE" },
  pause: { from: ["ACTIVE"], to: "PAUSED" },
  stop: { from: ["ACTIVE", "PAUSED", "RECONNECT_REQUIRED", "SUSPENDED"], to: "STOPPED" },
  reconnect: { from: ["RECONNECT_REQUIRED"], to: "ACTIVE" },
};

/** The state after an action: the same where it holds already, null where the action does not fit. */
export function stateAfter(action: WarmupAction, from: WarmupStatus | null): WarmupStatus | null {
  const move = MOVES[action];
  return move.to === from || move.from.includes(from) ? move.to : null;
}

/** Whether the ramp begins anew: it is kept over a pause, and over the loss of the mailbox. */
export function restartsRamp(from: WarmupStatus | null): boolean {
  return from === null || from === "STOPPED";
}
