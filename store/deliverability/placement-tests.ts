import {
  type MailReceiver,
  type PlacementIds,
  type PlacementWork,
  placementEndOf,
  placementRatesOf,
} from "../../domain/deliverability/placement.ts";
import type { OutgoingFile } from "../../domain/mail/outgoing-file.ts";
import { PlacementTest } from "../../models/deliverability/placement-test.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { newId } from "../../mongo/ids.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudge } from "../outbox.ts";
import { revokeClaims } from "../sending/revoke.ts";
import { tallyOf } from "./placement-results.ts";

/** The text that a sender of a test sends to each test mailbox. `text` and `html` may contain `previewLink`. */
export interface PlacementText {
  subject: string;
  text: string;
  html: string | null;
  attachments: OutgoingFile[];
  hasUnsubscribe: boolean;
}

/** The parameters of a new test. */
export interface PlacementOrder {
  name: string;
  campaignId: string | null;
  stepId: string | null;
  variantId: string | null;
  requestKey: string | null;
  period: string | null;
  testMailboxes: readonly (Pick<Mailbox, "_id" | "email"> & { receiver: MailReceiver })[];
  senders: readonly { mailboxId: string; email: string; written: PlacementText }[];
  /** The content for one send: its own unsubscribe link in place of the preview's. */
  linked: (written: PlacementText, sender: string, sendId: string) => Pick<PlacementText, "text" | "html">;
}

/**
 * The pairs of sender and receiver in a test. No mailbox sends to itself, since such an email may never leave its
 * server.
 */
export function placementPairs<S extends { mailboxId: string }, T extends { _id: string }>(
  senders: readonly S[],
  to: readonly T[],
) {
  return senders.flatMap((sender) =>
    to.flatMap((receiver) => (sender.mailboxId === receiver._id ? [] : [{ sender, receiver }])),
  );
}

/** The key of an email's send. Each pair of a test has only one send, however often the email is attempted. */
function placementSendKey(testId: string, from: string, to: string): string {
  return `placement:${testId}:${from}:${to}`;
}

/** Stores a test with its emails, their sends and their contents, and requests its start. Call it in a transaction. */
export async function storePlacement(workspaceId: string, order: PlacementOrder): Promise<PlacementTest> {
  const { OutgoingMail, PlacementMail, PlacementTest, Send } = scoped(workspaceId);
  const { testMailboxes, senders, linked, ...fields } = order;
  const testId = newId("plt");
  const mails = placementPairs(senders, testMailboxes).map((pair) => ({ ...pair, sendId: newId("snd") }));
  const test = await PlacementTest.insert({
    _id: testId,
    ...fields,
    mailboxIds: senders.map(({ mailboxId }) => mailboxId),
    testMailboxIds: testMailboxes.map(({ _id }) => _id),
    mails: mails.length,
  });
  await PlacementMail.insertMany(
    mails.map(({ sendId, sender, receiver }) => ({
      _id: sendId,
      testId,
      mailboxId: sender.mailboxId,
      testMailboxId: receiver._id,
      address: receiver.email,
      provider: receiver.receiver,
    })),
  );
  await Send.insertMany(
    mails.map(({ sendId, sender, receiver }) => ({
      _id: sendId,
      kind: "PLACEMENT" as const,
      sendKey: placementSendKey(testId, sender.mailboxId, receiver._id),
      to: receiver.email,
      state: "RESERVED" as const,
      subject: sender.written.subject,
      mailboxId: sender.mailboxId,
    })),
  );
  await OutgoingMail.insertMany(
    mails.map(({ sendId, sender: { mailboxId, email, written }, receiver }) => ({
      _id: sendId,
      kind: "PLACEMENT" as const,
      mailboxId,
      to: receiver.email,
      subject: written.subject,
      attachments: written.attachments,
      hasUnsubscribe: written.hasUnsubscribe,
      ...linked(written, email, sendId),
    })),
  );
  await nudge(workspaceId, "PLACEMENT", { testId });
  return test;
}

