/** A process that shares the work with others. */
export interface Holder {
  /** The kinds of work that it takes part in. */
  kinds: string[];
  /** When its lease ends, by the database's clock. */
  until: Date;
  /** Where it runs (`mongo/process-mark.ts`); null if unknown. */
  process: string | null;
}

/** Which process holds which part of each kind of work. All processes share this one document. */
export interface LeaseTable {
  /** Every write raises it. */
  version: number;
  /** When the document was last read by a renewal, by the database's clock. */
  at: Date;
  /** By the id of the holder, in the order in which they joined. */
  holders: Record<string, Holder>;
  /** For each kind the holder of each part; null where it is free. */
  parts: Record<string, (string | null)[]>;
}

export interface LeasePlan extends Pick<LeaseTable, "holders" | "parts"> {
  isChanged: boolean;
  /** The parts that the process holds, by kind. */
  held: Map<string, Set<number>>;
  /** The parts among them that it must give up as soon as it does not use them any more. */
  excess: Map<string, Set<number>>;
}

interface Situation {
  /** How many parts each kind of work has. */
  sizes: Record<string, number>;
  /** Whether this process uses a part at the moment. */
  isBusy(kind: string, part: number): boolean;
  /** Whether the process of a holder has surely ended, although its lease lasts. */
  isGone(holder: Holder): boolean;
}

/**
 * What a process changes in the table: it removes holders whose lease is over, gives up what it holds beyond its equal
 * share, and takes free parts up to that share. It never takes a part from a holder with a lease.
 */
export function planLeases(table: LeaseTable, me: string, { sizes, isBusy, isGone }: Situation): LeasePlan {
  const isAlive = (id: string, holder: Holder) => id === me || (holder.until > table.at && !isGone(holder));
  const alive = Object.entries(table.holders).filter(([id, holder]) => isAlive(id, holder));
  const living = new Set(alive.map(([id]) => id));
  const held = new Map<string, Set<number>>();
  const excess = new Map<string, Set<number>>();
  const parts: LeaseTable["parts"] = {};
  for (const kind of new Set([...Object.keys(table.parts), ...Object.keys(sizes)])) {
    const stored = table.parts[kind] ?? Array.from({ length: sizes[kind] ?? 0 }, () => null);
    const owners = stored.map((id) => (id !== null && living.has(id) ? id : null));
    const members = alive.filter(([, { kinds }]) => kinds.includes(kind)).map(([id]) => id);
    const quota = quotaOf(kind, me, members, owners);
    const mine = owners.flatMap((id, part) => (id === me ? [part] : []));
    const beyond = mine.slice(quota);
    for (const part of beyond) if (!isBusy(kind, part)) owners[part] = null;
    for (let left = quota - mine.length, part = 0; left > 0 && part < owners.length; part++) {
      if (owners[part] !== null) continue;
      owners[part] = me;
      left--;
    }
    held.set(kind, new Set(owners.flatMap((id, part) => (id === me ? [part] : []))));
    excess.set(kind, new Set(beyond));
    parts[kind] = owners;
  }
  const isOver = table.holders[me]?.kinds.length === 0 && [...held.values()].every(({ size }) => size === 0);
  const holders = Object.fromEntries(alive.filter(([id]) => id !== me || !isOver));
  const isSame = (kind: string) => parts[kind]?.every((id, part) => id === table.parts[kind]?.[part]);
  const isChanged =
    Object.keys(holders).length < Object.keys(table.holders).length || !Object.keys(parts).every(isSame);
  return { holders, parts, isChanged, held, excess };
}

/**
 * How many parts belong to a member. Those that hold most keep one more where the parts do not divide, so that no part
 * moves without need. Free parts begin at another member for each kind. Every version must calculate the same, or a part
 * could stay free.
 */
function quotaOf(kind: string, me: string, members: readonly string[], owners: readonly (string | null)[]): number {
  if (!members.includes(me)) return 0;
  const shift = [...kind].reduce((sum, character) => sum + (character.codePointAt(0) ?? 0), 0) % members.length;
  const rotated = [...members.slice(shift), ...members.slice(0, shift)];
  const counts = new Map(rotated.map((id) => [id, owners.filter((owner) => owner === id).length]));
  const ranked = rotated.sort((one, other) => (counts.get(other) ?? 0) - (counts.get(one) ?? 0));
  const rest = owners.length % members.length;
  return Math.floor(owners.length / members.length) + (ranked.indexOf(me) < rest ? 1 : 0);
}

/** Milliseconds until the first lease of another holder ends; infinite without others. */
export function nextEndMs({ at, holders }: LeaseTable, me: string): number {
  const ends = Object.entries(holders).flatMap(([id, { until }]) => (id === me ? [] : [until.getTime()]));
  return Math.min(...ends) - at.getTime();
}
