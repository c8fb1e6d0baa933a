import { condition, defineQuery, defineSignal, isCancellation, proxyActivities, setHandler } from "@temporalio/workflow";
import type { SendActivities } from "../activities/send-step.ts";
import { type RecipientIds, SEND_STEP } from "../domain/engine.ts";

export const stopSignal = defineSignal<[{ reason: string }]>("stop");
export const resumeSignal = defineSignal<[{ epoch: number }]>("resume");
export const replanSignal = defineSignal("replan");
export const stateQuery = defineQuery<RecipientState>("state");

/** What an operator reads: what waits, until when, and why. */
export interface RecipientState {
  waitingFor: string;
  until: string | null;
}

const { sendStep } = proxyActivities<SendActivities>({ ...SEND_STEP, taskQueue: "smtp" });
const AFTER_FAILURE_MS = 15 * 60_000;

/** One person between the first mail and the last: sends what is due, waits for the booked slot, stops when told. */
export async function recipient(ids: RecipientIds): Promise<string> {
  let stopped: string | null = null;
  let openEpoch = 0;
  let replanned = false;
  let state: RecipientState = { waitingFor: "its first slot", until: null };
  setHandler(stopSignal, ({ reason }) => {
    stopped = reason;
  });
  setHandler(resumeSignal, ({ epoch }) => {
    openEpoch = Math.max(openEpoch, epoch);
  });
  setHandler(replanSignal, () => {
    replanned = true;
  });
  setHandler(stateQuery, () => state);

  const waitUntil = async (at: number, waitingFor: string) => {
    state = { waitingFor, until: new Date(at).toISOString() };
    await condition(() => stopped !== null || replanned, Math.max(1, at - Date.now()), { summary: waitingFor });
  };

  while (stopped === null) {
    // What asked for a look before it begins is answered by it
    replanned = false;
    const outcome = await sendStep.executeWithOptions({ summary: state.waitingFor }, [ids]).catch((error: unknown) => {
      if (isCancellation(error)) throw error;
      // Every retry was used up by crashes: the ledger knows what happened, so the next try starts from there
      return { kind: "replan", at: Date.now() + AFTER_FAILURE_MS, why: "another try" } as const;
    });
    if (outcome.kind === "stop") return outcome.reason;
    if (outcome.kind === "sent") {
      if (outcome.nextAt === null) return "finished";
      await waitUntil(outcome.nextAt, outcome.next ?? "the next step");
    } else if (outcome.kind === "replan") {
      await waitUntil(outcome.at, outcome.why);
    } else {
      const { epoch } = outcome;
      state = { waitingFor: "the campaign to be resumed", until: null };
      await condition(() => stopped !== null || openEpoch > epoch);
    }
  }
  return stopped;
}
