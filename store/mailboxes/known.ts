import { AppError } from "../../domain/errors.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { trusted } from "../../mongo/collection.ts";

const MOST_NAMED = 100;

/**
 * The mailboxes with these ids, in that order and without duplicates. @throws AppError MAILBOX_NOT_FOUND {mailboxIds}
 */
export async function loadKnownMailboxes(workspaceId: string, mailboxIds: readonly string[]): Promise<Mailbox[]> {
  const wanted = [...new Set(mailboxIds)];
  const found = await scoped(workspaceId).Mailbox.find({ _id: trusted({ $in: wanted }) });
  const mailboxById = new Map(found.map((mailbox) => [mailbox._id, mailbox]));
  const missing = wanted.filter((id) => !mailboxById.has(id));
  if (missing.length > 0)
    throw new AppError("MAILBOX_NOT_FOUND", "No mailbox has this id", { mailboxIds: missing.slice(0, MOST_NAMED) });
  return wanted.flatMap((id) => mailboxById.get(id) ?? []);
}
