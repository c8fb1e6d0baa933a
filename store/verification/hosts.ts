import { type Etiquette, freeAfter } from "../../domain/verification/etiquette.ts";
import { ProbedHost } from "../../models/verification/probed-host.ts";
import { trusted } from "../../mongo/collection.ts";
import { isDuplicateKey } from "../../mongo/duplicate.ts";
import { newId } from "../../mongo/ids.ts";

/**
 * Whether a worker may now check an address at a mail host (rules/verification 3.2). MINE: it may, under this lease.
 * LATER: the host is busy until `at`, in epoch milliseconds. STOPPED: the host is not asked for now.
 *
 * Each host has one document for all workers and workspaces, and only conditional updates change it. A workflow for
 * each host could do this too, but it would cost two more round trips for every check, and would have to be ended.
 */
export type HostClaim = { kind: "MINE"; leaseId: string } | { kind: "LATER"; at: number } | { kind: "STOPPED" };

/**
 * Reserves a host for one probe. The probe is counted from the reservation, so it also counts if its worker is killed.
 */
export async function claimHost(
  host: string,
  now: number,
  { mostAnHour, leaseMs, apartMs }: Etiquette,
): Promise<HostClaim> {
  const leaseId = newId("lse");
  const until = new Date(now + leaseMs);
  const free = { _id: host, freeAt: trusted({ $lte: new Date(now) }) };
  try {
    const mine = await ProbedHost.findOneAndUpdate(
      free,
      {
        $set: { freeAt: until, leaseId },
        $push: { asked: { $each: [new Date(now)], $slice: -mostAnHour } },
        $setOnInsert: { stoppedUntil: null },
      },
      { upsert: true, returnDocument: "after", setDefaultsOnInsert: false },
    ).lean<ProbedHost>();
    if (mine === null) return { kind: "LATER", at: now };
    if (!isStopped(mine, now)) return { kind: "MINE", leaseId };
    await returnHost(host, leaseId, now);
    return { kind: "STOPPED" };
  } catch (error) {
    // The upsert failed because the host is reserved
    if (!isDuplicateKey(error)) throw error;
  }
  const taken = await ProbedHost.findOne({ _id: host }).lean<ProbedHost>();
  if (taken !== null && isStopped(taken, now)) return { kind: "STOPPED" };
  return { kind: "LATER", at: taken === null ? now : turnOf(taken, now, apartMs) };
}

/**
 * When a host should be tried again, in epoch milliseconds. A reserved host is usually free long before its lease ends,
 * so it is tried again soon.
 */
function turnOf({ freeAt, leaseId }: Pick<ProbedHost, "freeAt" | "leaseId">, now: number, apartMs: number): number {
  return leaseId === null ? freeAt.getTime() : Math.min(freeAt.getTime(), now + apartMs);
}

/** Releases a host that was not asked. */
export async function returnHost(host: string, leaseId: string, now: number): Promise<void> {
  await ProbedHost.updateOne(
    { _id: host, leaseId },
    { $set: { freeAt: new Date(now), leaseId: null }, $pop: { asked: 1 } },
  );
}

/** Releases a host after a probe. Returns when it may be probed again, in epoch milliseconds. */
export async function noteAsked(
  host: string,
  leaseId: string,
  { now, etiquette, stopMs = 0 }: { now: number; etiquette: Etiquette; stopMs?: number },
): Promise<number> {
  const found = await ProbedHost.findOne({ _id: host, leaseId }).lean<ProbedHost>();
  const questions = [...(found?.asked ?? []).slice(0, -1).map((at) => at.getTime()), now];
  const freeAt = freeAfter(questions, etiquette);
  const stopped = stopMs > 0 ? { stoppedUntil: new Date(now + stopMs) } : {};
  await ProbedHost.updateOne(
    { _id: host, leaseId },
    { $set: { asked: questions.map((at) => new Date(at)), freeAt: new Date(freeAt), leaseId: null, ...stopped } },
  );
  return freeAt;
}

/** When each of these hosts may be probed. Hosts that are absent may be probed now. */
export async function loadFreeTimes(hosts: readonly string[], { apartMs }: Etiquette): Promise<Map<string, number>> {
  const found = await ProbedHost.find({ _id: trusted({ $in: [...hosts] }) }, { freeAt: 1, leaseId: 1 }).lean<
    ProbedHost[]
  >();
  return new Map(found.map((host) => [host._id, turnOf(host, Date.now(), apartMs)]));
}

function isStopped({ stoppedUntil }: ProbedHost, now: number): boolean {
  return stoppedUntil !== null && stoppedUntil.getTime() > now;
}
