import { sleep } from "@temporalio/workflow";
import type { SingleEnd, SingleOutcome } from "../domain/workflow-contract.ts";

/** Attempts a single email until its outcome is recorded. An attempt may end early, for example at a provider's limit. */
export async function sendUntilSettled(attempt: () => Promise<SingleOutcome>): Promise<SingleEnd> {
  for (;;) {
    const outcome = await attempt();
    if (outcome.kind !== "later") return outcome;
    await sleep(Math.max(1, outcome.at - Date.now()));
  }
}
