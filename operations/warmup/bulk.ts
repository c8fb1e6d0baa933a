import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import type { WarmupEnrolment } from "../../models/warmup-enrolment.ts";
import { mailboxId } from "../described-ids.ts";
import { BulkOutcome } from "../mailboxes/bulk.ts";
import { shownOne } from "./enrolments.ts";
import { Enrolment } from "./record.ts";

/** An enrolment that is there no more. */
export class Gone {
  readonly mailboxId: string;
  constructor(mailboxId: string) {
    this.mailboxId = mailboxId;
  }
}

const Removed = z.object({ mailboxId, deleted: z.literal(true).describe("Always true") });

/** One mailbox answers its enrolment, or that it is gone; several answer what became of each. */
export const EnrolmentOrBulk = z.union([BulkOutcome, Removed, Enrolment]);

/** Does something with one mailbox and throws its refusal, or with several and tells the outcome of each. */
export async function forEachEnrolment(
  _workspaceId: string,
  { mailboxId, mailboxIds }: { mailboxId?: string | undefined; mailboxIds?: string[] | undefined },
  work: (mailboxId: string) => Promise<WarmupEnrolment | Gone>,
): Promise<z.input<typeof EnrolmentOrBulk>> {
  if (mailboxIds !== undefined) return bulk([...new Set(mailboxIds)], work);
  if (mailboxId === undefined) throw invalid("mailboxId", "is required, or mailboxIds", "REQUIRED");
  const done = await work(mailboxId);
  return done instanceof Gone ? { mailboxId: done.mailboxId, deleted: true } : shownOne(done);
}

const MISSING = ["MAILBOX_NOT_FOUND", "ENROLMENT_NOT_FOUND"];

async function bulk(mailboxIds: readonly string[], work: (mailboxId: string) => Promise<unknown>): Promise<z.output<typeof BulkOutcome>> {
  const result: z.output<typeof BulkOutcome> = { matched: 0, changed: 0, notFound: [], items: [] };
  for (const id of mailboxIds) {
    const error = await work(id).then(
      () => null,
      (err: unknown) => {
        if (err instanceof AppError) return err;
        throw err;
      },
    );
    if (error !== null && MISSING.includes(error.code)) {
      result.notFound.push(id);
      continue;
    }
    result.matched++;
    if (error === null) result.changed++;
    result.items.push({ id, ok: error === null, error: error === null ? null : { code: error.code, message: error.message } });
  }
  return result;
}
