import type { KeyRing } from "../../domain/access/seal.ts";
import { AppError } from "../../domain/errors.ts";
import type { ConnectionResult } from "../../domain/mailboxes/connection-test.ts";
import type { MailboxRow, RowRefusal, TryableRow } from "../../domain/mailboxes/import.ts";
import type { JobItem } from "../../models/job.ts";
import { inTransaction } from "../../mongo/transaction.ts";
import type { Chunk, ChunkDone, JobAtWork, JobKind } from "../jobs.ts";
import { connectMailbox } from "./connect.ts";

export interface MailboxImportDeps {
  keyRing: KeyRing;
  /** Logs in at both servers of a row; never throws. */
  attempt(row: TryableRow): Promise<ConnectionResult>;
}

type Outcome = "CREATED" | "UPDATED" | "SKIPPED_DUPLICATE" | "FAILED";
type Counts = Record<Outcome, number>;

/**
 * Connects mailboxes row by row. The logins of a chunk are tested outside of any transaction, then the results are
 * stored in one transaction with the job's progress.
 */
export function mailboxImport({ keyRing, attempt }: MailboxImportDeps): JobKind {
  return {
    async open({ workspaceId }) {
      return async (chunk, record) => {
        const rows = mailboxRowsOf(chunk);
        const results = await Promise.all(rows.map((each) => (each.kind === "try" ? attempt(each.row) : null)));
        await inTransaction(async () => {
          const stored: JobItem[] = [];
          for (const [index, each] of rows.entries()) {
            stored.push({
              row: chunk.firstRow + index,
              ...(await resultOfRow(workspaceId, each, results[index] ?? undefined)),
            });
          }
          await record(doneOf(stored, chunk.state));
        });
      };
    },
    resultOf,
  };

  async function resultOfRow(
    workspaceId: string,
    each: MailboxRow,
    result: ConnectionResult | undefined,
  ): Promise<Omit<JobItem, "row">> {
    if (each.kind === "refused") return failed(each.email, each.error);
    if (each.kind === "duplicate") {
      return {
        email: each.email,
        status: "SKIPPED_DUPLICATE",
        code: null,
        message: "An earlier row has this address",
        mailboxId: null,
      };
    }
    const { password, ...row } = each.row;
    const error = whyNot(result);
    if (error !== null) return failed(row.email, error);
    try {
      const { mailbox, before } = await connectMailbox(keyRing, workspaceId, { ...row, login: { password } });
      return {
        email: row.email,
        status: before === null ? "CREATED" : "UPDATED",
        code: null,
        message: null,
        mailboxId: mailbox._id,
      };
    } catch (err) {
      if (!(err instanceof AppError) || err.status >= 500) throw err;
      return failed(row.email, err);
    }
  }
}

/** How many rows had each outcome. */
export function resultOf({ state }: JobAtWork): Record<string, unknown> {
  const { CREATED: created, UPDATED: updated, SKIPPED_DUPLICATE: skipped, FAILED } = importCountsOf(state);
  return { created, updated, skipped, failed: FAILED };
}

/** Why a row cannot be connected, with the name of the server; null when both servers accepted the login. */
export function whyNot(result: ConnectionResult | undefined): RowRefusal | null {
  if (result === undefined) return { code: "TIMEOUT", message: "The servers did not answer in time" };
  const { smtp, imap } = result;
  if (smtp.error !== null) return { code: smtp.error.code, message: `SMTP: ${smtp.error.message}` };
  return imap.error === null ? null : { code: imap.error.code, message: `IMAP: ${imap.error.message}` };
}

function failed(email: string | null, { code, message }: RowRefusal): Omit<JobItem, "row"> {
  return { email, status: "FAILED", code, message, mailboxId: null };
}

function doneOf(items: JobItem[], before: Record<string, unknown>): ChunkDone {
  const state = importCountsOf(before);
  for (const { status } of items) if (isOutcome(status)) state[status]++;
  const failures = items.filter(({ status }) => status === "FAILED").length;
  return { succeeded: items.length - failures, failed: failures, items, state };
}

function mailboxRowsOf({ rows }: Chunk): MailboxRow[] {
  return rows as MailboxRow[]; // Written only by the operation that starts the job
}

const NONE: Counts = { CREATED: 0, UPDATED: 0, SKIPPED_DUPLICATE: 0, FAILED: 0 };

function importCountsOf(state: Record<string, unknown>): Counts {
  return { ...NONE, ...state };
}

function isOutcome(status: string): status is Outcome {
  return Object.hasOwn(NONE, status);
}
