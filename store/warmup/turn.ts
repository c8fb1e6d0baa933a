import { localDate, utcDay } from "../../domain/time/schedule.ts";
import type { WarmupPlan, WarmupTurn } from "../../domain/warmup/contract.ts";
import { dayBefore, endOfDay } from "../../domain/warmup/day.ts";
import { scoped } from "../../models/scoped.ts";
import { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { WarmupMail } from "../../models/warmup/warmup-mail.ts";
import { trusted } from "../../mongo/collection.ts";
import { IS_INSTANT } from "../../mongo/schema.ts";
import { isWarming, type WarmupGround } from "./ground.ts";

const NOTHING: WarmupPlan = { target: 0, sent: 0, nextSlotAt: null, nextEngagementAt: null };
export const GONE: WarmupTurn = { kind: "gone", plan: NOTHING };

/**
 * The next action of a mailbox's warmup: the earliest of its own slot, work on emails in the mailbox, and the end of
 * its day. Records the time of that action, so that a lost workflow run is found.
 */
export async function findNextTurn(ground: WarmupGround): Promise<WarmupTurn> {
  const turn = await chooseTurn(ground);
  const { workspaceId, _id } = ground.enrolment;
  const wakeAt = "at" in turn ? new Date(turn.at) : null;
  await scoped(workspaceId).WarmupEnrolment.updateOne({ _id }, { $set: { wakeAt } });
  return turn;
}

async function chooseTurn(ground: WarmupGround): Promise<WarmupTurn> {
  const { enrolment, mailbox, hours } = ground;
  const mailboxId = mailbox._id;
  const [slot, engagement, tidying, sent] = await Promise.all([
    isWarming(ground) ? findEarliest({ fromMailboxId: mailboxId, state: "PLANNED" }, "dueAt") : null,
    findEarliest({ toMailboxId: mailboxId, engageAt: trusted(IS_INSTANT) }, "engageAt"),
    findEarliest({ fromMailboxId: mailboxId, tidyAt: trusted(IS_INSTANT) }, "tidyAt"),
    WarmupMail.countDocuments({ fromMailboxId: mailboxId, day: utcDay(Date.now()), state: "SENT" }),
  ]);
  const treatAt = earliest([engagement?.engageAt, tidying?.tidyAt]);
  const plan: WarmupPlan = {
    target: enrolment.dailyLimit,
    sent,
    nextSlotAt: slot?.dueAt.toISOString() ?? null,
    nextEngagementAt: treatAt?.toISOString() ?? null,
  };
  if (enrolment.status === "STOPPED") return { kind: "gone", plan };
  if (enrolment.status === "RECONNECT_REQUIRED") return { kind: "parked", plan };
  const turns: Exclude<WarmupTurn, { kind: "parked" | "gone" }>[] = [
    { kind: "close", at: endOfDay(hours.zone, nextOpenDay(ground)), plan },
    ...(slot === null ? [] : [{ kind: "send" as const, at: slot.dueAt.getTime(), mailId: slot._id, plan }]),
    ...(treatAt === null ? [] : [{ kind: "engage" as const, at: treatAt.getTime(), plan }]),
  ];
  return turns.reduce((first, turn) => (turn.at < first.at ? turn : first));
}

/** The next local day to close: the day after the last closed one, but not earlier than yesterday. */
function nextOpenDay({ enrolment: { closedDay }, hours: { zone } }: WarmupGround): string {
  const today = localDate(Date.now(), zone);
  return closedDay === null || closedDay >= dayBefore(today) ? today : dayBefore(today);
}

async function findEarliest(
  filter: Record<string, unknown>,
  field: "dueAt" | "engageAt" | "tidyAt",
): Promise<WarmupMail | null> {
  return WarmupMail.findOne(filter)
    .sort({ [field]: 1 })
    .lean<WarmupMail>()
    .exec();
}

function earliest(instants: readonly (Date | null | undefined)[]): Date | null {
  const set = instants.filter((at) => at instanceof Date).sort((one, other) => one.getTime() - other.getTime());
  return set[0] ?? null;
}

/** How many milliseconds before its wake-up time a workflow may already be working. */
const ASLEEP_MS = 10_000;

/**
 * Whether the workflow is asleep and wakes by an instant, so that it handles the work of that instant without a signal.
 */
export function wakesBefore({ wakeAt }: Pick<WarmupEnrolment, "wakeAt">, at: number): boolean {
  return wakeAt !== null && wakeAt.getTime() <= at && wakeAt.getTime() > Date.now() + ASLEEP_MS;
}

/** After how many milliseconds an overdue action shows that the workflow run was lost. */
const LOST_AFTER_MS = 60_000;

/** Mailboxes of all workspaces whose warmup is overdue. */
export async function findForgottenWarmups(limit: number): Promise<{ workspaceId: string; mailboxId: string }[]> {
  const late = { wakeAt: trusted({ $gt: new Date(0), $lt: new Date(Date.now() - LOST_AFTER_MS) }) };
  const found = await WarmupEnrolment.find(late, { workspaceId: 1 }, { acrossWorkspaces: true })
    .limit(limit)
    .lean<{ _id: string; workspaceId: string }[]>();
  return found.map(({ _id: mailboxId, workspaceId }) => ({ workspaceId, mailboxId }));
}
