import type { Endpoint, Out } from "../../api/call.ts";

export type Mailbox = Out<"get /mailboxes/:mailboxId">;
/** A mailbox of the list, whose figures may still be counted. */
export type ListedMailbox = Out<"get /mailboxes">[number];

/** Endpoints to read again after a change of a mailbox. */
export const RENEWS: readonly Endpoint[] = [
  "get /mailboxes",
  "get /mailboxes/:mailboxId",
  "get /mailboxes/:mailboxId/health",
  "get /deliverability/domains",
];
