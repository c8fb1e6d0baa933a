import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "@jest/globals";
import { scoped } from "../../models/scoped.ts";
import type { SendingWorld } from "../sending/sending-world.ts";
import type { RestAnswer } from "../support/rest.ts";

/** Without it the looks alone would keep a processor busy. */
const BETWEEN_LOOKS_MS = 100;

type Told = RestAnswer["body"];

/** Something that happened to a recipient. `at` is in epoch milliseconds. */
interface Happened {
  event: string;
  stepId: string | null;
  at: number;
}

/**
 * Explains every recipient of some campaigns again and again while they run. At the end it compares each prediction
 * with what happened next: the same event at the same step, at the booked slot or later, and nothing where nothing was
 * foreseen.
 */
export class Watch {
  readonly told: Told[] = [];
  readonly #sending: SendingWorld;
  readonly #paths: string[];

  constructor(sending: SendingWorld, ...paths: string[]) {
    this.#sending = sending;
    this.#paths = paths;
  }

  async look(): Promise<void> {
    for (const path of this.#paths) {
      const { body } = await this.#sending.rest.get(`${path}/recipients?pageSize=100`);
      for (const { id } of body.items) this.told.push(await explained(this.#sending, path, id));
    }
  }

  /** Looks until none of these recipients changes any more without outside help. */
  async untilStill(deadlineMs: number): Promise<void> {
    const end = Date.now() + deadlineMs;
    for (;;) {
      const before = this.told.length;
      await this.look();
      const last = this.told.slice(before);
      if (last.every(({ next }) => next === null)) return;
      if (Date.now() > end) throw new Error(`Still to come: ${JSON.stringify(last.flatMap(({ next }) => next ?? []))}`);
      await sleep(BETWEEN_LOOKS_MS);
    }
  }

  /** Every event that was foreseen at any time, each once per recipient. */
  events(): string[] {
    const all = this.told.flatMap(({ next, afterwards }) => [...(next === null ? [] : [next]), ...afterwards]);
    return [...new Set(all.map(({ event, reason }) => `${event} ${reason ?? ""}`.trim()))].sort();
  }

  rules(): Set<string> {
    return new Set(this.told.flatMap(({ rules }) => rules.map(({ code }: { code: string }) => code)));
  }

  async judge(): Promise<void> {
    const ids = new Set(this.told.map(({ recipientId }) => recipientId));
    const wrong: unknown[] = [];
    for (const id of ids) {
      const history = await historyOf(this.#sending.workspaceId, id);
      const final = await scoped(this.#sending.workspaceId).Recipient.get(id);
      for (const told of this.told.filter(({ recipientId }) => recipientId === id)) {
        const behind = told.sent.filter(isBehind).length + told.acted.filter(isDone).length;
        const why = fault(told, history[behind] ?? null, {
          status: final?.status,
          reason: final?.stopReason ?? final?.pauseReason,
        });
        const { status, next, afterwards, rules, explainedAt } = told;
        if (why !== null)
          wrong.push({
            why,
            explainedAt,
            status,
            next,
            afterwards,
            codes: rules.map(({ code }: { code: string }) => code),
          });
      }
    }
    expect(wrong).toEqual([]);
  }
}

export async function explained(sending: SendingWorld, path: string, recipientId: string): Promise<Told> {
  const { status, body } = await sending.rest.get(`${path}/recipients/${recipientId}/explain`);
  expect([status, body.code]).toEqual([200, undefined]);
  return body;
}

/** Why a prediction does not fit the next event or the final state; null when it does. */
function fault(told: Told, happened: Happened | null, final: { status: unknown; reason: unknown }): string | null {
  const outcomes = ["MAIL", "STEP", "STEP_SKIPPED", "PAUSED", "ENDED"];
  const foreseen = [told.next, ...told.afterwards].find((one) => one !== null && outcomes.includes(one.event));
  if (foreseen === undefined) {
    if (told.next !== null) return null;
    return happened === null && final.status === told.status
      ? null
      : `nothing was foreseen: ${JSON.stringify({ happened, final })}`;
  }
  const { event, stepId, reason, at, isEarliest } = foreseen;
  if (event === "PAUSED" || event === "ENDED") {
    return happened === null && final.reason === reason ? null : `${JSON.stringify({ happened, final })}`;
  }
  if (happened === null || happened.event !== event || happened.stepId !== stepId)
    return `${JSON.stringify({ happened, final })}`;
  const isDueNow = at === told.explainedAt; // an event bears an instant just before it commits, so this look may not have seen it yet
  if (!isDueNow && happened.at < Date.parse(at)) return `too early, at ${new Date(happened.at).toISOString()}`;
  if (event !== "MAIL" || isEarliest) return null;
  const slotAt = told.sent.find((send: Told) => send.stepId === stepId)?.slotAt;
  return slotAt === at ? null : `another instant than its slot, ${slotAt}`;
}

async function historyOf(workspaceId: string, recipientId: string): Promise<Happened[]> {
  const { StepExecution, Send } = scoped(workspaceId);
  const sends = (await Send.find({ recipientId })).filter(isBehind).map((send) => ({
    event: send.state === "FAILED" ? "STEP_SKIPPED" : "MAIL",
    stepId: send.stepId,
    at: (send.sentAt ?? send.updatedAt).getTime(),
  }));
  const acts = (await StepExecution.find({ recipientId })).filter(isDone).map(({ stepId, doneAt, updatedAt }) => ({
    event: "STEP",
    stepId,
    at: (doneAt ?? updatedAt).getTime(),
  }));
  return [...sends, ...acts].sort((one, other) => one.at - other.at);
}

type Row = { state: string; type?: string; failure?: { reason: string } | string | null };

function isBehind({ state, failure }: Row): boolean {
  return (
    state === "SENT" || (state === "FAILED" && typeof failure === "object" && failure?.reason === "MISSING_VARIABLE")
  );
}

/** Moving to another campaign ends the recipient, and is foreseen as that end. */
function isDone({ state, type }: Row): boolean {
  return (state === "DONE" || state === "FAILED") && type !== "MOVE_TO_CAMPAIGN";
}
