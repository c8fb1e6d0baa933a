import { AppError } from "../../domain/errors.ts";
import { localDate } from "../../domain/time/schedule.ts";
import { dayBefore } from "../../domain/warmup/day.ts";
import {
  DEFAULT_CONFIG,
  DEFAULT_POOLS,
  type PoolShare,
  restartsRamp,
  SHARED,
  stateAfter,
  type WarmupAction,
  type WarmupConfig,
  type WarmupPreset,
  withPreset,
} from "../../domain/warmup/enrolment.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import type { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { freeMailbox } from "../mailboxes/faults.ts";
import { nudge } from "../outbox.ts";
import { loadZone } from "./ground.ts";
import { endWarmup } from "./room.ts";

/**
 * The settings of a warmup that a caller may change. Absent fields do not change, or get their default on the first
 * start.
 */
export interface WarmupChange {
  preset?: WarmupPreset | undefined;
  config?: { [K in keyof WarmupConfig]?: WarmupConfig[K] | undefined } | undefined;
  pools?: PoolShare[] | undefined;
}

const RAMP_KEYS: readonly (keyof WarmupConfig)[] = ["start", "increment", "max", "replyRate"];

/**
 * Starts, pauses, stops or reconnects the warmup of a mailbox. After a pause or stop has returned, the transmission of
 * no further warmup email begins. If the warmup already has the requested status, nothing changes.
 * @throws AppError MAILBOX_NOT_FOUND, ENROLMENT_NOT_FOUND, POOL_NOT_FOUND, INVALID_STATE_TRANSITION
 */
export function moveWarmup(
  workspaceId: string,
  mailboxId: string,
  action: WarmupAction,
  change: WarmupChange = {},
): Promise<WarmupEnrolment> {
  return inTransaction(async () => {
    const { Mailbox, WarmupEnrolment } = scoped(workspaceId);
    const mailbox = await Mailbox.get(mailboxId);
    const enrolment = await WarmupEnrolment.get(mailboxId);
    if (mailbox === null) throw new AppError("MAILBOX_NOT_FOUND", "No mailbox has this id");
    if (enrolment === null && action !== "start") throw notEnrolled();
    const from = enrolment?.status ?? null;
    const to = stateAfter(action, from);
    if (to === null) throw invalidTransition(from, action);
    if (to === "ACTIVE" && !CAN_WARM.includes(mailbox.status)) throw invalidTransition(mailbox.status, action);
    await refuseForeignPools(workspaceId, mailboxId, change.pools);
    const isOther = Object.values(change).some((value) => value !== undefined);
    const moved = from !== to ? await movedFields(mailbox, from, to) : isOther ? { replanAt: new Date() } : {};
    const stored = await save(mailbox, enrolment, { ...changedFields(enrolment, change), ...moved });
    if (from !== to && to !== "ACTIVE") await endWarmup(workspaceId, mailboxId);
    if (to === "STOPPED") await endRamp(workspaceId, mailboxId);
    await nudge(workspaceId, "WARMUP", { mailboxId, signal: to === "STOPPED" ? "stop" : "changed" });
    return stored;
  });
}

const CAN_WARM: readonly Mailbox["status"][] = ["CONNECTED", "PAUSED", "SENDING_ERROR", "COOLING_DOWN"];

/** Changes the settings of a mailbox's warmup. The rest of today is planned again. */
export function changeWarmup(workspaceId: string, mailboxId: string, change: WarmupChange): Promise<WarmupEnrolment> {
  return inTransaction(async () => {
    const { Mailbox, WarmupEnrolment } = scoped(workspaceId);
    const [mailbox, enrolment] = [await Mailbox.get(mailboxId), await WarmupEnrolment.get(mailboxId)];
    if (mailbox === null || enrolment === null) throw notEnrolled();
    await refuseForeignPools(workspaceId, mailboxId, change.pools);
    const stored = await save(mailbox, enrolment, { ...changedFields(enrolment, change), replanAt: new Date() });
    await nudge(workspaceId, "WARMUP", { mailboxId, signal: "changed" });
    return stored;
  });
}

