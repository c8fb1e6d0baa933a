import { answersOf, DEFAULT_CONFIG, rampTarget } from "../../../domain/warmup/enrolment.ts";
import { MetBefore } from "../../../domain/warmup/pair-counts.ts";
import type { PlannedMailbox } from "../../../domain/warmup/partners.ts";
import { type PlannedOpening, planOpenings } from "../../../domain/warmup/plan.ts";

const DAYS = 30;
const WEEK = 7;
const PROVIDERS = ["PROVIDERA", "PROVIDERB", "SMTP"] as const;

export interface Month {
  openings: number;
  /** Openings that found no partner. */
  left: number;
  /** How many emails the most uneven mailboxes received for each one that they sent. */
  leastReceived: number;
  mostReceived: number;
  /** The most meetings of a pair. */
  mostMeetings: number;
  mostInSevenDays: number;
}

interface Population {
  mailboxes: number;
  workspaces: number;
  domains: number;
  /**
   * The most emails a day of the mailboxes, in turn; they start with three or more and have one or two more each day.
   */
  targets: readonly number[];
}

/** Plans thirty days one after the other, each with what was planned in the six before it. */
export function simulateMonth(population: Population): Month {
  const counts = { openings: 0, left: 0, mostInSevenDays: 0 };
  const [sent, received, meetings] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  const week: PlannedOpening[][] = [];
  for (let dayNumber = 1; dayNumber <= DAYS; dayNumber++) {
    const mailboxes = mailboxesOn(dayNumber, population);
    const met = new MetBefore();
    for (const opening of week.flat()) met.add(opening);
    const plan = [...planOpenings(`2026-06-${dayNumber}`, mailboxes, met)].flat();
    for (const opening of plan) {
      met.add(opening);
      counts.mostInSevenDays = Math.max(counts.mostInSevenDays, met.times(opening.from, opening.to));
      count(sent, opening.from);
      count(received, opening.to);
      count(meetings, [opening.from, opening.to].sort().join());
    }
    counts.openings += plan.length;
    counts.left += mailboxes.flatMap(({ openings }) => openings).reduce((sum, { count }) => sum + count, -plan.length);
    week.push(plan);
    if (week.length === WEEK) week.shift();
  }
  const shares = [...sent].map(([mailboxId, mails]) => (received.get(mailboxId) ?? 0) / mails);
  const mostMeetings = meetings.values().reduce((most, times) => Math.max(most, times), 0);
  return { ...counts, leastReceived: Math.min(...shares), mostReceived: Math.max(...shares), mostMeetings };
}

function mailboxesOn(dayNumber: number, { mailboxes, workspaces, domains, targets }: Population): PlannedMailbox[] {
  return Array.from({ length: mailboxes }, (_, index) => {
    const max = targets[index % targets.length] ?? 0;
    const target = rampTarget(
      { ...DEFAULT_CONFIG, start: 3 + (index % 5), increment: 1 + (index % 2), max },
      dayNumber,
      100,
      false,
    );
    const domain = Math.floor((index * domains) / mailboxes);
    return {
      mailboxId: `mbx_${index}`,
      workspaceId: `wsp_${Math.floor((domain * workspaces) / domains)}`,
      organisation: `d${domain}.test`,
      provider: PROVIDERS[Math.floor(index / 5) % 3] ?? "SMTP",
      band: "HEALTHY",
      target,
      pools: ["SHARED"],
      planned: 0,
      received: 0,
      receivedFromWeak: 0,
      openings: [{ pool: "SHARED", count: target - answersOf(target, DEFAULT_CONFIG.replyRate) }],
    };
  });
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
