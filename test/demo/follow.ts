import { setTimeout as sleep } from "node:timers/promises";
import type { Rest } from "../rest.ts";
import { type Records, recordsOf, type Stats, statsOf } from "./drive.ts";
import { deliverableTo } from "./leads.ts";
import type { Progress } from "./progress.ts";
import type { Service } from "./service.ts";
import type { Outside } from "./world.ts";

/** By now everything that is not waiting for hours has happened. */
const DEADLINE_MS = 6 * 60_000;
const LOOK_MS = 250;
const ASK_EVERY = 4;
const SETTLE_EVERY = 16;
/** The service is killed once this share of the mails is out: in the middle of a burst. */
const KILL_AT = 0.6;
/** A step that is planned for later than this waits for something, not for its turn. */
const LONG_WAIT_MS = 10 * 60_000;

export interface Show {
  rest: Rest;
  campaignId: string;
  service: Service;
  outside: Outside;
  progress: Progress;
  addresses: string[];
  letters: number;
}

/** Watches the campaign until nothing more will come soon, kills the service once on the way, and hands over the records. */
export async function follow(show: Show): Promise<Records> {
  const { service, outside, progress, addresses, letters } = show;
  const total = addresses.reduce((sum, address) => sum + deliverableTo(address, letters), 0);
  const startedAt = Date.now();
  let stats: Stats | null = null;
  let isKilled = false;
  for (let look = 0; ; look++, await sleep(LOOK_MS)) {
    const done = outside.sandbox.ledger.length;
    if (look % ASK_EVERY === 0) stats = await statsOf(show.rest, show.campaignId);
    progress.show(done, total, `${textOf(stats)}, ${clock(Date.now() - startedAt)}`);
    if (!isKilled && done >= total * KILL_AT) {
      isKilled = true;
      await restart(service, progress);
    }
    if (look % SETTLE_EVERY !== 0) continue;
    const records = await recordsOf(show.rest, show.campaignId);
    if (Date.now() - startedAt > DEADLINE_MS) return records;
    if (isKilled && isSettled(show, records)) return records;
  }
}

async function restart(service: Service, progress: Progress): Promise<void> {
  progress.say("  *** SIGKILL: the service dies in the middle of sending, without a warning");
  await service.kill();
  progress.say("  *** started again on the same data folder");
  const at = Date.now();
  await service.start(() => {});
  progress.say(`  *** back after ${((Date.now() - at) / 1000).toFixed(1)} s`);
}

/** Whether everybody who is still open waits for something that takes hours, and all reactions and events have arrived. */
function isSettled({ outside, letters }: Show, { sends, recipients }: Records): boolean {
  const soon = Date.now() + LONG_WAIT_MS;
  const open = recipients.filter(({ status }) => status === "PENDING" || status === "IN_PROGRESS");
  const isWaiting = (email: string, nextSendAt: string | null) =>
    (nextSendAt !== null && Date.parse(nextSendAt) > soon) ||
    sends.some((send) => send.email === email && (send.state === "UNKNOWN" || (send.state === "RESERVED" && send.attempts > 1)));
  if (!open.every(({ email, nextSendAt }) => isWaiting(email, nextSendAt))) return false;
  return outside.sandbox.pending() === 0 && recipients.length > 0 && letters > 0 && isTold(outside);
}

/** Whether each event that the subscriber refused has come again. */
function isTold({ subscriber, posts }: Outside): boolean {
  const last = subscriber.received.at(-1)?.at.getTime() ?? 0;
  const taken = new Set<string>();
  const refused = new Set<string>();
  for (const { delivery, status } of posts("")) (status < 300 ? taken : refused).add(delivery);
  return refused.isSubsetOf(taken) && Date.now() - last > 2_000;
}

function textOf(stats: Stats | null): string {
  const shown = Object.entries(stats?.byStatus ?? {}).filter(([, count]) => count > 0);
  return shown.map(([status, count]) => `${status.toLowerCase().replace("_", " ")} ${count}`).join(", ");
}

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
