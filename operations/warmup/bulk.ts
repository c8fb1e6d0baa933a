import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import type { WarmupEnrolment } from "../../models/warmup/warmup-enrolment.ts";
import { loadZone } from "../../store/warmup/ground.ts";
import { describedIds } from "../described-ids.ts";
import { BulkItem, BulkOutcome } from "../mailboxes/bulk.ts";
import { shownOne } from "./enrolments.ts";
import { Enrolment, enrolmentsShown } from "./record.ts";

const { mailboxId } = describedIds;

/** The result for a mailbox whose warmup enrolment was removed. */
export class Gone {
  readonly mailboxId: string;
  constructor(mailboxId: string) {
    this.mailboxId = mailboxId;
  }
}

const Removed = z.object({ mailboxId, deleted: z.literal(true).describe("Always true") });

const EnrolmentBulk = BulkOutcome.extend({
  items: z
    .array(
      BulkItem.extend({
        dailyLimit: z
          .number()
          .int()
          .nullable()
          .describe("The mailbox's daily warmup emails from today (UTC); null if not enrolled"),
      }),
    )
    .describe("The result for each mailbox"),
});

/** For one mailbox: its enrolment, or its removal. For several mailboxes: the outcome of each. */
export const EnrolmentOrBulk = z.union([EnrolmentBulk, Removed, Enrolment]);

/** Works on one mailbox and throws its refusal, or on several and returns the outcome of each. */
export async function forEachEnrolment(
  workspaceId: string,
  { mailboxId, mailboxIds }: { mailboxId?: string | undefined; mailboxIds?: string[] | undefined },
  work: (mailboxId: string) => Promise<WarmupEnrolment | Gone>,
): Promise<z.input<typeof EnrolmentOrBulk>> {
  if (mailboxIds !== undefined) return bulk(workspaceId, [...new Set(mailboxIds)], work);
  if (mailboxId === undefined) throw invalid("mailboxId", "is required, or mailboxIds", "REQUIRED");
  const done = await work(mailboxId);
  return done instanceof Gone ? { mailboxId: done.mailboxId, deleted: true } : shownOne(done);
}

const MISSING = ["MAILBOX_NOT_FOUND", "ENROLMENT_NOT_FOUND"];

async function bulk(
  workspaceId: string,
  mailboxIds: readonly string[],
  work: (mailboxId: string) => Promise<WarmupEnrolment | Gone>,
): Promise<z.output<typeof EnrolmentBulk>> {
  const done = new Map<string, WarmupEnrolment | Gone | AppError>();
  for (const id of mailboxIds) {
    const outcome = await work(id).catch((err: unknown) => {
      if (err instanceof AppError) return err;
      throw err;
    });
    done.set(id, outcome);
  }
  const enrolments = [...done.values()].flatMap((outcome) =>
    outcome instanceof AppError || outcome instanceof Gone ? [] : [outcome],
  );
  const shown = await enrolmentsShown(workspaceId, enrolments, await loadZone(workspaceId));
  const limitOf = new Map(shown.map(({ mailboxId, dailyLimit }) => [mailboxId, dailyLimit]));
  const isMissing = (outcome: unknown) => outcome instanceof AppError && MISSING.includes(outcome.code);
  const found = [...done].filter(([, outcome]) => !isMissing(outcome));
  const items = found.map(([id, outcome]) => {
    const error = outcome instanceof AppError ? { code: outcome.code, message: outcome.message } : null;
    return { id, ok: error === null, error, dailyLimit: limitOf.get(id) ?? null };
  });
  const notFound = [...done].flatMap(([id, outcome]) => (isMissing(outcome) ? [id] : []));
  return { matched: items.length, changed: items.filter(({ ok }) => ok).length, notFound, items };
}
