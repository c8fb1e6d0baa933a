import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import { nudgeAll } from "../../store/outbox.ts";
import { revokeClaims } from "../../store/sending/revoke.ts";
import { ids } from "../fields.ts";
import { loadMailbox, mailboxId, noMailbox } from "./find.ts";
import { MailboxRecord, viewOf } from "./record.ts";

/** The input fields for one mailbox or several. */
export const which = {
  mailboxId: mailboxId.optional(),
  mailboxIds: ids.optional().describe("1 to 1,000 mailboxes, instead of one"),
};

/** The fields of `which` that a call needs one of. */
export const ONE_OR_SEVERAL = ["mailboxId", "mailboxIds"];

export const BulkItem = z.object({
  id: z.string().describe("The id of the mailbox"),
  ok: z.boolean().describe("Whether it now has the requested state"),
  error: z
    .object({ code: z.string().describe("An error code"), message: z.string().describe("The error as a sentence") })
    .nullable()
    .describe("Why the change failed"),
});

/** The outcome for each of several mailboxes. */
export const BulkOutcome = z.object({
  matched: z.number().int().describe("Mailboxes that were found"),
  changed: z.number().int().describe("Mailboxes that were changed"),
  notFound: z.array(z.string()).describe("Ids that match no mailbox"),
  items: z.array(BulkItem).describe("The result for each mailbox"),
});
type Bulk = z.output<typeof BulkOutcome>;

export const OneOrBulk = z.union([BulkOutcome, MailboxRecord]);

/** The effect of an operation on a mailbox. */
export interface MailboxChange {
  /** The fields to set. @throws AppError for a mailbox that cannot be changed this way */
  fieldsOf(mailbox: Mailbox): Partial<Mailbox>;
  /** The mailbox is synced again from now on. */
  starts?: true;
  /** The mailbox sends no campaign emails from now on. */
  stops?: true;
  /** Returns true when these fields may let the mailbox send sooner, or more. */
  frees?(fields: Partial<Mailbox>): boolean;
}

/** A custom change of one mailbox, in the transaction of its page. Returns whether anything changed. */
export type MailboxWork = (mailbox: Mailbox) => Promise<boolean>;

const PAGE = 500;
/**
 * A smaller page for custom changes, because they write several documents per mailbox and a transaction must be short.
 */
const WORK_PAGE = 50;

/**
 * For one mailbox, returns the changed mailbox or throws the refusal. For several, returns the outcome of each. Each
 * page is one transaction (rules/sending 7.3).
 */
export async function forEachMailbox(
  workspaceId: string,
  { mailboxId, mailboxIds }: { mailboxId?: string | undefined; mailboxIds?: string[] | undefined },
  change: MailboxChange | MailboxWork,
) {
  if (mailboxIds !== undefined) return bulk(workspaceId, [...new Set(mailboxIds)], change);
  if (mailboxId === undefined) throw invalid("mailboxId", "is required, or mailboxIds", "REQUIRED");
  const outcomes = await inTransaction(() => changePage(workspaceId, [mailboxId], change));
  const refusal = outcomes.get(mailboxId);
  if (refusal instanceof AppError) throw refusal;
  return (await viewOf(await loadMailbox(workspaceId, mailboxId))) ?? null;
}

async function bulk(workspaceId: string, wanted: string[], change: MailboxChange | MailboxWork): Promise<Bulk> {
  const result: Bulk = { matched: 0, changed: 0, notFound: [], items: [] };
  const size = typeof change === "function" ? WORK_PAGE : PAGE;
  for (let start = 0; start < wanted.length; start += size) {
    const page = wanted.slice(start, start + size);
    const outcomes = await inTransaction(() => changePage(workspaceId, page, change));
    for (const id of page) count(result, id, outcomes.get(id) ?? noMailbox());
  }
  return result;
}

function count(result: Bulk, id: string, outcome: AppError | "changed" | "same"): void {
  if (outcome instanceof AppError && outcome.code === "MAILBOX_NOT_FOUND") {
    result.notFound.push(id);
    return;
  }
  result.matched++;
  if (outcome === "changed") result.changed++;
  const error = outcome instanceof AppError ? { code: outcome.code, message: outcome.message } : null;
  result.items.push({ id, ok: error === null, error });
}

type Outcomes = Map<string, AppError | "changed" | "same">;

/**
 * Changes a page of mailboxes. It writes the documents that a send claim also writes, so no claim can commit
 * afterwards. A mailbox that would not change is not written.
 */
async function changePage(workspaceId: string, page: string[], change: MailboxChange | MailboxWork): Promise<Outcomes> {
  const { Mailbox } = scoped(workspaceId);
  const mailboxes = await Mailbox.find({ _id: trusted({ $in: page }) });
  const outcomes: Outcomes = new Map(page.map((id) => [id, noMailbox()]));
  if (typeof change === "function") {
    for (const mailbox of mailboxes) outcomes.set(mailbox._id, (await change(mailbox)) ? "changed" : "same");
    return outcomes;
  }
  const { fieldsOf, starts, stops, frees } = change;
  const writes: { update: string; set: Partial<Mailbox> }[] = [];
  for (const mailbox of mailboxes) {
    const fields = attempted(() => fieldsOf(mailbox));
    if (fields instanceof AppError) outcomes.set(mailbox._id, fields);
    else if (isSame(mailbox, fields)) outcomes.set(mailbox._id, "same");
    else {
      writes.push({ update: mailbox._id, set: frees?.(fields) ? { ...fields, freedAt: new Date() } : fields });
      outcomes.set(mailbox._id, "changed");
    }
  }
  await Mailbox.bulk(writes);
  if (stops) await revokeClaims(workspaceId, { mailboxIds: writes.map(({ update }) => update) });
  const notices = writes.flatMap(({ update: mailboxId, set }) => [
    ...(starts ? [{ mailboxId, signal: "start" as const }] : []),
    ...(set.freedAt ? [{ mailboxId, signal: "freed" as const }] : []),
  ]);
  await nudgeAll(
    workspaceId,
    notices.map((payload) => ({ kind: "MAILBOX", payload })),
  );
  return outcomes;
}

function attempted<T>(work: () => T): T | AppError {
  try {
    return work();
  } catch (err) {
    if (err instanceof AppError) return err;
    throw err;
  }
}

function isSame(mailbox: Mailbox, fields: Partial<Mailbox>): boolean {
  // the names are keys of `fields`
  return Object.entries(fields).every(
    ([name, value]) => JSON.stringify(value) === JSON.stringify(mailbox[name as keyof Mailbox]),
  );
}
