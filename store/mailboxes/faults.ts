import { CONNECTION_ERRORS, isAccessFault, isConnectionErrorCode } from "../../domain/mailboxes/connection-error.ts";
import type { RestReason } from "../../domain/mailboxes/refusal-evidence.ts";
import type { MailboxStatus } from "../../domain/states.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../outbox.ts";
import { revokeClaims } from "../sending/revoke.ts";

/**
 * rules/sending 10.3: how many consecutive refused logins disable a mailbox, and how many consecutive host failures
 * open its circuit breaker.
 */
const AUTH_FAILURES = 10;
const HOST_FAILURES = 5;
const BREAKER_MS = 5 * MINUTE_MS;
/**
 * rules/sending 10.4: the first and the longest delay after a rate refusal, and how many consecutive rate refusals
 * start a cooldown.
 */
const SLOW_MS = 15 * MINUTE_MS;
const SLOWEST_MS = 4 * HOUR_MS;
const RATE_REFUSALS = 3;
const REST_MS = DAY_MS;
const LONGEST_REST_MS = 7 * DAY_MS;

/** Statuses from which a failure may change the status. A person chose the other statuses, so they stay. */
const WORKING = ["CONNECTED", "SENDING_ERROR", "COOLING_DOWN"];

/**
 * Records that the server refused a login permanently (535 and similar). The tenth consecutive refusal sets the mailbox
 * to RECONNECT_REQUIRED. Both SMTP and IMAP logins count. `code` is one of our own codes, such as AUTH_FAILED.
 */
export async function recordAuthFailure(workspaceId: string, mailboxId: string, code: string): Promise<Mailbox | null> {
  const failures = { $add: ["$authFailures", 1] };
  const isLast = { $and: [{ $gte: [failures, AUTH_FAILURES] }, { $in: ["$status", WORKING] }] };
  const fields = {
    authFailures: failures,
    status: { $cond: [isLast, "RECONNECT_REQUIRED", "$status"] },
    statusReason: { $cond: [isLast, code, "$statusReason"] },
    lastError: errorOf(code, CONNECTION_ERRORS.AUTH_FAILED),
  };
  // A mailbox that already waits for a new login keeps the reason
  const failed = await change(workspaceId, mailboxId, fields, { status: trusted({ $ne: "RECONNECT_REQUIRED" }) });
  // If the process dies before this, recipients that wait for the mailbox notice the change when they next check it
  if (failed?.status === "RECONNECT_REQUIRED") await nudge(workspaceId, "MAILBOX", { mailboxId, signal: "lost" });
  return failed;
}

/**
 * Records that the server could not be reached or broke the protocol. The fifth consecutive failure opens a circuit
 * breaker for 5 minutes: no attempt is made before `retryAt`, then a single one. If that fails too, the mailbox becomes
 * SENDING_ERROR until `wakeMailboxes` allows the next attempt.
 */
export function recordHostFailure(workspaceId: string, mailboxId: string, code: string): Promise<Mailbox | null> {
  const failures = { $add: ["$hostFailures", 1] };
  const opens = { $gte: [failures, HOST_FAILURES] };
  const lasts = { $and: [{ $gt: [failures, HOST_FAILURES] }, { $eq: ["$status", "CONNECTED"] }] };
  return change(workspaceId, mailboxId, {
    hostFailures: failures,
    retryAt: {
      $cond: [{ $and: [opens, { $ne: ["$status", "COOLING_DOWN"] }] }, laterByDatabase(BREAKER_MS), "$retryAt"],
    },
    status: { $cond: [lasts, "SENDING_ERROR", "$status"] },
    statusReason: { $cond: [lasts, code, "$statusReason"] },
    lastError: errorOf(code, isConnectionErrorCode(code) ? CONNECTION_ERRORS[code] : CONNECTION_ERRORS.CONNECT_FAILED),
  });
}

/** Why a mailbox cools down, and which organisations it sends to last afterwards (rules/sending 10.9). */
export interface Rest {
  reason: RestReason;
  refusedBy: string[];
  /** The attempts up to this instant caused the cooldown. */
  at: Date;
}

/**
 * Starts a cooldown because servers refused the sender (rules/sending 10.5). It lasts until `retryAt`: 24 h at first,
 * doubled each time up to 7 d, unless there was a good day in between. A mailbox that is already cooling down does not
 * change, so that two refusals at the same time do not double the duration.
 */
