import { setTimeout as sleep } from "node:timers/promises";
import { MINUTE_MS } from "../../domain/time/durations.ts";
import type { Rest } from "../support/rest.ts";
import { type Records, recordsOf, type Stats, statsOf } from "./drive.ts";
import { deliverableTo } from "./leads.ts";
import type { Progress } from "./progress.ts";
import type { Service } from "./service.ts";
import { isKept, type Outcome } from "./table.ts";
import type { Outside } from "./world.ts";

/** By then everything that does not wait for hours has happened, including the lease of a claim whose worker died. */
const DEADLINE_MS = 8 * MINUTE_MS;
/**
 * The last events are still under way when the last letter is out, and an event that is refused comes again after a
 * minute.
 */
const AFTERMATH_MS = 90_000;
const LOOK_MS = 250;
const ASK_EVERY = 4;
const SETTLE_EVERY = 16;
/** The service is killed once this share of the emails is out, in the middle of a burst. */
const KILL_AT = 0.6;
/** A step that is planned for later than this waits for an event, not just for its slot. */
const LONG_WAIT_MS = 10 * MINUTE_MS;

export interface Show {
  rest: Rest;
  campaignId: string;
  service: Service;
  outside: Outside;
  progress: Progress;
  addresses: string[];
  letters: number;
  judge(records: Records): Outcome;
  /** How many letters of the campaign have arrived. */
  arrived(): number;
  /** What a person reads once the service is back. */
  greeting(): Promise<string[]>;
}

/**
 * Watches the campaign until nothing more will come soon, kills the service once meanwhile, and returns the
 * outcome.
 */
export async function follow(show: Show): Promise<Outcome> {
  const { progress, addresses, letters, judge } = show;
  const total = addresses.reduce((sum, address) => sum + deliverableTo(address, letters), 0);
  const startedAt = Date.now();
  let stats: Stats | null = null;
  let isKilled = false;
  let settledAt = Number.POSITIVE_INFINITY;
  for (let look = 0; ; look++, await sleep(LOOK_MS)) {
    const done = show.arrived();
    if (look % ASK_EVERY === 0) stats = await statsOf(show.rest, show.campaignId);
    progress.show(done, total, `${clock(Date.now() - startedAt)}  ${textOf(stats)}`);
    if (!isKilled && done >= total * KILL_AT) {
      isKilled = true;
      await restart(show);
    }
    if (look % SETTLE_EVERY !== 0) continue;
    const records = await recordsOf(show.rest, show.campaignId);
    const outcome = judge(records);
    if (isKilled && isSettled(show, records)) settledAt = Math.min(settledAt, Date.now());
    const isOver = Date.now() - startedAt > DEADLINE_MS || Date.now() - settledAt > AFTERMATH_MS;
    if (isOver || (settledAt < Number.POSITIVE_INFINITY && isKept(outcome))) return outcome;
  }
}

async function restart({ service, outside, progress, greeting }: Show): Promise<void> {
  progress.say("  *** SIGKILL: the service dies in the middle of sending, without a warning");
  await service.kill();
  const diedAt = Date.now();
  progress.say("  *** started again on the same data folder");
  const at = Date.now();
  await service.start(() => {});
  progress.say(`  *** back after ${((Date.now() - at) / 1000).toFixed(1)} s`);
  outside.readers.lookAgain(diedAt);
  for (const line of await greeting()) progress.say(line);
}

/** Whether every open recipient waits for something that takes hours, and all reactions have arrived. */
function isSettled({ outside }: Show, { sends, recipients }: Records): boolean {
  const soon = Date.now() + LONG_WAIT_MS;
  const open = recipients.filter(({ status }) => status === "PENDING" || status === "IN_PROGRESS");
  const isWaiting = ({ email, nextSendAt }: Records["recipients"][number]) =>
    (nextSendAt !== null && Date.parse(nextSendAt) > soon) ||
    sends.some(
      (send) => send.email === email && (send.state === "UNKNOWN" || (send.state === "RESERVED" && send.attempts > 1)),
    );
  return open.every(isWaiting) && outside.sandbox.pending() === 0 && outside.readers.pending() === 0;
}

function textOf(stats: Stats | null): string {
  const shown = Object.entries(stats?.byStatus ?? {}).filter(([, count]) => count > 0);
  return shown.map(([status, count]) => `${status.toLowerCase().replace("_", " ")} ${count}`).join(", ");
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
