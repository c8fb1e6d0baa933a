import type { Endpoint, Out } from "../../api/call.ts";
import type { Called } from "../../api/query.ts";
import type { PageOf } from "../../kit/table.tsx";

export type Mailbox = Out<"get /mailboxes/:mailboxId">;

/** What has to be read anew when something about a mailbox was changed. */
export const RENEWS: readonly Endpoint[] = [
  "get /mailboxes",
  "get /mailboxes/:mailboxId",
  "get /mailboxes/:mailboxId/health",
  "get /deliverability/domains",
];

/** A list that comes as a whole, as one of its pages. */
export function pageOf<T, R>(
  called: Called<T>,
  { page, pageSize }: { page: number; pageSize: number },
  rowsOf: (all: T) => R[],
): Called<PageOf<R>> {
  const { data } = called;
  if (data === undefined) return { ...called, data: undefined };
  const rows = rowsOf(data);
  const last = Math.max(1, Math.ceil(rows.length / pageSize));
  const shown = Math.min(page, last);
  return { ...called, data: { items: rows.slice((shown - 1) * pageSize, shown * pageSize), total: rows.length, page: shown, pageSize } };
}
