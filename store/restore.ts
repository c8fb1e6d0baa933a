import { DAY_MS } from "../domain/time/durations.ts";
import { Campaign } from "../models/campaigns/campaign.ts";
import { Mailbox } from "../models/mailboxes/mailbox.ts";
import { Restoration } from "../models/restoration.ts";
import { scoped } from "../models/scoped.ts";
import { trusted } from "../mongo/collection.ts";
import { sessionOption } from "../mongo/direct.ts";
import { isDuplicateKey } from "../mongo/duplicate.ts";
import { inTransaction } from "../mongo/transaction.ts";
import { moveCampaign } from "./campaigns/status.ts";

/**
 * How many milliseconds to wait for a mailbox that cannot be reached, before the check of its Sent folder is given up.
 */
const PATIENCE_MS = DAY_MS;
const PAGE = 100;

/** Ends other work of a mailbox. It is called in the transaction that lists the mailbox for its check. */
export type RestMailbox = (workspaceId: string, mailboxId: string) => Promise<void>;
const restNoMailbox: RestMailbox = () => Promise.resolve();
const ACROSS = { acrossWorkspaces: true };

/**
 * Performs what a restore requires before anything may be sent (rules/sending 12.1): pauses every sending campaign and
 * lists every mailbox for the check of its Sent folder. It is done once per backup, by the first process that starts.
 * If that start is interrupted, the next one completes it. Returns how many campaigns and mailboxes there were, or null
 * when it was done before.
 */
export async function beginRestore(
  from: Date,
  rest: RestMailbox = restNoMailbox,
): Promise<{ campaigns: number; mailboxes: number } | null> {
  const _id = from.toISOString();
  await Restoration.updateOne({ _id }, {}, { upsert: true }).catch((error) => {
    if (!isDuplicateKey(error)) throw error;
  });
  const mailboxes = await listMailboxes(_id, from, rest);
  const campaigns = await pauseCampaigns(_id, from);
  const { modifiedCount } = await Restoration.updateOne({ _id, begunAt: null }, { $set: { begunAt: new Date() } });
  return modifiedCount === 0 ? null : { campaigns, mailboxes };
}

/** When the restore began, and whether all workflow runs from before it have ended; null before it began. */
export async function restorationOf(from: Date): Promise<{ begunAt: Date; isWithoutRuns: boolean } | null> {
  const restoration = await Restoration.findById(from.toISOString()).lean<Restoration>();
  if (restoration === null || restoration.begunAt === null) return null;
  return { begunAt: restoration.begunAt, isWithoutRuns: restoration.runsEndedAt !== null };
}

/**
 * Whether data that was written at that instant (epoch milliseconds) was lost because an older backup was restored
 * later.
 */
export async function wasLostInRestore(at: number): Promise<boolean> {
  const restorations = await Restoration.find({}, { begunAt: 1 }).lean<Pick<Restoration, "_id" | "begunAt">[]>();
  return restorations.some(
    ({ _id, begunAt }) => at >= Date.parse(_id) && (begunAt === null || at <= begunAt.getTime()),
  );
}

/** Records that all workflow runs from before the restore have ended. */
export async function noteRunsEnded(from: Date): Promise<void> {
  await Restoration.updateOne({ _id: from.toISOString() }, { $set: { runsEndedAt: new Date() } });
}

/**
 * Lists every mailbox that could have sent since the backup. A disconnected mailbox has no login any more, so it can
 * neither send nor be read.
 */
async function listMailboxes(restoration: string, since: Date, rest: RestMailbox): Promise<number> {
  const giveUpAt = new Date(Date.now() + PATIENCE_MS);
  let count = 0;
  for (let after = ""; ; ) {
    const page = await Mailbox.find(
      { status: trusted({ $ne: "DISCONNECTED" as const }), _id: trusted({ $gt: after }) },
      { workspaceId: 1 },
      ACROSS,
    )
      .sort({ _id: 1 })
      .limit(PAGE)
      .lean<Mailbox[]>();
    const last = page.at(-1);
    if (last === undefined) return count;
    const list = async () => {
      for (const { workspaceId, _id } of page) {
        await scoped(workspaceId).SentFolderCheck.updateOne({ _id }, { $set: { since, giveUpAt } }, { upsert: true });
        await rest(workspaceId, _id);
      }
    };
    if (!(await partOf(restoration, list))) return count;
    count += page.length;
    after = last._id;
  }
}

async function pauseCampaigns(restoration: string, from: Date): Promise<number> {
  const sending = await Campaign.find(
    { status: trusted({ $in: ["ACTIVE", "SCHEDULED"] }) },
    { workspaceId: 1 },
    ACROSS,
  ).lean<Campaign[]>();
  const because = { restoredFrom: from.toISOString() };
  for (const { workspaceId, _id } of sending) {
    const move = {
      from: ["ACTIVE", "SCHEDULED"],
      to: "PAUSED",
      pauseReason: "RESTORED",
      because,
      actor: null,
    } as const;
    if (!(await partOf(restoration, () => moveCampaign(workspaceId, _id, move)))) break;
  }
  return sending.length;
}

/**
 * Runs one part of the restore in a transaction. Returns false and does nothing when the restore has already begun;
 * otherwise a late process would pause campaigns that a user has resumed.
 */
function partOf(_id: string, work: () => Promise<unknown>): Promise<boolean> {
  return inTransaction(async () => {
    const { modifiedCount } = await Restoration.updateOne(
      { _id, begunAt: null },
      { $inc: { steps: 1 } },
      sessionOption(),
    );
    if (modifiedCount === 1) await work();
    return modifiedCount === 1;
  });
}
