import { EMAIL_UNREADABLE } from "../../domain/mailboxes/connection-error.ts";
import { DAY_MS, HOUR_MS } from "../../domain/time/durations.ts";
import type { TroubledEmail } from "../../models/inbox/mailbox-cursor.ts";
import { scoped } from "../../models/scoped.ts";
import type { MailReader } from "./read.ts";

/** How often an email may end the process that reads it, or fail over at least so many milliseconds. */
const MOST_KILLS = 3;
const MOST_FAILURES = 3;
const FAILING_MS = HOUR_MS;
/** Milliseconds for which a failing email is skipped, except by the daily comparison. */
const SKIPPED_MS = DAY_MS - HOUR_MS;
const KEPT_MS = 30 * DAY_MS;

/** The emails of a mailbox that cannot be read, so that one of them does not hold up the others for ever. */
export interface TroubledEmails {
  /** Whether the email is left out now. The daily comparison tries those again that failed (`isCount`). */
  isSkipped(id: string, isCount: boolean): boolean;
  /** Whether it could not be read before, so that it is read alone and after the others. */
  isTroubled(id: string): boolean;
  /** Notes which emails are about to be read; a process that dies meanwhile leaves the note behind. */
  begin(ids: readonly string[]): Promise<void>;
  /** Notes that the process has survived. Returns which of the failed emails are skipped from now on. */
  end(ids: readonly string[], failed: ReadonlySet<string>): Promise<string[]>;
  /** Notes that the emails were not tried to the end, for a reason that does not concern them. */
  giveUp(ids: readonly string[]): Promise<void>;
}

/** They are stored on the cursor of the mailbox. */
export async function troubledEmails({ mailbox, log }: MailReader, cursorId: string): Promise<TroubledEmails> {
  const { MailboxCursor, Mailbox } = scoped(mailbox.workspaceId);
  const stored = (await MailboxCursor.get(cursorId))?.troubled ?? [];
  const known = new Map(stored.filter(isRecent).map((one) => [one.id, one]));
  const before = new Map<string, TroubledEmail | undefined>();

  async function save(): Promise<void> {
    const troubled = known.size === 0 ? null : [...known.values()];
    await MailboxCursor.updateOne({ _id: cursorId }, { $set: { troubled } });
  }

  async function skip(ids: readonly string[]): Promise<void> {
    log.error({ mailboxId: mailbox._id, ids }, "skipped emails that cannot be read");
    const lastError = { ...EMAIL_UNREADABLE, at: new Date() };
    await Mailbox.updateOne({ _id: mailbox._id }, { $set: { lastError } });
  }

  const lethal = [...known.values()].filter(({ kills, skippedAt }) => kills >= MOST_KILLS && skippedAt === null);
  for (const one of lethal) known.set(one.id, { ...one, skippedAt: new Date() });
  if (lethal.length > 0) {
    await save();
    await skip(lethal.map(({ id }) => id));
  }

  return {
    isSkipped(id, isCount) {
      const one = known.get(id);
      if (one === undefined) return false;
      if (one.kills >= MOST_KILLS) return true;
      return !isCount && one.skippedAt !== null && one.skippedAt.getTime() > Date.now() - SKIPPED_MS;
    },
    isTroubled: (id) => known.has(id),
    async begin(ids) {
      before.clear();
      for (const id of ids) {
        const one = known.get(id);
        before.set(id, one);
        const { kills, failures, since, skippedAt } = one ?? FRESH();
        known.set(id, { id, kills: kills + 1, failures, since, skippedAt });
      }
      await save();
    },
    async end(ids, failed) {
      const skipped: string[] = [];
      for (const id of ids) {
        if (!failed.has(id)) {
          known.delete(id);
          continue;
        }
        const { failures, since, skippedAt } = before.get(id) ?? FRESH();
        const isTried = failures + 1 >= MOST_FAILURES && since.getTime() <= Date.now() - FAILING_MS;
        if (isTried) skipped.push(id);
        known.set(id, { id, kills: 0, failures: failures + 1, since, skippedAt: isTried ? new Date() : skippedAt });
      }
      await save();
      if (skipped.length > 0) await skip(skipped);
      return skipped;
    },
    async giveUp(ids) {
      for (const id of ids) {
        const one = before.get(id);
        if (one === undefined) known.delete(id);
        else known.set(id, one);
      }
      await save();
    },
  };
}

const FRESH = () => ({ kills: 0, failures: 0, since: new Date(), skippedAt: null });

function isRecent({ since }: TroubledEmail): boolean {
  return since.getTime() > Date.now() - KEPT_MS;
}
