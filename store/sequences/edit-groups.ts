import type { Settings } from "../../domain/campaigns/settings.ts";
import { hadOf } from "../../domain/recipients/had.ts";
import type { PlannedGroup } from "../../domain/sequences/edit-plan.ts";
import type { SequenceMode } from "../../domain/sequences/sequence.ts";
import { OPEN } from "../../domain/states.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { findWouldBeHeldOut } from "../campaigns/hold-out.ts";
import { isPutOff } from "../recipients/eligibility.ts";

interface Row {
  _id: {
    had: string[];
    current: string | null;
    next: string | null;
    timezone: string | null;
    isFresh: boolean;
    isPaused: boolean;
    mailboxId: string | null;
  };
  count: number;
  recipientIds: string[];
  last: string;
  slot: Date | null;
  since: Date | null;
}

/** The maximum number of recipients that one query groups, so that each query stays within its time limit. */
const AT_A_TIME = 20_000;
const SHOWN = 3;

const ON_ITS_WAY: readonly string[] = ["SENDING", "UNKNOWN"];
const REFUSED = {
  state: { $in: ["RESERVED", "RELEASED"] },
  $or: [{ policyRefusals: { $gt: 0 } }, { softFailures: { $gt: 0 } }],
};

/**
 * The open recipients of a campaign, grouped by their history, largest group first. Recipients who will be in the
 * hold-out group are left out. Recipients whose delays began within the same hour are in one group. A step whose email
 * is being sent counts as passed.
 */
export async function loadEditGroups(
  workspaceId: string,
  campaignId: string,
  settings: Settings,
  mode: SequenceMode,
  atATime = AT_A_TIME,
): Promise<PlannedGroup[]> {
  const { Recipient, Send } = scoped(workspaceId);
  const special = await Send.read(
    { campaignId, $or: [{ state: { $in: ON_ITS_WAY } }, REFUSED] },
    { select: { recipientId: 1, stepId: 1, state: 1, policyRefusals: 1, softFailures: 1 } },
  );
  const apart = special.flatMap(({ recipientId }) => recipientId ?? []);
  const [rows, alone, heldOut] = await Promise.all([
    readGroups({ workspaceId, campaignId, apart, mode, atATime }),
    Recipient.find({ _id: trusted({ $in: apart }), campaignId, status: trusted({ $in: [...OPEN] }) }),
    findWouldBeHeldOut(workspaceId, campaignId, settings),
  ]);
  const someFresh = heldOut.size === 0 ? null : await findFresh(workspaceId, campaignId, heldOut);
  const groups = [
    ...rows.map((row) => groupOf(row, heldOut.size, someFresh)),
    ...alone.map((one) => groupAlone(one, special)),
  ];
  return groups.filter(({ count }) => count > 0).sort((one, other) => other.count - one.count);
}

interface Reading {
  workspaceId: string;
  campaignId: string;
  /** Recipients to leave out. */
  apart: readonly string[];
  mode: SequenceMode;
  atATime: number;
}

async function readGroups({ workspaceId, campaignId, apart, mode, atATime }: Reading): Promise<Row[]> {
  const { Recipient } = scoped(workspaceId);
  const groups = new Map<string, Row>();
  let after = "";
  for (;;) {
    const open = { campaignId, status: { $in: OPEN }, _id: { $gt: after, ...(apart.length > 0 && { $nin: apart }) } };
    const rows = await Recipient.aggregate<Row>(open, { $sort: { _id: 1 } }, { $limit: atATime }, groupStages(mode));
    for (const row of rows) {
      const key = JSON.stringify(row._id);
      const existing = groups.get(key);
      groups.set(key, existing === undefined ? row : mergeRows(existing, row));
      if (row.last > after) after = row.last;
    }
    if (rows.reduce((sum, { count }) => sum + count, 0) < atATime) return [...groups.values()];
  }
}

function mergeRows(one: Row, other: Row): Row {
  return {
    ...one,
    count: one.count + other.count,
    recipientIds: [...one.recipientIds, ...other.recipientIds].slice(0, SHOWN),
    slot: laterOf(one.slot, other.slot),
    since: laterOf(one.since, other.since),
  };
}

function laterOf(one: Date | null, other: Date | null): Date | null {
  return one === null || (other !== null && other > one) ? other : one;
}

