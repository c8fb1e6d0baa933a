import { conditionOf, DOWN_AFTER, type MailboxCondition } from "../domain/mailboxes/condition.ts";
import type { MailboxStatus } from "../domain/states.ts";
import { MINUTE_MS } from "../domain/time/durations.ts";
import { Workspace } from "../models/access/workspace.ts";
import { Campaign } from "../models/campaigns/campaign.ts";
import { Mailbox } from "../models/mailboxes/mailbox.ts";
import type { Recipient } from "../models/recipients/recipient.ts";
import { Send } from "../models/sending/send.ts";
import { WebhookDelivery } from "../models/webhook-delivery.ts";
import { trusted } from "../mongo/collection.ts";
import { IS_INSTANT } from "../mongo/schema.ts";
import { findOperatorFaults, type OperatorFault } from "./mailboxes/access-faults.ts";
import { findLongestOverdue } from "./recipients/overdue.ts";

/** What needs an operator's attention in the whole deployment: how many entries, and the oldest ones. */
export interface Attention {
  /** The number of mailboxes by the state of their connection. */
  conditions: Record<MailboxCondition, number>;
  unsynced: { count: number; items: Mailbox[] };
  /** The causes that stop mailboxes and that only an operator can end. */
  access: OperatorFault[];
  overdue: Recipient[];
  unknown: { count: number; items: Send[] };
  deadLetters: number;
  /** The names of workspaces and campaigns, by id. */
  names: ReadonlyMap<string, string>;
}

/**
 * A mailbox counts as silent after this time. A mailbox that is read normally records a synchronisation every minute.
 */
const SILENT_MS = 15 * MINUTE_MS;
/** The maximum number of entries in each list, enough for an operator to start with. */
const SHOWN = 20;
/** Counting stops at this number, as for the backlog. */
const MOST = 10_000;
const ACROSS = { acrossWorkspaces: true };

/** Reads what needs attention, each part from an index. */
export async function loadAttention(now: number): Promise<Attention> {
  const long = trusted({ $lt: new Date(now - SILENT_MS) });
  const silent = { status: "CONNECTED" as const, $or: [{ lastSyncAt: long }, { lastSyncAt: null, createdAt: long }] };
  const [conditions, mailboxes, unsynced, access, overdue, sends, unknown, deadLetters] = await Promise.all([
    countConditions(),
    Mailbox.find(silent, null, ACROSS).sort({ lastSyncAt: 1 }).limit(SHOWN).lean<Mailbox[]>(),
    Mailbox.countDocuments(silent).setOptions(ACROSS).limit(MOST),
    findOperatorFaults(),
    findLongestOverdue(now, SHOWN),
    Send.find({ state: "UNKNOWN" }, null, ACROSS).sort({ unknownAt: 1 }).limit(SHOWN).lean<Send[]>(),
    Send.countDocuments({ state: "UNKNOWN" }).setOptions(ACROSS).limit(MOST),
    WebhookDelivery.countDocuments({ deadLetteredAt: trusted(IS_INSTANT) })
      .setOptions(ACROSS)
      .limit(MOST),
  ]);
  return {
    conditions,
    unsynced: { count: unsynced, items: mailboxes },
    access,
    overdue,
    unknown: { count: unknown, items: sends },
    deadLetters,
    names: await loadNames([...mailboxes, ...overdue, ...sends]),
  };
}

interface Tried {
  _id: { status: MailboxStatus; failedTries: number };
  count: number;
}

/** The database groups by the fields that `conditionOf` reads, so that the rule itself exists in one place only. */
async function countConditions(): Promise<Record<MailboxCondition, number>> {
  const failures = { $max: ["$authFailures", "$hostFailures", { $ifNull: ["$readFailures", 0] }] };
  const groups = await Mailbox.aggregate<Tried>([
    { $group: { _id: { status: "$status", failedTries: { $min: [DOWN_AFTER, failures] } }, count: { $sum: 1 } } },
  ]).option(ACROSS);
  const counts = { GOOD: 0, FAILING: 0, DOWN: 0, OFF: 0 };
  for (const { _id, count } of groups) counts[conditionOf(_id)] += count;
  return counts;
}

async function loadNames(
  rows: readonly { workspaceId: string; campaignId?: string | null }[],
): Promise<Map<string, string>> {
  const ids = (all: readonly (string | null | undefined)[]) =>
    trusted({ $in: [...new Set(all.flatMap((id) => id ?? []))] });
  const [workspaces, campaigns] = await Promise.all([
    Workspace.find({ _id: ids(rows.map(({ workspaceId }) => workspaceId)) }, { name: 1 }).lean<
      Pick<Workspace, "_id" | "name">[]
    >(),
    Campaign.find({ _id: ids(rows.map(({ campaignId }) => campaignId)) }, { name: 1 }, ACROSS).lean<
      Pick<Campaign, "_id" | "name">[]
    >(),
  ]);
  return new Map([...workspaces, ...campaigns].map(({ _id, name }) => [_id, name]));
}
