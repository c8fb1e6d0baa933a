import { MetBefore } from "../../../domain/warmup/pair-counts.ts";
import type { PlannedMailbox } from "../../../domain/warmup/partners.ts";
import { type PlannedOpening, planOpenings } from "../../../domain/warmup/plan.ts";

/** The rules of a plan written a second time, as plainly as they can be: rules/warmup 2. */
export const DAY = "2026-05-04";
export const SHARED = "SHARED";

export function mailbox(mailboxId: string, more: Partial<PlannedMailbox> = {}): PlannedMailbox {
  return {
    mailboxId,
    workspaceId: `${mailboxId}-workspace`,
    organisation: `${mailboxId}.test`,
    provider: "SMTP",
    band: "HEALTHY",
    target: 4,
    openings: [{ pool: SHARED, count: 3 }],
    pools: [SHARED],
    planned: 0,
    received: 0,
    receivedFromWeak: 0,
    ...more,
  };
}

export function planOf(
  mailboxes: readonly PlannedMailbox[],
  met: readonly Meeting[] = [],
  heldBack = 1_000,
): PlannedOpening[] {
  return [...planOpenings(DAY, mailboxes, metOf(met), { pageSize: 3, heldBack })].flat();
}

export interface Meeting {
  from: string;
  to: string;
}

export function metOf(meetings: readonly Meeting[]): MetBefore {
  const met = new MetBefore();
  for (const meeting of meetings) met.add(meeting);
  return met;
}

export function isAllowed(
  from: PlannedMailbox,
  to: PlannedMailbox,
  pool: string,
  all: readonly PlannedMailbox[],
): boolean {
  const isOneWorkspace = all.every(({ workspaceId }) => workspaceId === from.workspaceId);
  if (from.organisation === to.organisation || to.target === 0) return false;
  if (!from.pools.includes(pool) || !to.pools.includes(pool)) return false;
  if (pool === SHARED && !isOneWorkspace && from.workspaceId === to.workspaceId) return false;
  if (from.band === "BLOCKED" || to.band === "BLOCKED") return false;
  if (isWeak(from)) return to.band === "HEALTHY";
  return !isWeak(to) || from.band === "HEALTHY";
}

export function isWeak({ band }: PlannedMailbox): boolean {
  return band === "THROTTLED" || band === "QUARANTINED";
}

/** How many more a mailbox may receive before the plan, and of these how many from weak ones. */
export function roomOf({ target, received, receivedFromWeak }: PlannedMailbox): { all: number; fromWeak: number } {
  const limit = target === 0 ? 0 : Math.max(2, Math.floor((target * 13) / 10));
  const weakLimit = Math.max(1, Math.floor(limit / 5));
  return { all: Math.max(0, limit - received), fromWeak: Math.max(0, weakLimit - receivedFromWeak) };
}

/** Every way in which a plan breaks a rule, in words. */
export function breachesOf(plan: readonly PlannedOpening[], all: readonly PlannedMailbox[]): string[] {
  const byId = new Map(all.map((one) => [one.mailboxId, one]));
  const find = (id: string) => byId.get(id) ?? mailbox(`${id}, which does not exist`, { band: "BLOCKED" });
  const forbidden = plan.filter(({ from, to, pool }) => !isAllowed(find(from), find(to), pool, all));
  return [
    ...forbidden.map(({ from, to, pool }) => `${from} may not write to ${to} in ${pool}`),
    ...all.flatMap((one) => {
      const [to, weak] = [plan.filter((opening) => opening.to === one.mailboxId), roomOf(one)];
      const fromWeak = to.filter(({ from }) => isWeak(find(from)));
      return [
        ...(to.length > weak.all ? [`${one.mailboxId} receives ${to.length}, which is above ${weak.all}`] : []),
        ...(fromWeak.length > weak.fromWeak ? [`${one.mailboxId} receives ${fromWeak.length} from weak ones`] : []),
        ...breachesOfSender(plan, one),
      ];
    }),
  ];
}

function breachesOfSender(plan: readonly PlannedOpening[], { mailboxId, planned, openings }: PlannedMailbox): string[] {
  const own = plan.filter(({ from }) => from === mailboxId);
  const numbers = own.map(({ number }) => number).sort((one, other) => one - other);
  const pools = [...new Set(own.map(({ pool }) => pool))];
  const asked = (pool: string) => openings.reduce((sum, part) => sum + (part.pool === pool ? part.count : 0), 0);
  return [
    ...pools
      .filter((pool) => own.filter((one) => one.pool === pool).length > asked(pool))
      .map((pool) => `${mailboxId} opens too many in ${pool}`),
    ...(numbers.every((number, index) => number === planned + index)
      ? []
      : [`${mailboxId} has the numbers ${numbers} after ${planned}`]),
  ];
}

/**
 * Pairs that meet a third time in seven days although each of their emails could have gone to someone that its writer
 * has met less often. Not each of them had to: the one that made it too many may be of another pool without anyone
 * else.
 */
export function needlessMeetings(
  plan: readonly PlannedOpening[],
  all: readonly PlannedMailbox[],
  before: readonly Meeting[],
): string[] {
  const met = metOf([...before, ...plan]);
  const after = all.map((one) => afterPlan(one, plan, all));
  const hasChoice = ({ from, pool }: PlannedOpening) => {
    const writer = after.find(({ mailboxId }) => mailboxId === from);
    return after.some((other) => {
      if (writer === undefined || !isAllowed(writer, other, pool, all) || met.times(from, other.mailboxId) >= 2)
        return false;
      const room = roomOf(other);
      return room.all > 0 && (!isWeak(writer) || room.fromWeak > 0);
    });
  };
  const pairs = Map.groupBy(plan, ({ from, to }) => [from, to].sort().join(" and "));
  return [...pairs].flatMap(([pair, openings]) => {
    const [first] = openings;
    return first !== undefined && met.times(first.from, first.to) > 2 && openings.every(hasChoice) ? [pair] : [];
  });
}

/** A mailbox after a plan was written, with what is left to plan. */
export function afterPlan(
  one: PlannedMailbox,
  plan: readonly PlannedOpening[],
  all: readonly PlannedMailbox[],
): PlannedMailbox {
  const weak = new Set(all.filter(isWeak).map(({ mailboxId }) => mailboxId));
  const own = plan.filter(({ from }) => from === one.mailboxId);
  const to = plan.filter((opening) => opening.to === one.mailboxId);
  return {
    ...one,
    planned: one.planned + own.length,
    openings: one.openings.map(({ pool, count }) => ({
      pool,
      count: count - own.filter((opening) => opening.pool === pool).length,
    })),
    received: one.received + to.length,
    receivedFromWeak: one.receivedFromWeak + to.filter(({ from }) => weak.has(from)).length,
  };
}
