import { mix } from "../../domain/warmup/day-hash.ts";
import { MetBefore } from "../../domain/warmup/pair-counts.ts";
import type { PlannedMailbox } from "../../domain/warmup/partners.ts";
import { planOpenings } from "../../domain/warmup/plan.ts";
import { answer } from "../system/processes.ts";

export interface PlanOrders {
  mailboxes: number;
  mails: number;
}

export interface PlanMeasures {
  openings: number;
  ms: number;
  /** The longest time in milliseconds for which the process was blocked. */
  longestMs: number;
}

const PROVIDERS = ["PROVIDERA", "PROVIDERB", "SMTP"] as const;
const IN_WORKSPACE = 20;
const IN_DOMAIN = 4;
const DAYS_BEFORE = 6;

/**
 * A process that creates random exchanges of six days and plans the seventh. It does nothing else, so its memory is
 * that of one plan.
 */
const { mailboxes: count, mails }: PlanOrders = JSON.parse(process.argv[2] ?? "{}");
const mailboxes = Array.from({ length: count }, (_, index) => mailboxOf(index));
const met = new MetBefore();
for (let day = 0; day < DAYS_BEFORE; day++) {
  for (const [index, { mailboxId: from }] of mailboxes.entries()) {
    for (let mail = 0; mail < mails; mail++)
      met.add({ from, to: idOf((index + 1 + (mix(index, day * mails + mail) % (count - 1))) % count) });
  }
}
answer({ plan });

function plan(): PlanMeasures {
  const started = performance.now();
  let [openings, longestMs, last] = [0, 0, started];
  for (const page of planOpenings("2026-06-07", mailboxes, met)) {
    openings += page.length;
    longestMs = Math.max(longestMs, performance.now() - last);
    last = performance.now();
  }
  return { openings, ms: performance.now() - started, longestMs: Math.max(longestMs, performance.now() - last) };
}

function mailboxOf(index: number): PlannedMailbox {
  return {
    mailboxId: idOf(index),
    workspaceId: `wsp_${Math.floor(index / IN_WORKSPACE)}`,
    organisation: `d${Math.floor(index / IN_DOMAIN)}.example`,
    provider: PROVIDERS[index % PROVIDERS.length] ?? "SMTP",
    band: "HEALTHY",
    target: mails,
    openings: [{ pool: "SHARED", count: mails }],
    pools: ["SHARED"],
    planned: 0,
    received: 0,
    receivedFromWeak: 0,
  };
}

function idOf(index: number): string {
  return `mbx_${index.toString().padStart(26, "0")}`;
}
