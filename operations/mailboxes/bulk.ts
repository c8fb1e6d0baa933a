import { z } from "zod";
import { AppError, invalid } from "../../domain/errors.ts";
import type { Mailbox } from "../../models/mailbox.ts";
import { inTransaction } from "../../models/transaction.ts";
import { ids } from "../fields.ts";
import { mailboxId, mailboxOf } from "./find.ts";
import { MailboxRecord, viewOf } from "./record.ts";

/** One mailbox or several. */
export const which = { mailboxId: mailboxId.optional(), mailboxIds: ids.optional() };

const Bulk = z.object({
  matched: z.number().int(),
  changed: z.number().int(),
  notFound: z.array(z.string()),
  items: z.array(z.object({ id: z.string(), ok: z.boolean(), error: z.object({ code: z.string(), message: z.string() }).nullable() })),
});

export const OneOrBulk = z.union([Bulk, MailboxRecord]);

/** Changes one mailbox in its own transaction; answers whether anything changed. */
type Change = (mailbox: Mailbox) => Promise<boolean>;

/** One mailbox: it, changed, or the refusal. Several: what became of each. */
export async function forEachMailbox(
  workspaceId: string,
  { mailboxId, mailboxIds }: { mailboxId?: string | undefined; mailboxIds?: string[] | undefined },
  change: Change,
) {
  if (mailboxIds !== undefined) return bulk(workspaceId, [...new Set(mailboxIds)], change);
  if (mailboxId === undefined) throw invalid("mailboxId", "is required, or mailboxIds", "REQUIRED");
  await changeOne(workspaceId, mailboxId, change);
  return (await viewOf(await mailboxOf(workspaceId, mailboxId))) ?? null;
}

function changeOne(workspaceId: string, id: string, change: Change): Promise<boolean> {
  return inTransaction(async () => change(await mailboxOf(workspaceId, id)));
}

async function bulk(workspaceId: string, wanted: string[], change: Change): Promise<z.input<typeof Bulk>> {
  const result = { matched: 0, changed: 0, notFound: [] as string[], items: [] as z.input<typeof Bulk>["items"] };
  for (const id of wanted) {
    try {
      if (await changeOne(workspaceId, id, change)) result.changed++;
      result.matched++;
      result.items.push({ id, ok: true, error: null });
    } catch (err) {
      if (!(err instanceof AppError)) throw err;
      if (err.code === "MAILBOX_NOT_FOUND") {
        result.notFound.push(id);
        continue;
      }
      result.matched++;
      result.items.push({ id, ok: false, error: { code: err.code, message: err.message } });
    }
  }
  return result;
}