export function coolDown(
  workspaceId: string,
  mailboxId: string,
  code: string,
  rest: Rest | null = null,
): Promise<Mailbox | null> {
  return inTransaction(async () => {
    const fields = { ...restOf(code), ...(rest !== null && reasonsOf(rest)) };
    const cooledMailbox = await change(workspaceId, mailboxId, fields, {
      status: { $in: ["CONNECTED", "SENDING_ERROR"] },
    });
    if (cooledMailbox !== null) await revokeClaims(workspaceId, { mailboxIds: [mailboxId] });
    return cooledMailbox;
  });
}

/**
 * Delays a mailbox because the server asks for fewer emails: nothing is sent for 15 min, doubled each time up to 4 h.
 * The third consecutive time starts a cooldown.
 */
export function slowDown(workspaceId: string, mailboxId: string, code: string): Promise<Mailbox | null> {
  const refusals = { $add: ["$rateRefusals", 1] };
  const rests = { $and: [{ $gte: [refusals, RATE_REFUSALS] }, { $in: ["$status", ["CONNECTED", "SENDING_ERROR"]] }] };
  const delay = { $min: [SLOWEST_MS, { $multiply: [SLOW_MS, { $pow: [2, "$rateRefusals"] }] }] };
  const whole = {
    ...restOf(code),
    restReason: { $literal: { by: "RATE", code, organisation: null, counts: NO_COUNTS } },
  };
  const rest = Object.entries(whole).map(([name, value]) => [name, { $cond: [rests, value, `$${name}`] }]);
  return change(workspaceId, mailboxId, {
    ...Object.fromEntries(rest),
    rateRefusals: { $cond: [rests, 0, refusals] },
    nextAt: { $max: ["$nextAt", laterByDatabase(delay)] },
    lastError: errorOf(code, "The mail server asks for fewer emails"),
  });
}

const NO_COUNTS: RestReason["counts"] = { attempts: 0, accepted: 0, refused: [] };

/** The fields that record the reason of a cooldown. `refusalsSince` is set so that earlier refusals no longer count. */
function reasonsOf({ reason, refusedBy, at }: Rest) {
  const all = { $slice: [{ $setUnion: [{ $ifNull: ["$trial.refusedBy", []] }, refusedBy] }, MOST_REFUSING] };
  return {
    restReason: { $literal: reason },
    trial: { $cond: [{ $eq: [all, []] }, null, { refusedBy: all, restsUntil: laterByDatabase(REST) }] },
    refusalsSince: { $max: ["$$NOW", at] },
  };
}

/** The maximum number of organisations that are stored to be contacted last after a cooldown. */
const MOST_REFUSING = 500;

/**
 * Ends the trial period after a cooldown, because an organisation has accepted an email. Recipients at organisations
 * that refused email may be contacted again (rules/sending 10.9).
 */
export function endTrial({ workspaceId, _id, trial }: Mailbox): Promise<boolean> {
  return inTransaction(async () => {
    if (!trial) return false;
    // A cooldown that has started meanwhile has its own trial period
    const same = { _id, "trial.restsUntil": trial.restsUntil };
    const ended = await scoped(workspaceId).Mailbox.updateOne(same, { $set: { trial: null } });
    if (ended > 0) await freeMailbox(workspaceId, _id);
    return ended > 0;
  });
}

/**
 * Resets the failure counters, because server and login work. `isDelivered`: an email to a recipient was accepted.
 * Writes nothing when all counters are zero.
 */
export async function recordSuccess(mailbox: Mailbox, { isDelivered = false } = {}): Promise<void> {
  if (isDelivered && mailbox.trial) await endTrial(mailbox);
  const hadGoodDay = mailbox.coolDowns > 0 && (mailbox.retryAt?.getTime() ?? 0) < Date.now() - DAY_MS;
  const counted = mailbox.authFailures + mailbox.hostFailures + mailbox.rateRefusals;
  const wasParked = isAccessFault(mailbox.lastError?.code ?? null);
  if (counted === 0 && !hadGoodDay && !wasParked) return;
  await scoped(mailbox.workspaceId).Mailbox.updateOne(
    { _id: mailbox._id },
    {
      $set: { authFailures: 0, hostFailures: 0, rateRefusals: 0, lastError: null, ...(hadGoodDay && { coolDowns: 0 }) },
    },
  );
}

