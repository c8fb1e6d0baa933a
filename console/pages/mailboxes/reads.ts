import type { Endpoint, Out } from "../../api/call.ts";

export type Mailbox = Out<"get /mailboxes/:mailboxId">;
/** A mailbox in the list, perhaps without its figures, which are counted separately. */
export type ListedMailbox = Out<"get /mailboxes">[number];

/** Endpoints to read again after a change of a mailbox. */
export const RENEWS: readonly Endpoint[] = [
  "get /mailboxes",
  "get /mailboxes/:mailboxId",
  "get /mailboxes/:mailboxId/health",
  "get /deliverability/domains",
];
