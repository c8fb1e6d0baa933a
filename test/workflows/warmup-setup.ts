import { afterAll, beforeAll } from "@jest/globals";
import type { WorkflowHandle } from "@temporalio/client";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import type { WarmupIds, WarmupPlan, WarmupTurn } from "../../domain/warmup/contract.ts";
import { warmup } from "../../workflows/warmup.ts";
import { type Environment, startEnvironment } from "./environment.ts";

/** A mailbox that writes at 10 o'clock, reads at 12 unless no one writes to it, and closes its day at midnight. */
class MailboxOfOldHabits {
  status: "ACTIVE" | "PAUSED" | "LOST" | "STOPPED" = "ACTIVE";
  looks = 0;
  readonly sent: number[] = [];
  readonly read: number[] = [];
  readonly closed: number[] = [];
  /** Attempts of a turn that fail before one works. */
  failures = 0;
  #last: number;
  readonly #reads: boolean;
  constructor(now: number, reads: boolean) {
    this.#last = now;
    this.#reads = reads;
  }

  next(now: number): WarmupTurn {
    this.looks++;
    const plan: WarmupPlan = { target: 2, sent: this.sent.length, nextSlotAt: null, nextEngagementAt: null };
    if (this.status === "STOPPED") return { kind: "gone", plan };
    if (this.status === "LOST") return { kind: "parked", plan };
    const today = Math.floor(Math.max(now, this.#last) / DAY_MS) * DAY_MS;
    const all = [today, today + DAY_MS].flatMap((day): WarmupTurn[] => [
      { kind: "send", at: day + 10 * HOUR_MS, mailId: `mail of ${day}`, plan },
      ...(this.#reads ? [{ kind: "engage" as const, at: day + 12 * HOUR_MS, plan }] : []),
      { kind: "close", at: day + DAY_MS, plan },
    ]);
    const mine = all.filter(({ kind }) => this.status === "ACTIVE" || kind !== "send");
    return mine.find((turn) => "at" in turn && turn.at > this.#last) ?? { kind: "parked", plan };
  }

  does(list: number[], now: number): WarmupTurn {
    if (this.failures > 0) {
      this.failures--;
      throw new Error("The database is away");
    }
    list.push(now);
    this.#last = now;
    return this.next(now);
  }
}

export let environment: Environment;

const mailboxes = new Map<string, MailboxOfOldHabits>();

const of = ({ mailboxId }: WarmupIds) => {
  const found = mailboxes.get(mailboxId);
  if (found === undefined) throw new Error(`No mailbox ${mailboxId}`);
  return found;
};

export const now = () => environment.now();

export async function begun(
  mailboxId: string,
  { reads = true } = {},
): Promise<{ run: WorkflowHandle<typeof warmup>; mailbox: MailboxOfOldHabits }> {
  const mailbox = new MailboxOfOldHabits(await now(), reads);
  mailboxes.set(mailboxId, mailbox);
  const run = await environment.client.workflow.start(warmup, {
    workflowId: `warmup/${mailboxId}`,
    taskQueue: "engine",
    args: [{ v: 1, workspaceId: "wsp_1", mailboxId }],
  });
  return { run, mailbox };
}

/** Registers the hooks that both of these test files share. */
export function useSetup(): void {
  beforeAll(async () => {
    environment = await startEnvironment({
      engine: {
        nextWarmup: async (ids: WarmupIds) => of(ids).next(await now()),
        closeWarmupDay: async (ids: WarmupIds) => of(ids).does(of(ids).closed, await now()),
      },
      smtp: { warmupSend: async (ids: WarmupIds) => of(ids).does(of(ids).sent, await now()) },
      imap: { warmupEngage: async (ids: WarmupIds) => of(ids).does(of(ids).read, await now()) },
    });
  });
  afterAll(() => environment.close());
}
