import { HOUR_MS } from "../../domain/time/durations.ts";
import { linesOf } from "../../domain/values/csv-lines.ts";
import type { Lead } from "../../models/leads/lead.ts";
import type { Recipient } from "../../models/recipients/recipient.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import type { CsvPart } from "../csv-export.ts";
import { filterOf, newestFirst, type RecipientFilters } from "./filter.ts";

/** The columns in the order of the file. */
export const COLUMNS = [
  ...([
    "email",
    "firstName",
    "lastName",
    "fullName",
    "company",
    "jobTitle",
    "status",
    "pauseReason",
    "missingVariables",
  ] as const),
  ...([
    "pausedUntil",
    "stopReason",
    "step",
    "variant",
    "mailbox",
    "sentCount",
    "lastSentAt",
    "nextSendAt",
    "openedAt",
  ] as const),
  ...(["clickedAt", "repliedAt", "bouncedAt", "bounceType", "unsubscribedAt", "lastError", "meetingBookedAt"] as const),
  ...(["revenueAmount", "revenueCurrency", "outcomeNotes", "createdAt", "leadId", "id"] as const),
] as const;
type Column = (typeof COLUMNS)[number];

/** Rows per batch, whose leads and failures are read together; see the batch size of the lead export. */
const BATCH = 100;
/** The longest query in milliseconds: enough for a million recipients and a slow client. */
const LONGEST_MS = HOUR_MS;
/** The smallest size in bytes of columns that are never empty. Every cell also has a comma or a line end. */
const SHORTEST: Record<string, number> = { email: 3, status: 6, sentCount: 1, createdAt: 24, leadId: 24, id: 24 };

/** The smallest possible size in bytes of a row with these columns. */
export function shortestRowOf(columns: readonly string[]): number {
  return columns.reduce((octets, column) => octets + 1 + (SHORTEST[column] ?? 0), 1);
}

/** The recipients of a campaign as CSV (RFC 4180), newest first, a hundred at a time; the first part is the header. */
export async function* csvOf(
  workspaceId: string,
  asked: RecipientFilters,
  columns: readonly string[],
): AsyncGenerator<CsvPart> {
  yield { text: linesOf([columns]), rows: 0 };
  const places = await placesOf(workspaceId, asked.campaignId);
  for await (const batch of batchesOf(workspaceId, asked)) {
    const [leads, errors] = await Promise.all([leadsOf(workspaceId, batch), errorsOf(workspaceId, batch)]);
    const rows = batch.map((recipient) => {
      const cells = cellsOf(recipient, leads.get(recipient.leadId), errors.get(recipient._id) ?? null, places);
      return columns.map((column) => cells.get(column));
    });
    yield { text: linesOf(rows), rows: rows.length };
  }
}

async function* batchesOf(workspaceId: string, asked: RecipientFilters): AsyncGenerator<Recipient[]> {
  const newest = [{ $sort: { _id: -1 } as const }, { $project: { searchWords: 0, thread: 0 } }];
  const by = { hint: newestFirst(asked), batchSize: BATCH };
  let batch: Recipient[] = [];
  for await (const recipient of scoped(workspaceId).Recipient.walk<Recipient>(
    filterOf(asked),
    newest,
    LONGEST_MS,
    by,
  )) {
    batch.push(recipient);
    if (batch.length < BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

interface Places {
  /** The number of a step in the sequence, from 1. */
  orders: ReadonlyMap<string, number>;
  labels: ReadonlyMap<string, string>;
  addresses: ReadonlyMap<string, string>;
}

async function placesOf(workspaceId: string, campaignId: string): Promise<Places> {
  const { Mailbox, Sequence } = scoped(workspaceId);
  const [sequence, mailboxes] = await Promise.all([
    Sequence.findOne({ campaignId }, { select: { steps: 1 } }),
    Mailbox.find({}, { select: { email: 1 } }),
  ]);
  const steps = sequence?.steps ?? [];
  return {
    orders: new Map(steps.map(({ stepId }, index) => [stepId, index + 1])),
    labels: new Map(steps.flatMap(({ variants }) => variants.map(({ variantId, label }) => [variantId, label]))),
    addresses: new Map(mailboxes.map(({ _id, email }) => [_id, email])),
  };
}

type Person = Pick<Lead, "_id" | "firstName" | "lastName" | "fullName" | "company" | "jobTitle">;

async function leadsOf(workspaceId: string, recipients: readonly Recipient[]): Promise<Map<string, Person>> {
  const select = { firstName: 1, lastName: 1, fullName: 1, company: 1, jobTitle: 1 } as const;
  const found = await scoped(workspaceId).Lead.read(
    { _id: { $in: recipients.map(({ leadId }) => leadId) } },
    { select },
  );
  return new Map(found.map((lead) => [lead._id, lead]));
}

/** The latest error of an email to each recipient: the reason, and the other server's message if there is one. */
async function errorsOf(workspaceId: string, recipients: readonly Recipient[]): Promise<Map<string, string>> {
  const failed = { recipientId: trusted({ $in: recipients.map(({ _id }) => _id) }), failure: trusted({ $ne: null }) };
  const sends = await scoped(workspaceId).Send.find(failed, {
    sort: { updatedAt: 1 },
    select: { recipientId: 1, failure: 1 },
  });
  const errors = new Map<string, string>();
  for (const { recipientId, failure } of sends) {
    if (recipientId !== null && failure !== null)
      errors.set(recipientId, phraseOf(failure.reason, failure.code, failure.text));
  }
  for (const { _id, bounce } of recipients) {
    if (bounce !== null) errors.set(_id, phraseOf(bounce.reason, bounce.code, bounce.diagnostic));
  }
  return errors;
}

function phraseOf(...parts: readonly (string | null)[]): string {
  return parts.filter((part) => part !== null && part !== "").join(" ");
}

function cellsOf(
  recipient: Recipient,
  lead: Person | undefined,
  lastError: string | null,
  places: Places,
): Map<string, unknown> {
  const { currentStepId, mailboxId, variantByStep } = recipient;
  const variantId = currentStepId === null ? undefined : variantByStep[currentStepId];
  const cells: Record<Column, unknown> = {
    ...recipient,
    firstName: lead?.firstName,
    lastName: lead?.lastName,
    fullName: lead?.fullName,
    company: lead?.company,
    jobTitle: lead?.jobTitle,
    missingVariables: (recipient.missingVariables ?? []).join(", "),
    step: currentStepId === null ? null : (places.orders.get(currentStepId) ?? currentStepId),
    variant: variantId === undefined ? null : (places.labels.get(variantId) ?? variantId),
    mailbox: mailboxId === null ? null : (places.addresses.get(mailboxId) ?? mailboxId),
    bounceType: recipient.bounce?.type,
    lastError,
    id: recipient._id,
  };
  return new Map(Object.entries(cells));
}
