/** A process that shares the work with others. */
export interface Holder {
  /** The kinds of work that it takes part in. */
  kinds: string[];
  /** When its lease ends, by the database's clock. */
  until: Date;
  /** Only the members with the highest level of all do a kind of work; the others give their parts up to them. */
  level: number;
}

/** Which process holds which part of each kind of work. All processes share this one document. */
export interface LeaseTable {
  /** Every change of the parts raises it. */
  version: number;
  /** When the document was last read by a renewal, by the database's clock. */
  at: Date;
  /** By the id of the holder, in the order in which they joined. */
  holders: Record<string, Holder>;
  /** For each kind the holder of each part; null where it is free. */
  parts: Record<string, (string | null)[]>;
}

/** A change of the table that was planned from what was read. */
export interface LeaseChange extends Pick<LeaseTable, "version" | "parts"> {
  /** The ids of the holders to remove. */
  removed: string[];
  /** The ends of leases that must still be what was read: of this process, and of the holders to remove. */
  ends: Record<string, Date>;
}

export interface LeasePlan extends LeaseChange {
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
  /** Whether the lease of a holder is over, whatever the database's clock says. */
  isOver(id: string): boolean;
}

/**
 * What a process changes in the table: it removes holders whose lease is over, gives up what it holds beyond its equal
 * share, and takes free parts up to that share. It never takes a part from a holder with a lease.
 */
export function planLeases(table: LeaseTable, me: string, { sizes, isBusy, isOver }: Situation): LeasePlan {
  const isAlive = (id: string, holder: Holder) => id === me || (holder.until > table.at && !isOver(id));
  const alive = Object.entries(table.holders).filter(([id, holder]) => isAlive(id, holder));
  const living = new Set(alive.map(([id]) => id));
  const held = new Map<string, Set<number>>();
  const excess = new Map<string, Set<number>>();
  const parts: LeaseTable["parts"] = {};
  for (const kind of new Set([...Object.keys(table.parts), ...Object.keys(sizes)])) {
    const stored = table.parts[kind] ?? Array.from({ length: sizes[kind] ?? 0 }, () => null);
    const owners = stored.map((id) => (id !== null && living.has(id) ? id : null));
    const members = membersOf(kind, alive);
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
  const hasLeft = table.holders[me]?.kinds.length === 0 && [...held.values()].every(({ size }) => size === 0);
  const removed = Object.keys(table.holders).filter((id) => (id === me ? hasLeft : !living.has(id)));
  const ends = Object.fromEntries(
    Object.entries(table.holders).flatMap(([id, { until }]) =>
      id === me || removed.includes(id) ? [[id, until]] : [],
    ),
  );
  const isSame = (kind: string) => parts[kind]?.every((id, part) => id === table.parts[kind]?.[part]);
  const isChanged = removed.length > 0 || !Object.keys(parts).every(isSame);
  return { version: table.version, parts, removed, ends, isChanged, held, excess };
}

/** The ids of the living holders that do a kind of work. */
function membersOf(kind: string, alive: readonly [string, Holder][]): string[] {
  const willing = alive.filter(([, { kinds }]) => kinds.includes(kind));
  const highest = Math.max(...willing.map(([, { level }]) => level));
  return willing.filter(([, { level }]) => level === highest).map(([id]) => id);
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