function groupStages(mode: SequenceMode) {
  const started = { $ifNull: ["$lastSentAt", "$admittedAt"] };
  const since = mode === "VISUAL" ? { $ifNull: [{ $toDate: { $last: "$had.at" } }, started] } : started;
  const isFresh = {
    $and: [
      { $eq: ["$status", "PENDING"] },
      { $eq: [{ $ifNull: ["$admittedAt", "$assignedAt", null] }, null] },
      { $eq: ["$sentCount", 0] },
    ],
  };
  const past = {
    had: { $ifNull: ["$had.stepId", []] },
    current: orNull("$currentStepId"),
    next: orNull("$nextStepId"),
  };
  const isPaused = { $and: [{ $eq: ["$status", "PAUSED"] }, { $eq: [orNull("$pausedUntil"), null] }] };
  const slot = { $ifNull: ["$pausedUntil", "$nextSendAt"] };
  return {
    $group: {
      _id: {
        ...past,
        timezone: { $cond: [isFresh, null, orNull("$timezone")] },
        isFresh,
        isPaused,
        mailboxId: orNull("$mailboxId"),
        slotHour: { $dateTrunc: { date: slot, unit: "hour" } },
        hour: { $dateTrunc: { date: since, unit: "hour" } },
      },
      count: { $sum: 1 },
      recipientIds: { $firstN: { input: "$_id", n: SHOWN } },
      last: { $max: "$_id" },
      slot: { $max: slot },
      since: { $max: since },
    },
  };
}

/** Reads a field as null where documents of earlier versions lack it. */
function orNull(field: string) {
  return { $ifNull: [field, null] };
}

/**
 * A group of recipients. Recipients that are not admitted yet form one group, whose count excludes the ones who will be
 * in the hold-out group.
 */
function groupOf(
  { _id, count, recipientIds, since, slot }: Row,
  heldOut: number,
  someFresh: string | null,
): PlannedGroup {
  const { had, current, next: waitsFor, timezone, isFresh, isPaused, mailboxId } = _id;
  const past = { had: had.map((stepId) => ({ stepId, at: 0 })), currentStepId: current, lastSentAt: null };
  const [slotAt, from] = [slot?.getTime() ?? null, since?.getTime() ?? null];
  const group = { had: hadOf(past), waitsFor, timezone, since: from, mailboxId, slotAt, isPaused, isPutOff: false };
  if (!isFresh) return { ...group, count, recipientIds };
  return { ...group, count: count - heldOut, recipientIds: someFresh === null ? recipientIds : [someFresh] };
}

/** A group of one: a recipient whose email is being sent or was refused. */
function groupAlone(recipient: Recipient, sends: readonly Send[]): PlannedGroup {
  const { _id: recipientId, nextStepId: waitsFor, timezone, mailboxId, status, pausedUntil, nextSendAt } = recipient;
  const own = sends.filter((send) => send.recipientId === recipientId);
  const had = hadOf(recipient);
  const coming = own.flatMap(({ stepId, state }) =>
    stepId === null || !ON_ITS_WAY.includes(state) || had.some((step) => step.stepId === stepId)
      ? []
      : [{ stepId, at: 0 }],
  );
  const started = had.at(-1)?.at ?? recipient.admittedAt?.getTime() ?? null;
  const since = coming.length > 0 ? null : started;
  const slotAt = (pausedUntil ?? nextSendAt)?.getTime() ?? null;
  const isPaused = status === "PAUSED" && pausedUntil === null;
  const one = { count: 1, recipientIds: [recipientId], had: [...had, ...coming], waitsFor, timezone, since };
  return { ...one, mailboxId, slotAt, isPaused, isPutOff: own.some(isPutOff) };
}

/** A recipient that is not admitted yet and will not be in the hold-out group; null when there is none. */
async function findFresh(
  workspaceId: string,
  campaignId: string,
  heldOut: ReadonlySet<string>,
): Promise<string | null> {
  const waiting = { campaignId, status: "PENDING", admittedAt: null, assignedAt: null, sentCount: 0 };
  const some = await scoped(workspaceId).Recipient.find(waiting, {
    limit: heldOut.size + 1,
    sort: { _id: 1 },
    select: { _id: 1 },
  });
  return some.find(({ _id }) => !heldOut.has(_id))?._id ?? null;
}
