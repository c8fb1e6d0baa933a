import {
  NO_PLACES,
  type PlacementFolder,
  type PlacementTally,
  placementRatesOf,
} from "../../domain/deliverability/placement.ts";
import { sendErrorOf } from "../../domain/sending/send-error.ts";
import type { PlacementMail } from "../../models/deliverability/placement-mail.ts";
import { scoped } from "../../models/scoped.ts";
import type { Send } from "../../models/sending/send.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { confirmSent } from "../sending/delivery-evidence.ts";

/** An email of a test whose folder is not known yet, with the state of its send. */
export interface OpenPlacement {
  mail: PlacementMail;
  send: Pick<
    Send,
    "_id" | "state" | "messageIds" | "mailRef" | "sentAt" | "claimedAt" | "failure" | "unknownAt"
  > | null;
}

const FACTS = { state: 1, messageIds: 1, mailRef: 1, sentAt: 1, claimedAt: 1, failure: 1, unknownAt: 1 } as const;

/** Every email of a test with the state of its send, in the order of the senders. */
export async function loadPlacementResults(workspaceId: string, testId: string): Promise<OpenPlacement[]> {
  return joinSends(workspaceId, await scoped(workspaceId).PlacementMail.find({ testId }, { sort: { _id: 1 } }));
}

/** The emails of a test in one test mailbox whose folder is not known; none when the test is no longer running. */
export async function loadOpenPlacements(
  workspaceId: string,
  testId: string,
  testMailboxId: string,
): Promise<OpenPlacement[]> {
  const { PlacementMail, PlacementTest } = scoped(workspaceId);
  if ((await PlacementTest.findOne({ _id: testId, status: "RUNNING" }, { select: { _id: 1 } })) === null) return [];
  return joinSends(workspaceId, await PlacementMail.find({ testId, testMailboxId, folder: null, error: null }));
}

async function joinSends(workspaceId: string, mails: PlacementMail[]): Promise<OpenPlacement[]> {
  const ids = mails.map(({ _id }) => _id);
  const sends = await scoped(workspaceId).Send.find({ _id: trusted({ $in: ids }) }, { select: FACTS });
  const byId = new Map(sends.map((send) => [send._id, send]));
  return mails.map((mail) => ({ mail, send: byId.get(mail._id) ?? null }));
}

/** The reason why an email was not sent. Null while it may still be sent, and when it was sent. */
export function unsentErrorOf({ send }: OpenPlacement): { code: string; message: string } | null {
  if (send === null) return { code: "GONE", message: "The record of this email no longer exists" };
  if (send.state !== "FAILED") return null;
  const reason = send.failure?.reason;
  if (reason === "CANCELLED") return { code: "CANCELLED", message: "The test was cancelled before it was sent" };
  if (reason === "GONE")
    return {
      code: "GONE",
      message: "The text no longer exists: the test was cancelled, or made no progress for a week",
    };
  const { code, message } = sendErrorOf(send.failure ?? { reason: "SEND_FAILED", code: null });
  return { code, message };
}

/**
 * Stores in which folders emails were found. The first result for an email stays. When it was unknown whether an email
 * was sent, finding it proves that it is SENT. All emails must belong to one test.
 */
export async function notePlaces(
  workspaceId: string,
  testId: string,
  found: ReadonlyMap<string, PlacementFolder>,
  confirms = true,
): Promise<void> {
  if (found.size === 0) return;
  for (const [sendId, folder] of found) {
    await inTransaction(async () => {
      const { PlacementMail, Send } = scoped(workspaceId);
      const open = { _id: sendId, testId, folder: null, error: null };
      if ((await PlacementMail.updateOne(open, { $set: { folder, judgedAt: new Date() } })) === 0) return;
      const send = confirms ? await Send.get(sendId) : null;
      // An email that is still SENDING needs no proof, because its own attempt is about to record the result
      if (send?.state === "UNKNOWN") await confirmSent(send, "found in a test mailbox");
    });
  }
  await noteRates(workspaceId, testId);
}

/** Stores why the folders of these emails could not be determined. */
export async function noteErrors(
  workspaceId: string,
  testId: string,
  errors: ReadonlyMap<string, PlacementMail["error"]>,
): Promise<void> {
  if (errors.size === 0) return;
  const { PlacementMail } = scoped(workspaceId);
  for (const [_id, error] of errors)
    await PlacementMail.updateOne({ _id, testId, folder: null, error: null }, { $set: { error } });
  await noteRates(workspaceId, testId);
}

/** Stores the current rates while a test is running. */
async function noteRates(workspaceId: string, testId: string): Promise<void> {
  const rates = placementRatesOf(await tallyOf(workspaceId, testId));
  await scoped(workspaceId).PlacementTest.updateOne({ _id: testId, status: "RUNNING" }, { $set: rates });
}

/** How many emails of a test were found in each kind of folder. */
export async function tallyOf(workspaceId: string, testId: string): Promise<PlacementTally> {
  const rows = await scoped(workspaceId).PlacementMail.aggregate<{
    _id: { folder: PlacementFolder | null; hasError: boolean };
    count: number;
  }>({ testId }, { $group: { _id: { folder: "$folder", hasError: { $ne: ["$error", null] } }, count: { $sum: 1 } } });
  const tally = { ...NO_PLACES };
  for (const { _id, count } of rows) {
    tally.total += count;
    if (_id.hasError) tally.errors += count;
    else if (_id.folder !== null) tally[NAMES[_id.folder]] += count;
  }
  return tally;
}

const NAMES = { INBOX: "inbox", SPAM: "spam", OTHER: "other", MISSING: "missing" } as const;
