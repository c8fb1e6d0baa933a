import { networkOf } from "../../domain/access/networks.ts";
import { ADDRESS_DAYS, type HitKind, VERDICT_MS } from "../../domain/hits.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import { Workspace } from "../../models/access/workspace.ts";
import { scoped } from "../../models/scoped.ts";
import { Hit, hitsOfSend, newHitId } from "../../models/tracking/hit.ts";
import { trusted } from "../../mongo/collection.ts";
import { DUPLICATE_KEY } from "../../mongo/duplicate.ts";
import { IS_COUNT, IS_INSTANT } from "../../mongo/schema.ts";

const everywhere = { acrossWorkspaces: true };

/** Hits of these sends of a workspace, oldest first within each send. */
export async function findHits(workspaceId: string, sendIds: readonly string[]): Promise<Hit[]> {
  if (sendIds.length === 0) return [];
  const ranges = sendIds.map((sendId) => ({ _id: trusted(hitsOfSend(sendId)) }));
  return scoped(workspaceId).Hit.find({ $or: ranges }, { sort: { _id: 1 } });
}

/** Hits of all workspaces that are due to be classified, oldest first. */
export function findDueHits(now: Date, limit: number): Promise<Hit[]> {
  return Hit.find({ $and: [{ dueAt: trusted(IS_INSTANT) }, { dueAt: trusted({ $lte: now }) }] })
    .setOptions(everywhere)
    .sort({ dueAt: 1 })
    .limit(limit)
    .lean<Hit[]>();
}

/** The UTC day, counted from 1970, on which the IP address of a hit is truncated (rules/tracking 3.6). */
export function cutDayOf(at: number): number {
  return Math.floor(at / DAY_MS) + ADDRESS_DAYS;
}

/**
 * Truncates the IP addresses that are due to their networks, and removes the networks that the workspace keeps no longer
 * (rules/evidence 5.4). Returns how many hits it processed.
 */
export async function cutAddresses(now: number, limit: number): Promise<number> {
  const today = Math.floor(now / DAY_MS);
  const due = await Hit.find(
    { $and: [{ cutOn: trusted(IS_COUNT) }, { cutOn: trusted({ $lte: today }) }] },
    { workspaceId: 1, address: 1, at: 1 },
  )
    .setOptions(everywhere)
    .limit(limit)
    .lean<Pick<Hit, "_id" | "workspaceId" | "address" | "at">[]>();
  const hits = Map.groupBy(due, (hit) => hit.workspaceId);
  const workspaces = await Workspace.find({ _id: trusted({ $in: [...hits.keys()] }) }, { retention: 1 }).lean();
  const kept = new Map(workspaces.map(({ _id, retention }) => [_id, retention?.hitAddresses ?? null]));
  for (const [workspaceId, own] of hits) {
    const days = kept.get(workspaceId) ?? null;
    const changes = own.map(({ _id, address, at }) => {
      const endsOn = days === null ? null : Math.floor(at.getTime() / DAY_MS) + days;
      const isOver = address === null || (endsOn !== null && endsOn <= today);
      const $set = isOver ? { address: null, cutOn: null } : { address: shortened(address), cutOn: endsOn };
      return { filter: { _id }, change: { $set } };
    });
    await scoped(workspaceId).Hit.wroteAll(changes);
  }
  return due.length;
}

/** The network of an address. A network stays as it is. */
function shortened(address: string): string | null {
  return address.includes("/") ? address : networkOf(address);
}

/** One request for the pixel or a link, as it was received. */
export interface Visit {
  sendId: string;
  kind: HitKind;
  linkIndex: number | null;
  method: string;
  agent: string;
  address: string | null;
  at: Date;
}

/** How many characters of a user agent are stored. */
const MOST_AGENT = 512;
const UNPRINTABLE = /[\x00-\x1f\x7f-\x9f]/g;

/** The hit for a visit to an email of this workspace. It is classified later (rules/tracking 3.2). */
export function hitOf({ at, agent, ...visit }: Visit, workspaceId: string): Hit {
  return {
    _id: newHitId(visit.sendId),
    workspaceId,
    ...visit,
    agent: cleanAgent(agent),
    at,
    dueAt: new Date(at.getTime() + VERDICT_MS),
    hitClass: null,
    evidence: [],
    cutOn: visit.address === null ? null : cutDayOf(at.getTime()),
    createdAt: at,
    updatedAt: at,
  };
}

/**
 * The user agent in a form that can be stored and shown: truncated at a whole character, with a space for each control
 * character.
 */
export function cleanAgent(agent: string): string {
  const cut = agent.slice(0, MOST_AGENT);
  const whole = /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
  return whole.replace(UNPRINTABLE, " ").toWellFormed();
}

/**
 * Stores hits of any workspaces in one command, in any order. Hits that an earlier attempt has stored do not change, so
 * it is safe to call again with the same hits. Returns the hits that the database refuses permanently.
 * @throws when the database does not answer; then any of the hits may be missing
 */
export async function insertHits(rows: readonly Hit[]): Promise<Hit[]> {
  try {
    // Uses the driver's own command, because casting costs more than storing. Every field is set, and callers' values
    // are stored only as text
    await Hit.collection.insertMany([...rows] as never, { ordered: false }); // Ids are strings in every model
    return [];
  } catch (error) {
    const refusals = refusalsIn(error);
    if (refusals === null) throw error;
    return refusals.flatMap(({ code, index }) => rows.filter((_row, at) => at === index && code !== DUPLICATE_KEY));
  }
}

/** The faults of single documents in a bulk write; null for any other fault. */
function refusalsIn(error: unknown): { code: number; index: number }[] | null {
  if (
    !(error instanceof Error) ||
    !("writeErrors" in error) ||
    !Array.isArray(error.writeErrors) ||
    error.writeErrors.length === 0
  )
    return null;
  if ("writeConcernErrors" in error && Array.isArray(error.writeConcernErrors) && error.writeConcernErrors.length > 0)
    return null;
  return error.writeErrors.map(({ code, index }) => ({ code: Number(code), index: Number(index) }));
}
