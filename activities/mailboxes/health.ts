import { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { MailboxFacts } from "../../models/mailboxes/mailbox-facts.ts";
import { trusted } from "../../mongo/collection.ts";
import { judgeMailbox } from "../../store/mailboxes/health.ts";
import { type RoundLog, throughAll } from "../round.ts";

export interface HealthActivities {
  /** Returns how many changes of mailbox health were recorded. */
  judgeMailboxes(): Promise<number>;
}

export interface HealthDependencies {
  log: RoundLog;
  /** Called with a workspace in which a mailbox's health band changed, to evaluate its alerts again. */
  onChanged(workspaceId: string): Promise<void>;
}

const PAGE = 200;

/** Judges the mailboxes of every workspace that have new facts or whose review is due (rules/health 2.1). */
export function healthActivities({ log, onChanged }: HealthDependencies): HealthActivities {
  return {
    async judgeMailboxes() {
      const news = new Set<string>();
      const notifyChangedBands = async () => {
        for (const workspaceId of news) {
          await onChanged(workspaceId).catch((err) => log.warn({ err, workspaceId }, "failed to notify band change"));
        }
        news.clear();
      };
      const now = new Date();
      const page = async (last: string) => {
        await notifyChangedBands();
        return dueAfter(last, now);
      };
      return throughAll(page, (mailbox) => judgeOne(mailbox, news), log, "a mailbox was not judged");
    },
  };
}

type Due = Pick<Mailbox, "_id" | "workspaceId">;

async function judgeOne({ workspaceId, _id }: Due, news: Set<string>): Promise<number> {
  const review = await judgeMailbox(workspaceId, _id);
  if (review?.isNews) news.add(workspaceId);
  return review?.changes.length ?? 0;
}

/**
 * The next mailboxes to judge, in the order of their ids, merged from two lists. When a list is cut off at the page
 * size, ids beyond its end are left to the next page.
 */
async function dueAfter(last: string, now: Date): Promise<Due[]> {
  const [reviews, facts] = await Promise.all([reviewsAfter(last, now), newFactsAfter(last)]);
  const ends = [reviews, facts].flatMap((list) => (list.length < PAGE ? [] : (list.at(-1)?._id ?? [])));
  const end = ends.sort()[0] ?? null;
  const byId = new Map([...reviews, ...facts].map((due) => [due._id, due]));
  return [...byId.values()]
    .filter(({ _id }) => end === null || _id <= end)
    .sort((one, other) => (one._id < other._id ? -1 : 1));
}

function reviewsAfter(last: string, now: Date): Promise<Due[]> {
  const isDue = [{ health: null }, { "health.nextReviewAt": trusted({ $lte: now }) }];
  return Mailbox.find({ _id: trusted({ $gt: last }), $or: isDue }, { workspaceId: 1 }, { acrossWorkspaces: true })
    .sort({ _id: 1 })
    .limit(PAGE)
    .lean<Due[]>()
    .exec();
}

async function newFactsAfter(last: string): Promise<Due[]> {
  const found = await MailboxFacts.find(
    { isNew: true, mailboxId: trusted({ $gt: last }) },
    { workspaceId: 1, mailboxId: 1 },
    { acrossWorkspaces: true },
  )
    .sort({ mailboxId: 1 })
    .limit(PAGE)
    .lean<MailboxFacts[]>()
    .exec();
  return found.map(({ mailboxId, workspaceId }) => ({ _id: mailboxId, workspaceId }));
}
