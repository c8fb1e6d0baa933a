import { z } from "zod";
import { scoped } from "../../models/scoped.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { type JobAtWork, type JobKind, JobMoved, JobWaits } from "../jobs.ts";
import { markLate, shutAddress } from "../suppression/suppress.ts";
import { countOf, eraseIn } from "./holding.ts";
import { type DataSubject, type KnownSubject, knowPerson } from "./person.ts";
import { SEARCH_MS } from "./search-time.ts";
import { HOLDINGS, KEPT, type NamedShared, SHARED_HOLDINGS } from "./table.ts";

/** How many records of one kind are deleted, or changed so that they no longer name the person. */
export interface ErasedKind {
  what: string;
  deleted: number;
  changed: number;
  /** The addresses of the person, where they are what changes. */
  examples: string[];
}

/**
 * Suppresses all addresses of a person, so that no email is sent from then on. Call it in the transaction that creates
 * the job of the erasure.
 */
export async function shutPerson(workspaceId: string, { addresses }: DataSubject): Promise<void> {
  for (const address of addresses) await shutAddress(workspaceId, address, "MANUAL");
  await markLate(workspaceId, addresses);
}

/** What an erasure would delete and change, without doing it. */
export async function foreseeErasure(workspaceId: string, person: DataSubject): Promise<ErasedKind[]> {
  const known = await knowPerson(workspaceId, person);
  const { addresses } = person;
  const kinds: ErasedKind[] = [{ what: "suppressions", deleted: 0, changed: addresses.length, examples: addresses }];
  for (const one of HOLDINGS) kinds.push({ what: one.holding.what, ...(await countOf(one, known)), examples: [] });
  for (const { holding } of await erasableHoldings()) {
    const { length } = await holding.records(known);
    const counts = holding.deletes ? { deleted: length, changed: 0 } : { deleted: 0, changed: length };
    kinds.push({ what: holding.what, ...counts, examples: [] });
  }
  return kinds.filter(({ deleted, changed }) => deleted + changed > 0);
}

/** What a workspace may erase from the data of the deployment. */
async function erasableHoldings(): Promise<NamedShared[]> {
  const erasable: NamedShared[] = [];
  for (const one of SHARED_HOLDINGS) if ((await one.holding.isErasable?.()) !== false) erasable.push(one);
  return erasable;
}

const PersonRow = z.object({
  addresses: z.array(z.string()),
  names: z.array(z.string()),
  leadIds: z.array(z.string()),
  prospectIds: z.array(z.string()),
  /** Jobs of earlier versions have all ids in `prospectIds`. */
  unseenProspectIds: z.array(z.string()).default([]),
  sharedAddresses: z.array(z.string()),
});

/** How many milliseconds later an erasure looks again whether an email to the person is still being sent. */
const LOOK_AGAIN_MS = 1_000;

/**
 * For how many milliseconds an email to the person may still be in transmission; 0 when there is none. No further one
 * begins, because the addresses are suppressed. What its record writes, such as a copy for the Sent folder, would
 * otherwise be stored after the erasure passed. A worker that died is waited for until its lease ends.
 */
async function transmissionMs({ workspaceId, sendIds, threads }: KnownSubject): Promise<number> {
  const { Send } = scoped(workspaceId);
  const options = { select: { leaseUntil: 1 as const }, maxTimeMs: SEARCH_MS };
  const sending = [
    ...(await Send.read({ _id: { $in: [...sendIds] }, state: "SENDING" }, options)),
    ...(await Send.read({ threadId: { $in: [...threads.keys()] }, state: "SENDING" }, options)),
  ];
  const until = Math.max(0, ...sending.map(({ leaseUntil }) => leaseUntil?.getTime() ?? 0));
  return Math.max(0, until - Date.now());
}

/**
 * Erases a person in small transactions, collection by collection (rules/evidence 4.4), once no email to the person is
 * being sent. Each transaction counts what it erased in the job. A worker that was killed is followed by one that
 * erases the rest.
 */
export const personErasure: JobKind = {
  async open(job) {
    const { workspaceId } = job;
    return async ({ rows, signal }, record) => {
      const person = PersonRow.parse(rows[0]);
      const prospectIds = [...person.prospectIds, ...person.unseenProspectIds];
      const known = await knowPerson(workspaceId, { ...person, prospectIds });
      const leftMs = await transmissionMs(known);
      if (leftMs > 0) throw new JobWaits(Math.min(leftMs, LOOK_AGAIN_MS));
      for (const one of HOLDINGS) {
        signal.throwIfAborted();
        await eraseIn(one, known, async (erased) => {
          signal.throwIfAborted();
          await count(job, one.model, erased);
        });
      }
      const shared = await erasableHoldings();
      await inTransaction(async () => {
        for (const { model, holding } of shared) {
          const erased = await holding.erase(known);
          if (erased > 0) await count(job, model, erased);
        }
        const { state = {} } = (await scoped(workspaceId).Job.get(job._id)) ?? {};
        await record({ succeeded: rows.length, failed: 0, items: [], state });
      });
    };
  },
  resultOf: (job) => ({ erased: erasedBy(job), kept: KEPT }),
};

/** ErasureCounts erased records in the transaction that erases them. @throws JobMoved when the job was cancelled */
async function count({ workspaceId, _id }: JobAtWork, model: string, erased: number): Promise<void> {
  const { Job } = scoped(workspaceId);
  const running = { _id, status: "RUNNING" as const };
  if ((await Job.updateOne(running, { $inc: { [`state.${model}`]: erased } })) === 0) throw new JobMoved();
}

/** How many records of each kind the job has erased. */
export function erasedBy({ state }: Pick<JobAtWork, "state">): { what: string; count: number }[] {
  return [...HOLDINGS, ...SHARED_HOLDINGS].flatMap(({ model, holding }) => {
    const erased = state[model];
    return typeof erased === "number" && erased > 0 ? [{ what: holding.what, count: erased }] : [];
  });
}
