import {
  condition,
  continueAsNew,
  defineQuery,
  defineSignal,
  isCancellation,
  patched,
  proxyActivities,
  setHandler,
  workflowInfo,
} from "@temporalio/workflow";
import type { ActActivities } from "../activities/recipients/non-mail-step.ts";
import type { PostActivities } from "../activities/recipients/post-step.ts";
import type { SendActivities } from "../activities/sending/send-step.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import {
  ACT_STEP,
  POST_STEP,
  type RecipientIds,
  SEND_STEP,
  type StepOutcome,
  type StepVerb,
} from "../domain/workflow-contract.ts";

export const stopSignal = defineSignal<[{ reason: string }]>("stop");
export const resumeSignal = defineSignal<[{ epoch: number }]>("resume");
export const replanSignal = defineSignal("replan");
export const stateQuery = defineQuery<RecipientState>("state");

/** The state for operators: what the recipient waits for, and until when. */
export interface RecipientState {
  waitingFor: string;
  until: string | null;
}

/** `openEpoch` is the newest epoch about which earlier runs were signalled. */
export type RecipientInput = RecipientIds & { openEpoch?: number };

const { sendStep } = proxyActivities<SendActivities>({ ...SEND_STEP, taskQueue: "smtp" });
const { actStep } = proxyActivities<ActActivities>({ ...ACT_STEP, taskQueue: "engine" });
const { postStep } = proxyActivities<PostActivities>({ ...POST_STEP, taskQueue: "webhook" });
const DOERS = { mail: sendStep, act: actStep, post: postStep };
const AFTER_FAILURE_MS = 15 * MINUTE_MS;

/**
 * Takes one recipient from the first step to the last: executes the due step, waits for the booked slot, and stops on a
 * signal.
 */
export async function recipient({ openEpoch: before = 0, ...ids }: RecipientInput): Promise<string> {
  let stopped: string | null = null;
  let openEpoch = before;
  let replanned = false;
  let by: StepVerb = "mail";
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
    // A run with many wake-ups continues as new before its history becomes too long
    if (workflowInfo().continueAsNewSuggested && patched("continue-as-new")) {
      await continueAsNew<typeof recipient>({ ...ids, openEpoch });
    }
    // This step reads the current state, so it covers all replan signals that arrived before
    replanned = false;
    const doing: Promise<StepOutcome> = DOERS[by].executeWithOptions({ summary: state.waitingFor }, [ids]);
    const outcome = await doing.catch((error: unknown): StepOutcome => {
      if (isCancellation(error)) throw error;
      // All retries failed by crashes. The send's row records the progress, so the next attempt continues from there
      return { kind: "replan", at: Date.now() + AFTER_FAILURE_MS, why: "another try" };
    });
    by = "mail";
    if (outcome.kind === "over") {
      by = outcome.to;
    } else if (outcome.kind === "sent" && outcome.nextAt !== null) {
      by = outcome.by ?? by;
      await waitUntil(outcome.nextAt, outcome.next ?? "the next step");
    } else if (outcome.kind === "replan") {
      by = outcome.by ?? by;
      await waitUntil(outcome.at, outcome.why);
    } else if (outcome.kind === "parked") {
      const { epoch } = outcome;
      state = { waitingFor: "the campaign to be resumed", until: null };
      // A run that started before this change waits only for a resume
      const looksAgain = patched("replan-while-parked");
      await condition(() => stopped !== null || openEpoch > epoch || (looksAgain && replanned));
    } else if (outcome.kind === "held") {
      state = { waitingFor: outcome.why, until: null };
      await condition(() => stopped !== null || replanned);
    } else if (!replanned) {
      // After a replan signal during the last step the run checks once more, because the recipient may have been
      // resumed
      return outcome.kind === "stop" ? outcome.reason : "finished";
    }
  }
  return stopped;
}
