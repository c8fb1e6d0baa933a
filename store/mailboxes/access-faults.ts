import {
  ACCESS_FAULTS,
  type AccessFault,
  isAccessFault,
  OPERATOR_FAULTS,
  PASSING_FAULTS,
} from "../../domain/mailboxes/connection-error.ts";
import type { ProviderName } from "../../domain/mailboxes/provider.ts";
import { codeShown, type Trouble } from "../../domain/sending/smtp-trouble.ts";
import { HOUR_MS, MINUTE_MS } from "../../domain/time/durations.ts";
import { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../outbox.ts";
import { freeMailbox, recordAuthFailure } from "./faults.ts";

const ACROSS = { acrossWorkspaces: true };

type Parked = Pick<Mailbox, "workspaceId" | "_id" | "grantId" | "provider" | "transport">;

/** Milliseconds until a parked mailbox tries again by itself, and until a client does that has used its daily quota. */
const AGAIN_MS = 30 * MINUTE_MS;
const QUOTA_MS = HOUR_MS;

/** Statuses from which a lost access changes the status, by whether a new consent is needed. A cool-down continues. */
const PARKED_FROM = {
  waiting: ["CONNECTED", "SENDING_ERROR"],
  lost: ["CONNECTED", "SENDING_ERROR", "COOLING_DOWN"],
} as const;

/** Records a refused login: one of ten (rules/sending 10.3), or a lost access, which parks the mailbox at once. */
export async function recordRefusedLogin(mailbox: Mailbox, trouble: Trouble): Promise<void> {
  if (trouble.access !== undefined) await parkMailbox(mailbox, trouble.access);
  else await recordAuthFailure(mailbox.workspaceId, mailbox._id, codeShown(trouble));
}

/**
 * Parks a mailbox whose provider gives it no access (rules/sending 10.10). Where a new consent is needed, it becomes
 * RECONNECT_REQUIRED; otherwise SENDING_ERROR, so that it tries again by itself. A used up quota parks all mailboxes of
 * the same client. A fault of an earlier consent changes nothing.
 */
export async function parkMailbox(mailbox: Parked, fault: AccessFault): Promise<void> {
  const { workspaceId, _id: mailboxId, grantId, provider, transport = "SMTP_IMAP" } = mailbox;
  if (fault === "CLIENT_LIMIT") {
    const isNew = [{ statusReason: trusted({ $ne: fault }) }, { retryAt: trusted({ $lte: new Date() }) }];
    const working = { provider, transport, status: trusted({ $in: [...PARKED_FROM.waiting] }), $or: isNew };
    await Mailbox.updateMany(working, parking(fault), { updatePipeline: true }).setOptions(ACROSS);
    return;
  }
  const current = { _id: mailboxId, grantId, status: trusted({ $nin: ["RECONNECT_REQUIRED", "DISCONNECTED"] }) };
  await inTransaction(async () => {
    const parked = await scoped(workspaceId).Mailbox.changeOne(current, parking(fault));
    if (parked?.status === "RECONNECT_REQUIRED") await nudge(workspaceId, "MAILBOX", { mailboxId, signal: "lost" });
  });
}

function parking(fault: AccessFault) {
  const { needsConsent, text } = ACCESS_FAULTS[fault];
  const parks = { $in: ["$status", needsConsent ? PARKED_FROM.lost : PARKED_FROM.waiting] };
  const either = (value: unknown, field: string) => ({ $cond: [parks, value, field] });
  const amount = fault === "CLIENT_LIMIT" ? QUOTA_MS : AGAIN_MS;
  const again = { $dateAdd: { startDate: "$$NOW", unit: "millisecond", amount } };
  // Further tries of a parked mailbox do not put off the instant at which it tries again
  const isSet = { $and: [{ $eq: ["$statusReason", fault] }, { $gt: ["$retryAt", "$$NOW"] }] };
  // Since when it waits
  const isKnown = { $eq: ["$lastError.code", fault] };
  return [
    {
      $set: {
        status: either(needsConsent ? "RECONNECT_REQUIRED" : "SENDING_ERROR", "$status"),
        statusReason: either(fault, "$statusReason"),
        retryAt: needsConsent ? "$retryAt" : either({ $cond: [isSet, "$retryAt", again] }, "$retryAt"),
        lastError: { code: fault, message: text, at: { $cond: [isKnown, "$lastError.at", "$$NOW"] } },
        updatedAt: "$$NOW",
      },
    },
  ];
}

/** What a first successful look into a mailbox disproves: a right to send and a quota are not needed for it. */
const DISPROVED: readonly AccessFault[] = PASSING_FAULTS.filter(
  (fault) => fault !== "SEND_AS_DENIED" && fault !== "SENDER_NOT_ACCEPTED" && fault !== "CLIENT_LIMIT",
);

/** Ends the lost access of a mailbox that can be read again, and wakes the recipients that wait for it. */
export async function recoverAccess({ workspaceId, _id, status, statusReason }: Mailbox): Promise<void> {
  if (status !== "SENDING_ERROR" || !isAccessFault(statusReason) || !DISPROVED.includes(statusReason)) return;
  const back = { status: "CONNECTED", statusReason: null, lastError: null, retryAt: new Date() } as const;
  await inTransaction(async () => {
    const isBack = await scoped(workspaceId).Mailbox.updateOne({ _id, status, statusReason }, { $set: back });
    if (isBack > 0) await freeMailbox(workspaceId, _id);
  });
}

/**
 * A provider has accepted this service's client id and secret again, so all mailboxes that waited for that try again
 * within a minute.
 */
export async function freeClient(provider: ProviderName): Promise<void> {
  const waiting = {
    status: "SENDING_ERROR",
    statusReason: "CLIENT_REFUSED",
    provider: `PROVIDER${provider}`,
    retryAt: trusted({ $gt: new Date() }),
  } as const;
  await Mailbox.updateMany(waiting, { $set: { retryAt: new Date() } }).setOptions(ACROSS);
}

/** A cause that only an operator can end: how many mailboxes of a provider wait because of it, and since when. */
export interface OperatorFault {
  provider: Mailbox["provider"];
  fault: AccessFault;
  mailboxes: number;
  since: Date | null;
}

/** One entry for each provider and cause. */
export async function findOperatorFaults(): Promise<OperatorFault[]> {
  const stopped = { status: "SENDING_ERROR", statusReason: { $in: OPERATOR_FAULTS } };
  const by = { provider: "$provider", fault: "$statusReason" };
  const groups = await Mailbox.aggregate<
    { _id: Pick<OperatorFault, "provider" | "fault"> } & Omit<OperatorFault, "provider" | "fault">
  >([
    { $match: stopped },
    { $group: { _id: by, mailboxes: { $sum: 1 }, since: { $min: "$lastError.at" } } },
    { $sort: { _id: 1 } },
  ]).option(ACROSS);
  return groups.map(({ _id, mailboxes, since }) => ({ ..._id, mailboxes, since }));
}
