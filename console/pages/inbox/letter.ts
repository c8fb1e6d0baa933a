import { useRef } from "react";
import type { In, Out } from "../../api/call.ts";
import { newKey } from "../../api/key.ts";
import { useWrite } from "../../api/query.ts";
import type { Refusal } from "../../api/refusal.ts";
import { RENEWS } from "./reads.ts";

export interface Letter {
  threadId: string;
  text: string;
  cc: string[];
  /** The email that is answered: the one on the page, not one that arrived since. */
  inReplyToMessageId: string;
}
type Now = "post /inbox/threads/:threadId/reply";
type Later = "post /inbox/threads/:threadId/schedule";
export type Sent = Out<Now>;

/** An action that is planned and then carried out exactly as planned. */
export interface Planned {
  letter: Letter;
  sendAt: string | null;
  to: string;
  planToken: string;
}

export interface Sending {
  /** What would be sent; null if the service refused. */
  plan(letter: Letter, sendAt: string | null): Promise<Planned | null>;
  /** Carries out the plan; resolves with null if the service refused or the outcome is unknown. */
  commit(planned: Planned): Promise<{ sent: Sent | null } | null>;
  /**
   * True while the outcome of a request is unknown. `commit` of that plan then finds out what the request did; nothing
   * else may be sent before.
   */
  isUncertain: boolean;
  repeat(): Promise<{ sent: Sent | null } | null>;
  isRunning: boolean;
  refusal: Refusal | null;
  clear(): void;
}

const ALL = [...RENEWS, "get /inbox/scheduled"] as const;

/**
 * Sends a reply now or schedules it. The server first returns a plan; then exactly this plan is carried out once, even
 * if the call is repeated.
 */
export function useSending(): Sending {
  const plans = { now: useWrite<Now>("post /inbox/threads/:threadId/reply", { renews: [] }), later: useLater([]) };
  const writes = { now: useWrite<Now>("post /inbox/threads/:threadId/reply", { renews: ALL }), later: useLater(ALL) };
  /** The request that is running, or whose outcome is unknown. */
  const going = useRef<{ now: In<Now> } | { later: In<Later> } | null>(null);

  async function go(): Promise<{ sent: Sent | null } | null> {
    const request = going.current;
    if (request === null) return null;
    const answer = "now" in request ? await writes.now.run(request.now) : await writes.later.run(request.later);
    if (answer === null) return null;
    going.current = null;
    return { sent: "idempotentReplay" in answer && "to" in answer && "sentAt" in answer ? answer : null };
  }

  const refusal = writes.now.refusal ?? writes.later.refusal;
  const isUncertain =
    refusal !== null && going.current !== null && (refusal.mayPass || refusal.code === "IDEMPOTENCY_IN_PROGRESS");
  return {
    async plan(letter, sendAt) {
      for (const write of [writes.now, writes.later]) write.clear();
      const input = { ...letter, planOnly: true as const };
      const planned = sendAt === null ? await plans.now.run(input) : await plans.later.run({ ...input, sendAt });
      const to = planned?.plan.effect.texts[0]?.to;
      return planned === null || to === undefined ? null : { letter, sendAt, to, planToken: planned.planToken };
    },
    commit({ letter, sendAt, planToken }) {
      const request = { ...letter, planToken, idempotencyKey: newKey() };
      going.current = sendAt === null ? { now: request } : { later: { ...request, sendAt } };
      return go();
    },
    isUncertain,
    repeat: go,
    isRunning: [plans.now, plans.later, writes.now, writes.later].some(({ isRunning }) => isRunning),
    refusal: plans.now.refusal ?? plans.later.refusal ?? refusal,
    clear() {
      for (const write of [plans.now, plans.later, writes.now, writes.later]) write.clear();
    },
  };
}

function useLater(renews: Parameters<typeof useWrite<Later>>[1]["renews"]) {
  return useWrite<Later>("post /inbox/threads/:threadId/schedule", { renews });
}