/** Removes a mailbox from warmup. Its days are kept as history. */
export function removeWarmup(workspaceId: string, mailboxId: string): Promise<void> {
  return inTransaction(async () => {
    const { WarmupEnrolment } = scoped(workspaceId);
    if ((await WarmupEnrolment.deleteOne({ _id: mailboxId })) === 0) throw notEnrolled();
    await endWarmup(workspaceId, mailboxId);
    await endRamp(workspaceId, mailboxId);
    await nudge(workspaceId, "WARMUP", { mailboxId, signal: "stop" });
  });
}

export function notEnrolled(): AppError {
  return new AppError(
    "ENROLMENT_NOT_FOUND",
    "The mailbox is not enrolled for warmup: use the action start to enrol it",
  );
}

export function invalidTransition(from: string | null, action: string): AppError {
  return new AppError(
    "INVALID_STATE_TRANSITION",
    `The action ${action} is not possible in the warmup state ${from ?? "NONE"}`,
    {
      from,
      action,
    },
  );
}

async function movedFields(mailbox: Mailbox, from: WarmupEnrolment["status"] | null, to: WarmupEnrolment["status"]) {
  const now = new Date();
  const zone = mailbox.workday?.timezone ?? (await loadZone(mailbox.workspaceId));
  // The first day that counts for the ramp is today
  const ramp = restartsRamp(from)
    ? {
        dayNumber: 1,
        startedAt: now,
        warmSince: null,
        dailyLimit: 0,
        closedDay: dayBefore(localDate(now.getTime(), zone)),
      }
    : {};
  const rest = { statusReason: null, pausedAt: to === "PAUSED" ? now : null, wakeAt: null };
  return { status: to, ...rest, ...(to === "ACTIVE" && { ...ramp, replanAt: now }) };
}

function changedFields(
  enrolment: WarmupEnrolment | null,
  { preset, config, pools }: WarmupChange,
): Partial<WarmupEnrolment> {
  const before = enrolment?.config ?? DEFAULT_CONFIG;
  const isOwnRamp = config !== undefined && RAMP_KEYS.some((key) => config[key] !== undefined);
  const chosen = isOwnRamp ? "CUSTOM" : (preset ?? enrolment?.preset ?? "COLD");
  const after = { ...withPreset(before, preset ?? "CUSTOM"), ...definedFields(config ?? {}) };
  return { preset: chosen, config: after, ...(pools !== undefined && { pools }) };
}

async function save(
  mailbox: Mailbox,
  enrolment: WarmupEnrolment | null,
  fields: Partial<WarmupEnrolment>,
): Promise<WarmupEnrolment> {
  const { WarmupEnrolment } = scoped(mailbox.workspaceId);
  const { _id, email } = mailbox;
  if (enrolment === null) {
    return WarmupEnrolment.insert({ config: DEFAULT_CONFIG, pools: [...DEFAULT_POOLS], ...fields, _id, email });
  }
  const stored = await WarmupEnrolment.findOneAndUpdate({ _id }, { $set: { ...fields, email } });
  if (stored === null) throw notEnrolled();
  return stored;
}

/**
 * Removes the limit for campaign emails that a mailbox reached during warmup, because it does not apply without warmup.
 */
async function endRamp(workspaceId: string, mailboxId: string): Promise<void> {
  const ended = await scoped(workspaceId).Mailbox.updateOne(
    { _id: mailboxId, coldLimit: trusted({ $ne: null }) },
    { $set: { coldLimit: null } },
  );
  if (ended > 0) await freeMailbox(workspaceId, mailboxId);
}

/** Refuses private pools that the mailbox does not belong to. Every mailbox may use the shared pool. */
async function refuseForeignPools(
  workspaceId: string,
  mailboxId: string,
  pools: PoolShare[] | undefined,
): Promise<void> {
  const ids = [...new Set((pools ?? []).map(({ type }) => type).filter((type) => type !== SHARED))];
  if (ids.length === 0) return;
  const found = await scoped(workspaceId).WarmupPool.find(
    { _id: trusted({ $in: ids }), mailboxIds: mailboxId },
    { select: { _id: 1 } },
  );
  if (found.length < ids.length)
    throw new AppError("POOL_NOT_FOUND", "No private pool of this mailbox has this id: the action overview lists them");
}

function definedFields(fields: NonNullable<WarmupChange["config"]>): Partial<WarmupConfig> {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as Partial<WarmupConfig>; // The same keys without absent ones
}