/**
 * Sets mailboxes whose cooldown or circuit breaker is over back to CONNECTED, in every workspace, and wakes the
 * recipients that wait for them. Returns how many. The counters are kept, so that one more failure opens the breaker
 * again. `retryAt` is kept as the start of a possible good day.
 */
export async function wakeMailboxes(): Promise<number> {
  const statuses: MailboxStatus[] = ["COOLING_DOWN", "SENDING_ERROR"];
  const rested = { status: trusted({ $in: statuses }), retryAt: trusted({ $lte: new Date() }) };
  const mailboxes = await Mailbox.find(rested, { workspaceId: 1 }, { acrossWorkspaces: true }).lean<Mailbox[]>();
  let woken = 0;
  for (const { workspaceId, _id } of mailboxes) {
    const back = { $set: { status: "CONNECTED" as const, statusReason: null } };
    woken += await inTransaction(async () => {
      const isBack = await scoped(workspaceId).Mailbox.updateOne({ _id, ...rested }, back);
      if (isBack > 0) await freeMailbox(workspaceId, _id);
      return isBack;
    });
  }
  return woken;
}

/**
 * Wakes the recipients that wait for a mailbox, because it can send again or send more. Call it in the transaction of
 * the change.
 */
export async function freeMailbox(workspaceId: string, mailboxId: string): Promise<void> {
  await scoped(workspaceId).Mailbox.updateOne(
    { _id: mailboxId },
    { $set: { freedAt: new Date() }, $inc: { touches: 1 } },
  );
  await nudge(workspaceId, "MAILBOX", { mailboxId, signal: "freed" });
}

/**
 * Shortens the gap that this campaign left in mailboxes to the campaign's current longest gap. Call it in the
 * transaction that changed the gap.
 */
export async function shortenGaps(workspaceId: string, campaignId: string, maxGapSeconds: number): Promise<void> {
  const latest = new Date(Date.now() + maxGapSeconds * 1_000);
  // A delay that the server asked for is kept
  const longer = { nextAtBy: campaignId, rateRefusals: 0, nextAt: trusted({ $gt: latest }) };
  await scoped(workspaceId).Mailbox.updateMany(longer, { $set: { nextAt: latest } });
}

/** The duration of a cooldown in milliseconds, as an expression over the mailbox's document. */
const REST = { $min: [LONGEST_REST_MS, { $multiply: [REST_MS, { $pow: [2, "$coolDowns"] }] }] };

function restOf(code: string) {
  return {
    status: "COOLING_DOWN",
    statusReason: code,
    retryAt: laterByDatabase(REST),
    coolDowns: { $add: ["$coolDowns", 1] },
    rateRefusals: 0,
    restReason: { $literal: restReasonOf(code) },
    overridden: null,
    refusalTurn: { $add: [{ $ifNull: ["$refusalTurn", 0] }, 1] },
    lastError: errorOf(code, "Mail servers refused emails from this mailbox"),
  };
}

/** The reason of a cooldown that no refusal caused; null when a refusal caused it. */
function restReasonOf(code: string): RestReason | null {
  return code === "HARD_BOUNCES" || code === "COMPLAINTS"
    ? { by: code, code: null, organisation: null, counts: NO_COUNTS }
    : null;
}

/**
 * A later instant by the database's clock, because the claim compares it with that clock. `delay` is in milliseconds,
 * as a number or an expression.
 */
function laterByDatabase(delay: number | object) {
  return { $dateAdd: { startDate: "$$NOW", unit: "millisecond", amount: { $toLong: delay } } };
}

/** The error with our own message; the server's message is only logged. */
function errorOf(code: string, message: string) {
  return { code: { $literal: code }, message: { $literal: message }, at: "$$NOW" };
}

/** Returns the mailbox after the change. Null when it does not exist or its state does not match `filter`. */
function change(
  workspaceId: string,
  _id: string,
  fields: object,
  filter: Record<string, unknown> = {},
): Promise<Mailbox | null> {
  return scoped(workspaceId).Mailbox.changeOne({ _id, ...filter }, [{ $set: { ...fields, updatedAt: "$$NOW" } }]);
}
