import { AppError } from "../../domain/errors.ts";
import type { Mailbox } from "../../models/mailboxes/mailbox.ts";
import { scoped } from "../../models/scoped.ts";
import { describedIds } from "../described-ids.ts";

export const mailboxId = describedIds.mailboxId;

/** @throws AppError MAILBOX_NOT_FOUND */
export async function loadMailbox(workspaceId: string, id: string): Promise<Mailbox> {
  const mailbox = await scoped(workspaceId).Mailbox.get(id);
  if (mailbox === null) throw noMailbox();
  return mailbox;
}

export function noMailbox(): AppError {
  return new AppError("MAILBOX_NOT_FOUND", "No mailbox has this id");
}