/** The test that a plan or an approval has created before; null when it created none. */
export async function findPlacementBy(workspaceId: string, requestKey: string | null): Promise<PlacementTest | null> {
  return requestKey === null ? null : scoped(workspaceId).PlacementTest.findOne({ requestKey });
}

const UNDER_WAY = ["QUEUED", "RUNNING"] as const;
const isUnderWay = { status: trusted({ $in: [...UNDER_WAY] }) };

/**
 * Starts or resumes a test. Returns which emails must still be sent and which mailboxes must be searched; null when the
 * test has ended.
 */
export async function beginPlacement({ workspaceId, testId }: PlacementIds): Promise<PlacementWork | null> {
  const { PlacementMail, PlacementTest, Send } = scoped(workspaceId);
  await PlacementTest.updateOne(
    { _id: testId, status: "QUEUED" },
    { $set: { status: "RUNNING", startedAt: new Date() } },
  );
  const test = await PlacementTest.findOne({ _id: testId, status: "RUNNING" });
  if (test === null) return null;
  const open = await PlacementMail.find({ testId, folder: null, error: null }, { sort: { _id: 1 } });
  const ids = open.map(({ _id }) => _id);
  const unsent = { _id: trusted({ $in: ids }), state: trusted({ $in: ["RESERVED", "SENDING"] }) };
  const sends = await Send.find(unsent, { sort: { _id: 1 }, select: { mailboxId: 1 } });
  return {
    lanes: [...Map.groupBy(sends, ({ mailboxId }) => mailboxId).values()].map((lane) => lane.map(({ _id }) => _id)),
    mailboxIds: [...new Set(open.map(({ testMailboxId }) => testMailboxId))],
  };
}

/**
 * Ends a test whose emails all have a result, and stores its rates. A cancelled test stays cancelled. Returns its
 * status, or null when there is no such test.
 */
export async function closePlacement({ workspaceId, testId }: PlacementIds): Promise<PlacementTest["status"] | null> {
  const { PlacementTest } = scoped(workspaceId);
  const tally = await tallyOf(workspaceId, testId);
  const end = { status: placementEndOf(tally), ...placementRatesOf(tally), finishedAt: new Date() };
  const closed = await PlacementTest.findOneAndUpdate({ _id: testId, status: "RUNNING" }, { $set: end });
  return (closed ?? (await PlacementTest.get(testId)))?.status ?? null;
}

/**
 * Cancels a test. Once this has returned, none of its remaining emails is sent (rules/deliverability 6.5). The results
 * of sent emails are kept. Returns the test after the cancellation; null when there is none. A test that has already
 * ended does not change.
 */
export function cancelPlacement(workspaceId: string, testId: string): Promise<PlacementTest | null> {
  return inTransaction(async () => {
    const { OutgoingMail, PlacementMail, PlacementTest, Send } = scoped(workspaceId);
    const end = { $set: { status: "CANCELLED", finishedAt: new Date() } } as const;
    const cancelled = await PlacementTest.findOneAndUpdate({ _id: testId, ...isUnderWay }, end);
    if (cancelled === null) return PlacementTest.get(testId);
    const sendIds = (await PlacementMail.find({ testId }, { select: { _id: 1 } })).map(({ _id }) => _id);
    const failure = { reason: "CANCELLED", code: null, text: null };
    await Send.updateMany(
      { _id: trusted({ $in: sendIds }), state: "RESERVED" },
      { $set: { state: "FAILED", failure } },
    );
    // An email that is about to be sent when it is cancelled finds no content any more
    await OutgoingMail.deleteMany({ _id: trusted({ $in: sendIds }) });
    await revokeClaims(workspaceId, { sendIds });
    return cancelled;
  });
}

const FORGOTTEN_MS = 60_000;

/** Running tests without progress for a minute, whose workflow run may be lost. */
export function findForgottenPlacements(limit: number): Promise<Pick<PlacementTest, "_id" | "workspaceId">[]> {
  const still = { ...isUnderWay, updatedAt: trusted({ $lt: new Date(Date.now() - FORGOTTEN_MS) }) };
  return PlacementTest.find(still, { workspaceId: 1 }, { acrossWorkspaces: true })
    .limit(limit)
    .lean<PlacementTest[]>()
    .exec();
}
