import { HARD } from "../../domain/bounces/patterns.ts";
import { WARMUP_OWNER } from "../../domain/sending/day-use.ts";
import { DAY_MS } from "../../domain/time/durations.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { noteFact } from "./facts.ts";
import { coolDown } from "./faults.ts";

/**
 * rules/sending 10.6: how many of a mailbox's last sends are checked, the smallest meaningful number, and the share of
 * hard bounces that starts a cooldown.
 */
const LAST = 100;
/**
 * How many sends are read in order to find them. Warmup emails do not count, because the addresses of warmup partners
 * say nothing about those of leads.
 */
const LAST_WITH_WARMUP = 2 * LAST;
const FEWEST = 50;
const HARD_SHARE = 0.05;
/**
 * The share of complaints that starts a cooldown, the minimum number of complaints, and the number of days over which
 * complaints and sends are counted (rules/sending 10.6).
 */
const COMPLAINT_SHARE = 0.003;
const FEWEST_COMPLAINTS = 2;
const COMPLAINT_DAYS = 7;

/** The evidence rule of a complaint that is about no known send, but was reported by the mailbox's own provider. */
export const OF_MAILBOX = "mailbox";

const REASONS: ReadonlySet<string> = HARD;
/** The index over a mailbox's send times, so that only the last sends are read in full. */
const BY_MAILBOX = { hint: "workspaceId_1_mailboxId_1_to_1_sentAt_-1" };

/**
 * Starts a cooldown when a mailbox has too many hard bounces, whichever campaigns the addresses came from. Returns
 * whether it started one. Call it in a transaction.
 */
export async function heedHardBounces({ workspaceId, _id: mailboxId }: Mailbox): Promise<boolean> {
  const { Send } = scoped(workspaceId);
  const newest = { sort: { sentAt: -1 as const }, limit: LAST_WITH_WARMUP, select: { _id: 0, sentAt: 1 } as const };
  const last = await Send.read({ mailboxId }, { ...newest, ...BY_MAILBOX });
  const since = last.filter(({ sentAt }) => sentAt !== null).at(-1)?.sentAt ?? null;
  if (since === null || last.length < FEWEST) return false;
  const facts = { state: 1, failure: 1, kind: 1, sentAt: 1 } as const;
  const read = await Send.read({ mailboxId, sentAt: { $gte: since } }, { select: facts, ...BY_MAILBOX });
  const sent = read
    .filter(({ kind }) => kind !== "WARMUP")
    .toSorted((one, other) => (other.sentAt?.getTime() ?? 0) - (one.sentAt?.getTime() ?? 0))
    .slice(0, LAST);
  const hard = sent.filter(({ state, failure }) => state === "BOUNCED" && REASONS.has(failure?.reason ?? ""));
  if (sent.length < FEWEST || hard.length < HARD_SHARE * sent.length) return false;
  return (await coolDown(workspaceId, mailboxId, "HARD_BOUNCES")) !== null;
}

/**
 * Starts a cooldown when a mailbox has too many complaints. The complaint of this transaction is not stored yet, so it
 * is added to the count.
 */
export async function heedComplaint({ workspaceId, _id: mailboxId }: Mailbox): Promise<boolean> {
  const { MailboxDay, Message } = scoped(workspaceId);
  await noteFact(workspaceId, mailboxId, { complained: 1 }, new Date());
  const since = new Date(Date.now() - COMPLAINT_DAYS * DAY_MS);
  const counted = {
    $or: [{ recipientId: trusted({ $ne: null }) }, { "evidence.rule": OF_MAILBOX }],
    createdAt: trusted({ $gte: since }),
  };
  const complaints = 1 + (await Message.count({ mailboxId, kind: "COMPLAINT", ...counted }));
  if (complaints < FEWEST_COMPLAINTS) return false;
  const days = Array.from({ length: COMPLAINT_DAYS }, (_, ago) =>
    new Date(Date.now() - ago * DAY_MS).toISOString().slice(0, 10),
  );
  const rows = await MailboxDay.find({ _id: trusted({ $in: days.map((day) => `${mailboxId}:${day}`) }) });
  const sent = rows.reduce((sum, row) => sum + row.sent - (row.sentBy[WARMUP_OWNER] ?? 0), 0);
  if (complaints < COMPLAINT_SHARE * sent) return false;
  return (await coolDown(workspaceId, mailboxId, "COMPLAINTS")) !== null;
}
